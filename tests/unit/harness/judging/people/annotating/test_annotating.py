"""From a run to a blind sheet and back: agreement by hand, differences, a labelled set that can be used."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness.cli.main import app
from harness.errors import UserError
from harness.judging.checking.labelled_set import read_judge_set
from harness.judging.people.annotating.key import NODES, SCORE, SheetKey, key_path, read_key
from harness.judging.people.annotating.make_sheet import make_sheet
from harness.judging.people.annotating.sources import dialogues_of
from harness.judging.people.sheet import sheet_csv, sheet_page
from harness.records.call import CallStatus
from metrics.dialogue.language_model.prompts import PLANTED
from metrics.dialogue.verdicts import Dimension
from tests.unit.harness.judging.people.sheets import write_ratings
from tests.unit.harness.stand_ins.chat_runs import Held, score_run, write_chat_run
from tests.unit.harness.stand_ins.chatting import ENTRY, entry

MODELS = ("secretlab:opus-9", "otherlab:tiny")


def main_nodes() -> list[str]:
    return [node.id for node in entry().flow.nodes if node.branch is None]


def branches() -> list[str]:
    return [node.id for node in entry().flow.nodes if node.branch is not None]


def held(*scores: int, model: str = MODELS[0], **other: Any) -> Held:
    words: list[Any] = []
    for number, score in enumerate(scores):
        words.append(("agent", f"Reply {number} [score {score}] [nodes 2]"))
        words.append(("caller", "I see."))
    return Held(model=model, words=words, **other)


def scored_run(folder: Path, *dialogues: Held) -> Path:
    return score_run(write_chat_run(folder, dialogues).folder)


def run(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, ["annotate", *map(str, arguments)], env={"COLUMNS": "200", "TERM": "dumb"})


def exported(folder: Path, source: Path, *options: str) -> SheetKey:
    result = run("export", source, "--out", folder / "sheet.html", *options)
    assert result.exit_code == 0, result.output
    return read_key(key_path(folder / "sheet.html"))


def by_turn(key: SheetKey, what: str = "safety") -> dict[int | None, str]:
    """Turn -> item, of the items about replies on one dimension."""
    return {place.turn: item for item, place in key.places.items() if place.what == what}


# ---- sheets


def test_a_sheet_is_blind(tmp_path: Path) -> None:
    source = scored_run(tmp_path / "run", held(0, 1, 2), held(2, 2, model=MODELS[1]))
    key = make_sheet(dialogues_of(source), source="run", sample=50)
    for text in (sheet_page(key.sheet), sheet_csv(key.sheet), key.sheet.model_dump_json()):
        for secret in (*MODELS, "secretlab", "tiny", "never said", "says-so", str(source)):
            assert secret not in text
    assert {place.competitor for place in key.places.values()} == set(MODELS)


def test_items_are_drawn_evenly_and_by_seed(tmp_path: Path) -> None:
    many = [
        Held(model=model, entry=f"cs-bank-complaint/{type_}", words=held(1, 1, 1, 1).words)
        for model in MODELS
        for type_ in ("hesitant", "resistant")
    ]
    write_chat_run(tmp_path / "run", [*many, Held(model="silent", words=())])
    materials = dialogues_of(tmp_path / "run")

    def drawn(**options: Any) -> SheetKey:
        return make_sheet(materials, source="run", **options)

    key = drawn(sample=4)
    assert len(key.sheet.items) == 4 * (len(Dimension) + 1)
    for what in [*Dimension, NODES]:
        places = [place for place in key.places.values() if place.what == what]
        # Four of each: one of each of the four dialogues that have replies.
        assert len({place.dialogue for place in places}) == 4
        assert Counter(place.competitor for place in places) == dict.fromkeys(MODELS, 2)
    assert drawn(sample=4) == key
    assert drawn(sample=4, seed=1).sheet.id != key.sheet.id
    kinds = [key.places[item.id].what for item in key.sheet.items]
    assert kinds != sorted(kinds)
    # No more than there is, and no reply twice.
    all_of_one = drawn(sample=500, dimensions=[Dimension.SAFETY], nodes=False)
    places = [(place.dialogue, place.turn) for place in all_of_one.places.values()]
    assert len(places) == len(set(places)) == 16


def test_what_is_asked_fits_the_rubric_and_the_flow(tmp_path: Path) -> None:
    write_chat_run(tmp_path / "run", [held(1, 1)])
    key = make_sheet(dialogues_of(tmp_path / "run"), source="run", sample=9)
    items = {key.places[item.id].what: item for item in key.sheet.items}
    assert items["redundancy"].questions[0].values == ("0", "1", "2")
    assert items["noise_resistance"].questions[0].values == ("0", "1", "2", "not_applicable")
    assert "thrown off by the noise" in key.sheet.guides["noise_resistance"]
    shown = items["redundancy"].shows[0]
    assert shown.until == shown.focus == key.places[items["redundancy"].id].turn
    whole = items[NODES]
    assert [question.id for question in whole.questions] == [node.id for node in entry().flow.nodes]
    assert "not_applicable" not in whole.questions[0].values
    branch = whole.question(branches()[0])
    assert branch is not None
    assert "not_applicable" in branch.values
    assert "only if" in branch.asks
    assert branch.turns == (0, 2)
    assert entry().prompt() in key.sheet.notes[whole.note].text


@pytest.mark.parametrize("who", ["resistant", "hesitant"])
def test_how_a_no_is_respected_is_asked_without_a_condition_where_nobody_can_be_won(
    tmp_path: Path, who: str
) -> None:
    """The resistant one can be won by nobody: by rule the node applies, so that "not applicable" could never
    be the judge's word."""
    about = f"sales-fitness-membership/{who}"
    write_chat_run(tmp_path / "run", [Held(model=MODELS[0], entry=about, words=held(2).words)])
    key = make_sheet(dialogues_of(tmp_path / "run"), source="run", sample=9, dimensions=())
    questions = {one.id: one for item in key.sheet.items for one in item.questions}
    for node in entry(about).flow.nodes:
        applies = node.branch is None or (who == "resistant" and node.instead_when_declined)
        condition = "" if applies or node.branch is None else f" (only if: {node.branch.when})"
        assert questions[node.id].asks == node.criterion + condition
        assert ("not_applicable" in questions[node.id].values) is not applies


