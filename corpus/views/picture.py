"""The picture of a page, with places marked."""

from __future__ import annotations

import io
from collections.abc import Sequence

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_GET

from corpus import blobs
from corpus.converter import ConversionError
from corpus.core.media_type import PDF
from corpus.models import Chunk, SourceFile
from corpus.page_picture import NoSuchPage, render_page
from corpus.views.file_page import visible_file

SCALE = 1.5
MOST_BOXES = 300
EDGES = 4
Places = Sequence[tuple[float, float, float, float]]


@login_required
@require_GET
def page_picture(request: HttpRequest, pk: int, number: int) -> HttpResponse:
    """Draw a page of a PDF. `mark` is a chunk's id, or boxes in points as ``left,top,right,bottom;…`` from the top left."""
    file = visible_file(request, pk)
    if file.media_type != PDF or not 1 <= number <= len(file.pages):
        raise Http404("There is no such page.")
    picture = _drawn(file, number)
    if places := _places(request.GET.get("mark", ""), file, number):
        picture = _marked(picture, places, width=float(file.pages[number - 1].get("width") or 0))
    response = HttpResponse(picture, content_type="image/png")
    response.headers["Cache-Control"] = "private, max-age=600"
    return response


@login_required
@require_GET
def page_facts(request: HttpRequest, pk: int, number: int) -> JsonResponse:
    """Return the size of a page in points, and how many pages there are, so that a reader's page can draw marks itself."""
    file = visible_file(request, pk)
    if not 1 <= number <= len(file.pages):
        raise Http404("There is no such page.")
    page = file.pages[number - 1]
    response = JsonResponse(
        {"number": number, "count": len(file.pages), "width": page.get("width"), "height": page.get("height")}
    )
    response.headers["Cache-Control"] = "private, max-age=600"
    return response


def _drawn(file: SourceFile, number: int) -> bytes:
    """Return the picture without marks; it is drawn once."""
    name = f"pictures/{file.content_hash[:2]}/{file.content_hash}/{number}.png"
    if blobs.exists(name):
        return blobs.read(name)
    try:
        with blobs.local_copy(file.content_hash) as path:
            picture = render_page(str(path), number, scale=SCALE)
    except (ConversionError, NoSuchPage, blobs.BytesMissing) as error:
        raise Http404("The page can't be drawn.") from error
    blobs.keep(name, picture)
    return picture


def _places(mark: str, file: SourceFile, number: int) -> Places:
    if mark.isascii() and mark.isdigit() and len(mark) < 15:  # noqa: PLR2004 -- a chunk's id
        chunk = Chunk.objects.filter(source_file=file, pk=int(mark)).first()
        spans = chunk.spans if chunk else []
        boxes = [box for span in spans for box in span.get("boxes", [])]
        return [(box[1], box[2], box[3], box[4]) for box in boxes if int(box[0]) == number][:MOST_BOXES]
    return [found for part in mark.split(";")[:MOST_BOXES] if (found := _box(part)) is not None]


def _box(text: str) -> tuple[float, float, float, float] | None:
    try:
        edges = [float(edge) for edge in text.split(",")]
    except ValueError:
        return None
    if len(edges) != EDGES or not all(-1e5 < edge < 1e5 for edge in edges):  # noqa: PLR2004
        return None
    return edges[0], edges[1], edges[2], edges[3]


def _marked(picture: bytes, places: Places, *, width: float) -> bytes:
    """Lay a translucent yellow over the places, as a marker pen does."""
    from PIL import Image, ImageChops, ImageDraw

    page = Image.open(io.BytesIO(picture)).convert("RGB")
    scale = page.width / width if width else SCALE
    ink = Image.new("RGB", page.size, "white")
    pen = ImageDraw.Draw(ink)
    for left, top, right, bottom in places:
        edges = sorted((left * scale, right * scale)) + sorted((top * scale, bottom * scale))
        pen.rectangle((edges[0] - 2, edges[2] - 1, edges[1] + 2, edges[3] + 1), fill=(255, 226, 110))
    out = io.BytesIO()
    ImageChops.multiply(page, ink).save(out, "PNG", compress_level=3)
    return out.getvalue()
