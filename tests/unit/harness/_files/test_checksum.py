"""Seals are of the content alone."""

from __future__ import annotations

import hashlib

import pytest

from harness._files.checksum import seal_of


def test_a_seal_is_the_checksum_of_the_content_as_json() -> None:
    """Pinned: files that were sealed before must stay whole."""
    plain = '["speech", {"a": "1", "b": "2"}, [0.5]]'
    assert seal_of("speech", {"b": "2", "a": "1"}, [0.5]) == hashlib.sha256(plain.encode()).hexdigest()
    assert seal_of("ab", "c") != seal_of("a", "bc")


def test_what_json_cannot_hold_has_no_seal() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        seal_of(float("nan"))
