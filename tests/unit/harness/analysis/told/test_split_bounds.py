"""Which claim belongs to which answer, to the last message; what contradicts; what is not told.

The caller's turn lasts from 7 to 10 s and is answered after 1000 ms, at 11 s, by an instrument that is right
to 10 ms, unless a test says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from harness.analysis.told.split import NO_CLAIM, NO_ITEM, told_of
from harness.records.call import Event
from harness.records.scores import TurnTiming, TurnTold
from metrics.interaction.outcome import TurnOutcome
from metrics.score import Status

MODEL, VOICE = "OpenAILLMService#0", "CartesiaTTSService#0"


def turn(
    index: int = 0,
    *,
    start_s: float = 7.0,
    end_s: float = 10.0,
    latency_ms: float | None = 1000.0,
    outcome: TurnOutcome = TurnOutcome.ANSWERED,
    resolution_ms: float | None = 10.0,
) -> TurnTiming:
    return TurnTiming(
        index=index,
        user_start_s=start_s,
        user_end_s=end_s,
        agent_start_s=None if latency_ms is None else end_s + latency_ms / 1000,
        latency_ms=latency_ms,
        status=Status.NOT_APPLICABLE if latency_ms is None else Status.MEASURED,
        reason="nothing came" if latency_ms is None else "",
        outcome=outcome,
        resolution_ms=resolution_ms,
    )


def ended(t: float) -> Event:
    return Event(t=t, side="agent", kind="user-stopped-speaking", source="rtvi")


def claim(t: float, processor: str, seconds: float) -> Event:
    data = {"ttfb": [{"processor": processor, "s": seconds}]}
    return Event(t=t, side="agent", kind="metrics", source="rtvi", data=data)


def model(t: float, seconds: float = 0.25) -> Event:
    return claim(t, MODEL, seconds)


def voice(t: float, seconds: float = 0.25) -> Event:
    return claim(t, VOICE, seconds)


def item(t: float, role: str, **figures_ms: Any) -> Event:
    own = {f"{name}_ms": value for name, value in figures_ms.items()}
    data = {"role": role, "own_figures": own} if own else {"role": role}
    return Event(t=t, side="agent", kind="session-item", source="livekit", data=data)


def split(*events: Event, of: TurnTiming | None = None) -> TurnTold:
    (one,) = told_of([of or turn()], events)
    return one


def told(one: TurnTold) -> dict[str, float]:
    """In milliseconds, rounded."""
    return {name: round(value, 3) for name, value in one.told_ms.items()}


# ---- RTVI: which messages are this answer's


@pytest.mark.parametrize(
    ("t", "expected"),
    [(6.99, None), (7.0, None), (9.99, None), (10.0, 0.0), (10.25, 250.0), (11.0, 1000.0), (11.01, None)],
)
def test_the_turn_is_told_as_ended_between_its_end_and_the_onset(t: float, expected: float | None) -> None:
    one = split(ended(t))
    assert one.end_of_turn_ms == (None if expected is None else pytest.approx(expected))
    assert ("end_of_turn" in one.why_not) == (expected is None)


@pytest.mark.parametrize(
    ("t", "why"),
    [
        (6.99, NO_CLAIM["end_of_turn"]),
        (7.0, "the agent told the end of the turn 3000 ms before the caller's"),
        (9.75, "the agent told the end of the turn 250 ms before the caller's"),
        (11.01, NO_CLAIM["end_of_turn"]),
    ],
)
def test_an_end_before_the_turn_began_is_not_this_turn_s(t: float, why: str) -> None:
    assert split(ended(t)).why_not["end_of_turn"] == why


def test_of_several_ends_the_last_before_the_onset_counts() -> None:
    assert told(split(ended(10.125), ended(10.5), ended(11.01))) == {"end_of_turn": 500}


@pytest.mark.parametrize("processor", [MODEL, VOICE])
@pytest.mark.parametrize(
    ("t", "counts"), [(10.25, False), (10.26, True), (11.0, True), (11.0 + 0.05, True), (11.051, False)]
)
def test_claims_come_after_the_end_that_was_told_and_until_a_moment_after_the_onset(
    processor: str, t: float, counts: bool
) -> None:
    one = split(ended(10.25), claim(t, processor, 0.005))
    name = "model" if processor == MODEL else "voice"
    assert told(one) == {"end_of_turn": 250.0, **({name: 5.0} if counts else {})}


@pytest.mark.parametrize("early", [(), (ended(9.5),), (ended(6.0),)])
def test_where_no_end_is_told_claims_come_after_the_caller_s(early: Sequence[Event]) -> None:
    assert told(split(*early, model(10.0, 0.005))) == {}
    assert told(split(*early, model(10.01, 0.005))) == {"model": 5}


def test_the_first_voice_is_the_answer_s() -> None:
    assert told(split(voice(10.5), voice(10.75, 0.125))) == {"voice": 250}


@pytest.mark.parametrize(("t", "counts"), [(10.5, True), (10.5 + 0.05, True), (10.551, False)])
def test_a_model_is_on_the_way_until_a_moment_after_the_voice_began(t: float, counts: bool) -> None:
    # The voice began at 10.5 s.
    one = split(model(t, 0.125), voice(10.75))
    assert told(one) == {**({"model": 125.0} if counts else {}), "voice": 250.0}
    assert one.not_told_ms == pytest.approx(625 if counts else 750)


def test_forty_claims_are_an_account_of_an_answer_and_no_more() -> None:
    forty = [model(10.5 + n * 0.01, 0.005) for n in range(40)]
    one = split(ended(10.25), *forty)
    assert told(one) == {"end_of_turn": 250, "model": 200}
    one = split(ended(10.25), *forty, voice(10.95, 0.005))
    many = "more than 40 claims came during one answer"
    assert told(one) == {"end_of_turn": 250}
    assert one.why_not == {"model": many, "voice": many}


# ---- what overlaps counts once


@pytest.mark.parametrize(("seconds", "expected"), [(0.25, 250), (0.251, 200), (0.4, 200)])
def test_work_that_began_before_the_turn_was_told_as_ended_counts_from_there(
    seconds: float, expected: float
) -> None:
    """The end is told at 10.5 s and the model at 10.7 s: 50 ms sooner is no overlap yet."""
    one = split(ended(10.5), model(10.45 + 0.25, seconds))
    assert told(one) == {"end_of_turn": 500, "model": expected}


def test_models_one_after_the_other_are_added_up_and_at_once_are_not() -> None:
    assert told(split(model(10.25, 0.125), model(10.5, 0.25))) == {"model": 375}
    # The second began at 10.0 s, the first ended at 10.25 s: 0.125 + 0.25 s.
    assert told(split(model(10.25, 0.125), model(10.5, 0.5))) == {"model": 375}
    # The third overlaps with the second, which ended at 10.5 s.
    assert told(split(model(10.25, 0.125), model(10.5, 0.5), model(10.625, 0.25))) == {"model": 500}


def test_a_claim_that_is_no_time_makes_its_part_untold_and_leaves_the_other() -> None:
    one = split(model(10.25), model(10.375, 61.0), voice(10.75))
    assert told(one) == {"voice": 250}
    assert one.why_not == {
        "end_of_turn": NO_CLAIM["end_of_turn"],
        "model": "the agent's claim is no time from 0 to 60 s: 61.0 s",
    }
    one = split(model(10.25), voice(10.75, -1.0))
    assert told(one) == {"model": 250}
    assert one.why_not["voice"] == "the agent's claim is no time from 0 to 60 s: -1.0 s"


# ---- what contradicts what was measured


@pytest.mark.parametrize(
    ("resolution_ms", "seconds", "given"),
    [
        (10.0, 1.06, {"voice": 1000}),
        (10.0, 1.06002, {}),
        (10.0, 1.061, {}),
        # Begun no more than 50 ms before the end of the turn: taken as it is told.
        (None, 1.05, {"voice": 1050}),
        (None, 1.051, {}),
        (40.0, 1.09, {"voice": 1000}),
        (40.0, 1.091, {}),
    ],
)
def test_claims_may_exceed_by_what_messages_and_instrument_may_differ(
    resolution_ms: float | None, seconds: float, given: dict[str, float]
) -> None:
    one = split(voice(11.0, seconds), of=turn(resolution_ms=resolution_ms))
    assert bool(one.contradiction) == (not given)
    assert told(one) == given


def test_a_contradiction_takes_every_part_and_says_by_how_much() -> None:
    assert split(ended(10.5), model(10.75, 0.75)) == TurnTold(
        index=0,
        start_s=10.0,
        end_s=11.0,
        measured_ms=1000.0,
        not_told_ms=None,
        basis="rtvi",
        contradiction=(
            "claims of 1250 ms exceed what was measured by 250 ms: they are wrong, or the agent worked on "
            "several parts at once"
        ),
    )


def test_every_field_of_what_is_told() -> None:
    assert split(ended(10.25), model(10.5), voice(10.625, 0.125), of=turn(3)) == TurnTold(
        index=3,
        start_s=10.0,
        end_s=11.0,
        measured_ms=1000.0,
        end_of_turn_ms=250.0,
        model_ms=250.0,
        voice_ms=125.0,
        not_told_ms=375.0,
        basis="rtvi",
    )
    assert split(of=turn(2, latency_ms=500.0)) == TurnTold(
        index=2,
        start_s=10.0,
        end_s=10.5,
        measured_ms=500.0,
        not_told_ms=500.0,
        why_not=dict(NO_CLAIM),
    )


# ---- processors of which nothing is known


def test_an_unknown_processor_is_named_for_what_is_not_told_alone() -> None:
    name = "B" * 45
    what = f" (what is '{'B' * 40}'?)"
    assert split(claim(10.5, name, 0.1), claim(10.6, "Other#0", 0.1)).why_not == {
        "end_of_turn": NO_CLAIM["end_of_turn"],
        "model": NO_CLAIM["model"] + what,
        "voice": NO_CLAIM["voice"] + what,
    }
    one = split(ended(10.25), claim(10.375, name, 0.1), model(10.5), voice(10.75, 61.0))
    assert one.why_not == {"voice": "the agent's claim is no time from 0 to 60 s: 61.0 s"}
    one = split(ended(10.25), claim(10.375, name, 0.1), voice(10.75))
    assert one.why_not == {"model": NO_CLAIM["model"] + what}


# ---- which answers


@pytest.mark.parametrize(("latency_ms", "split_up"), [(-10.0, False), (0.0, False), (1.0, True)])
def test_only_a_latency_above_0_is_split(latency_ms: float, split_up: bool) -> None:
    assert len(told_of([turn(latency_ms=latency_ms)], [])) == split_up


def test_only_turns_with_a_latency_and_an_answer_are_split_in_the_order_of_their_numbers() -> None:
    turns = [
        turn(4, start_s=7, end_s=10),
        turn(3, start_s=27, end_s=30, latency_ms=500.0, outcome=TurnOutcome.IN_PART),
        turn(2, start_s=47, end_s=50, outcome=TurnOutcome.TALKED_OVER),
        turn(1, start_s=67, end_s=70, latency_ms=None),
    ]
    found = told_of(turns, [])
    assert [(one.index, one.end_s) for one in found] == [(3, 30.5), (4, 11.0)]
    assert told_of([turns[2]], [ended(50.1)]) == []


# ---- LiveKit: which items are this answer's


def user(t: float, **figures_ms: Any) -> Event:
    return item(t, "user", **(figures_ms or {"end_of_turn_delay": 250}))


def own(t: float, **figures_ms: Any) -> Event:
    return item(t, "assistant", **(figures_ms or {"llm_node_ttft": 125, "tts_node_ttfb": 62.5}))


WHOLE = {"end_of_turn": 250.0, "model": 125.0, "voice": 62.5}


def test_every_field_of_what_items_tell() -> None:
    assert split(user(10.5), own(15.0)) == TurnTold(
        index=0,
        start_s=10.0,
        end_s=11.0,
        measured_ms=1000.0,
        end_of_turn_ms=250.0,
        model_ms=125.0,
        voice_ms=62.5,
        not_told_ms=562.5,
        basis="livekit",
    )


@pytest.mark.parametrize(
    ("t", "counts"), [(6.99, False), (7.0, False), (7.01, True), (11.0 + 0.2, True), (11.201, False)]
)
def test_the_caller_s_item_comes_during_its_turn_or_a_moment_after_the_onset(t: float, counts: bool) -> None:
    one = split(user(t), own(15.0))
    assert told(one) == (WHOLE if counts else {})
    assert one.why_not == ({} if counts else dict.fromkeys(NO_CLAIM, NO_ITEM))


@pytest.mark.parametrize(("t", "counts"), [(11.09, True), (11.1, True), (11.11, False)])
def test_an_item_after_the_next_turn_began_is_that_one_s(t: float, counts: bool) -> None:
    later = turn(1, start_s=11.1, end_s=14.0)
    last = turn(2, start_s=21.0, end_s=24.0)
    found = told_of([last, later, turn()], [user(t), own(11.15)])
    assert told(found[0]) == (WHOLE if counts else {})


def test_the_caller_s_last_item_and_the_agent_s_first_count() -> None:
    one = split(user(8.0, end_of_turn_delay=30), user(10.5), own(15.0), own(16.0, llm_node_ttft=30))
    assert told(one) == WHOLE
    # Of an answer whose first item tells nothing, the second is not taken.
    assert told(split(user(10.5), item(12.0, "assistant"), own(15.0))) == {"end_of_turn": 250}


@pytest.mark.parametrize(("t", "counts"), [(10.949, False), (11.0 - 0.05, True), (11.0, True), (500.0, True)])
def test_the_agent_s_item_comes_from_the_onset_on(t: float, counts: bool) -> None:
    one = split(user(10.5), own(t))
    assert told(one) == (WHOLE if counts else {"end_of_turn": 250})


@pytest.mark.parametrize(("t", "counts"), [(11.09, False), (11.1, True), (11.11, True)])
def test_the_agent_s_item_does_not_come_before_the_caller_s(t: float, counts: bool) -> None:
    one = split(user(11.1), own(t))
    assert told(one) == (WHOLE if counts else {"end_of_turn": 250})


def test_the_agent_s_item_does_not_come_before_the_last_of_several_of_the_caller_s() -> None:
    theirs = user(10.5), user(11.15)
    assert told(split(*theirs, own(11.0))) == {"end_of_turn": 250}
    assert told(split(*theirs, own(11.0, llm_node_ttft=30), own(11.15))) == WHOLE


@pytest.mark.parametrize(("t", "counts"), [(25.0, True), (30.99, True), (31.0, False), (50.5, False)])
def test_the_agent_s_item_comes_before_the_next_answer(t: float, counts: bool) -> None:
    """The next turn is not answered; the one after it is, at 31 s, and one more at 51 s."""
    turns = [
        turn(),
        turn(1, start_s=17, end_s=20, latency_ms=None, outcome=TurnOutcome.NOT_ANSWERED),
        turn(2, start_s=27, end_s=30),
        turn(3, start_s=47, end_s=50),
    ]
    first = told_of(turns, [user(10.5), own(t)])[0]
    assert told(first) == (WHOLE if counts else {"end_of_turn": 250})


def test_what_neither_of_both_said_is_no_item_of_theirs() -> None:
    assert told(split(item(10.5, "system", end_of_turn_delay=250), own(15.0))) == {}
    only = split(user(10.5), item(14.0, "system", llm_node_ttft=250), user(14.5))
    assert told(only) == {"end_of_turn": 250}


def test_the_whole_of_the_model_is_taken_where_it_is_told() -> None:
    one = split(user(10.5), own(15.0, llm_node_ttft=125, llm_node_ttfs=375, tts_node_ttfb=62.5))
    assert told(one) == {"end_of_turn": 250, "model": 375, "voice": 62.5}
    assert told(split(user(10.5), own(15.0, llm_node_ttfs=375))) == {"end_of_turn": 250, "model": 375}


@pytest.mark.parametrize(
    ("theirs", "ours", "why"),
    [
        ({"transcription_delay": 1}, {"x": 1}, dict(NO_CLAIM)),
        (
            {"end_of_turn_delay": -1},
            {"llm_node_ttft": 60_001, "tts_node_ttfb": "soon"},
            dict.fromkeys(NO_CLAIM, "the agent's claim is no time from 0 to 60 s"),
        ),
    ],
)
def test_a_figure_that_is_missing_or_no_time_is_not_told(
    theirs: Mapping[str, Any], ours: Mapping[str, Any], why: Mapping[str, str]
) -> None:
    one = split(user(10.5, **theirs), own(15.0, **ours))
    assert (one.told_ms, one.why_not, one.basis) == ({}, why, "")
    assert one.not_told_ms == 1000.0


def test_items_without_any_figure_leave_it_to_the_messages() -> None:
    bare = [item(10.5, "user"), item(15.0, "assistant")]
    one = split(*bare, ended(10.25))
    assert (told(one), one.basis) == ({"end_of_turn": 250}, "rtvi")
    # One item with a figure, of whatever turn, and they are what tells.
    one = split(*bare, ended(10.25), item(1.0, "assistant", tts_node_ttfb=125))
    assert (told(one), one.basis) == ({}, "")
