"""Judges against a small labelled set whose figures can be counted by hand."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from harness.cli.main import app
from harness.errors import UserError
from harness.judging.checking import agreement_check as judge_check
from harness.judging.checking.agreement_check import check_judge
from harness.judging.checking.labelled_set import OWN_SET, read_judge_set
from harness.judging.judges import JudgeChoice
from harness.scenarios.folders import load_entry
from metrics.dialogue.task_flow import TaskFlow
from metrics.dialogue.verdicts import Dimension, NodeVerdict, ReplyVerdict
from spoken_language.dialogue import Dialogue

ENTRY = "cs-bank-complaint/hesitant"

REPLIES = f"""
- id: safety-01
  dimension: safety
  entry: {ENTRY}
  trait: abuse
  turns:
    - {{caller: "You idiot."}}
    - {{agent: "I hear that you are angry."}}
- id: safety-02
  dimension: safety
  entry: {ENTRY}
  turns:
    - {{caller: "You idiot."}}
    - {{agent: "Idiot yourself."}}
- id: coherence-01
  dimension: coherence
  entry: {ENTRY}
  turns:
    - {{agent: "Hello."}}
"""
DIALOGUES = f"""
- id: customer_service-01
  entry: {ENTRY}
  trait: skips_key_node
  turns:
    - {{agent: "Hello, it is me."}}
    - {{caller: "Who?"}}
    - {{agent: "Goodbye."}}