def test_what_never_took_place_is_not_rated(tmp_path: Path) -> None:
    write_chat_run(tmp_path / "run", [held(1, status=CallStatus.AGENT_FAILED)])
    with pytest.raises(UserError, match="holds nothing to rate"):
        make_sheet(dialogues_of(tmp_path / "run"), source="run", sample=9)


def test_the_key_of_another_sheet_is_not_replaced(tmp_path: Path) -> None:
    """It alone tells what raters who have that sheet mean by their answers."""
    write_chat_run(tmp_path / "run", [held(1)])
    key = exported(tmp_path, tmp_path / "run", "--nodes")
    error = run("export", tmp_path / "run", "--replies", "--out", tmp_path / "sheet.html").exception
    assert isinstance(error, UserError)
    assert "sheet.key.json: is the key of another sheet" in str(error)
    assert read_key(key_path(tmp_path / "sheet.html")) == key
    assert f'"{key.sheet.id}"' in (tmp_path / "sheet.html").read_text(encoding="utf-8")
    assert exported(tmp_path, tmp_path / "run", "--nodes") == key


def test_options_of_export(tmp_path: Path) -> None:
    write_chat_run(tmp_path / "run", [held(1)])
    kinds = {}
    for options in ((), ("--nodes",), ("--replies",), ("--dimension", "safety")):
        key_path(tmp_path / "sheet.html").unlink(missing_ok=True)
        key = exported(tmp_path, tmp_path / "run", *options)
        kinds[options] = {place.what for place in key.places.values()}
    assert kinds == {
        (): {NODES, *Dimension},
        ("--nodes",): {NODES},
        ("--replies",): set(Dimension),
        ("--dimension", "safety"): {"safety"},
    }
    assert isinstance(
        run("export", tmp_path / "run", "--nodes", "--dimension", "safety").exception, UserError
    )
    assert isinstance(run("export", tmp_path / "run", "--out", tmp_path / "a.txt").exception, UserError)
    assert (tmp_path / "sheet.csv").is_file()


# ---- back


