"""``score --only``: which kinds are measured."""

from __future__ import annotations

import pytest

from harness.analysis.instruments import KINDS
from harness.cli.commands.score import _kinds
from harness.errors import UserError


def test_kinds_by_name() -> None:
    assert _kinds(None) == KINDS
    assert _kinds("timing") == {"timing"}
    assert _kinds(" words, text") == {"words", "text"}


@pytest.mark.parametrize("named", ["", " , ", "sounds", "timing,sounds", "timing;words"])
def test_what_is_none_is_told_with_those_that_there_are(named: str) -> None:
    with pytest.raises(UserError, match="of timing, words, sound, text"):
        _kinds(named)
