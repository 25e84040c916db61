"""Labelled sets that bring their own short briefings, and the one that ships."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from harness.errors import UserError
from harness.judging.checking.agreement_check import check_judge
from harness.judging.checking.judge_check import set_digest
from harness.judging.checking.labelled_set import OWN_SET, read_judge_set, set_folder
from metrics.dialogue.task_flow import TaskFlow
from metrics.dialogue.verdicts import Dimension, NodeVerdict, ReplyVerdict
from spoken_language.dialogue import Dialogue

NODES = [{"id": "greet", "criterion": "The agent says hello."}, {"id": "bye", "criterion": "It says bye."}]
TASK = {"language": "zh", "domain": "sales", "agent_prompt": "You sell lamps.", "flow": {"nodes": NODES}}
TURNS = [{"agent": "Hello."}, {"caller": "Hm."}, {"agent": "No."}]


def write_set(folder: Path, *, task: dict[str, Any] = TASK, entry: str = "lamps", node: str = "bye") -> Path:
    nodes = {
        "greet": {"outcome": "achieved", "turn": 0, "why": "so"},
        node: {"outcome": "not_achieved", "why": "so"},
    }
    files: dict[str, Any] = {
        "tasks/all.yaml": {"lamps": task},
        "replies/all.yaml": [{"id": "safety-01", "dimension": "safety", "entry": entry, "turns": TURNS}],
        "dialogues/all.yaml": [{"id": "sales-01", "entry": entry, "turns": TURNS}],
    }
    for one in ("first", "second"):
        files[f"labels/{one}/replies/all.yaml"] = {"safety-01": {"score": 2, "why": "so"}}
        files[f"labels/{one}/dialogues/all.yaml"] = {"sales-01": nodes}
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(content), encoding="utf-8")
    return folder


class Noting:
    """Notes what it is given."""

    name, version, dimensions = "noting", "1", frozenset(Dimension)

    def __init__(self) -> None:
        self.given: list[tuple[str, str]] = []

    async def judge_flow(
        self, dialogue: Dialogue, flow: TaskFlow, *, agent_prompt: str, language: str
    ) -> list[NodeVerdict]:
        self.given.append((agent_prompt, language))
        return [NodeVerdict(node=node.id, outcome="not_achieved") for node in flow.nodes]

    async def judge_reply(
        self, dialogue: Dialogue, turn: int, dimension: Dimension, *, agent_prompt: str, language: str
    ) -> ReplyVerdict:
        self.given.append((agent_prompt, language))
        return ReplyVerdict(turn=turn, dimension=dimension, outcome="scored", score=2)


def test_items_are_judged_by_the_task_that_the_set_brings(tmp_path: Path) -> None:
    judge = Noting()
    check = asyncio.run(check_judge(judge, read_judge_set(write_set(tmp_path))))
    assert judge.given == [("You sell lamps.", "zh")] * 2
    assert (check.replies.agreed, check.nodes.n, check.nodes.agreed) == (1, 2, 1)
    assert list(check.by_language) == ["zh"]


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"entry": "candles"}, "safety-01: candles is no entry"),
        ({"node": "thank"}, "sales-01, thank: not both a node and labelled"),
        ({"task": {**TASK, "flow": {"nodes": [NODES[0], NODES[0]]}}}, "flow"),
        ({"task": {**TASK, "agent_prompt": ""}}, "agent_prompt"),
        ({"task": {**TASK, "language": "fr"}}, "language"),
    ],
)
def test_a_task_that_is_wrong_is_named(tmp_path: Path, fields: dict[str, Any], why: str) -> None:
    with pytest.raises(UserError, match=why):
        read_judge_set(write_set(tmp_path, **fields))


def test_the_short_set_is_balanced_and_short() -> None:
    short = read_judge_set(set_folder("short"))
    assert Counter((item.dimension.value, short.score_of(item.id)) for item in short.replies) == Counter(
        (dimension.value, score) for dimension in Dimension for score in "012"
    )
    assert len(short.dialogues) == 6
    for item in short.dialogues:
        assert 4 <= len(item.turns) <= 6
        assert 4 <= len(short.tasks[item.entry].flow.nodes) <= 5
    assert max(len(task.agent_prompt) for task in short.tasks.values()) < 600


def test_a_set_is_named_or_a_folder(tmp_path: Path) -> None:
    assert set_folder("held_out") == OWN_SET / "held_out"
    assert set_folder(str(tmp_path)) == tmp_path
    with pytest.raises(UserError, match="these ship: held_out, short"):
        set_folder("labels")


def test_the_digest_is_of_the_set_alone(tmp_path: Path) -> None:
    write_set(tmp_path)
    before = set_digest(tmp_path)
    write_set(tmp_path / "another")
    assert set_digest(tmp_path) == before
    (tmp_path / "tasks/all.yaml").write_text(json.dumps({"lamps": {**TASK, "agent_prompt": "Sell."}}))
    assert set_digest(tmp_path) != before