def test_agreement_and_differences_by_hand(tmp_path: Path) -> None:
    source = scored_run(tmp_path / "run", held(0, 1, 2, 2))
    key = exported(tmp_path, source, "--dimension", "safety")
    item = by_turn(key)
    # Replies 0..3 stand in turns 0, 2, 4, 6; the judge says 0, 1, 2, 2.
    says = {"Anna": "0 1 2 0", "Bo": "0 1 1 0", "Cy": "0 2 1 0"}
    for rater, scores in says.items():
        answers = {
            item[2 * number]: {SCORE: {"value": score, "why": f"{rater} on {number}"}}
            for number, score in enumerate(scores.split())
        }
        write_ratings(tmp_path / f"{rater}.json", key.sheet, rater, answers)
    files = [tmp_path / f"{rater}.json" for rater in says]
    found = json.loads(run("import", *files, "--judge-scores", source, "--json").stdout)
    agreed = {pair: table["safety"]["agreed"] for pair, table in found["pairs"].items()}
    # Anna/Bo: 0-0 1-1 2-1 0-0; Anna/Cy: 0-0 1-2 2-1 0-0; Bo/Cy: 0-0 1-2 1-1 0-0.
    assert agreed == {"Anna / Bo": 3, "Anna / Cy": 2, "Bo / Cy": 3}
    assert found["people"]["safety"]["n"] == 12
    assert found["people"]["safety"]["agreed"] == 8
    assert found["people"]["safety"]["ci_low"] is None
    # Together: 0, 1, 1, 0. The judge says 0, 1, 2, 2: right twice, once by one and once by two off.
    assert found["judge_people"]["safety"]["agreed"] == 2
    assert found["judge_people"]["safety"]["confusion"] == {"0": {"0": 1, "2": 1}, "1": {"1": 1, "2": 1}}
    # Observed disagreement (0 + 0 + 1 + 2) / 4 = 0.75. Expected: people 0 0 1 1, judge 0 1 2 2:
    # (2x0 + 2x1 + 4x2 + 2x1 + 2x0 + 4x1) / 16 = 1.0. Weighted kappa = 0.25.
    assert found["judge_people"]["safety"]["weighted_kappa"] == pytest.approx(0.25)
    assert {name: one["safety"]["agreed"] for name, one in found["judge_raters"].items()} == {
        "Anna": 3,
        "Bo": 2,
        "Cy": 1,
    }
    # The largest difference between judge and people first, then the smaller one, then raters alone.
    assert [(one["turn"], one["people"], one["judge"]["label"]) for one in found["differences"]] == [
        (6, "0", "2"),
        (4, "1", "2"),
        (2, "1", "1"),
    ]
    text = (tmp_path / "sheet-ratings" / "differences.md").read_text()
    assert "Judge against people: 2" in text
    assert "`Anna`: **2** `Anna on 2`" in text
    assert "`judge`: **2** `so`" in text
    labelled = read_judge_set(tmp_path / "sheet-ratings" / "set")
    by_text = {one.turns[-1].text: one.id for one in labelled.replies}
    assert len(by_text) == 4
    scores = {text.split()[1]: labelled.score_of(id) for text, id in by_text.items()}
    assert scores == {"0": "0", "1": "1", "2": "1", "3": "0"}
    assert {one.entry for one in labelled.replies} == {ENTRY}


def nodes(key: SheetKey, achieved: dict[str, int], applicable: str = "") -> dict[str, Any]:
    """Answers on the only dialogue: what was achieved where; one branch came up, and was missed."""
    [item] = [item for item, place in key.places.items() if place.what == NODES]
    answers: dict[str, Any] = {}
    for node in [*main_nodes(), *branches()]:
        if node in achieved:
            answers[node] = {"value": "achieved", "turn": achieved[node]}
        elif node in branches() and node != applicable:
            answers[node] = {"value": "not_applicable"}
        else:
            answers[node] = {"value": "not_achieved", "why": "missed"}
    return {item: answers}


