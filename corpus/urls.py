"""The addresses of the library."""

from __future__ import annotations

from django.urls import path

from corpus.views import file_page, library, passages, picture, uploading

urlpatterns = [
    path("library/", library.library, name="library"),
    path("library/list/", library.listed, name="library-list"),
    path("library/act/", library.act, name="library-act"),
    path("library/upload/", uploading.upload, name="library-upload"),
    path("library/fetch/", uploading.fetch, name="library-fetch"),
    path("library/uploads/", uploading.begin, name="library-upload-begin"),
    path("library/uploads/<str:token>/", uploading.piece, name="library-upload-piece"),
    path("library/files/<int:pk>/", file_page.source_file, name="source-file"),
    path("library/files/<int:pk>/state.json", file_page.state_json, name="source-file-state"),
    path("library/files/<int:pk>/original", file_page.original, name="source-file-original"),
    path("library/files/<int:pk>/passages/", passages.add, name="passage-add"),
    path("library/passages/<int:pk>/", passages.change, name="passage-change"),
    path("library/files/<int:pk>/pages/<int:number>.png", picture.page_picture, name="page-picture"),
    path("library/files/<int:pk>/pages/<int:number>.json", picture.page_facts, name="page-facts"),
]
