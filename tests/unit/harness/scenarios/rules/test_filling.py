"""Values of a person's record that are too long for the scenario that they are filled into."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.scenarios.content_check import check
from harness.scenarios.folders import library_root, load_scenario
from harness.scenarios.rules.filling import filling_problems

EXEMPLAR = library_root() / "en" / "customer_service" / "bank_complaint"
PHRASE = "fee_name | charge * + {amount}"
OTHER_WAYS = [f"way number {number} of saying it" for number in range(20)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The bank complaint, with a phrase and a cue that one person's record makes too long."""
    folder = Path(shutil.copytree(EXEMPLAR, tmp_path / "bank_complaint"))
    head = folder / "scenario.yaml"
    text = head.read_text(encoding="utf-8")
    start = text.index("      evidence:\n", text.index("- id: sum_up")) + len("      evidence:\n")
    text = f'{text[:start]}        - "{PHRASE}"\n{text[start:]}'
    start = text.index("        cues:", text.index("- id: respect_refusal"))
    end = text.index("      steps:", start)
    head.write_text(text[:start] + '        cues: ["{amount}"]\n' + text[end:], encoding="utf-8")
    person = folder / "persona-hesitant.yaml"
    told = person.read_text(encoding="utf-8")
    written = re.search(r"amount: \{value: 88 yuan, spoken: \[.*\]\}", told)
    assert written
    person.write_text(
        told.replace(written[0], f"amount: {{value: 88 yuan, spoken: [{', '.join(OTHER_WAYS)}]}}"),
        encoding="utf-8",
    )
    return folder


def test_the_check_names_file_node_and_phrase_and_goes_on(folder: Path) -> None:
    head = folder / "scenario.yaml"
    head.write_text(head.read_text().replace("kind: wrong_person", "kind: other"))
    result = check([folder])
    found = {finding.field: finding for finding in result.errors}
    filled = PHRASE.replace("{amount}", " | ".join(["88 yuan", *OTHER_WAYS]))
    phrase = found["flow.nodes.13.evidence.0"]
    assert phrase.file == head
    assert PHRASE in head.read_text().splitlines()[phrase.line - 1]
    assert phrase.message == (
        f"'sum_up': '{PHRASE}' with what persona-hesitant.yaml has in its record: "
        f"{len(filled)} characters, at most 400 can be used"
    )
    cue = found["flow.nodes.4.branch.cues.0"]
    assert cue.message.startswith("'respect_refusal': '{amount}' with what persona-hesitant.yaml has")
    assert "agent.sop" in found, "the other errors are there too"


def test_such_a_scenario_is_refused_with_the_same_words(folder: Path) -> None:
    with pytest.raises(UserError, match=r"scenario\.yaml:") as refused:
        load_scenario(folder)
    assert f"flow.nodes.13.evidence.0: 'sum_up': '{PHRASE}'" in str(refused.value)
    assert "analytical" not in str(refused.value)


def test_a_card_that_grows_too_long_is_found_by_the_sentence() -> None:
    scenario = load_scenario(EXEMPLAR)
    line = "So, " + "{amount} " * 100
    step = scenario.agent.sop[0].model_copy(update={"say": (line.strip(),)})
    card = scenario.agent.model_copy(update={"sop": (step, *scenario.agent.sop[1:])})
    scenario = scenario.model_copy(update={"agent": card})
    callee = scenario.callees[0]
    long = callee.record["amount"].model_copy(update={"value": "two hundred thousand yuan"})
    assert list(filling_problems(scenario, callee)) == []
    [(place, message)] = filling_problems(
        scenario, callee.model_copy(update={"record": {**callee.record, "amount": long}})
    )
    assert place == "agent.sop.0.say.0"
    assert message.startswith("'So, {amount} {amount}")
    assert message.endswith(f"{len('So, ') + 26 * 100 - 1} characters, at most 1200 can be used")