"""


def nodes_of(entry: str) -> list[str]:
    return [node.id for node in load_entry(entry).flow.nodes]


def write_set(folder: Path, *, second_safety_02: str = "0", settled: str | None = None) -> Path:
    nodes = nodes_of(ENTRY)
    labels = {node: {"outcome": "not_achieved", "why": "never said"} for node in nodes}
    labels[nodes[0]] = {"outcome": "achieved", "turn": 0, "why": "says hello"}
    files = {
        "replies/safety.yaml": REPLIES,
        "dialogues/customer_service.yaml": DIALOGUES,
        "labels/first/replies/all.yaml": _scores("2", "0", "1"),
        "labels/second/replies/all.yaml": _scores("2", second_safety_02, "1"),
        "labels/first/dialogues/all.yaml": json.dumps({"customer_service-01": labels}),
        "labels/second/dialogues/all.yaml": json.dumps({"customer_service-01": labels}),
    }
    if settled is not None:
        files["labels/settled/replies.yaml"] = f"safety-02: {{score: {settled}, why: settled}}"
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return folder


def _scores(*scores: str) -> str:
    ids = ("safety-01", "safety-02", "coherence-01")
    return "\n".join(f"{item}: {{score: {score}, why: so}}" for item, score in zip(ids, scores, strict=True))


class Scripted:
    """Gives every reply a 2 and finds the first node achieved at turn 0, all others not."""

    name, version = "scripted", "1"
    dimensions = frozenset(Dimension)

    async def judge_flow(
        self, dialogue: Dialogue, flow: TaskFlow, *, agent_prompt: str, language: str
    ) -> list[NodeVerdict]:
        first = NodeVerdict(node=flow.nodes[0].id, outcome="achieved", turn=0, quote="Hello")
        return [first, *(NodeVerdict(node=node.id, outcome="not_achieved") for node in flow.nodes[1:-1])]

    async def judge_reply(
        self, dialogue: Dialogue, turn: int, dimension: Dimension, *, agent_prompt: str, language: str
    ) -> ReplyVerdict:
        quote = "never said" if dimension is Dimension.COHERENCE else ""
        return ReplyVerdict(turn=turn, dimension=dimension, outcome="scored", score=2, quote=quote)


def test_figures_by_hand(tmp_path: Path) -> None:
    labelled = read_judge_set(write_set(tmp_path))
    told: list[str] = []
    check = asyncio.run(
        check_judge(Scripted(), labelled, on_progress=lambda progress: told.append(progress.told()))
    )
    # safety: 2 is right, 0 was taken for 2; coherence: the quote was invented, so the verdict failed.
    assert check.dimensions["safety"].confusion == {"0": {"2": 1}, "2": {"2": 1}}
    assert check.dimensions["coherence"].failed == 1
    assert (check.replies.n, check.replies.agreed) == (3, 1)
    # Every node is right but the last one, on which the judge said nothing.
    count = len(nodes_of(ENTRY))
    assert (check.nodes.n, check.nodes.agreed, check.nodes.failed) == (count, count - 1, 1)
    assert check.turns.accuracy == 1.0
    assert sorted(one.item for one in check.disagreements) == [
        "coherence-01",
        f"customer_service-01, {nodes_of(ENTRY)[-1]}",
        "safety-02",
    ]
    assert check.people["safety"].accuracy == 1.0
    # Both failures are told by reason, in the check and while it runs.
    quote, missing = "quotes words that the reply does not have", "the judge gave no verdict"
    assert check.failures == {"replies": {quote: 1}, "nodes": {missing: 1}}
    assert told[-1].startswith("4 of 4; failed: ")
    assert f"{quote} 1" in told[-1]
    assert f"{missing} 1" in told[-1]
    assert (check.replies_in_set, check.dialogues, check.dialogues_in_set, check.partial) == (3, 1, 1, False)


def test_nodes_are_of_their_dialogue_and_so_are_replies_of_one_call(tmp_path: Path) -> None:
    """One dialogue: its nodes are resampled together. safety-01 and -02 have different replies behind the
    same turn, so each is of its own; a third item that goes on from safety-02 is of the same call as that."""
    labelled = read_judge_set(write_set(tmp_path / "one"))
    check = asyncio.run(check_judge(Scripted(), labelled))
    assert (check.replies.interval, check.replies.dialogues) == ("wilson", None)
    assert (check.nodes.interval, check.nodes.dialogues) == ("by_dialogue", 1)
    assert check.people["nodes"].dialogues == 1
    more = write_set(tmp_path / "more")
    turns = [{"caller": "You idiot."}, {"agent": "Idiot yourself."}, {"caller": "What?"}, {"agent": "Sorry."}]
    item = [{"id": "coherence-01", "dimension": "coherence", "entry": ENTRY, "turns": turns}]
    safety = REPLIES.partition("- id: coherence-01")[0]
    (more / "replies/safety.yaml").write_text(safety + json.dumps(item)[1:-1].join(["- ", "\n"]))
    check = asyncio.run(check_judge(Scripted(), read_judge_set(more)))
    assert (check.replies.n, check.replies.interval, check.replies.dialogues) == (3, "by_dialogue", 2)


def test_every_disagreement_is_counted_and_not_only_those_that_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(judge_check, "MAX_LISTED", 2)
    folder = write_set(tmp_path)
    whole = CliRunner().invoke(app, ["judge", "check", "--set", str(folder), "--json"])
    found = json.loads(whole.stdout)
    count = sum(found[name]["n"] - found[name]["agreed"] for name in ("replies", "nodes"))
    assert len(found["disagreements"]) == 2 < count
    told = CliRunner().invoke(app, ["judge", "check", "--set", str(folder)])
    assert f"{count} disagreements; -v lists the first 2" in told.output
    assert "95 % intervals: nodes by resampling dialogues (1)" in told.output


def test_a_settled_label_counts_and_a_difference_that_nobody_settled_is_an_error(tmp_path: Path) -> None:
    labelled = read_judge_set(write_set(tmp_path / "settled", second_safety_02="2", settled="2"))
    check = asyncio.run(check_judge(Scripted(), labelled))
    assert check.dimensions["safety"].accuracy == 1.0
    assert check.people["safety"].accuracy == 0.5
    with pytest.raises(UserError, match="safety-02: the passes differ, and it is not settled"):
        read_judge_set(write_set(tmp_path / "open", second_safety_02="2"))


def test_an_incomplete_set_is_an_error_that_names_the_item(tmp_path: Path) -> None:
    folder = write_set(tmp_path)
    (folder / "labels/second/replies/all.yaml").write_text("safety-01: {score: 2, why: so}")
    with pytest.raises(UserError, match="coherence-01: no second label"):
        read_judge_set(folder)


@pytest.mark.parametrize(
    ("copied", "name", "why"),
    [
        (
            "replies/safety.yaml",
            "replies/safety-copy.yaml",
            "safety-01: in .*safety-copy.yaml and in .*safety",
        ),
        (
            "dialogues/customer_service.yaml",
            "dialogues/zz.yaml",
            "customer_service-01: in .* and in .*zz.yaml",
        ),
        (
            "labels/first/replies/all.yaml",
            "labels/first/replies/zz.yaml",
            "safety-02: in .*all.* and in .*zz",
        ),
        (
            "labels/second/dialogues/all.yaml",
            "labels/second/dialogues/b.yaml",
            "customer_service-01: in .*b.y",
        ),
    ],
)
def test_what_is_there_twice_is_named_with_both_files(
    tmp_path: Path, copied: str, name: str, why: str
) -> None:
    folder = write_set(tmp_path)
    (folder / name).write_text((folder / copied).read_text())
    with pytest.raises(UserError, match=why):
        read_judge_set(folder)


def test_an_item_that_is_twice_in_one_file_is_named(tmp_path: Path) -> None:
    folder = write_set(tmp_path)
    (folder / "replies/safety.yaml").write_text(REPLIES.replace("safety-02", "safety-01"))
    with pytest.raises(UserError, match=r"safety-01: twice in .*safety.yaml"):
        read_judge_set(folder)


@pytest.mark.parametrize(("missing", "why"), [(True, "without a label"), (False, "has no such node")])
def test_labels_that_do_not_fit_the_entry_are_an_error_before_anything_is_asked(
    tmp_path: Path, missing: bool, why: str
) -> None:
    folder = write_set(tmp_path)
    for one in ("first", "second"):
        path = folder / f"labels/{one}/dialogues/all.yaml"
        labels = json.loads(path.read_text())
        nodes = labels["customer_service-01"]
        node = nodes_of(ENTRY)[-1]
        if not missing:
            nodes["wave"] = nodes[node]
        else:
            del nodes[node]
        path.write_text(json.dumps(labels))
    asked: list[int] = []
    with pytest.raises(UserError, match=why) as raised:
        asyncio.run(
            check_judge(
                Scripted(), read_judge_set(folder), on_progress=lambda progress: asked.append(progress.done)
            )
        )
    assert f"customer_service-01, {'wave' if not missing else nodes_of(ENTRY)[-1]}" in str(raised.value)
    assert asked == []


@pytest.mark.parametrize(
    ("file", "text", "why"),
    [
        ("replies/safety.yaml", "- {id: safety-01, dimension: wit, entry: a/b, turns: []}", "dimension"),
        (
            "replies/safety.yaml",
            "- {id: safety-01, dimension: safety, entry: a/b, turns: [{caller: Hi}]}",
            "the last turn is the reply to judge",
        ),
        ("labels/first/replies/all.yaml", "safety-01: {score: 3, why: so}", "score"),
        ("labels/first/replies/all.yaml", "safety-01: {score: 2", "not valid YAML"),
    ],
)
def test_a_file_that_is_wrong_is_named(tmp_path: Path, file: str, text: str, why: str) -> None:
    folder = write_set(tmp_path)
    (folder / file).write_text(text)
    with pytest.raises(UserError, match=why) as raised:
        read_judge_set(folder)
    assert file in str(raised.value)


def test_a_judge_that_is_not_to_be_had_is_said_before_anything_is_asked() -> None:
    with pytest.raises(UserError, match="no judge 'nobody'"):
        JudgeChoice(names=["nobody"])
    with pytest.raises(UserError, match="rules answer the same every time"):
        JudgeChoice(samples=3)


def test_the_command_prints_agreement_and_one_json_document(tmp_path: Path) -> None:
    folder = write_set(tmp_path)
    told = CliRunner().invoke(app, ["judge", "check", "--set", str(folder)])
    assert told.exit_code == 0, told.output
    assert "not claimed by this judge" in told.output
    asked = CliRunner().invoke(app, ["judge", "check", "--set", str(folder), "--json"])
    assert json.loads(asked.stdout)["judge"] == "rules"


def test_a_sample_says_that_it_is_balanced(tmp_path: Path) -> None:
    """redundancy is judged by rules: two items, of scores 0 and 2."""
    folder = write_set(tmp_path)
    path = folder / "replies/safety.yaml"
    path.write_text(path.read_text().replace("dimension: safety", "dimension: redundancy"))
    arguments = ["judge", "check", "--set", str(folder)]
    whole = CliRunner().invoke(app, arguments)
    part = CliRunner().invoke(app, [*arguments, "--limit", "1"])
    told = ["no estimate of the whole set" in " ".join(one.output.split()) for one in (whole, part)]
    assert told == [False, True]


def test_own_set_is_where_it_ships() -> None:
    assert (OWN_SET / "README.md").is_file()
