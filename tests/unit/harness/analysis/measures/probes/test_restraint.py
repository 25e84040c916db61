"""False stops and false replies of calls and of runs, worked out by hand."""

from __future__ import annotations

from typing import Any

import pytest

from harness.analysis.analysed_call import AnalysedCall, CallMaterial
from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.probes.restraint import ECHO_REPLIES, ECHO_STOPS, FALSE_REPLIES, FALSE_STOPS
from harness.analysis.measures.table import found
from harness.analysis.probes.reactions import reactions
from harness.plans.probes.planted import Place, Planted, ProbePlan
from harness.records.call import Gap, SpokenUtterance
from harness.records.scores import CallScores, ProbeReaction, TurnTiming
from metrics.score import Score, Status
from metrics.spans import Span
from metrics.speech import Talk


def planted(line: int, kind: str, place: Place) -> Planted:
    return Planted(item=f"{kind}-1", line=line, kind=kind, place=place)


PROBE = ProbePlan(
    suite="restraint",
    version="1",
    planted=(
        planted(1, "cough", "over_agent"),
        planted(3, "tv", "over_agent"),
        planted(5, "cough", "in_silence"),
        planted(7, "tv", "in_silence"),
    ),
)
TIMES = ((2, 4), (6, 7), (13, 14), (16, 17), (23, 24), (30, 31))
"""Requests and sounds in turn; the call ended before the last sound."""
SPOKEN = ((5, 6.4), (15, 18), (25, 28), (32, 33))
"""It stops for the cough at 6 s, goes on at the television at 16 s, and answers the cough at 30 s."""


def analysed(*, probe: ProbePlan | None = PROBE, gaps: tuple[Gap, ...] = ()) -> AnalysedCall:
    spans = [Span(start_s=start, end_s=end) for start, end in SPOKEN]
    utterances = [
        SpokenUtterance(index=i, text="x", kind="turn", start_s=start, end_s=end, audio_sha256="0")
        for i, (start, end) in enumerate(TIMES)
    ]
    material = CallMaterial(call_id="a", utterances=utterances, end_s=40.0, probe=probe, gaps=gaps)
    talks = [Talk(span=span, clusters=(span,)) for span in spans]
    return AnalysedCall(material=material, reactions=reactions(material, turns=(), talks=talks))


def values(score: Score) -> list[tuple[str, float | None]]:
    return [(one.text, one.value) for one in score.evidence]


def test_a_call_by_hand() -> None:
    stops = found(FALSE_STOPS, analysed()).score
    assert values(stops) == [
        ("cough-1, into its speech, silent 400 ms after the sound began", 1.0),
        ("tv-1, into its speech", 0.0),
    ]
    assert (stops.value, stops.n) == (0.5, 2)
    assert stops.reason == "1 not counted: the call ended before it"
    replies = found(FALSE_REPLIES, analysed()).score
    assert [value for _, value in values(replies)] == [0.0, 0.0, 1.0]
    assert replies.value == pytest.approx(1 / 3)


def test_what_was_lost_is_not_counted_and_told() -> None:
    lost = Gap(side="agent", start_s=6.5, end_s=6.7, packets=10)
    stops = found(FALSE_STOPS, analysed(gaps=(lost,))).score
    assert (stops.n, stops.value) == (1, 0.0)
    assert "1 not counted: audio of the agent was lost there" in stops.reason


def test_other_calls_have_no_figure() -> None:
    assert found(FALSE_STOPS, analysed(probe=None)).score.reason == "it is no call of a probe suite"
    back = [one.model_copy(update={"heard_back": True}) for one in PROBE.planted]
    other = PROBE.model_copy(update={"suite": "echo", "planted": tuple(back)})
    assert found(FALSE_STOPS, analysed(probe=other)).score.reason == "it is a call of another suite"


def test_a_suite_of_the_user_s_own_counts_whatever_its_name_is() -> None:
    own = PROBE.model_copy(update={"suite": "office"})
    assert found(FALSE_STOPS, analysed(probe=own)).score.value == 0.5
    assert found(ECHO_STOPS, analysed(probe=own)).score.value is None


