"""The dialogue in the order in which it was said, though everything becomes known late."""

from __future__ import annotations

import pytest

from voice_sim.caller.dialogue_log import WORDS_WAIT_S, DialogueLog
from voice_sim.policies.base import Heard, Kind, Said


def said(log: DialogueLog, text: str, start_s: float, end_s: float, kind: Kind = "turn") -> None:
    log.note_said(text=text, kind=kind, start_s=start_s, end_s=end_s)


def heard(log: DialogueLog, onset_s: float, end_s: float) -> None:
    log.note_heard(Heard(onset_s=onset_s, end_s=end_s), now_s=end_s + 0.8)


def order(log: DialogueLog) -> list[str | float]:
    """Said by their text, heard by their onset."""
    return [turn.text if isinstance(turn, Said) else turn.onset_s for turn in log.dialogue]


def test_a_stretch_that_ended_before_our_line_stands_before_it() -> None:
    log = DialogueLog()
    said(log, "a", 4.0, 5.0)
    said(log, "barge", 7.0, 8.5, "barge_in")
    heard(log, 6.0, 8.1)
    assert order(log) == ["a", 6.0, "barge"]


def test_the_rest_of_a_cut_off_sentence_is_told_from_the_reply_by_the_reply() -> None:
    log = DialogueLog()
    said(log, "barge", 7.0, 7.6, "barge_in")
    heard(log, 6.0, 8.5)
    assert order(log) == ["barge", 6.0]  # as long as nothing follows it may be the reply
    heard(log, 9.5, 11.0)
    assert order(log) == [6.0, "barge", 9.5]


def test_an_agent_that_ignored_us_and_went_on_answered_after_us() -> None:
    log = DialogueLog()
    said(log, "barge", 7.0, 7.6, "barge_in")
    heard(log, 6.0, 9.7)
    heard(log, 11.0, 12.0)
    assert order(log) == ["barge", 6.0, 11.0]


def test_a_backchannel_stands_before_the_speech_that_goes_on_through_it() -> None:
    log = DialogueLog()
    said(log, "mm-hm", 7.0, 7.4, "backchannel")
    heard(log, 6.0, 9.0)
    heard(log, 10.5, 12.0)
    assert order(log) == ["mm-hm", 6.0, 10.5]


def test_parts_are_joined_and_stand_where_the_last_one_ended() -> None:
    log = DialogueLog()
    said(log, "Well,", 4.0, 5.0)
    heard(log, 4.6, 5.3)
    log.note_continued(text="no.", end_s=6.0)
    assert log.lines == 1
    assert log.dialogue == (
        Heard(onset_s=4.6, end_s=5.3),
        Said(text="Well, no.", kind="turn", end_s=6.0),
    )


def test_words_go_to_the_nearest_stretch() -> None:
    log = DialogueLog()
    heard(log, 1.0, 2.0)
    heard(log, 3.0, 4.0)
    log.note_words(3.02, "second\nstretch ")
    log.note_words(9.0, "of nothing yet")
    assert [turn.text for turn in log.dialogue] == [None, "second stretch"]
    heard(log, 9.05, 10.0)
    assert [turn.text for turn in log.dialogue] == [None, "second stretch", "of nothing yet"]


def test_words_are_waited_for_and_given_up() -> None:
    log = DialogueLog()
    assert log.is_understood(0.0)
    heard(log, 1.0, 2.0)
    heard(log, 3.0, 4.0)
    assert log.words_due_s() == pytest.approx(4.8 + WORDS_WAIT_S)
    assert not log.is_understood(12.0)
    log.note_words(3.0, "ok")
    assert log.words_due_s() == pytest.approx(2.8 + WORDS_WAIT_S)
    assert log.is_understood(2.8 + WORDS_WAIT_S)
    assert [turn.text for turn in log.dialogue] == ["", "ok"]
    log.note_words(1.0, "after all")
    assert [turn.text for turn in log.dialogue] == ["after all", "ok"]


def test_a_dialogue_that_was_handed_out_does_not_change() -> None:
    log = DialogueLog()
    heard(log, 1.0, 2.0)
    before = log.dialogue
    log.note_words(1.0, "hello")
    assert before == (Heard(onset_s=1.0, end_s=2.0),)
