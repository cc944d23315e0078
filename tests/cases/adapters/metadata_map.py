"""Cases of the metadata map: loading, folding, and what a store keeps."""

from __future__ import annotations

import json
from typing import Any

import pytest

from corpus.core.metadata_map import (
    add_doi_url,
    choose_map,
    normal_entries,
    read_metadata_map,
    require_entries,
    resolve_metadata,
    split_urls,
    stored_metadata,
    without_empty,
)
from tests.cases.collection import Case, Suite
from tests.cases.registry import runs

ERRORS = {"ValueError": ValueError, "TypeError": TypeError}
HELPERS = {
    "split_urls": split_urls,
    "ensure_doi_url": add_doi_url,
    "store_policy": lambda values: stored_metadata(values, expand_names=True),
    "sanitize": lambda values: without_empty(stored_metadata(values, expand_names=True)),
}


@runs("resolve_metadata")
def headings_lead_to_metadata(case: Case, _suite: Suite) -> None:
    assert resolve_metadata(case["input"]["file_map"], case["input"]["headings"]) == case["expect"]


@runs("metadata_helpers")
def extracted_values_are_put_in_order(case: Case, _suite: Suite) -> None:
    assert HELPERS[case["input"]["fn"]](case["input"]["metadata"]) == case["expect"]


@runs("metadata_map_loading", when=lambda case: "map" in case["input"] and "source" not in case["input"])
def keys_are_normal_after_loading(case: Case, _suite: Suite) -> None:
    given, expected = case["input"]["map"], case["expect"]
    if "warns" in expected:
        assert bool(require_entries(read_metadata_map(json.dumps(given)), given)) == expected["warns"]
    else:
        assert normal_entries(given) == expected


@runs("metadata_map_loading")
def the_map_is_chosen_and_checked(case: Case, _suite: Suite) -> None:
    if "raises" in case:
        with pytest.raises(ERRORS[case["raises"]]):
            load(case["input"])
    else:
        assert load(case["input"]) == case["expect"]


def load(given: dict[str, Any]) -> object:
    maps = {
        kind: read_metadata_map(json.dumps(given[kind])) if kind in given else None for kind in ("explicit", "template", "map")
    }
    chosen = choose_map(maps["explicit"], maps["template"]) if maps["map"] is None else maps["map"]
    if "source" in given and chosen is not None:
        require_entries(chosen, [given["source"]])
    return chosen
