"""A defect planted in a call moves its own figure and no other; what is right moves none.

The caller's turns last 5 s, from 0, 20, 40 ... s on, with a pause from the second to the third second; a
plain answer follows after 0.5 s and lasts 4 s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from harness.analysis.analysed_call import CallMaterial, Ending
from harness.analysis.conduct import conducted
from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.table import measures
from harness.analysis.outcomes import with_outcomes
from harness.analysis.timing import CallTiming
from harness.plans.probes.planted import ProbePlan
from harness.plans.probes.to_read import ToRead
from harness.records.call import CallStatus, Event, SpokenUtterance
from harness.records.scores import CallScores, TranscriptLine, TranscriptWord, TurnConduct
from metrics.interaction.entry import Entry
from metrics.spans import Span
from metrics.speech import SpeechActivity, Talk

NAMES = (
    "split_turn_rate",
    "false_start_rate",
    "agent_overlap_rate",
    "unanswered_rate",
    "self_cut_rate",
    "empty_reply_rate",
    "long_silence_rate",
    "repeated_reply_rate",
)
TURNS = 10
EVERY_S = 20.0
ANSWER = (5.5, 9.5, True)
Spoken = tuple[float, float, bool]
"""Of the agent, from the turn's start, and whether it ends softly."""

TALKS: dict[str, list[Spoken]] = {
    "split_turn_rate": [(2.6, 3.5, False), ANSWER],
    "false_start_rate": [(1.0, 1.7, False), ANSWER],
    "agent_overlap_rate": [(1.0, 2.0, True), ANSWER],
    "unanswered_rate": [],
    "self_cut_rate": [(5.5, 8.0, False)],
    "empty_reply_rate": [(5.5, 5.9, True)],
    "long_silence_rate": [(5.5, 7.0, True), (11.5, 13.0, True)],
    "repeated_reply_rate": [ANSWER],
}


def activity(spans: Sequence[Spoken]) -> SpeechActivity:
    return SpeechActivity(
        talks=tuple(
            Talk(
                span=Span(start_s=start, end_s=end),
                clusters=(Span(start_s=start, end_s=end),),
                soft_end=soft,
            )
            for start, end, soft in spans
        ),
        energy=tuple(Span(start_s=start, end_s=end) for start, end, _ in spans),
        silero=(),
        webrtcvad=(),
        noise_floor_dbfs=None,
        threshold_dbfs=-48.0,
    )


def heard(number: int, spoken: Spoken, text: str) -> TranscriptLine:
    start_s = number * EVERY_S + spoken[0]
    words = [TranscriptWord(word=word, start_s=start_s, end_s=start_s + 0.1) for word in text.split()]
    return TranscriptLine(
        side="agent", source="whisper", start_s=start_s, end_s=start_s + 0.4, text=text, words=words
    )


def placed(
    defect: str,
    planted: Sequence[int],
    *,
    text: str = "My order is late and I want it.",
    events: Sequence[Event] = (),
    known: bool = True,
    probe: ProbePlan | None = None,
) -> list[TurnConduct]:
    """A call of ten turns; the agent has the defect in some of them."""
    agent: list[Spoken] = []
    lines = []
    for number in range(TURNS):
        spoken = TALKS[defect] if number in planted else [ANSWER]
        at_s = number * EVERY_S
        agent += [(start + at_s, end + at_s, soft) for start, end, soft in spoken]
        repeats = defect == "repeated_reply_rate" and number in planted
        words = "mm" if spoken == TALKS["empty_reply_rate"] else f"one{number} two{number} three{number} four"
        lines += [heard(number, one, "one0 two0 three0 four" if repeats else words) for one in spoken]
    utterances = [
        SpokenUtterance(
            index=number,
            text=f"{number} {text}" if known else "",
            kind="turn",
            start_s=number * EVERY_S,
            end_s=number * EVERY_S + 5,
            audio_sha256="",
        )
        for number in range(TURNS)
    ]
    caller = activity(
        [(n * EVERY_S + a, n * EVERY_S + b, True) for n in range(TURNS) for a, b in ((0, 2), (3, 5))]
    )
    timing = CallTiming(agent=activity(agent), latencies=[], on_wire=[], interruptions=[])
    material = CallMaterial(
        call_id="c",
        utterances=utterances,
        utterances_known=known,
        probe=probe,
        events=events,
        end_s=TURNS * EVERY_S,
        ending=Ending(status=CallStatus.CALLER_HANGUP, reason="agent_silent"),
    )
    turns = with_outcomes([], timing=timing, material=material, lines=lines, recognised=True)
    return conducted(turns, timing=timing, material=material, lines=lines, caller=caller, recognised=True)


