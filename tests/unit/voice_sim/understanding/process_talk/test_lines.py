"""The lines of process talk: enough of each act, by several authors, none in two acts."""

from __future__ import annotations

from typing import Literal

import pytest

from voice_sim.understanding.process_talk.lines import (
    PROCESS_ACTS,
    all_process_lines,
    process_lines,
    process_version,
)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_act_has_lines_by_four_authors_and_no_line_is_of_two(language: Literal["en", "zh"]) -> None:
    by_act = process_lines(language)
    assert tuple(by_act) == PROCESS_ACTS
    for authors in by_act.values():
        assert len(authors) >= 4
        assert all(len(said) >= 5 for said in authors.values())
    every = [line for authors in by_act.values() for line in {x for said in authors.values() for x in said}]
    assert len(set(every)) == len(every) == len(all_process_lines(language))


def test_the_version_is_of_the_language_s_own_lines() -> None:
    assert process_version("en") != process_version("zh")
    assert len(process_version("en")) == 8
