from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.core.relative_path import BadPath, clean_path


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("a.md", "a.md"),
        ("./a/./b.md", "a/b.md"),
        ("a//b.md", "a/b.md"),
        ("a\\b.md", "a/b.md"),
        ("Gro\u0308ße.md", "Größe.md"),
        ("..a/b..c.md", "..a/b..c.md"),
    ],
)
def test_a_name_becomes_a_clean_path(name: str, path: str) -> None:
    assert clean_path(name) == path


@pytest.mark.parametrize(
    "name", ["", ".", "/", "./", "..", "a/../b", "/a", "\\\\server\\a", "C:a", "a\nb", "a\ud800", "x" * 1001]
)
def test_a_name_that_could_harm_is_refused(name: str) -> None:
    with pytest.raises(BadPath):
        clean_path(name)


@given(st.text(max_size=60))
def test_a_clean_path_stays_inside_and_is_its_own_clean_path(name: str) -> None:
    try:
        path = clean_path(name)
    except BadPath:
        return
    assert not path.startswith("/")
    assert ".." not in path.split("/")
    assert "\\" not in path
    assert clean_path(path) == path
