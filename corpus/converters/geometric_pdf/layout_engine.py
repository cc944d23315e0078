"""A Docling layout engine that needs no weights: it reads the page's cells and hands back labelled clusters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Final

from docling.datamodel.base_models import Cluster, LayoutPrediction
from docling.datamodel.pipeline_options import BaseLayoutOptions
from docling.models.base_layout_model import BaseLayoutModel
from docling_core.types.doc import BoundingBox, CoordOrigin, DocItemLabel

from corpus.core.layout.columns import places_of
from corpus.core.layout.label import Label
from corpus.core.layout.line import Cell, Rect
from corpus.core.layout.page import Part, parts_of

LABELS: Final[dict[Label, DocItemLabel]] = {
    "section_header": DocItemLabel.SECTION_HEADER,
    "text": DocItemLabel.TEXT,
    "list_item": DocItemLabel.LIST_ITEM,
    "caption": DocItemLabel.CAPTION,
    "code": DocItemLabel.CODE,
    "footnote": DocItemLabel.FOOTNOTE,
    "page_header": DocItemLabel.PAGE_HEADER,
    "page_footer": DocItemLabel.PAGE_FOOTER,
    "contents": DocItemLabel.PAGE_HEADER,
}
PICTURE_SHARES: Final = (0.01, 0.95)


class GeometricLayoutOptions(BaseLayoutOptions):
    """Options of the engine.

    Attributes:
        running: texts at the edges of several pages, digits left out.
    """

    kind: ClassVar[str] = "geometric"
    running: frozenset[str] = frozenset()


class GeometricLayoutEngine(BaseLayoutModel):
    """Finds lines, blocks and their labels on each page."""

    requires_layout_postprocessing = False

    def __init__(
        self,
        artifacts_path: Any = None,
        accelerator_options: Any = None,
        options: GeometricLayoutOptions | None = None,
        enable_remote_services: bool = False,  # noqa: FBT001, FBT002 -- Docling's signature
    ) -> None:
        self.options = options or GeometricLayoutOptions()
        self.parts: dict[tuple[int, int], Part] = {}

    @classmethod
    def get_options_type(cls) -> type[BaseLayoutOptions]:
        """Return the options' class."""
        return GeometricLayoutOptions

    def predict_layout(self, conv_res: Any, pages: Sequence[Any]) -> Sequence[LayoutPrediction]:
        """Return the clusters of each page."""
        return [self._page(page) for page in pages]

    def _page(self, page: Any) -> LayoutPrediction:
        """Return the parts of a page as clusters, numbered in reading order."""
        cells = {cell.index: cell for cell in page.cells if cell.text.strip()}
        width, height = page.size.width, page.size.height
        parts = parts_of(
            [_cell(cell, height) for cell in cells.values()], width=width, height=height, running=self.options.running
        )
        pictures = _pictures(page)
        places = places_of(pictures, [part.rect for part in parts])
        clusters: list[Cluster] = []
        for at in range(len(parts) + 1):
            for picture, place in zip(pictures, places, strict=True):
                if place == at:
                    clusters.append(_cluster(len(clusters), DocItemLabel.PICTURE, picture))
            if at < len(parts):
                part = parts[at]
                self.parts[page.page_no, len(clusters)] = part
                clusters.append(_cluster(len(clusters), LABELS[part.label], part.rect, [cells[index] for index in part.cells]))
        return LayoutPrediction(clusters=clusters)


def layout_engines() -> dict[str, list[type[BaseLayoutModel]]]:
    """Tell Docling of the engine (entry point group ``docling``)."""
    return {"layout_engines": [GeometricLayoutEngine]}


def _cell(cell: Any, height: float) -> Cell:
    box = cell.rect.to_bounding_box().to_top_left_origin(height)
    angle = round(cell.rect.angle_360 / 90) % 4 * 90
    return Cell(cell.index, cell.text, Rect(box.l, box.t, box.r, box.b), getattr(cell, "font_name", None) or "", angle)


def _cluster(number: int, label: DocItemLabel, rect: Rect, cells: Sequence[Any] = ()) -> Cluster:
    box = BoundingBox(l=rect.left, t=rect.top, r=rect.right, b=rect.bottom, coord_origin=CoordOrigin.TOPLEFT)
    return Cluster(id=number, label=label, bbox=box, confidence=0.9, cells=list(cells))


def _pictures(page: Any) -> list[Rect]:
    parsed = page.parsed_page
    found: list[Rect] = []
    for bitmap in (getattr(parsed, "bitmap_resources", None) or []) if parsed else []:
        box = bitmap.rect.to_bounding_box().to_top_left_origin(page.size.height)
        share = box.area() / (page.size.width * page.size.height)
        if PICTURE_SHARES[0] < share < PICTURE_SHARES[1]:
            found.append(Rect(box.l, box.t, box.r, box.b))
    return found
