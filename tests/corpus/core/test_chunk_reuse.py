from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from corpus.core.chunk_reuse import reuse

texts = st.lists(st.sampled_from("abcd"), max_size=12)


@given(texts)
def test_nothing_changes_when_nothing_changed(held: list[str]) -> None:
    match = reuse(dict(enumerate(held)), held)

    assert sorted(match.kept, key=lambda pk: pk or 0) == list(range(len(held)))
    assert match.gone == ()


@given(texts, texts)
def test_each_row_becomes_one_chunk_of_its_own_identity_or_goes(held: list[str], wanted: list[str]) -> None:
    stored = dict(enumerate(held))

    match = reuse(stored, wanted)

    kept = [pk for pk in match.kept if pk is not None]
    assert len(kept) == len(set(kept))
    assert sorted([*kept, *match.gone]) == list(stored)
    assert all(stored[pk] == text for pk, text in zip(match.kept, wanted, strict=True) if pk is not None)


@given(texts, texts)
def test_as_many_as_possible_live_on(held: list[str], wanted: list[str]) -> None:
    match = reuse(dict(enumerate(held)), wanted)

    possible = sum(min(held.count(text), wanted.count(text)) for text in "abcd")
    assert sum(pk is not None for pk in match.kept) == possible
