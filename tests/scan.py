"""A PDF that holds nothing but a picture."""

from __future__ import annotations

import io

import pytest
from PIL import Image, ImageDraw


@pytest.fixture
def scan() -> bytes:
    """Return a PDF of one page that holds nothing but a picture."""
    picture = Image.new("L", (850, 1100), 255)
    ImageDraw.Draw(picture).text((100, 100), "words in a picture", fill=0)
    out = io.BytesIO()
    picture.save(out, "PDF")
    return out.getvalue()
