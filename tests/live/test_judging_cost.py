"""What judging a run costs, with a language model behind HTTP that counts what it is asked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from harness._files.json_file import read_model
from harness.judging.cache import VerdictStore
from harness.judging.judges import JudgeChoice
from harness.models.language.metered import Limits
from harness.models.language.prices import Price
from harness.records.scores import DialogueScores, JudgingUse
from harness.reports.parts.judging_cost import judging_cost, judging_counts
from harness.runs.store import RunStore
from harness.scoring.leaderboard.board import board_of
from harness.scoring.leaderboard.dialogues import ranked_dialogues
from harness.scoring.score_dialogues import score_chat_run
from metrics.dialogue.verdicts import Dimension
from tests.llm_server import Answer, ScriptedServer, say, serving_llm
from tests.unit.harness.stand_ins.chat_runs import Held, write_chat_run

PRICE = Price(input=1000.0, output=2000.0)
"""Of a million tokens; the server reports 10 in and 5 out: 0.02 a request."""
SHORT = (("agent", "Hello, this is Anna."), ("caller", "Yes?"))
LONG = (("agent", "Good day. It is me."), ("caller", "Yes?"), ("agent", "Goodbye."))


def answer(request: dict[str, Any]) -> Answer:
    if "verdicts" in json.dumps(request["response_format"]):
        return say(json.dumps({"verdicts": []}))
    return say(json.dumps({"reason": "as it should be", "quote": "", "applicable": True, "score": 2}))


def scored(store: RunStore, server: ScriptedServer, kept: Path | None) -> dict[str, JudgingUse]:
    choice = JudgeChoice(
        names=[server.url],
        limits=Limits(attempt_s=20.0, retries=0),
        prices={server.url: PRICE},
        store=VerdictStore(kept) if kept else None,
    )
    summary = score_chat_run(store, choice, on_progress=lambda name, done, total: None)
    found = {}
    for record in store.records():
        where = store.call_folder(record.plan.call_id) / "scores.json"
        judging = read_model(where, DialogueScores).judging
        assert judging is not None
        found[record.plan.competitor] = judging
    assert summary.judging is not None
    assert summary.judging.total.requests == sum(one.total.requests for one in found.values())
    return found


def test_each_dialogue_is_billed_for_its_own_questions(tmp_path: Path) -> None:
    """One question for the flow and eight for each reply: 9 and 17, and none the second time."""
    dialogues = [Held(model="short", words=SHORT), Held(model="long", words=LONG)]  # type: ignore[arg-type]
    store = write_chat_run(tmp_path / "run", dialogues)
    questions = {"short": 1 + len(Dimension), "long": 1 + 2 * len(Dimension)}
    with serving_llm(answer) as server:
        first = scored(store, server, tmp_path / "kept")
        asked = len(server.requests)
        assert {name: one.answers for name, one in first.items()} == questions
        assert sum(one.asked.requests for one in first.values()) == asked
        again = scored(store, server, tmp_path / "kept")
        assert len(server.requests) == asked
    for name, n in questions.items():
        assert judging_cost(first[name]) == f"{0.02 * n:.4f} USD"
        assert first[name].asked.input_tokens == 10 * n
        # Nothing is asked twice, and what was paid before is not forgotten.
        assert (again[name].answers, again[name].kept, again[name].asked.requests) == (0, n, 0)
        assert judging_cost(again[name]) == judging_cost(first[name])
    runs = [store.folder]
    rows = {row.competitor: row.judging for row in board_of(ranked_dialogues(runs), runs=runs).rows}
    assert judging_counts(rows["long"]) == "0 asked now, 17 kept"
    assert judging_cost(rows["long"]) == "0.3400 USD"


def test_answers_that_another_run_paid_for_are_a_lower_bound(tmp_path: Path) -> None:
    with serving_llm(answer) as server:
        for name in ("one", "other"):
            store = write_chat_run(tmp_path / name, [Held(model="a", words=SHORT)])  # type: ignore[arg-type]
            found = scored(store, server, tmp_path / "kept")["a"]
        assert len(server.requests) == 9
    assert judging_cost(found) == "not known"
    assert judging_counts(found) == "0 asked now, 9 kept (9 paid for elsewhere)"


@pytest.mark.parametrize("tokens", [None, (10, 5)])
def test_what_a_server_does_not_count_is_not_nothing(tmp_path: Path, tokens: tuple[int, int] | None) -> None:
    def uncounted(request: dict[str, Any]) -> Answer:
        return Answer(text=answer(request).text, tokens=tokens)

    store = write_chat_run(tmp_path / "run", [Held(model="a", words=SHORT)])  # type: ignore[arg-type]
    with serving_llm(uncounted) as server:
        found = scored(store, server, None)["a"]
    assert judging_cost(found) == ("not known" if tokens is None else "0.1800 USD")
