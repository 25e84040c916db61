"""Calls in which the agent heard nothing, in a run in which it tells what it hears elsewhere; by hand."""

from __future__ import annotations

from types import SimpleNamespace
from typing import cast

import pytest

from harness.analysis.analysed_call import AnalysedCall, CallMaterial
from harness.analysis.measures.base import Found, ScoredCall
from harness.analysis.measures.table import found
from harness.analysis.measures.understanding.noise import WER_NOISY
from harness.analysis.measures.understanding.recognition import CER, WER
from harness.records.call import Event, SpokenUtterance
from harness.records.scores import CallScores, TranscriptLine, WordCounts
from harness.records.timeline import MESSAGES_DROPPED
from harness.scoring.comparison.observations import of_figure
from harness.scoring.gates.held_to import HeldCall
from metrics.score import Status

DROPPED = Event(t=9.0, side="agent", kind=MESSAGES_DROPPED, source="wire", data={"too large": 1})


def call(
    call_id: str,
    said: str,
    heard: str | None,
    *,
    language: str = "en",
    snr_db: float | None = None,
    **more: object,
) -> ScoredCall:
    """One line, and the agent's transcript of it; None: it wrote nothing in the whole call."""
    spoken = [SpokenUtterance(index=0, text=said, start_s=1.0, end_s=2.0, kind="turn", audio_sha256="")]
    lines = (
        []
        if heard is None
        else [TranscriptLine(side="caller", source="agent_asr", start_s=1, end_s=2, text=heard, utterance=0)]
    )
    material = CallMaterial(
        call_id=call_id,
        utterances=spoken if said else [],
        language=language,
        seed=1,
        **more,  # type: ignore[arg-type]
    )
    all_found: list[Found] = [found(one, AnalysedCall(material=material, lines=lines)) for one in (WER, CER)]
    scores = CallScores(
        call_id=call_id,
        scores=[one.score for one in all_found],
        word_counts={one.score.metric: one.counts for one in all_found if one.counts is not None},
        unheard={one.score.metric: one.unheard for one in all_found if one.unheard is not None},
    )
    noise = None if snr_db is None else SimpleNamespace(snr_db=snr_db)
    plan = SimpleNamespace(conditions=SimpleNamespace(noise=noise), language=language)
    return cast(ScoredCall, SimpleNamespace(scores=scores, plan=plan))


def test_a_call_of_which_nothing_was_heard_is_all_deletions_where_others_were_heard() -> None:
    """Ten calls of two words, five of them not heard: 10 of 20 words."""
    calls = [call(f"h{n}", "yes please", "yes please") for n in range(5)]
    calls += [call(f"u{n}", "yes please", None) for n in range(5)]
    wer = WER.pool(calls)
    assert (wer.value, wer.n) == (0.5, 20)
    assert wer.reason.startswith("in 5 calls the agent wrote nothing, and does in others: all missing")
    assert "expose" not in wer.reason
    assert wer.version == calls[0].scores.scores[0].version
    # "yes please" has ten characters with its space.
    assert (CER.pool(calls).value, CER.pool(calls).n) == (0.5, 100)


def test_an_agent_that_never_writes_a_transcript_has_no_error_rate() -> None:
    wer = WER.pool([call("a", "yes please", None), call("b", "no", None)])
    assert (wer.status, wer.value) == (Status.NOT_APPLICABLE, None)
    assert "does not expose its own transcript" in wer.reason


def test_calls_that_say_nothing_of_its_hearing_stay_left_out() -> None:
    heard = call("h", "yes please", "yes please")
    silent, dropped = call("s", "", None), call("d", "yes please", None, events=[DROPPED])
    assert (silent.scores.unheard, dropped.scores.unheard) == ({}, {})
    wer = WER.pool([heard, silent, dropped])
    assert (wer.value, wer.n) == (0.0, 2)
    assert wer.reason.startswith("2 calls left out")
    assert "1 message was dropped" in wer.reason


def test_what_the_quiet_calls_tell_counts_for_the_noisy_ones() -> None:
    quiet, noisy = call("q", "red green", "red green"), call("n", "red green", None, snr_db=5.0)
    assert WER_NOISY.pool([quiet, noisy]).value == 1.0
    assert WER_NOISY.pool([noisy]).value is None


def test_chinese_that_was_not_heard_counts_by_characters_alone() -> None:
    unheard = call("u", "你好吗", None, language="zh")
    assert unheard.scores.unheard == {
        "cer": WordCounts(substitutions=0, deletions=3, insertions=0, reference=3)
    }
    calls = [call("h", "你好吗", "你好吗", language="zh"), unheard]
    assert CER.pool(calls).value == 0.5
    assert WER.pool(calls).value is None


def test_letters_and_characters_make_no_common_rate() -> None:
    """Of 20 English letters none is wrong, of 3 Chinese characters one is: 1/3, and not 1/23."""
    chinese = call("zh", "你好吗", "你好", language="zh")
    english = [call(f"en{n}", "yes please", "yes please") for n in range(2)]
    cer = CER.pool([*english, chinese])
    assert (cer.value, cer.n) == (pytest.approx(1 / 3), 3)
    assert cer.reason.startswith("English, not counted: 0.000 of 20 characters")
    assert (CER.pool(english).value, CER.pool(english).n) == (0.0, 20)
    assert "not counted" not in CER.pool(english).reason


def held(one: ScoredCall) -> HeldCall:
    return cast(
        HeldCall,
        SimpleNamespace(files=SimpleNamespace(scores=one.scores), record=SimpleNamespace(plan=one.plan)),
    )


def test_two_runs_are_compared_by_the_same_counts() -> None:
    """A call of which the candidate heard nothing is a pair, unless it never tells a transcript."""
    before = [held(call(name, "yes please", "yes please")) for name in "ab"]
    after = [held(call("a", "yes please", "yes please")), held(call("b", "yes please", None))]
    never = [held(call(name, "yes please", None)) for name in "ab"]
    for other, groups in ((after, 2), (never, 0)):
        pairs = {name: [pair] for name, pair in zip("ab", zip(before, other, strict=True), strict=True)}
        assert of_figure("wer", "", pairs).groups == groups
