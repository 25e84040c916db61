"""What was said and what was heard of it, in counts of edits; every figure worked by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from harness.analysis.analysed_call import AnalysedCall, CallMaterial
from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.table import found
from harness.analysis.measures.understanding.intelligibility import AGENT, CALLER
from harness.analysis.measures.understanding.pairs import TRANSCRIPT_VERSION
from harness.analysis.measures.understanding.recognition import CER, VERSION, WER
from harness.records.call import Event, SpokenUtterance
from harness.records.scores import CallScores, TranscriptLine, WordCounts
from harness.records.timeline import MESSAGES_DROPPED
from metrics.recognition.normalize import NORMALIZATION_VERSION
from metrics.score import Score, Status


@dataclass
class _Measures:
    scores: list[Score]
    counts: dict[str, WordCounts]


def _said(index: int, start_s: float, end_s: float, text: str, **more: Any) -> SpokenUtterance:
    fields: dict[str, Any] = {"kind": "turn", "audio_sha256": ""} | more
    return SpokenUtterance(index=index, text=text, start_s=start_s, end_s=end_s, **fields)


def _line(source: str, text: str, start_s: float, end_s: float, **more: Any) -> TranscriptLine:
    side = more.pop("side", "agent" if source == "agent_text" else "caller")
    return TranscriptLine(
        side=side,
        source=source,  # type: ignore[arg-type]
        start_s=start_s,
        end_s=end_s,
        text=text,
        **more,
    )


def _measure(
    lines: list[TranscriptLine],
    said: list[SpokenUtterance],
    *,
    language: str = "en",
    why: str = "",
    events: Sequence[Event] = (),
    end_s: float = 0.0,
) -> _Measures:
    material = CallMaterial(
        call_id="c", utterances=said, language=language, seed=1, events=events, end_s=end_s
    )
    call = AnalysedCall(material=material, lines=lines, why_no_recogniser=why)
    all_found = [found(measure, call) for measure in (WER, CER, CALLER, AGENT)]
    return _Measures(
        scores=[one.score for one in all_found],
        counts={one.score.metric: one.counts for one in all_found if one.counts is not None},
    )


def _score(measures: _Measures, metric: str) -> Score:
    return next(score for score in measures.scores if score.metric == metric)


def test_the_agent_s_own_errors_are_counted_against_what_was_said() -> None:
    """Worked by hand: "i would like a loan" heard as "i would like alone" is one substitution and one
    deletion in 5 words; "yes please" heard as "yes please now" one insertion in 2: 3 errors in 7 words."""
    said = [_said(0, 1.0, 3.0, "I would like a loan."), _said(1, 5.0, 6.0, "Yes, please.")]
    lines = [
        _line("agent_asr", "i would like alone", 1.0, 3.0, utterance=0),
        _line("agent_asr", "yes please now", 5.0, 6.0, utterance=1),
    ]
    measures = _measure(lines, said)
    wer = _score(measures, "wer")
    assert wer.status is Status.MEASURED
    assert wer.value == pytest.approx(3 / 7)
    assert measures.counts["wer"] == WordCounts(substitutions=1, deletions=1, insertions=1, reference=7)
    # Characters, spaces included: "a loan" to "alone" takes 3 edits, " now" is 4; of 19 + 10.
    assert _score(measures, "cer").value == pytest.approx(7 / 29)


def test_two_transcripts_of_one_utterance_are_joined() -> None:
    said = [_said(0, 1.0, 3.0, "red green blue grey")]
    lines = [
        _line("agent_asr", "red green", 1.0, 3.0, utterance=0),
        _line("agent_asr", "blue grey", 1.0, 3.0, utterance=0),
    ]
    assert _score(_measure(lines, said), "wer").value == 0.0


def test_an_utterance_that_the_agent_did_not_hear_is_all_deletions() -> None:
    said = [_said(0, 1.0, 2.0, "red green"), _said(1, 3.0, 4.0, "blue grey")]
    lines = [_line("agent_asr", "red green", 1.0, 2.0, utterance=0)]
    assert _score(_measure(lines, said), "wer").value == pytest.approx(0.5)


def test_a_line_that_was_cut_short_does_not_count() -> None:
    said = [_said(0, 1.0, 2.0, "red green"), _said(1, 3.0, 4.0, "blue grey white", cut_short=True)]
    lines = [_line("agent_asr", "red green", 1.0, 2.0, utterance=0)]
    measures = _measure(lines, said)
    assert _score(measures, "wer").value == 0.0
    assert measures.counts["wer"].reference == 2


def test_what_is_missing_is_named_and_never_a_number() -> None:
    said = [_said(0, 1.0, 2.0, "one")]
    nothing = _measure([], said, why="whisper is not installed")
    assert nothing.counts == {}
    assert {score.metric: score.status for score in nothing.scores} == dict.fromkeys(
        ("wer", "cer", "caller_intelligibility_wer", "agent_intelligibility_wer"), Status.NOT_APPLICABLE
    )
    assert "does not expose its own transcript" in _score(nothing, "wer").reason
    assert _score(nothing, "caller_intelligibility_wer").reason == "whisper is not installed"
    unknown = _measure([_line("agent_asr", "x", 1.0, 2.0, utterance=0)], [])
    assert "not known as text" in _score(unknown, "wer").reason


def test_intelligibility_compares_our_ears_with_what_each_side_meant_to_say() -> None:
    said = [_said(0, 1.0, 2.0, "red green blue grey")]
    lines = [
        _line("whisper", "red green blue great", 1.0, 2.0, utterance=0),
        _line("agent_text", "Good morning Sir", 3.0, 4.9),
        _line("whisper", "good morning", 3.0, 5.0, side="agent"),
    ]
    measures = _measure(lines, said)
    assert _score(measures, "caller_intelligibility_wer").value == pytest.approx(0.25)
    assert _score(measures, "agent_intelligibility_wer").value == pytest.approx(1 / 3)


def test_speech_of_the_agent_that_was_cut_off_is_not_held_against_its_voice() -> None:
    """It reported one sentence of the stretch; the second was interrupted and never reported."""
    lines = [
        _line("agent_text", "First sentence.", 3.0, 5.0),
        _line("whisper", "first sentence and then some mo", 3.0, 8.0, side="agent"),
    ]
    score = _score(_measure(lines, []), "agent_intelligibility_wer")
    assert score.status is Status.NOT_APPLICABLE


def test_a_flood_of_text_fails_instead_of_hanging() -> None:
    said = [_said(0, 1.0, 2.0, "red green")]
    lines = [_line("agent_asr", "x " * 30_000, 1.0, 2.0, utterance=0)]
    assert _score(_measure(lines, said), "wer").status is Status.FAILED


def test_chinese_has_characters_and_no_words() -> None:
    said = [_said(0, 1.0, 2.0, "你好吗")]
    lines = [_line("agent_asr", "你好", 1.0, 2.0, utterance=0)]
    measures = _measure(lines, said, language="zh")
    assert _score(measures, "cer").value == pytest.approx(1 / 3)
    assert _score(measures, "wer").status is Status.NOT_APPLICABLE


def _dropped(**counted: int) -> Event:
    data = {why.replace("_", " "): n for why, n in counted.items()}
    return Event(t=9.0, side="agent", kind=MESSAGES_DROPPED, source="wire", data=data)


def test_messages_that_were_dropped_are_told_where_a_transcript_is_missed() -> None:
    said = [_said(0, 1.0, 2.0, "yes please")]
    measures = _measure([], said, events=[_dropped(too_large=1, not_understood=2)])
    told = "3 messages were dropped (2 not understood, 1 too large)"
    for metric in ("wer", "cer"):
        score = _score(measures, metric)
        assert score.status is Status.NOT_APPLICABLE
        assert score.reason == f"the agent does not expose its own transcript of the caller; {told}"
    assert "dropped" not in _score(_measure([], said), "wer").reason


def test_messages_that_were_dropped_qualify_a_rate_of_what_came_through_and_its_pool() -> None:
    said = [_said(0, 1.0, 2.0, "yes please"), _said(1, 3.0, 4.0, "good bye")]
    lines = [_line("agent_asr", "yes please", 1.0, 2.0, utterance=0)]
    lines += [_line("whisper", "yes please", 1.0, 2.0, utterance=0)]
    measures = _measure(lines, said, events=[_dropped(too_many=1)])
    assert _score(measures, "wer").value == 0.5, "two of four words never came"
    assert _score(measures, "wer").reason.endswith("1 message was dropped (1 too many)")
    assert "dropped" not in _score(measures, "caller_intelligibility_wer").reason, "we heard that ourselves"
    scores = CallScores(call_id="c", scores=measures.scores, word_counts=measures.counts)
    pooled = WER.pool([ScoredCall(scores=scores)])
    assert "in 1 call messages of the agent were dropped" in pooled.reason


def test_what_another_writes_into_the_count_is_no_number() -> None:
    event = Event(
        t=9.0, side="agent", kind=MESSAGES_DROPPED, source="wire", data={"a": "x", "b": -1, "c": 1e9}
    )
    score = _score(_measure([], [_said(0, 1.0, 2.0, "yes")], events=[event]), "wer")
    assert "dropped" not in score.reason


def test_only_figures_of_the_agent_s_transcripts_have_the_version_of_whose_words_are_whose() -> None:
    said = [_said(0, 1.0, 2.0, "red green blue grey")]
    lines = [
        _line("agent_asr", "red green blue", 1.0, 2.0, utterance=0),
        _line("whisper", "red green blue great", 1.0, 2.0, utterance=0),
    ]
    versions = {score.metric: score.version for score in _measure(lines, said).scores}
    assert versions["wer"] == versions["cer"] == VERSION
    assert VERSION.startswith(f"{TRANSCRIPT_VERSION}.")
    assert NORMALIZATION_VERSION != TRANSCRIPT_VERSION
    assert versions["caller_intelligibility_wer"] == NORMALIZATION_VERSION


def _counted_of(measured: _Measures, name: str) -> tuple[int, int]:
    counts = measured.counts[name]
    return counts.errors, counts.reference


@pytest.mark.parametrize(
    ("end_s", "reference"),
    [(9.9, 2), (9.99, 2), (10.01, 4), (60.0, 4)],
)
def test_a_goodbye_that_nobody_could_have_written_yet_is_left_out(end_s: float, reference: int) -> None:
    """It ended at 8 s, and its transcript may come until 10 s."""
    said = [_said(0, 1.0, 2.0, "red green"), _said(1, 7.0, 8.0, "good bye")]
    heard = [_line("agent_asr", "red green", 1.0, 2.0, utterance=0)]
    measured = _measure(heard, said, end_s=end_s)
    assert _counted_of(measured, "wer") == (reference - 2, reference)
    reason = next(one.reason for one in measured.scores if one.metric == "wer")
    assert ("1 utterance left out, because the call ended within 2 s" in reason) == (reference == 2)


def test_a_goodbye_that_was_written_counts_however_soon_the_call_ended() -> None:
    said = [_said(0, 1.0, 2.0, "red green"), _said(1, 7.0, 8.0, "good bye")]
    heard = [
        _line("agent_asr", "red green", 1.0, 2.0, utterance=0),
        _line("agent_asr", "good", 7.0, 8.0, utterance=1),
    ]
    assert _counted_of(_measure(heard, said, end_s=8.1), "wer") == (1, 4)
    # With the blank before it.
    assert _counted_of(_measure(heard, said, end_s=8.1), "cer") == (4, 9 + 8)


def test_the_figure_of_a_run_says_in_how_many_calls_it_was_so() -> None:
    said = [_said(0, 1.0, 2.0, "red green"), _said(1, 7.0, 8.0, "good bye")]
    heard = [_line("agent_asr", "red green", 1.0, 2.0, utterance=0)]
    measured = _measure(heard, said, end_s=8.5)
    [score] = [one for one in measured.scores if one.metric == "wer"]
    call = CallScores(call_id="c", scores=[score], word_counts={"wer": measured.counts["wer"]})
    pooled = WER.pool([ScoredCall(scores=call)])
    assert (pooled.value, pooled.n) == (0.0, 2)
    assert "in 1 call the caller's last words are left out" in pooled.reason
