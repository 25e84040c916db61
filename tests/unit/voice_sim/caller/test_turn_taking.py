"""What counts as the reply: every way in which an agent's speech can lie beside the caller's line."""

from __future__ import annotations

import math

import pytest

from voice_sim.caller.turn_taking import Patience, Reply, ReplyWatch, SilenceWatch

HANGOVER_S = 0.8


def watch_after_line(*, start_s: float = 8.0, end_s: float = 10.0) -> ReplyWatch:
    """A watch whose caller has said one line."""
    watch = ReplyWatch(ear_hangover_s=HANGOVER_S)
    watch.expect_reply(line_start_s=start_s, line_end_s=end_s)
    return watch


def test_the_first_speech_is_the_greeting() -> None:
    watch = ReplyWatch(ear_hangover_s=HANGOVER_S)
    assert watch.reply(5.0) is Reply.AWAITED
    watch.started(5.0)
    assert watch.reply(5.2) is Reply.UNDER_WAY
    watch.ended(6.0)
    assert watch.reply(6.8) is Reply.ENDED


@pytest.mark.parametrize(
    ("onset_s", "end_s", "now_s", "expected"),
    [
        # Begun after our line: the reply, from its onset on.
        (10.5, None, 10.6, Reply.UNDER_WAY),
        (10.5, 11.0, 11.8, Reply.ENDED),
        # Begun within the last 0.3 s of our line: an early reply, unless it was over before our line was.
        (9.8, None, 10.1, Reply.UNDER_WAY),
        (9.8, 10.4, 11.2, Reply.ENDED),
        (9.75, 9.95, 10.75, Reply.AWAITED),
        # Begun before or early in our line and over before it ended: an interrupted or interjected speech.
        (7.0, 8.5, 10.0, Reply.AWAITED),
        (8.2, 9.0, 60.0, Reply.AWAITED),
        # The tail of an interrupted speech, while it lasts: decided 2 s + hangover after our line's end.
        (7.0, None, 10.0, Reply.AWAITED),
        (7.0, None, 12.79, Reply.AWAITED),
        (7.0, None, 12.81, Reply.UNDER_WAY),
        # The same once it has ended: 2 s past our line make it a reply at once, less only after 5 s of quiet.
        (7.0, 12.0, 12.8, Reply.ENDED),
        (7.0, 11.9, 12.7, Reply.AWAITED),
        (7.0, 11.9, 16.89, Reply.AWAITED),
        (7.0, 11.9, 16.91, Reply.ENDED),
        (7.0, 10.0, 15.01, Reply.ENDED),
    ],
)
def test_speech_beside_a_line_from_8_to_10(
    onset_s: float, end_s: float | None, now_s: float, expected: Reply
) -> None:
    watch = watch_after_line()
    watch.started(onset_s)
    if end_s is not None:
        watch.ended(end_s)
    assert watch.reply(now_s) is expected


def test_speech_from_before_a_very_short_line_is_no_early_reply() -> None:
    watch = watch_after_line(start_s=9.9, end_s=10.0)
    watch.started(9.8)
    assert watch.reply(10.2) is Reply.AWAITED


def test_a_reply_after_a_doubtful_tail_takes_its_place() -> None:
    watch = watch_after_line()
    watch.started(7.0)
    watch.ended(10.5)
    assert watch.next_change_s(11.3) == pytest.approx(15.5)
    watch.started(12.0)
    assert watch.reply(12.2) is Reply.UNDER_WAY
    assert watch.next_change_s(12.2) is None
    watch.ended(13.0)
    assert watch.reply(13.8) is Reply.ENDED
    assert watch.quiet_since_s == 13.0


def test_repeated_reports_change_nothing() -> None:
    watch = watch_after_line()
    assert watch.ended(11.0) is None
    watch.started(11.0)
    watch.started(11.5)
    heard = watch.ended(12.0)
    assert heard is not None
    assert (heard.onset_s, heard.end_s) == (11.0, 12.0)
    assert watch.ended(13.0) is None


@pytest.mark.parametrize("wrong", [0.0, -1.0, math.inf, math.nan])
def test_patience_is_finite_and_positive(wrong: float) -> None:
    with pytest.raises(ValueError, match="positive"):
        Patience(silence_s=wrong)
    with pytest.raises(ValueError, match="positive"):
        Patience(prompt_s=wrong)


def test_a_doubtful_reply_is_taken_before_the_agent_is_asked_after() -> None:
    assert Patience().doubtful_s == 5.0
    assert Patience(silence_s=3.0).doubtful_s == 3.0
    assert Patience(prompt_s=4.0).doubtful_s == 4.0


def test_patience_begins_anew_with_whatever_was_said_last() -> None:
    """6 s from the end of the last words, whoever's; but to ask after the agent renews nothing."""
    watch = SilenceWatch(Patience(first_speech_s=12.0, silence_s=6.0, prompt_s=None))
    watch.connected(2.0)
    assert watch.patience_ends_s == 14.0
    watch.said(end_s=5.0, prompt=True)
    assert watch.patience_ends_s == 14.0
    watch.agent_stopped(20.0)
    assert watch.patience_ends_s == 26.0
    watch.said(end_s=30.0, prompt=False)
    assert watch.patience_ends_s == 36.0
    watch.agent_stopped(25.0)
    watch.said(end_s=28.0, prompt=False)
    watch.said(end_s=33.0, prompt=True)
    assert watch.patience_ends_s == 36.0
    watch.agent_stopped(40.0)
    assert watch.patience_ends_s == 46.0
