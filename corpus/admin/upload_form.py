"""The form that files come in by."""

from __future__ import annotations

from typing import Any

from django import forms

from corpus.listing import collections_for
from corpus.models import Collection, Role


class FilesInput(forms.ClearableFileInput):
    """Lets several files be chosen."""

    allow_multiple_selected = True


class FilesField(forms.FileField):
    """Several files."""

    widget = FilesInput

    def clean(self, data: Any, initial: Any = None) -> list[Any]:
        """Return the files as a list; one bad file is for the verb to refuse, not for the form."""
        files = [file for file in (data if isinstance(data, list | tuple) else [data]) if file]
        if not files:
            raise forms.ValidationError("Choose one or more files.")
        return files


class UploadForm(forms.Form):
    """A collection and files for it."""

    collection = forms.ModelChoiceField(queryset=Collection.objects.none())
    documents = FilesField(help_text="A ZIP archive is unpacked.")

    def __init__(self, *args: Any, user: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["collection"]
        assert isinstance(field, forms.ModelChoiceField)  # noqa: S101 -- declared above
        field.queryset = collections_for(user, Role.CURATOR)  # type: ignore[assignment]
