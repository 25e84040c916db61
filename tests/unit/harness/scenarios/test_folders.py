"""Reading what a stranger wrote: every kind of broken file ends in a message with file, line and field."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from harness._files.yaml_file import MAX_BYTES, read_yaml
from harness.errors import NotWritten, UserError
from harness.scenarios import folders
from harness.scenarios.folders import (
    find_folders,
    find_scenario,
    library_root,
    load_entry,
    load_library,
    load_scenario,
    read_folder,
    write_scenario,
)

EXEMPLAR = library_root() / "en" / "customer_service" / "bank_complaint"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the bank complaint that may be broken."""
    return Path(shutil.copytree(EXEMPLAR, tmp_path / "bank_complaint"))


def _write(tmp_path: Path, content: str | bytes) -> Path:
    path = tmp_path / "a.yaml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def test_every_scalar_is_text_and_every_field_has_its_line(tmp_path: Path) -> None:
    read = read_yaml(_write(tmp_path, "a:\n  - No\n  - 0042\n  - 2025-01-08\nb: {c: 1.50}\n"))
    assert read.content == {"a": ["No", "0042", "2025-01-08"], "b": {"c": "1.50"}}
    assert read.line_of(("a", 1)) == 3
    assert read.line_of(("b", "c")) == 5
    assert read.line_of(("b", "c", "deeper", 3)) == 5
    assert read.line_of(("nothing",)) == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"# only a comment\n", "is empty"),
        (b"\xff\xfe\x00\x01", "not UTF-8"),
        (b"\x00\x01\x02", "not valid YAML"),
        (b"a: [1, 2\nb: 3\n", ":2: not valid YAML"),
        (b"a: 1\nb: 2\na: 3\n", ":3: 'a' is there twice"),
        (b"a: &x [1]\nb: *x\n", "anchors and aliases"),
        (b"? [1, 2]\n: 3\n", "a key must be a plain word"),
        (b"a: " + b"[" * 5000, "nested deeper"),
        (b"a: " + b"[" * 200 + b"]" * 200, "nested deeper"),
        (b"a: 1\n---\nb: 2\n", "not valid YAML"),
        (b"a: " + b"x" * (MAX_BYTES + 1), "the most that is read"),
    ],
)
def test_a_broken_file_says_what_is_wrong(tmp_path: Path, content: bytes, message: str) -> None:
    path = _write(tmp_path, content)
    with pytest.raises(UserError, match=re.escape(message)) as failure:
        read_yaml(path)
    assert str(path) in str(failure.value)


def test_aliases_that_would_fill_the_memory_are_refused_at_once(tmp_path: Path) -> None:
    bomb = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n"
    bomb += "".join(f"a{i}: &a{i} [{','.join([f'*a{i - 1}'] * 9)}]\n" for i in range(1, 12))
    with pytest.raises(UserError, match="aliases"):
        read_yaml(_write(tmp_path, bomb))


def test_a_file_that_is_not_there_is_no_traceback(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        read_yaml(tmp_path / "none.yaml")
    with pytest.raises(UserError, match="cannot be read"):
        read_yaml(tmp_path)


def test_all_problems_of_all_files_come_at_once(folder: Path) -> None:
    head, persona = folder / "scenario.yaml", folder / "persona-hesitant.yaml"
    head.write_text(
        head.read_text().replace("opening:", "openning:").replace("id: explain_booking", "id: Explain")
    )
    persona.write_text(persona.read_text().replace("age: 67", "age: sixty").replace("manner:", "maner:"))
    (folder / "persona-resistant.yaml").write_text("persona: [")
    found = {(finding.file.name, finding.field): finding for finding in read_folder(folder).findings}
    assert ("scenario.yaml", "agent.opening") in found
    assert ("scenario.yaml", "agent.openning") in found
    assert "known here: role, core_task" in found["scenario.yaml", "agent.openning"].message
    assert ("scenario.yaml", "flow.nodes.7.id") in found
    assert ("persona-hesitant.yaml", "persona.demographics.age") in found
    assert ("persona-hesitant.yaml", "persona.maner") in found
    assert ("persona-resistant.yaml", "") in found
    line = found["persona-hesitant.yaml", "persona.demographics.age"].line
    assert "age: sixty" in persona.read_text().splitlines()[line - 1]


def test_parts_that_parse_are_there_although_the_head_does_not(folder: Path) -> None:
    head = folder / "scenario.yaml"
    head.write_text(head.read_text().replace("domain: customer_service", "domain: circus"))
    read = read_folder(folder)
    assert read.scenario is None
    assert read.agent is not None
    assert read.flow is not None
    assert len(read.callees) == 5


def test_loading_refuses_what_cannot_be_used(folder: Path) -> None:
    head, persona = folder / "scenario.yaml", folder / "persona-efficient.yaml"
    original = head.read_text()
    head.write_text(original.replace("requires: [fix_follow_up]", "requires: [nobody]"))
    with pytest.raises(UserError, match=r"scenario\.yaml:\d+: flow\.nodes\.13\.requires: .*'nobody'"):
        load_scenario(folder)
    head.write_text(original)
    text = persona.read_text()
    persona.write_text(text.replace("  salutation: Ms. Chen\n", ""))
    with pytest.raises(UserError, match="has no 'salutation'"):
        load_scenario(folder)
    for path in folder.glob("persona-*"):
        path.unlink()
    with pytest.raises(UserError, match="nobody could answer"):
        load_scenario(folder)


def test_people_do_not_stand_in_the_scenarios_own_file(folder: Path) -> None:
    head = folder / "scenario.yaml"
    head.write_text(head.read_text() + "\ncallees: []\n")
    assert any(finding.field == "callees" for finding in read_folder(folder).findings)


def test_folders_are_found_from_files_and_from_above(tmp_path: Path, folder: Path) -> None:
    assert find_folders([tmp_path]) == [folder]
    assert find_folders([folder / "persona-hesitant.yaml", folder]) == [folder]
    with pytest.raises(UserError, match="no such file"):
        find_folders([tmp_path / "nothing"])
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match=r"no scenario\.yaml"):
        find_folders([tmp_path / "empty"])