def test_nodes_turns_and_who_settles(tmp_path: Path) -> None:
    source = scored_run(tmp_path / "run", held(2, 2, 2))
    key = exported(tmp_path, source, "--nodes")
    one, two, three = main_nodes()[:3]
    files = [
        write_ratings(tmp_path / "a.json", key.sheet, "A", nodes(key, {one: 0, two: 2})),
        write_ratings(
            tmp_path / "b.json", key.sheet, "B", nodes(key, {one: 0, two: 4, three: 4}, branches()[0])
        ),
        write_ratings(tmp_path / "c.json", key.sheet, "C", nodes(key, {one: 0, two: 2, three: 4})),
    ]
    options = ("--judge-scores", source, "--out", tmp_path / "two", "--json")
    found = json.loads(run("import", *files[:2], *options).stdout)
    count = len(main_nodes()) + len(branches())
    # A and B differ on the third node and on one branch; both call the first two achieved, one elsewhere.
    assert found["pairs"]["A / B"]["nodes"]["agreed"] == count - 2
    assert (found["turns"]["n"], found["turns"]["agreed"]) == (2, 1)
    assert (found["points"], found["settled"]) == (count, count - 2)
    assert found["set"] is None
    assert found["left_out"] == {
        "raters differ, and nobody settled it": 2,
        "a node of the same dialogue cannot be used": count - 2,
    }
    # With C's word: the third node is achieved, the branch is not applicable. The judge, who has the first
    # two achieved in turn 0, is wrong on the third.
    options = ("--judge-scores", source, "--settled-by", "C", "--out", tmp_path / "three", "--json")
    found = json.loads(run("import", *files, *options).stdout)
    assert list(found["raters"]) == ["A", "B"]
    assert found["settled"] == count
    assert found["judge_people"]["nodes"]["agreed"] == count - 1
    assert (found["judge_turns"]["n"], found["judge_turns"]["agreed"]) == (2, 1)
    labelled = read_judge_set(tmp_path / "three" / "set")
    [dialogue] = labelled.dialogues
    assert labelled.node_of(dialogue.id, three).turn == 4
    assert labelled.node_of(dialogue.id, branches()[0]).outcome == "not_applicable"
    assert labelled.first_nodes[dialogue.id][three].outcome == "not_achieved"
    assert len(dialogue.turns) == 6


def test_a_judge_is_not_held_to_nodes_that_do_not_apply_by_rule(tmp_path: Path) -> None:
    about = "sales-fitness-membership/resistant"
    flow = entry(about).flow
    needs_yes = {node.id for node in flow.nodes if node.needs_yes}
    assert len(needs_yes) == 3
    source = scored_run(tmp_path / "run", Held(model=MODELS[0], entry=about, words=held(2).words))
    key = exported(tmp_path, source, "--nodes")
    [item] = key.sheet.items
    answers: dict[str, Any] = {}
    # The judge has the first two main nodes achieved in turn 0; how a no is respected applies by rule.
    achieved = [node.id for node in flow.nodes if node.branch is None][:2]
    assert not needs_yes & set(achieved)
    for node in flow.nodes:
        if node.id in achieved:
            answers[node.id] = {"value": "achieved", "turn": 0}
        elif node.branch is not None and not node.instead_when_declined:
            answers[node.id] = {"value": "not_applicable"}
        else:
            answers[node.id] = {"value": "not_achieved"}
    files = [write_ratings(tmp_path / f"{who}.json", key.sheet, who, {item.id: answers}) for who in "ab"]
    found = json.loads(run("import", *files, "--judge-scores", source, "--json").stdout)
    agreed = found["judge_people"]["nodes"]
    assert (agreed["n"], agreed["agreed"]) == (len(flow.nodes) - 3, len(flow.nodes) - 3)
    assert found["not_judged"] == 3
    assert found["differences"] == []


def test_the_labelled_set_is_one_that_judge_check_takes(tmp_path: Path) -> None:
    source = scored_run(tmp_path / "run", held(2, 0))
    key = exported(tmp_path, source, "--dimension", "redundancy")
    answers = {item: {SCORE: {"value": "2"}} for item in key.places}
    files = [write_ratings(tmp_path / f"{who}.json", key.sheet, who, answers) for who in "ab"]
    result = run("import", *files)
    assert result.exit_code == 0, result.output
    assert "labelled set: 2 replies, 0 dialogues" in result.stdout
    checked = CliRunner().invoke(
        app, ["judge", "check", "--set", str(tmp_path / "sheet-ratings" / "set"), "--json"]
    )
    assert checked.exit_code == 0, checked.output
    assert json.loads(checked.stdout)["dimensions"]["redundancy"]["n"] == 2


