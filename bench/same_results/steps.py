"""What both trees are asked to do, and what of it is compared: items by name, each in a shape that all
versions of the files can be read into.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.same_results.shapes import dialogue_shape, judged_shape, plan_shape, scrubbed
from bench.same_results.trees import Tree

Items = dict[str, Any]

ALL = ("chat", "--all", "--language", "all", "--parallel", "2")
FAULTY = ("chat", "--all", "--agent", "faulty-insults", "--only", "cs-*/*", "--seed", "3", "--parallel", "2")

PLANS = """
import importlib, json, sys
from pathlib import Path

for name in ("harness.plans.plan", "harness.plan"):
    try:
        plans = importlib.import_module(name)
    except ModuleNotFoundError:
        continue
    break
told = {}
for path in sys.argv[1:]:
    for call in plans.load_plan(Path(path), agent="http://127.0.0.1:7860").calls:
        told[f"{Path(path).stem}: {call.call_id}"] = {"digest": call.digest, **call.model_dump(mode="json")}
print(json.dumps(told))
"""
EVERYBODY = """
name: everybody
seed: 5
trials: 2
scenarios: ["*/*"]
"""


@dataclass(frozen=True, kw_only=True)
class Inputs:
    """What the steps are given: ``run``, the folder of a run of calls."""

    run: Path | None


def outcome_of(step: str, tree: Tree, inputs: Inputs) -> Items:
    """A step's items, as the tree makes them; what a commit came to before is taken from its folder."""
    kept = tree.work / "outcomes" / f"{step.replace(' ', '-')}.json"
    if tree.commit is not None and kept.is_file():
        before: Items = json.loads(kept.read_text(encoding="utf-8"))
        return before
    made = STEPS[step](tree, inputs)
    kept.parent.mkdir(parents=True, exist_ok=True)
    written = json.dumps(made, ensure_ascii=False)
    kept.write_text(written.replace(str(tree.work), "WORK").replace(str(tree.root), "TREE"), encoding="utf-8")
    # As it would be read again.
    again: Items = json.loads(kept.read_text(encoding="utf-8"))
    return again


def _plans(tree: Tree, _: Inputs) -> Items:
    tree.work.mkdir(parents=True, exist_ok=True)
    everybody = tree.work / "everybody.yaml"
    everybody.write_text(EVERYBODY, encoding="utf-8")
    demo = next(path for path in tree.root.rglob("plans/demo.yaml") if ".venv" not in path.parts)
    plans: Items = json.loads(tree.python("-c", PLANS, str(demo), str(everybody)))
    return {name: plan_shape(plan) for name, plan in plans.items()}


def _chat(tree: Tree, _: Inputs) -> Items:
    return _dialogues(_held(tree, "chat", ALL))


def _faulty_chat(tree: Tree, _: Inputs) -> Items:
    return _dialogues(_held(tree, "chat-faulty", FAULTY))


def _chat_scored(tree: Tree, _: Inputs) -> Items:
    return _scored(tree, _held(tree, "chat", ALL))


def _faulty_chat_scored(tree: Tree, _: Inputs) -> Items:
    return _scored(tree, _held(tree, "chat-faulty", FAULTY))


def _transcripts_scored(tree: Tree, _: Inputs) -> Items:
    """The dialogues of the chat as files from somewhere else."""
    lines = []
    for path in sorted(_held(tree, "chat-faulty", FAULTY).glob("dialogues/*/dialogue.json")):
        shape = dialogue_shape(_read(path), [])
        turns = [{"speaker": turn["speaker"], "text": turn["text"]} for turn in shape["turns"]]
        lines.append(
            json.dumps({"id": path.parent.name, "scenario": shape["plan"]["task"]["entry"], "turns": turns})
        )
    file = tree.work / "transcripts.jsonl"
    file.write_text("\n".join(lines), encoding="utf-8")
    document = json.loads(tree.outboundeval("score", str(file), "--json"))
    each = {one.get("id") or str(number): one for number, one in enumerate(document.pop("dialogues"))}
    return {name: scrubbed(one) for name, one in each.items()} | {"all of them": judged_shape(document)}


def _calls_scored(tree: Tree, inputs: Inputs) -> Items:
    assert inputs.run is not None
    folder = tree.work / "calls"
    if not folder.is_dir():
        shutil.copytree(inputs.run, folder)
    tree.outboundeval("score", str(folder), "--fresh")
    items = {"all of them": scrubbed(_read(folder / "summary.json"))}
    for path in sorted(folder.glob("calls/*/scores.json")):
        items[path.parent.name] = scrubbed(_read(path))
        items[f"{path.parent.name}, words"] = scrubbed(_read(path.parent / "transcript.json"))
    return items


def _judge_checked(tree: Tree, _: Inputs) -> Items:
    document = json.loads(
        tree.outboundeval(
            "judge", "check", "--judge", "rules", "--json", ends_with=(0, 1), home="home-of-judge"
        )
    )
    parts = {name: document.pop(name) for name in ("held_out", "disagreements") if name in document}
    return {"known set": scrubbed(document)} | {name: scrubbed(part) for name, part in parts.items()}


STEPS: dict[str, Callable[[Tree, Inputs], Items]] = {
    "plans": _plans,
    "chat": _chat,
    "chat, faulty agent": _faulty_chat,
    "chat scored": _chat_scored,
    "chat, faulty agent, scored": _faulty_chat_scored,
    "transcripts scored": _transcripts_scored,
    "judge check": _judge_checked,
    "calls scored": _calls_scored,
}


def _held(tree: Tree, name: str, arguments: tuple[str, ...]) -> Path:
    """The folder of a run of dialogues; held once. Guilty callers and faults of the agent are results."""
    folder = tree.work / name
    if not (folder / "held").is_file():
        tree.outboundeval(*arguments, "--out", str(folder), "--json", ends_with=(0, 1))
        (folder / "held").touch()
    return folder


def _dialogues(folder: Path) -> Items:
    items: Items = {}
    for path in sorted(folder.glob("dialogues/*/dialogue.json")):
        timeline = (path.parent / "timeline.jsonl").read_text(encoding="utf-8")
        items[path.parent.name] = dialogue_shape(
            _read(path), [json.loads(line) for line in timeline.splitlines()]
        )
        guard = path.parent / "guard.json"
        items[path.parent.name]["guard"] = scrubbed(_read(guard)) if guard.is_file() else None
    return items


def _scored(tree: Tree, folder: Path) -> Items:
    tree.outboundeval("score", str(folder))
    each = {
        path.parent.name: scrubbed(_read(path)) for path in sorted(folder.glob("dialogues/*/scores.json"))
    }
    return each | {"all of them": scrubbed(_read(folder / "summary.json"))}


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))