def test_entries_are_found_by_id_and_a_wrong_id_lists_the_right_ones(folder: Path) -> None:
    assert load_entry("cs-bank-complaint/hesitant", [folder]).persona.demographics.name == "Sun Li"
    with pytest.raises(UserError, match=r"has the user types .*resistant"):
        load_entry("cs-bank-complaint/cheerful", [folder])
    with pytest.raises(UserError, match="there are: cs-bank-complaint"):
        find_scenario("cs-bank", [folder])
    assert [scenario.id for scenario in load_library([folder])] == ["cs-bank-complaint"]


def test_one_scenario_is_found_although_another_is_broken(folder: Path, tmp_path: Path) -> None:
    """Its id says that it is not the one that is wanted; no more of it is looked at."""
    other = Path(shutil.copytree(folder, tmp_path / "another"))
    head = other / "scenario.yaml"
    head.write_text(head.read_text().replace("id: cs-bank-complaint", "id: cs-other") + "\nflow: [\n")
    assert find_folders([tmp_path])[0] == other
    assert find_scenario("cs-bank-complaint", [tmp_path]).id == "cs-bank-complaint"
    with pytest.raises(UserError, match=r"another/scenario\.yaml"):
        find_scenario("cs-other", [tmp_path])


def test_files_that_are_as_they_were_are_parsed_once_and_changed_ones_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load_scenario(folder)
    with monkeypatch.context() as patch:
        patch.setattr(folders, "read_folder", lambda folder: pytest.fail("parsed once more"))
        assert load_scenario(folder) is first
    head, persona = folder / "scenario.yaml", folder / "persona-hesitant.yaml"
    head.write_text(head.read_text().replace("title: Bank", "title: Sank"))
    assert load_scenario(folder).title == first.title.replace("Bank", "Sank")
    persona.write_text(persona.read_text().replace("age: 67", "age: 76"))
    assert {one.demographics.age for one in load_scenario(folder).personas} >= {76}
    persona.rename(folder / "hesitant.yaml")
    assert len(load_scenario(folder).personas) == len(first.personas) - 1
    (folder / "persona-efficient.yaml").write_bytes(b"\xff")
    with pytest.raises(UserError, match="not UTF-8"):
        load_scenario(folder)


def test_a_folder_that_cannot_be_written_is_told_as_such(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(NotWritten, match="cannot be written"):
        write_scenario(load_scenario(folder), tmp_path / "file" / "in-it")


def test_a_cue_that_cannot_be_read_is_refused_with_its_line(folder: Path) -> None:
    persona = folder / "persona-efficient.yaml"
    lines = persona.read_text().split("\n")
    at = next(number for number, line in enumerate(lines) if line.strip().startswith("answered_by: ["))
    lines[at] = lines[at].partition("[")[0] + '["january 13 | "]'
    persona.write_text("\n".join(lines))
    where = rf"persona-efficient\.yaml:{at + 1}: persona\.must_ask\.\d+\.answered_by\.0: "
    with pytest.raises(UserError, match=where + ".*empty part or alternative"):
        load_scenario(folder)


def test_a_question_without_words_is_refused_with_its_line(folder: Path) -> None:
    """Nobody could ask it."""
    persona = folder / "persona-efficient.yaml"
    lines = persona.read_text().split("\n")
    at = next(number for number, line in enumerate(lines) if line.strip() == "must_ask:")
    indent = len(lines[at]) - len(lines[at].lstrip())
    lines.insert(at + 1, " " * (indent + 2) + "- {id: mute, ask: []}")
    persona.write_text("\n".join(lines))
    where = rf"persona-efficient\.yaml:{at + 2}: persona\.must_ask\.0\.ask: "
    with pytest.raises(UserError, match=where + ".*at least 1 item"):
        load_scenario(folder)
