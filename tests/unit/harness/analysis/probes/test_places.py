"""Where planted things really fell: by what was sent. The caller asks at 2-4 s; the agent speaks at 5-9 s."""

from __future__ import annotations

from typing import Any, Literal

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.probes.places import asides_apart, placed_in
from harness.plans.probes.planted import Planted, ProbePlan
from harness.records.call import SpokenUtterance
from harness.records.scores import TurnTiming
from metrics.interaction.outcome import TurnOutcome
from metrics.score import Status
from metrics.spans import Span
from voice_sim.policies.script import Script

PLANTED: dict[str, Any] = {"item": "cough-1", "kind": "cough", "place": "in_silence"}


def said(index: int, start_s: float, end_s: float, *, cut_short: bool = False) -> SpokenUtterance:
    return SpokenUtterance(
        index=index,
        text="x",
        kind="turn",
        start_s=start_s,
        end_s=end_s,
        cut_short=cut_short,
        audio_sha256="0",
    )


def probe(**fields: Any) -> ProbePlan:
    planted = Planted.model_validate(PLANTED | fields)
    return ProbePlan(suite="restraint", version="1", planted=(planted,))


def call(
    utterances: list[SpokenUtterance], planted: ProbePlan, *, answered: bool = True
) -> tuple[CallMaterial, list[TurnTiming]]:
    spoke = {"agent_start_s": 5.0, "agent_end_s": 9.0, "latency_ms": 1000.0} if answered else {}
    status: Literal[Status.MEASURED, Status.NOT_APPLICABLE] = (
        Status.MEASURED if answered else Status.NOT_APPLICABLE
    )
    turn = TurnTiming.model_validate(
        {
            "index": 0,
            "user_start_s": 2.0,
            "user_end_s": 4.0,
            "status": status,
            "reason": "" if answered else "no answer",
            "outcome": TurnOutcome.ANSWERED if answered else TurnOutcome.NOT_ANSWERED,
        }
        | spoke
    )
    material = CallMaterial(call_id="a", utterances=utterances, end_s=40.0, probe=planted)
    return material, [turn]


def test_a_sound_is_where_it_was_sent_until_the_caller_speaks_again() -> None:
    utterances = [said(0, 2, 4), said(1, 10, 10.5), said(2, 15, 17)]
    placed = placed_in(*call(utterances, probe(line=1)))[0]
    assert placed.span == Span(start_s=10, end_s=10.5)
    assert placed.until_s == 15
    last = placed_in(*call(utterances[:2], probe(line=1)))[0]
    assert last.until_s == 40


def test_a_control_is_counted_from_the_reply_to_the_request_before_it() -> None:
    utterances = [said(0, 2, 4), said(1, 16, 18)]
    silent = placed_in(*call(utterances, probe(line=0, control=True, after_s=0.6, length_s=2)))[0]
    assert silent.span == Span(start_s=9.6, end_s=11.6)
    assert silent.until_s == 16
    over = probe(line=0, control=True, after_s=1.2, length_s=2, place="over_agent")
    assert placed_in(*call(utterances, over))[0].span == Span(start_s=6.2, end_s=8.2)


def test_what_the_call_did_not_come_to_is_no_place() -> None:
    for utterances, planted, answered, why in (
        ([said(0, 2, 4)], probe(line=1), True, "the call ended before it"),
        ([said(0, 2, 4), said(1, 10, 11, cut_short=True)], probe(line=1), True, "the call ended in it"),
        ([said(0, 2, 4)], probe(line=0, control=True), False, "the request before it was not answered"),
        ([], probe(line=3, control=True), True, "the call ended before it"),
    ):
        placed = placed_in(*call(utterances, planted, answered=answered))[0]
        assert (placed.span, placed.why) == (None, why)


def test_nobody_has_to_answer_a_planted_sound() -> None:
    kinds = [one.kind for one in asides_apart([said(0, 2, 4), said(1, 10, 11)], probe(line=1))]
    assert kinds == ["turn", "backchannel"]
    control = probe(line=0, control=True)
    assert [one.kind for one in asides_apart([said(0, 2, 4)], control)] == ["turn"]
    assert [one.kind for one in asides_apart([said(0, 2, 4)], None)] == ["turn"]


def test_what_is_heard_back_lies_in_the_answer_and_ends_after_it() -> None:
    back = probe(line=0, place="over_agent", heard_back=True, after_s=0.3, kind="-20 dB")
    utterances = [said(0, 2, 4), said(1, 12, 13)]
    placed = placed_in(*call(utterances, back))[0]
    assert placed.span == Span(start_s=5.3, end_s=9.3)
    assert placed.until_s == 12.0
    # The line is a question of the caller's, and asks for an answer.
    assert [one.kind for one in asides_apart(utterances, back)] == ["turn", "turn"]
    assert (
        placed_in(*call(utterances, back, answered=False))[0].why == "the request before it was not answered"
    )


def test_an_aside_of_a_script_asks_for_no_answer_unless_a_suite_says_what_does() -> None:
    lines = [
        {"say": "Hello."},
        {"say": "(cough)", "kind": "aside"},
        {"say": "Mm.", "kind": "backchannel", "barge_in_after_s": 1.0},
        {"say": "Where is my order?"},
    ]
    script = Script.model_validate({"lines": lines})
    utterances = [said(index, 5.0 * index, 5.0 * index + 1) for index in range(4)]
    kinds = [one.kind for one in asides_apart(utterances, None, script)]
    assert kinds == ["turn", "backchannel", "turn", "turn"]
    # Line 2 is what the suite planted; its requests are asides, and to be answered.
    kinds = [one.kind for one in asides_apart(utterances, probe(line=2), script)]
    assert kinds == ["turn", "turn", "backchannel", "turn"]
