"""Each rule of ``scenarios check``, broken on purpose in a copy of the bank complaint."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from harness.scenarios.catalogue import CATALOGUE
from harness.scenarios.content_check import CheckResult, check
from harness.scenarios.folders import library_root, load_scenario
from metrics.dialogue.evidence import words

EXEMPLAR = library_root() / "en" / "customer_service" / "bank_complaint"
HEAD, COOPERATIVE, HESITANT = "scenario.yaml", "persona-cooperative.yaml", "persona-hesitant.yaml"
SUM_UP = '"so | sum* up | recap + blocked + january 13 | thirteenth"'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the bank complaint that may be broken."""
    return Path(shutil.copytree(EXEMPLAR, tmp_path / "bank_complaint"))


def _replace(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text, f"{path.name} no longer has {old!r}"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def _has(result: CheckResult, file: str, field: str, message: str) -> bool:
    return any(
        finding.file.name == file and finding.field == field and message in finding.message
        for finding in result.errors
    )


def test_the_exemplar_is_sound() -> None:
    assert check([EXEMPLAR]).findings == []


@pytest.mark.parametrize(
    ("file", "old", "new", "field", "message"),
    [
        # the scenario's head
        (HEAD, "id: cs-bank-complaint", "id: cs-complaint", "id", "'cs-bank-complaint'"),
        (HEAD, "title: Bank customer", "title: Some customer", "title", "in the catalogue"),
        (
            HEAD,
            "orientation: emotion_repair",
            "orientation: warmth_delivery",
            "orientation",
            "emotion_repair",
        ),
        (HEAD, "main_challenge: The", "main_challenge: ''  # The", "main_challenge", "is empty"),
        (HEAD, "  salutation: How they are addressed\n", "", "record_fields", "'salutation' is missing"),
        (HEAD, "  amount: The sum", "  sum: The sum", "record_fields", "'{amount}' is used"),
        (HEAD, "record_fields:\n", "record_fields:\n  shoe: size\n", "record_fields.shoe", "used nowhere"),
        (HEAD, "Li Ming, Wang Hong]", "Li Ming, Wang Wu]", "proper_nouns.2", "occurs in no line"),
        (HEAD, "[Changjiang Bank, Li Ming, Wang Hong]", "[Li Ming]", "proper_nouns", "at least 3"),
        (HEAD, '{value: "60217"', '{value: "60218"', "key_values.5", "occurs in no line"),
        # the agent card
        (HEAD, "  opening: Hello", "  opening: ''  # Hello", "agent.opening", "is empty"),
        (HEAD, "kind: wrong_person", "kind: other", "agent.sop", "'wrong_person'"),
        (HEAD, "    - id: apologise\n", "    - id: identify\n", "agent.sop.1.id", "twice"),
        (HEAD, "- outcome: success", "- outcome: deferred", "agent.termination", "'success'"),
        (HEAD, "Anything else on your mind?", "Anything [else]?", "agent.sop.7.say.0", "cannot be spoken"),
        (
            HEAD,
            "I'll respect that.",
            "I'll respect that. " + "so " * 60,
            "agent.termination.2.closing.0",
            "words",
        ),
        (HEAD, "010-1234-5678, working", "021-8886-5678, working", "agent.sop.6.say.1", "could be real"),
        (HEAD, "I'm texting it", "I'm mailing li@changjiang.cn", "agent.sop.6.say.1", "end in .example"),
        (HEAD, "by text message.", "by WeChat.", "agent.sop.4.branches.0.say.0", "real company"),
        (
            HEAD,
            "Thursday, January 9, before",
            "Friday, January 9, before",
            "agent.sop.6.say.0",
            "is a Thursday",
        ),
        # the flow
        (
            HEAD,
            "      requires: [fix_follow_up]",
            "      requires: [sum_up]",
            "flow.nodes.13.requires",
            "circle",
        ),
        (HEAD, "      steps: [close]", "      steps: [follow_up]", "agent.sop.7", "no flow node covers"),
        (HEAD, "      steps: [close]", "      steps: [closing]", "flow.nodes.13.steps", "no SOP step"),
        (HEAD, SUM_UP, '"a"', "flow.nodes.13.evidence.1", "too loose"),
        # a person
        (
            COOPERATIVE,
            "customer_name: Wang Fang",
            "customer_name: Wang Fan",
            "record.customer_name",
            "person's name",
        ),
        (
            COOPERATIVE,
            "    name: Wang Fang",
            "    name: Jane Doe",
            "persona.demographics.name",
            "placeholder name",
        ),
        (
            COOPERATIVE,
            "    name: Wang Fang",
            "    name: Sun Li",
            "persona.demographics.name",
            "the same name",
        ),
        (COOPERATIVE, "record:\n", "record:\n  shoe: 42\n", "record.shoe", "does not declare"),
        (COOPERATIVE, "  fee_name: {value", "  fee: {value", "record", "'fee_name' is missing"),
        (COOPERATIVE, "archetype: cooperative", "archetype: efficient", "persona.archetype", "file's name"),
        (COOPERATIVE, "language: en", "language: zh", "persona.language", "the scenario's is en"),
        (COOPERATIVE, "  situation: Asked", "  situation: ''  # Asked", "persona.situation", "is empty"),
        (
            COOPERATIVE,
            "needs: [what_for]",
            "needs: [what_else]",
            "persona.cooperation.0.needs",
            "no must_ask",
        ),
        (COOPERATIVE, "- id: every_month", "- id: what_for", "persona.must_ask.1", "twice"),
        (COOPERATIVE, "- id: shop_calls", "- id: maybe_my_fault", "persona.obstacles.1", "twice"),
        (COOPERATIVE, "[\"don't know that |", '["|', "persona.must_ask.2.answered_by.0", "empty part"),
        (
            COOPERATIVE,
            'cues: ["booked as + text alert*"]',
            'cues: ["parachute"]',
            "persona.obstacles.0.cues",
            "bring",
        ),
        (
            COOPERATIVE,
            "Right, I'm back.",
            "Right, " + "so " * 40,
            "persona.style.good.1",
            "words in one line",
        ),
        (COOPERATIVE, "Right, I'm back.", "*laughs* **Right**.", "persona.style.good.1", "cannot be spoken"),
    ],
)
def test_a_broken_rule_is_named_with_file_and_field(
    folder: Path, file: str, old: str, new: str, field: str, message: str
) -> None:
    _replace(folder / file, old, new)
    result = check([folder])
    assert _has(result, file, field, message), "\n".join(map(str, result.findings))


def test_evidence_that_the_card_never_meets_is_found(folder: Path) -> None:
    head = folder / HEAD
    text = head.read_text(encoding="utf-8")
    start = text.index("      evidence:", text.index("- id: sum_up"))
    head.write_text(
        f'{text[:start]}      evidence:\n        - "parachute"\n        - {SUM_UP}\n'
        + text[text.index("\nexamples:") :],
        encoding="utf-8",
    )
    assert check([folder]).errors == []  # the node's other phrase is still met
    _replace(head, SUM_UP, '"umbrella"')
    assert _has(check([folder]), HEAD, "flow.nodes.13.evidence", "no line of close")


def test_a_node_without_evidence_and_a_branch_without_cues_are_found(folder: Path) -> None:
    text = (folder / HEAD).read_text()
    start = text.index("      evidence:", text.index("- id: sum_up"))
    (folder / HEAD).write_text(text[:start])
    assert _has(check([folder]), HEAD, "flow.nodes.13.evidence", "no evidence phrase")
    start = text.index("        cues:", text.index("- id: respect_refusal"))
    end = text.index("      steps:", start)
    (folder / HEAD).write_text(text[:start] + text[end:])
    assert _has(check([folder]), HEAD, "flow.nodes.4.branch.cues", "when the branch applies")


def test_a_question_that_the_card_does_not_answer_has_to_be_declared(folder: Path) -> None:
    _replace(folder / COOPERATIVE, "      answerable: false\n", "")
    _replace(folder / COOPERATIVE, "don't know that | ", "")  # what the card has the agent say instead
    assert _has(check([folder]), COOPERATIVE, "persona.must_ask.2.answered_by", "answerable: false")


def _plant_cue(path: Path, block: str, key: str, cue: str) -> None:
    """Puts a cue in place of those of a block's first item that has some."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    start = lines.index(f"  {block}:\n")
    place = next(i for i in range(start, len(lines)) if lines[i].strip().startswith(f"{key}:"))
    indent = lines[place][: len(lines[place]) - len(lines[place].lstrip())]
    lines[place] = f'{indent}{key}: ["{cue}"]\n'
    path.write_text("".join(lines), encoding="utf-8")


def _faithful_words(folder: Path) -> str:
    """Three consecutive words of the first line that the card has the agent say."""
    entry = next(entry for entry in load_scenario(folder).entries())
    return " ".join(words(entry.card.sop[0].say[0])[:3])


def test_a_person_who_would_hang_up_on_a_faithful_agent_is_found(folder: Path) -> None:
    _plant_cue(folder / HESITANT, "hang_up", "cues", _faithful_words(folder))
    assert _has(check([folder]), HESITANT, "persona.hang_up.0.cues", "faithful agent")


def test_a_question_without_an_answer_that_the_main_line_seems_to_answer_is_found(folder: Path) -> None:
    path = folder / COOPERATIVE
    before = path.read_text(encoding="utf-8")
    number = before[: before.index("answerable: false")].count("    - id: ", before.index("  must_ask:")) - 1
    place = before.index("answered_by:", before.index("answerable: false"))
    end = before.index("]", place)
    path.write_text(
        f'{before[:place]}answered_by: ["{_faithful_words(folder)}"{before[end:]}', encoding="utf-8"
    )
    assert _has(check([folder]), COOPERATIVE, f"persona.must_ask.{number}.answered_by", "has no answer")


@pytest.mark.parametrize(
    ("field", "block"),
    [
        ("persona.facts", "facts"),
        ("persona.hang_up", "hang_up"),
        ("persona.must_ask", "must_ask"),
        ("persona.obstacles", "obstacles"),
        ("persona.cooperation", "cooperation"),
        ("persona.termination", "termination"),
        ("persona.motivation", "motivation"),
    ],
)
def test_a_missing_element_of_table_17_is_found(folder: Path, field: str, block: str) -> None:
    path = folder / HESITANT
    lines = path.read_text().splitlines(keepends=True)
    start = lines.index(f"  {block}:\n")
    end = next(i for i in range(start + 1, len(lines)) if not lines[i].startswith("   "))
    path.write_text("".join(lines[:start] + lines[end:]))
    assert _has(check([folder]), HESITANT, field, "is empty" if block == "cooperation" else "has 0")


def test_a_missing_user_type_is_found(folder: Path) -> None:
    (folder / HESITANT).unlink()
    assert _has(check([folder]), HEAD, "", "no persona-hesitant.yaml")


def test_a_user_type_twice_is_found(folder: Path) -> None:
    _replace(folder / HESITANT, "archetype: hesitant", "archetype: resistant")
    assert _has(check([folder]), HEAD, "", "2 personas of the user type 'resistant'")


def test_everything_is_reported_at_once(folder: Path) -> None:
    _replace(folder / HEAD, "kind: wrong_person", "kind: other")
    _replace(folder / HEAD, "requires: [fix_follow_up]", "requires: [nobody]")
    _replace(folder / COOPERATIVE, "share: freely", "share: always")
    _replace(folder / HESITANT, "  situation: Her", "  situation: ''  # Her")
    result = check([folder])
    assert _has(result, HEAD, "agent.sop", "wrong_person")
    assert _has(result, HEAD, "flow.nodes.13.requires", "no node")
    assert _has(result, COOPERATIVE, "persona.facts.0.share", "freely")
    assert _has(result, HESITANT, "persona.situation", "is empty")


def test_findings_point_at_the_line(folder: Path) -> None:
    _replace(folder / HEAD, "Anything else on your mind?", "Anything [else]?")
    finding = next(f for f in check([folder]).errors if f.field == "agent.sop.7.say.0")
    assert "Anything [else]?" in (folder / HEAD).read_text().splitlines()[finding.line - 1]


def test_the_same_id_in_two_folders_is_found(tmp_path: Path, folder: Path) -> None:
    shutil.copytree(folder, tmp_path / "again")
    assert any(f.field == "id" and "is also" in f.message for f in check([tmp_path]).errors)


def test_the_catalogue_asks_for_all_thirty(folder: Path) -> None:
    missing = [f for f in check([folder], catalogue=True).errors if "is missing" in f.message]
    assert len(missing) == 29
    assert {f.message.split(":")[0] for f in missing} == {row.id for row in CATALOGUE} - {"cs-bank-complaint"}


def test_a_planted_copy_is_found(folder: Path) -> None:
    """Another user type with the same text, a name and some adjectives changed."""
    text = (folder / COOPERATIVE).read_text()
    for old, new in (
        ("archetype: cooperative", "archetype: hesitant"),
        ("Wang Fang", "Sun Li"),
        ("salutation: Ms. Wang", "salutation: Mrs. Sun"),
        ("warm", "shy"),
        ("small", "tiny"),
        ("cheerful", "timid"),
        ("pleased", "unsure"),
    ):
        text = text.replace(old, new)
    (folder / HESITANT).write_text(text)
    errors = check([folder]).errors
    assert any("too much like" in f.message for f in errors)
    assert any("says the same" in f.message for f in errors)


def test_a_single_borrowed_line_is_found(folder: Path) -> None:
    line = "You're really from the bank? I'm sorry, it's just that you hear such things."
    _replace(folder / COOPERATIVE, "I'd rather you just told me if it was me. I won't bite.", line)
    found = [f for f in check([folder]).errors if "says the same" in f.message]
    assert len(found) == 1
    assert "cs-bank-complaint/cooperative" in found[0].message
