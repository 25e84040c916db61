"""The hint that a transcript's sides may be swapped: where the words say so, and nowhere else."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.judging.material import DialogueMaterial
from harness.judging.reading.files import read_dialogues
from harness.judging.reading.sides import swapped_sides
from metrics.dialogue.task_flow import FlowNode, TaskFlow
from spoken_language.dialogue import Dialogue, DialogueTurn

FLOW = TaskFlow(
    nodes=tuple(
        FlowNode(id=word, criterion=f"The agent says {word}.", key=True, evidence=(word,))
        for word in ("alpha", "bravo", "charlie", "delta")
    )
)
CALL = [
    ("agent", "Alpha, is that you?"),
    ("caller", "Yes."),
    ("agent", "Bravo, and charlie."),
    ("caller", "All right."),
]
OTHER = {"agent": "caller", "caller": "agent"}


def _dialogue(turns: list[tuple[str, str]]) -> Dialogue:
    said = [{"speaker": who, "text": text} for who, text in turns]
    return Dialogue(turns=tuple(map(DialogueTurn.model_validate, said)))


@pytest.mark.parametrize(
    ("agent", "caller", "hinted"),
    [
        ("hello", "alpha bravo charlie", True),
        ("delta", "alpha bravo charlie", True),
        ("hello", "alpha bravo", False),  # a caller says so much without being the agent
        ("alpha bravo charlie", "alpha bravo charlie", False),
        ("alpha bravo charlie", "hello", False),
        ("hello", "alpha alpha alpha", False),  # one node, said often
    ],
)
def test_three_nodes_of_the_callers_and_more_than_of_the_agents(
    agent: str, caller: str, hinted: bool
) -> None:
    hint = swapped_sides(_dialogue([("agent", agent), ("caller", caller)]), FLOW)
    assert bool(hint) is hinted


def _read(folder: Path, turns: list[tuple[str, str]]) -> DialogueMaterial:
    document = {"flow": FLOW.model_dump(mode="json"), "agent_prompt": "-", "turns": turns}
    path = folder / "call.json"
    path.write_text(json.dumps(document))
    return read_dialogues(path)[0]


def test_a_transcript_with_its_sides_swapped_says_so_in_its_notes(tmp_path: Path) -> None:
    assert _read(tmp_path, CALL).notes == ()
    (note,) = _read(tmp_path, [(OTHER[who], text) for who, text in CALL]).notes
    assert note.startswith("are the sides swapped? the words of 3 nodes stand in the caller's turns, of 0 in")
