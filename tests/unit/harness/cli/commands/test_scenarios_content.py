"""The commands as a person at the terminal sees them: output, exit codes, no traceback."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from typer.testing import CliRunner

from harness.cli.commands import scenarios_content as module
from harness.cli.commands.scenarios_content import scenarios_app
from harness.scenarios.folders import library_root, load_entry
from harness.selfcheck.understanding.left_out import LeftOut
from tests.unit.harness.scenarios.importing.task_file import task_text

EXEMPLAR = library_root() / "en" / "customer_service" / "bank_complaint"


def _run(*arguments: str | Path) -> tuple[int, str, str]:
    result = CliRunner().invoke(scenarios_app, [str(argument) for argument in arguments])
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    assert "Traceback" not in result.output
    return result.exit_code, result.stdout, result.stderr


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A copy of the bank complaint with one error."""
    folder = Path(shutil.copytree(EXEMPLAR, tmp_path / "broken"))
    head = folder / "scenario.yaml"
    head.write_text(head.read_text().replace("kind: wrong_person", "kind: other"))
    return folder


def test_list_shows_a_row_a_scenario() -> None:
    code, out, _ = _run("list", EXEMPLAR)
    assert code == 0
    assert "cs-bank-complaint" in out
    assert "1 scenario, 5 entries" in out


def test_list_as_json_is_one_document_with_counts() -> None:
    code, out, _ = _run("list", EXEMPLAR, "--json")
    document = json.loads(out)
    assert code == 0
    assert (document["scenarios"], document["entries"]) == (1, 5)
    assert document["by_language"]["en"] == {
        "scenarios": 1,
        "entries": 5,
        "scenarios_by_domain": {"customer_service": 1},
    }
    assert document["items"][0]["entries"][2] == "cs-bank-complaint/hesitant"


@pytest.mark.parametrize(
    ("option", "value", "count"),
    [
        ("--domain", "customer_service", 1),
        ("--domain", "finance", 0),
        ("--language", "en", 1),
        ("--language", "zh", 0),
        ("--archetype", "hesitant", 1),
    ],
)
def test_list_filters(option: str, value: str, count: int) -> None:
    _, out, _ = _run("list", EXEMPLAR, option, value, "--json")
    assert json.loads(out)["scenarios"] == count


def test_an_unknown_language_or_domain_is_wrong_use() -> None:
    assert _run("list", "--language", "fr")[0] == 2
    assert _run("list", "--domain", "circus")[0] == 2


def test_show_draws_the_flow_as_a_tree_and_names_the_people() -> None:
    code, out, _ = _run("show", "cs-bank-complaint", "--from", EXEMPLAR)
    assert code == 0
    for text in ("Task flow", "confirm_identity", "└──", "Wang Fang", "Zhang Qiang", "{amount}"):
        assert text in out
    # below its prerequisite, so deeper than it
    lines = out.splitlines()
    depth = {n: next(line.index(n) for line in lines if f" {n}" in line) for n in ("present_plan", "sum_up")}
    assert depth["sum_up"] > depth["present_plan"]


def test_show_an_entry_is_filled_in_and_has_one_person() -> None:
    code, out, _ = _run("show", "cs-bank-complaint/hesitant", "--from", EXEMPLAR)
    assert code == 0
    assert "88 yuan" in out
    assert "Zhang Qiang" not in out


def test_prompt_is_what_the_agent_gets_and_nothing_else() -> None:
    code, out, _ = _run("prompt", "cs-bank-complaint/hesitant", "--from", EXEMPLAR)
    assert code == 0
    assert out == load_entry("cs-bank-complaint/hesitant", [EXEMPLAR]).prompt()
    assert "{" not in out
    assert "lock her savings" not in out  # nothing of the person's own file


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("show", "nothing"), "there are: cs-bank-complaint"),
        (("prompt", "cs-bank-complaint"), "cs-bank-complaint/hesitant"),
        (("prompt", "cs-bank-complaint/nobody"), "has the user types"),
    ],
)
def test_a_wrong_id_lists_the_right_ones(arguments: tuple[str, ...], message: str) -> None:
    code, out, err = _run(*arguments, "--from", EXEMPLAR)
    assert code == 2
    assert out == ""
    assert message in err


def test_check_says_yes_or_names_what_is_wrong(broken: Path) -> None:
    assert _run("check", EXEMPLAR)[:2] == (0, "1 scenario, 5 personas: no errors\n")
    code, out, _ = _run("check", broken)
    assert code == 1
    assert f"{broken}/scenario.yaml:" in out
    assert "agent.sop: no step has a branch of kind 'wrong_person'" in out
    assert out.endswith("1 scenario, 5 personas: 1 error\n")


