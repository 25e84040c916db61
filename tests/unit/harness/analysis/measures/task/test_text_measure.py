"""A figure of judged words where a dialogue was judged without it."""

from __future__ import annotations

from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.task.final import FINAL
from harness.analysis.measures.task.flow import TFC
from harness.records.scores import CallScores, DialogueScores
from metrics.dialogue.text_scores import TextScores
from metrics.score import Score, Status


def _judged(number: int, *scores: Score) -> DialogueScores:
    text = TextScores(judge="rules", judge_version="1", nodes=(), replies=(), scores=scores)
    return DialogueScores(id=f"d{number}", text=text)


def _final(value: float) -> Score:
    return Score(metric="final", unit="ratio", value=value, status=Status.MEASURED, n=1)


def test_a_dialogue_that_was_judged_without_it_is_left_out_and_counted() -> None:
    pooled = FINAL.pool_dialogues([_judged(1, _final(0.4)), _judged(2), _judged(3, _final(0.8))])
    assert (pooled.value, pooled.n) == (0.6000000000000001, 2)
    assert pooled.reason == "1 of 3 dialogues without it"
    assert TFC.pool_dialogues([_judged(1, _final(0.4))]).reason == (
        "not measured: it was judged without this metric"
    )


def test_calls_and_dialogues_are_pooled_alike() -> None:
    dialogues = [_judged(1, _final(0.4)), _judged(2, _final(0.8))]
    calls = [ScoredCall(scores=CallScores(call_id=one.id, text=one)) for one in dialogues]
    silent = ScoredCall(scores=CallScores(call_id="d3"))
    assert FINAL.pool([*calls, silent]) == FINAL.pool_dialogues(dialogues)
