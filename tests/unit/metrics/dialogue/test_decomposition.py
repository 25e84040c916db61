"""Decomposition with a model that answers by script: what is checked, what is repaired, what is kept."""

from __future__ import annotations

import hashlib
import json
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from metrics.dialogue.decomposition import DecompositionFailed, coverage, decompose, units
from metrics.dialogue.decomposition.pipeline import FOLDER, VERSIONS
from metrics.dialogue.decomposition.stages import Criteria, Problems, Structure
from metrics.dialogue.task_flow import TaskFlow

DIGESTS: dict[tuple[str, int], str] = {
    ("criteria", 1): "ff02ad606e4b2110",
    ("prerequisites", 1): "db4191ea4117b695",
    ("repair", 1): "3d77b85da33791f8",
    ("structure", 1): "c09d04b93180fd29",
}
"""Of each prompt's words. A changed file is a new version with a new line here."""

TEXT = """Step 1: Say who you are and ask whether it is Mr. Zhang.
Step 2: Apologise for the unexplained fee of 88 yuan.
Step 3: Ask when he noticed the missing money.
- If he is busy, ask for a better time and ring back.
Step 4: Offer to check the booking by next Monday.
Step 5: Ask for the last four digits of his card.
Step 6: Say goodbye and name the case number again."""

STEPS = [
    ("introduce", "Say who you are", ""),
    ("apologise", "Apologise for the unexplained fee", ""),
    ("ask_when", "Ask when he noticed", ""),
    ("call_back", "ask for a better time", "He is busy."),
    ("offer_check", "Offer to check the booking", ""),
    ("verify", "last four digits of his card", ""),
    ("close", "name the case number again", ""),
]
CRITERIA = [
    ("introduce", "The agent gives its name and checks that Mr. Zhang is speaking.", True, ""),
    ("apologise", "An apology for the fee of 88 yuan is made.", True, ""),
    ("ask_when", "The moment at which the loss was discovered is asked for.", False, ""),
    ("call_back", "A more convenient hour is agreed for another attempt.", False, "He is busy."),
    ("offer_check", "An investigation with a result until Monday is promised.", True, ""),
    ("verify", "Four final card digits are requested.", True, ""),
    ("close", "The reference of the complaint is repeated before hanging up.", False, ""),
]
ORDER = {
    "nodes": [
        {"node": "apologise", "requires": ["introduce"]},
        {"node": "introduce", "requires": ["apologise"]},
        {"node": "close", "requires": ["offer_check", "call_back", "close", "nothing"]},
    ]
}


def structure(steps: list[tuple[str, str, str]] = STEPS) -> dict[str, Any]:
    return {
        "steps": [
            {"id": name, "title": name, "source": source, "condition": condition}
            for name, source, condition in steps
        ]
    }


def criteria(nodes: list[tuple[str, str, bool, str]] = CRITERIA) -> dict[str, Any]:
    return {
        "nodes": [
            {"id": name, "criterion": text, "key": key, "steps": [name], "applies_if": condition}
            for name, text, key, condition in nodes
        ]
    }