def figures(conduct: list[TurnConduct]) -> dict[str, Any]:
    call = ScoredCall(scores=CallScores(call_id="c", conduct=conduct))
    return {
        one.entry.name: one.pool([call])
        for one in measures()
        if one.entry.name in (*NAMES, "double_talk_share")
    }


@pytest.mark.parametrize("defect", NAMES)
@pytest.mark.parametrize("planted", [(2, 5, 8), (1, 2, 4, 5, 7, 8)])
def test_a_planted_defect_moves_its_figure_and_no_other(defect: str, planted: tuple[int, ...]) -> None:
    found = figures(placed(defect, planted))
    for name in NAMES:
        score = found[name]
        if name != defect:
            assert score.value == 0.0, f"{name}: {score.reason}"
    score = found[defect]
    assert score.value == len(planted) / score.n
    assert score.n == TURNS


def test_a_clean_agent_has_none() -> None:
    found = figures(placed("split_turn_rate", ()))
    assert {name: score.value for name, score in found.items()} == dict.fromkeys(found, 0.0)
    assert len(found) == len(NAMES) + 1


def test_double_talk_by_hand() -> None:
    """Three of ten turns of 5 s, in each the agent speaks over a pause's end: 3.0 to 3.5 s."""
    score = figures(placed("split_turn_rate", (2, 5, 8)))["double_talk_share"]
    assert score.value == pytest.approx(3 * 0.5 / 50)
    assert score.reason == "1.5 of 50.0 s"


def test_a_question_before_the_pause_is_not_held_against_it() -> None:
    found = figures(placed("split_turn_rate", (2, 5, 8), text="Are you open? I work until five."))
    assert (found["split_turn_rate"].value, found["split_turn_rate"].n) == (0.0, 7)
    assert "3 × the caller asked something before its end" in found["split_turn_rate"].reason
    assert found["agent_overlap_rate"].value == 0.0


def test_asked_again_it_may_say_the_same() -> None:
    found = figures(placed("repeated_reply_rate", (2, 5, 8), text="Sorry, can you repeat that."))
    assert found["repeated_reply_rate"].value is None
    assert "asked for it again" in found["repeated_reply_rate"].reason


def test_of_sentences_that_were_to_be_read_aloud_nothing_is_said_to_be_repeated() -> None:
    """A suite asks for two that differ in one word, one after the other."""
    read = ToRead(item="i", line=0, kind="k", text="one two three four")
    probe = ProbePlan(suite="code_switch", version="1", to_read=(read,))
    found = figures(placed("repeated_reply_rate", (2, 5, 8), probe=probe))
    assert found["repeated_reply_rate"].value is None
    assert "10 × the agent was to read sentences aloud" in found["repeated_reply_rate"].reason
    assert figures(placed("repeated_reply_rate", (2, 5, 8)))["repeated_reply_rate"].value == 0.3
    # All else of a turn stays; and without sentences to read, all of it.
    plain = placed("repeated_reply_rate", (2, 5, 8))
    told = "the agent was to read sentences aloud, of which some differ in a word"
    untold = {"repeats": None, "repeats_reason": told}
    assert placed("repeated_reply_rate", (2, 5, 8), probe=probe) == [
        one.model_copy(update=untold) for one in plain
    ]
    nothing = probe.model_copy(update={"to_read": ()})
    assert placed("repeated_reply_rate", (2, 5, 8), probe=nothing) == plain


def test_of_a_caller_whose_words_are_not_known_no_turn_is_called_split() -> None:
    found = figures(placed("split_turn_rate", (2, 5, 8), known=False))
    assert found["split_turn_rate"].value is None
    assert found["repeated_reply_rate"].value is None


def test_its_own_messages_are_a_witness() -> None:
    def message(t: float, kind: str) -> Event:
        return Event(t=t, side="agent", kind=kind, source="rtvi")

    events = [message(42.4, "user-stopped-speaking"), message(42.6, "bot-started-speaking")]
    told = placed("split_turn_rate", (2, 5), events=events)
    assert [one.told for one in told] == [False, False, True, *[False] * 7]
    assert [one.index for one in told if one.entry is Entry.SPLIT] == [2, 5]
    assert {one.told for one in placed("split_turn_rate", (2, 5))} == {None}