@pytest.mark.parametrize(
    ("suite", "what"), [("restraint", "sound"), ("echo", "own_voice"), ("attention", "other_voice")]
)
def test_what_was_written_before_forms_were_told_is_known_by_its_suite(suite: str, what: str) -> None:
    assert reaction(suite=suite).what == what


def reaction(**fields: Any) -> ProbeReaction:
    plain = {"suite": "restraint", "item": "cough-1", "kind": "cough", "planned": "over_agent"}
    return ProbeReaction.model_validate(plain | fields)


def test_a_run_tells_the_places_without_a_sound_beside() -> None:
    own = [
        reaction(over_agent=True, stopped=True, replied=False),
        reaction(over_agent=True, stopped=False, replied=True, kind="hold_music"),
        reaction(over_agent=True, stopped=False, replied=None, reason="too short"),
        reaction(over_agent=False, replied=False, planned="in_silence"),
        reaction(over_agent=True, stopped=False, replied=False, control=True),
        reaction(reason="the call ended before it"),
    ]
    calls = [
        ScoredCall(scores=CallScores(call_id="a", reactions=own[:3])),
        ScoredCall(scores=CallScores(call_id="b", reactions=own[3:])),
    ]
    stops = FALSE_STOPS.pool(calls)
    assert (stops.value, stops.n) == (pytest.approx(1 / 3), 3)
    assert stops.reason == "0 of 1 at places without a sound; cough 1 of 2; hold music 0 of 1; 1 not counted"
    replies = FALSE_REPLIES.pool(calls)
    assert (replies.value, replies.n) == (pytest.approx(1 / 3), 3)
    assert (
        replies.reason == "0 of 1 at places without a sound; cough 0 of 2; hold music 1 of 1; 2 not counted"
    )


def test_a_run_without_probes_is_not_measured() -> None:
    pooled = FALSE_STOPS.pool([])
    assert pooled.status is Status.NOT_APPLICABLE
    assert "run --probes restraint" in pooled.reason


def test_an_agent_that_stops_for_its_own_voice_and_answers_it() -> None:
    def back(line: int, *, control: bool = False) -> Planted:
        return Planted(
            item="echo -20 dB 150 ms",
            line=line,
            kind="-20 dB",
            place="over_agent",
            heard_back=True,
            control=control,
            after_s=0.15,
        )

    # It answers at 5 s, breaks off at 6 s, 850 ms after it came back, and speaks again at 7.5 s; at 15 s it
    # speaks to the end of what it has to say.
    spans = [Span(start_s=start, end_s=end) for start, end in ((5.0, 6.0), (7.5, 9.0), (15.0, 18.0))]
    turns = [
        TurnTiming.model_validate(
            {"index": index, "user_start_s": start - 2, "user_end_s": start - 1, "agent_start_s": start}
            | {"agent_end_s": end, "latency_ms": 1000.0, "status": "measured", "outcome": "answered"}
        )
        for index, (start, end) in enumerate(((5.0, 6.0), (15.0, 18.0)))
    ]
    utterances = [
        SpokenUtterance(index=i, text="x", kind="turn", start_s=start, end_s=start + 1, audio_sha256="0")
        for i, start in enumerate((3.0, 13.0, 25.0))
    ]
    probe = ProbePlan(suite="echo", version="1", planted=(back(0), back(1)))
    material = CallMaterial(call_id="a", utterances=utterances, end_s=40.0, probe=probe)
    talks = [Talk(span=span, clusters=(span,)) for span in spans]
    call = AnalysedCall(material=material, reactions=reactions(material, turns=turns, talks=talks))
    stops, replies = found(ECHO_STOPS, call).score, found(ECHO_REPLIES, call).score
    assert values(stops) == [
        ("echo -20 dB 150 ms, into its speech, silent 850 ms after the sound began", 1.0),
        ("echo -20 dB 150 ms, into its speech", 0.0),
    ]
    assert [value for _, value in values(replies)] == [1.0, 0.0]
    # It is no sound of the other suite.
    assert found(FALSE_STOPS, call).score.value is None
    pooled = ECHO_STOPS.pool([ScoredCall(scores=CallScores(call_id="a", reactions=call.reactions))])
    assert (pooled.value, pooled.n) == (0.5, 2)
    assert pooled.reason.startswith("nothing without it to compare with; ")
