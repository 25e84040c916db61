"""Versions of what a run was placed by, where it was placed in two parts."""

from __future__ import annotations

import pytest

from harness.runs.database.instrument import instrument_digest
from harness.versions import joined_versions, same_instrument_version


def test_two_parts_have_both_versions_whichever_came_first() -> None:
    one, other = {"av": "14.0.1", "numpy": "2.1.3"}, {"numpy": "2.2.0", "torch": "2.5.1", "av": "14.0.1"}
    both = {"av": "14.0.1", "numpy": "2.1.3 / 2.2.0", "torch": "2.5.1 / none"}
    assert joined_versions(one, other) == joined_versions(other, one) == both
    assert joined_versions(both, other) == both, "a third part brings nothing new"
    assert joined_versions(both, {**other, "numpy": "2.3.0"})["numpy"] == "2.1.3 / 2.2.0 / 2.3.0"


@pytest.mark.parametrize(
    ("version", "told_apart_by"),
    [
        ("2.1.3", "2.1"),
        ("2.1.2 / 2.1.3", "2.1"),
        ("2.1.3 / 2.2.0", "2.1 / 2.2"),
        ("2.5.1 / none", "2.5 / none"),
    ],
)
def test_both_tell_instruments_apart_as_each_does(version: str, told_apart_by: str) -> None:
    assert same_instrument_version("numpy", version) == told_apart_by


def test_an_instrument_of_two_feature_releases_is_neither() -> None:
    one, other = {"numpy": "2.1.3"}, {"numpy": "2.2.0"}
    three = [instrument_digest(each, "0.1.0") for each in (one, other, joined_versions(one, other))]
    assert len(set(three)) == 3
    patched = joined_versions(one, {"numpy": "2.1.4"})
    assert instrument_digest(patched, "0.1.0") == three[0]