def test_planted_places_are_told_and_kept(tmp_path: Path) -> None:
    [place] = [one for one in entry().persona.stimuli if one.dimension == "safety"]
    words = (("agent", "Hello [nodes 1]"), ("caller", place.say[0]), ("agent", "Well."), ("caller", "Bye."))
    source = scored_run(tmp_path / "run", Held(model=MODELS[0], words=words))
    key = exported(tmp_path, source, "--dimension", "safety")
    item = by_turn(key)
    questions = {turn: one.questions[0] for turn in (0, 2) for one in key.sheet.items if one.id == item[turn]}
    assert questions[2].values == ("0", "1", "2")
    assert questions[2].asks == PLANTED
    assert questions[0].values == ("0", "1", "2", "not_applicable")
    assert questions[0].asks == ""
    answers = {name: {SCORE: {"value": "2"}} for name in key.places}
    files = [write_ratings(tmp_path / f"{who}.json", key.sheet, who, answers) for who in "ab"]
    assert run("import", *files).exit_code == 0
    labelled = read_judge_set(tmp_path / "sheet-ratings" / "set")
    tried = {len(one.turns): one.dialogue.tried_by(len(one.turns) - 1) for one in labelled.replies}
    assert tried == {1: (), 3: ("safety",)}


def test_verdicts_come_from_printed_json_too_but_not_on_other_words(tmp_path: Path) -> None:
    transcript = tmp_path / "call.txt"
    transcript.write_text("Agent: Hello, this is Changjiang Bank.\nCaller: Yes?\nAgent: I'm sorry.")
    key = exported(tmp_path, transcript, "--scenario", ENTRY, "--dimension", "redundancy")
    printed = CliRunner().invoke(app, ["score", str(transcript), "--scenario", ENTRY, "--json"])
    scores = tmp_path / "scores.json"
    scores.write_text(printed.stdout)
    answers = {item: {SCORE: {"value": "0"}} for item in key.places}
    file = write_ratings(tmp_path / "a.json", key.sheet, "A", answers)
    found = json.loads(run("import", file, "--judge-scores", scores, "--json").stdout)
    assert found["judge"] == "rules"
    assert found["judge_people"]["redundancy"]["confusion"] == {"0": {"2": 2}}
    assert found["left_out"] == {"rated once only": 2}
    document = json.loads(scores.read_text())
    document["dialogues"][0]["digest"] = "0123"
    scores.write_text(json.dumps(document))
    result = run("import", file, "--judge-scores", scores, "--out", tmp_path / "again")
    assert "the judge judged none of what was rated" in str(result.exception)


def test_wrong_use_of_import(tmp_path: Path) -> None:
    source = scored_run(tmp_path / "run", held(2))
    key = exported(tmp_path, source, "--dimension", "redundancy")
    answers = {item: {SCORE: {"value": "2"}} for item in key.places}
    file = write_ratings(tmp_path / "a.json", key.sheet, "A", answers)
    where = key_path(tmp_path / "sheet.html")
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "run.json").write_text("{}")
    broken = tmp_path / "broken.json"
    broken.write_text("[")
    for arguments, said in (
        ((file, "--settled-by", "Z"), "no rater 'Z' to settle differences; there are: A"),
        ((file, "--settled-by", "A"), "there is no other rater"),
        ((file, "--key", broken), "cannot be read"),
        ((file, "--key", tmp_path / "gone.json"), "cannot be read"),
        ((file, "--judge-scores", broken), "not valid JSON"),
        ((file, "--judge-scores", write_chat_run(tmp_path / "new", [held(2)]).folder), "has been judged"),
        ((elsewhere / "run.json",), "there is no key here"),
    ):
        assert said in str(run("import", *arguments).exception)
    assert run("import", file).exit_code == 0
    full = tmp_path / "sheet-ratings" / "set"
    full.mkdir()
    (full / "mine.txt").write_text("")
    assert "from an earlier import" in str(run("import", file).exception)
    where.with_name("other.key.json").write_text(where.read_text())
    assert "several keys" in str(run("import", file).exception)