def test_check_as_json(broken: Path) -> None:
    code, out, _ = _run("check", broken, "--json")
    document = json.loads(out)
    assert code == 1
    assert document["errors"] == 1
    assert document["findings"][0]["field"] == "agent.sop"
    assert document["diversity"]["groups"]["en/scenario"]["pairs"] == 10


def test_check_prints_the_diversity_with_its_thresholds() -> None:
    code, out, _ = _run("check", EXEMPLAR, "--stats")
    assert code == 0
    for text in ("one scenario", "allowed below", "0.05", "cs-bank-complaint/"):
        assert text in out


def test_check_of_nothing_is_wrong_use(tmp_path: Path) -> None:
    code, _, err = _run("check", tmp_path)
    assert code == 2
    assert "scenario.yaml" in err


@pytest.mark.parametrize(
    ("part", "file"), [("scenario", "scenario.yaml"), ("persona", "persona-hesitant.yaml")]
)
def test_the_schema_describes_the_files(part: str, file: str) -> None:
    _, out, _ = _run("schema", part)
    schema = json.loads(out)
    content = yaml.safe_load((EXEMPLAR / file).read_text())
    assert schema["additionalProperties"] is False
    assert set(schema["required"]) <= set(content) <= set(schema["properties"])
    assert "callees" not in schema["properties"]
    definitions = schema["$defs"]
    used = {ref.rpartition("/")[2] for ref in re.findall(r'"\$ref": "([^"]+)"', out)}
    assert used <= set(definitions)  # nothing was taken out that is still needed
    inner = "Persona" if part == "persona" else "AgentCard"
    assert set(content["persona" if part == "persona" else "agent"]) <= set(definitions[inner]["properties"])


def test_schemas_are_written_for_an_editor(tmp_path: Path) -> None:
    code, _, _ = _run("schema", "--out", tmp_path / "schemas")
    assert code == 0
    assert {path.name for path in (tmp_path / "schemas").iterdir()} == {
        "scenario.schema.json",
        "persona.schema.json",
    }
    assert _run("schema", "circus")[0] == 2


def test_import_writes_what_check_and_prompt_accept(tmp_path: Path) -> None:
    task = tmp_path / "task-1-2-3-4.md"
    task.write_text(task_text(), encoding="utf-8")
    out_dir = tmp_path / "out"
    code, out, _ = _run("import", task, "--out", out_dir)
    assert code == 0
    assert "1 imported, 0 refused" in out
    assert _run("check", out_dir)[0] == 0
    code, out, _ = _run("prompt", "task-1-2-3-4/resistant", "--from", out_dir)
    assert code == 0
    assert "洞庭家电" in out


def test_import_goes_on_after_a_refusal_and_exits_1(tmp_path: Path) -> None:
    (tmp_path / "task-1-1-1-1.md").write_text(task_text(), encoding="utf-8")
    (tmp_path / "task-1-1-1-2.md").write_text("# a shopping list\n", encoding="utf-8")
    code, out, _ = _run("import", tmp_path, "--out", tmp_path / "out", "--json")
    document = json.loads(out)
    assert code == 1
    assert [item["id"] for item in document["imported"]] == ["task-1-1-1-1"]
    assert "电话拨打方" in document["refused"][0]["reason"]


def test_import_does_not_overwrite_unasked(tmp_path: Path) -> None:
    task = tmp_path / "task-1-2-3-4.md"
    task.write_text(task_text(), encoding="utf-8")
    assert _run("import", task, "--out", tmp_path / "out")[0] == 0
    code, out, _ = _run("import", task, "--out", tmp_path / "out")
    assert code == 1
    assert "--force" in out
    assert _run("import", task, "--out", tmp_path / "out", "--force")[0] == 0


def test_recall_says_how_far_it_is_from_the_beginning(monkeypatch: pytest.MonkeyPatch) -> None:
    def tried(people: dict[str, object], *, on_person: Callable[[str], None]) -> dict[str, list[LeftOut]]:
        on_person(f"{next(iter(people))}, 1 of {len(people)}")
        return {"en": []}

    monkeypatch.setattr(module, "left_out_by_language", tried)
    code, _, err = _run("check", EXEMPLAR, "--recall")
    assert code == 0
    assert err.splitlines()[:2] == [
        "recall: checks the scenarios first",
        "recall: cs-bank-complaint/cooperative, 1 of 5",
    ]
