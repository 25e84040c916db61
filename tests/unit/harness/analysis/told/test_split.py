"""Where the time of an answer went: an agent with known processing times that tells them, one that lies, and
one that says nothing.

The caller's turns end at 10, 30, 50 ... s; the agent takes each for ended after 400 ms, its model needs
300 ms, its voice 200 ms, and 100 ms more pass on the way that it does not tell of: it is heard after 1000 ms.
Its messages go through what reads them in a call.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from harness.analysis.told.split import NO_CLAIM, told_of
from harness.records.call import Event
from harness.records.scores import TurnTiming, TurnTold
from harness.transports.smallwebrtc.rtvi import RtviInbox
from metrics.interaction.outcome import TurnOutcome
from metrics.score import Status

Message = tuple[float, str, dict[str, Any]]
"""When it comes, its type, its data."""
MODEL, VOICE, EARS = "OpenAILLMService#0", "CartesiaTTSService#0", "DeepgramSTTService#0"


def turn(index: int = 0, *, latency_ms: float | None = 1000.0, outcome: str = "answered") -> TurnTiming:
    end_s = 10.0 + 20 * index
    return TurnTiming(
        index=index,
        user_start_s=end_s - 3,
        user_end_s=end_s,
        agent_start_s=None if latency_ms is None else end_s + latency_ms / 1000,
        latency_ms=latency_ms,
        status=Status.NOT_APPLICABLE if latency_ms is None else Status.MEASURED,
        reason="nothing came" if latency_ms is None else "",
        outcome=TurnOutcome(outcome),
        resolution_ms=10.0,
    )


def ttfb(processor: str, seconds: Any, kind: str = "ttfb") -> dict[str, Any]:
    return {kind: [{"processor": processor, {"ttfb": "value"}.get(kind, kind): seconds}]}


def messages(index: int = 0, *, ended: float = 0.4, model: Any = 0.3, voice: Any = 0.2) -> list[Message]:
    """What the honest agent sends about a turn; ``model`` and ``voice`` are what it claims."""
    end_s = 10.0 + 20 * index
    return [
        (end_s + ended - 0.05, "metrics", ttfb(EARS, 0.35)),
        (end_s + ended, "user-stopped-speaking", {}),
        (end_s + ended + 0.3, "metrics", ttfb(MODEL, model)),
        (end_s + ended + 0.5, "metrics", ttfb(VOICE, voice)),
        (end_s + ended + 0.6, "bot-started-speaking", {}),
    ]


def read(sent: Sequence[Message]) -> list[Event]:
    inbox = RtviInbox()
    wire = [json.dumps({"label": "rtvi-ai", "type": kind, "id": "1", "data": data}) for _, kind, data in sent]
    events = [inbox.read(text, t=one[0]) for text, one in zip(wire, sent, strict=True)]
    return [event for event in events if event is not None]


def split(sent: Sequence[Message], turns: Sequence[TurnTiming] | None = None) -> list[TurnTold]:
    return told_of(turns or [turn()], read(sent))


def parts(one: TurnTold) -> tuple[float | None, ...]:
    """End of turn, model, voice, not told; to the millisecond."""
    found = (one.end_of_turn_ms, one.model_ms, one.voice_ms, one.not_told_ms)
    return tuple(None if value is None else round(value) for value in found)


# ---- what is told truly


def test_known_times_are_given_back() -> None:
    (one,) = split(messages())
    assert parts(one) == (400, 300, 200, 100)
    assert (one.basis, one.contradiction, one.why_not) == ("rtvi", "", {})
    assert (one.start_s, one.end_s, one.measured_ms) == (10.0, 11.0, 1000.0)


def test_what_is_planted_in_one_part_moves_that_part_alone() -> None:
    later = [
        (10.0, 0.4, 0.3, 0.2, 1000.0, (400, 300, 200, 100)),
        (10.0, 0.5, 0.3, 0.2, 1100.0, (500, 300, 200, 100)),
        (10.0, 0.4, 0.4, 0.2, 1100.0, (400, 400, 200, 100)),
        (10.0, 0.4, 0.3, 0.3, 1100.0, (400, 300, 300, 100)),
        (10.0, 0.4, 0.3, 0.2, 1100.0, (400, 300, 200, 200)),
    ]
    for end_s, ended, model, voice, latency_ms, expected in later:
        sent: list[Message] = [
            (end_s + ended, "user-stopped-speaking", {}),
            (end_s + ended + model, "metrics", ttfb(MODEL, model)),
            (end_s + ended + model + voice, "metrics", ttfb(VOICE, voice)),
        ]
        (one,) = split(sent, [turn(latency_ms=latency_ms)])
        assert parts(one) == expected


def test_each_turn_has_its_own_claims() -> None:
    sent = [*messages(0), *messages(1, model=0.25), *messages(2, voice=0.15)]
    found = split(sent, [turn(index) for index in range(3)])
    assert [one.index for one in found] == [0, 1, 2]
    assert [parts(one) for one in found] == [(400, 300, 200, 100), (400, 250, 200, 150), (400, 300, 150, 150)]


def test_the_order_of_the_timeline_s_lines_moves_nothing() -> None:
    sent = [*messages(0), *messages(1)]
    turns = [turn(0), turn(1)]
    assert told_of(turns, list(reversed(read(sent)))) == told_of(turns, read(sent))


def test_a_turn_that_was_taken_for_ended_twice_counts_to_the_last() -> None:
    again: list[Message] = [(10.1, "user-stopped-speaking", {}), (10.2, "metrics", ttfb(MODEL, 0.1))]
    assert parts(split([*again, *messages()])[0]) == (400, 300, 200, 100)


def test_several_models_one_after_the_other_are_added_up() -> None:
    """As where the first asks for a tool."""
    sent = messages(model=0.2)
    sent[2:3] = [(10.6, "metrics", ttfb(MODEL, 0.2)), (10.7, "metrics", ttfb(MODEL, 0.1))]
    assert parts(split(sent)[0]) == (400, 300, 200, 100)


def test_two_models_at_once_are_counted_once() -> None:
    sent = messages(model=0.2)
    sent.insert(2, (10.65, "metrics", ttfb("AnotherLLMService#0", 0.1)))
    sent[3] = (10.7, "metrics", ttfb(MODEL, 0.25))
    (one,) = split(sent)
    # From 10.55 to 10.65, and on to 10.70.
    assert parts(one)[1] == 150


def test_the_longer_figures_take_the_place_of_the_shorter() -> None:
    """A model that thinks first (ttfat), a voice that begins with silence (ttfa)."""
    sent = messages(model=0.1, voice=0.15)
    sent[2] = (10.5, "metrics", ttfb(MODEL, 0.1))
    sent.insert(3, (10.7, "metrics", ttfb(MODEL, 0.3, "ttfat")))
    sent.insert(5, (10.91, "metrics", ttfb(VOICE, 0.2, "ttfa")))
    assert parts(split(sent)[0]) == (400, 300, 200, 100)


def test_only_longer_figures_are_no_continuation_of_each_other() -> None:
    sent: list[Message] = []
    for at_s in (10.0, 30.0):
        sent += [(at_s + 0.4, "user-stopped-speaking", {}), (at_s + 0.9, "metrics", ttfb(VOICE, 0.2, "ttfa"))]
    assert [parts(one) for one in split(sent, [turn(0), turn(1)])] == [(400, None, 200, 400)] * 2


def test_what_the_model_does_after_the_voice_has_begun_is_not_on_the_way() -> None:
    """It says "let me see" at once and thinks meanwhile."""
    sent: list[Message] = [
        (10.4, "user-stopped-speaking", {}),
        (10.7, "metrics", ttfb(VOICE, 0.25)),
        (10.8, "metrics", ttfb(MODEL, 0.4)),
    ]
    (one,) = split(sent)
    assert parts(one) == (400, None, 250, 350)
    assert one.why_not == {"model": NO_CLAIM["model"]}


# ---- what is not told


def test_no_message_at_all_is_all_not_told_and_never_0() -> None:
    (one,) = split([])
    assert parts(one) == (None, None, None, 1000)
    assert one.basis == ""
    assert one.why_not == NO_CLAIM


def test_a_part_that_is_not_told_is_named_and_not_0() -> None:
    (one,) = split([messages()[1], messages()[3]])
    assert parts(one) == (400, None, 200, 400)
    assert one.why_not == {"model": NO_CLAIM["model"]}


def test_the_zeros_before_the_first_turn_are_no_claims() -> None:
    sent = [messages()[1], (10.5, "metrics", ttfb(MODEL, 0)), (10.6, "metrics", ttfb(VOICE, 0.0))]
    assert parts(split(sent)[0]) == (400, None, None, 600)


def test_a_processor_of_which_nothing_is_known_is_named() -> None:
    (one,) = split([(10.5, "metrics", ttfb("Brain#0", 0.2))])
    assert parts(one) == (None, None, None, 1000)
    assert one.why_not["model"] == f"{NO_CLAIM['model']} (what is 'Brain#0'?)"


def test_an_end_that_was_told_too_early_is_no_part() -> None:
    (one,) = split(messages(ended=-0.3), [turn(latency_ms=300.0)])
    assert parts(one) == (None, None, 200, 100)
    assert one.why_not["end_of_turn"] == "the agent told the end of the turn 300 ms before the caller's"


def test_only_answers_that_were_waited_for_are_split() -> None:
    turns = [
        turn(0, latency_ms=None, outcome="not_answered"),
        turn(1, latency_ms=-200.0, outcome="talked_over"),
        turn(2, outcome="not_due"),
        turn(3, outcome="answered_in_part"),
    ]
    assert [one.index for one in split(messages(3), turns)] == [3]


# ---- what is told untruly


@pytest.mark.parametrize(("model", "over"), [(0.44, False), (0.47, True), (5.0, True), (59.0, True)])
def test_claims_beyond_what_was_measured_contradict_it(model: float, over: bool) -> None:
    """1000 ms were measured, 600 are told by end and voice; 10 ms of error bar and 50 ms of messages."""
    sent = messages(model=model)
    sent[2] = (10.4 + min(model, 0.4), "metrics", ttfb(MODEL, model))
    sent[3] = (10.99, "metrics", ttfb(VOICE, 0.2))
    (one,) = split(sent)
    assert bool(one.contradiction) == over
    if not over:
        assert parts(one) == (400, 440, 200, -40)
    else:
        assert parts(one) == (None, None, None, None)
        told = 600 + model * 1000
        assert one.contradiction.startswith(
            f"claims of {told:.0f} ms exceed what was measured by {told - 1000:.0f}"
        )


@pytest.mark.parametrize("claim", [-0.3, 61.0, 1e11])
def test_a_claim_that_is_no_time_leaves_its_part_untold(claim: float) -> None:
    (one,) = split(messages(model=claim))
    assert parts(one) == (400, None, 200, 400)
    assert one.why_not["model"] == f"the agent's claim is no time from 0 to 60 s: {claim!r} s"


@pytest.mark.parametrize("claim", [float("nan"), float("inf"), "0.3", None, True, [0.3], 10**400])
def test_a_claim_that_is_no_number_leaves_it_open_what_it_is_about(claim: Any) -> None:
    (one,) = split(messages(model=claim))
    assert parts(one) in {(400, None, None, 600), (400, None, 200, 400)}
    assert "model" in one.why_not


def test_a_longer_figure_below_the_shorter_is_believed_in_nothing() -> None:
    sent = messages()
    sent.insert(4, (10.92, "metrics", ttfb(VOICE, 0.1, "ttfa")))
    (one,) = split(sent)
    assert parts(one) == (400, 300, None, 300)
    assert one.why_not["voice"].endswith("0.2 s, then 0.1 s")


def test_ten_thousand_messages_are_no_account_of_an_answer() -> None:
    flood: list[Message] = [(10.4 + i * 5e-5, "metrics", ttfb(MODEL, 0.0001)) for i in range(10_000)]
    events = read([messages()[1]]) + [
        Event(
            t=t, side="agent", kind="metrics", source="rtvi", data={"ttfb": [{"processor": MODEL, "s": 1e-4}]}
        )
        for t, _, _ in flood
    ]
    (one,) = told_of([turn()], events)
    assert parts(one) == (400, None, None, 600)
    assert one.why_not["model"] == "more than 40 claims came during one answer"
    # What reads a call keeps no more than it may, and the agent's flood is cut off.
    assert len(read(flood)) <= 400


def test_a_timeline_that_somebody_wrote_breaks_nothing() -> None:
    odd: list[dict[str, Any]] = [
        {"ttfb": 1},
        {"ttfb": [1, None, {"processor": 3, "s": 1}, {"processor": MODEL}, {"processor": MODEL, "s": "1"}]},
        {"ttfa": [{"processor": "", "s": -0.0}]},
        {},
    ]
    events = [Event(t=10.5, side="agent", kind="metrics", source="rtvi", data=data) for data in odd]
    (one,) = told_of([turn()], events)
    assert parts(one)[:1] == (None,)
    assert one.not_told_ms == 1000.0