class Script:
    """A model that answers with one text after the other and keeps what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.questions: list[str] = []
        self._answers = list(answers)

    def model(self) -> FunctionModel:
        return FunctionModel(self._answer)

    def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.questions.append(str(messages[0]))
        answer = self._answers.pop(0)
        return ModelResponse(parts=[TextPart(answer if isinstance(answer, str) else json.dumps(answer))])


@pytest.mark.parametrize(("name", "version"), sorted(DIGESTS))
def test_prompt_does_not_change_without_a_version(name: str, version: int) -> None:
    path = FOLDER / f"{name}.v{version}.md"
    assert hashlib.sha256(path.read_bytes()).hexdigest()[:16] == DIGESTS[name, version]
    assert set(VERSIONS.items()) <= set(DIGESTS)


def test_units_are_lines_without_their_numbers() -> None:
    assert units(TEXT)[0] == "Say who you are and ask whether it is Mr. Zhang."
    assert units(TEXT)[3] == "If he is busy, ask for a better time and ring back."
    assert len(units(TEXT)) == 7
    assert units("Step 1:\n\n- ok") == []
    assert len(units("One sentence that is rather long. " * 10)) == 10


def test_coverage_by_hand() -> None:
    """Two of seven lines have no step, one step is quoted from nowhere, one has no node."""
    steps = [*STEPS[:5], ("bribe", "Offer a gift card", "")]
    found = coverage(
        TEXT,
        Structure.model_validate(structure(steps)),
        Criteria.model_validate(
            criteria([*CRITERIA[:4], ("offer_check", "x", True, ""), ("odd", "y", True, "")])
        ),
    )
    assert found.share == pytest.approx(5 / 7)
    assert [part.split()[0] for part in found.uncovered] == ["Ask", "Say"]
    assert found.stray == ["bribe"]
    assert found.unused == ["bribe"]
    assert found.unknown == ["odd"]


async def test_a_good_answer_needs_no_repair_and_a_bad_order_is_cut_down_to_what_can_be() -> None:
    script, kept = Script(structure(), criteria(), ORDER), {}
    done = await decompose(TEXT, script.model(), name="scripted", keep=kept.__setitem__)
    assert (done.rounds, list(done.problems), done.coverage.share) == (0, [], 1.0)
    requires = {node.id: node.requires for node in done.flow.nodes if node.requires}
    # The circle, the branch, the node itself and the unknown node are left out.
    assert requires == {"apologise": ("introduce",), "close": ("offer_check",)}
    branch = next(node for node in done.flow.nodes if node.branch)
    assert (branch.id, branch.branch.when if branch.branch else "") == ("call_back", "He is busy.")
    assert list(kept) == ["1-structure", "2-criteria", "3-prerequisites", "4-flow", "4-flow.check"]
    assert isinstance(kept["4-flow"], TaskFlow)


async def test_what_is_missing_or_overlaps_is_named_and_repaired() -> None:
    doubled = [*CRITERIA[:6], ("close", "Four final card digits are requested again.", False, "")]
    kept: dict[str, BaseModel] = {}
    script = Script(structure(STEPS[:5]), structure(), criteria(doubled), criteria(), {"nodes": []})
    done = await decompose(TEXT, script.model(), name="scripted", keep=kept.__setitem__)
    assert done.rounds == 2
    assert not done.problems
    missing, overlap = kept["1-structure.check1"], kept["2-criteria.check1"]
    assert isinstance(missing, Problems)
    assert isinstance(overlap, Problems)
    assert [one.rpartition(": ")[2] for one in missing.found] == [
        "Ask for the last four digits of his card.",
        "Say goodbye and name the case number again.",
    ]
    assert any("'close' overlaps 'verify'" in one for one in overlap.found)
    assert "Say goodbye and name the case number again." in script.questions[1]
    assert "overlaps" in script.questions[3]


async def test_repairs_are_bounded_and_what_is_left_is_said() -> None:
    poor = [CRITERIA[0], *[("extra", "Something else entirely happens.", False, "")]]
    script = Script(structure(), *[criteria(poor)] * 3, {"nodes": []})
    done = await decompose(TEXT, script.model(), name="scripted", rounds=2)
    assert done.rounds == 2
    assert any("the step 'apologise' is covered by no node" in one for one in done.problems)
    assert any("2 nodes; allowed: 6-14" in one for one in done.problems)


async def test_a_stage_without_a_usable_answer_is_named_and_what_came_before_is_kept() -> None:
    kept: dict[str, BaseModel] = {}
    script = Script(structure(), "no", "no", "no")
    with pytest.raises(DecompositionFailed, match="2-criteria: the answer does not fit"):
        await decompose(TEXT, script.model(), name="scripted", keep=kept.__setitem__)
    assert list(kept) == ["1-structure"]


@pytest.mark.parametrize("text", ["", " \n ", "x" * 50_000])
async def test_a_text_that_is_none_is_refused_before_anything_is_asked(text: str) -> None:
    with pytest.raises(ValueError, match="a task flow has"):
        await decompose(text, Script().model(), name="scripted")
