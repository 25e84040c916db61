"""Transcripts in every form that the docs name, and what is wrong with those that are none."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from harness.errors import UserError
from harness.judging.material import DialogueMaterial
from harness.judging.reading.files import read_dialogues

ENTRY = "cs-bank-complaint/hesitant"
SAID = [("agent", "Hello, is that Mrs. Sun?"), ("caller", "Yes: speaking."), ("agent", "Good.")]


def write(folder: Path, name: str, content: Any) -> Path:
    path = folder / name
    text = content if isinstance(content, str) else json.dumps(content, ensure_ascii=False)
    path.write_text(text, encoding="utf-8")
    return path


def said(material: DialogueMaterial) -> list[tuple[str, str]]:
    return [(turn.speaker, turn.text) for turn in material.dialogue.turns]


def turns(speaker: str, text: str, agent: str = "agent", caller: str = "caller") -> list[dict[str, str]]:
    names = {"agent": agent, "caller": caller}
    return [{speaker: names[who], text: words} for who, words in SAID]


FORMS = {
    "plain.json": {"scenario": ENTRY, "turns": turns("speaker", "text")},
    "chat.json": {"entry": ENTRY, "messages": turns("role", "content", "assistant", "user")},
    "names.json": {"scenario_id": ENTRY, "dialogue": turns("from", "value", "Bot", "HUMAN")},
    "zh_names.json": {"scenario": ENTRY, "history": turns("who", "utterance", "客服", "客户")},
    "two_fields.json": {
        "scenario": "cs-bank-complaint",
        "archetype": "hesitant",
        "turns": turns("role", "text"),
    },
    "short.json": {"scenario": ENTRY, "turns": [{who: words} for who, words in SAID]},
    "pairs.json": {"scenario": ENTRY, "turns": [list(pair) for pair in SAID]},
    "lines.json": {"scenario": ENTRY, "turns": [f"{who.title()}: {words}" for who, words in SAID]},
    "text_inside.json": {
        "scenario": ENTRY,
        "transcript": "\n".join(f"{who}: {words}" for who, words in SAID),
    },
    "aside.json": {"scenario": ENTRY, "turns": turns("speaker", "text", "Agent (Li Ming)", "Caller [Sun]")},
    "parts.json": {
        "scenario": ENTRY,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "assistant", "content": [{"type": "text", "text": SAID[0][1]}]},
            {"role": "user", "content": SAID[1][1]},
            {"role": "assistant", "content": None, "tool_calls": []},
            {"role": "tool", "content": "42"},
            {"role": "assistant", "content": SAID[2][1]},
        ],
    },
    "own_names.json": {
        "scenario": ENTRY,
        "speakers": {"Kate": "agent", "Mr. Sun": "customer"},
        "turns": turns("speaker", "text", "kate", "Mr. Sun"),
    },
    "plain.yaml": f"scenario: {ENTRY}\nturns:\n- agent: Hello, is that Mrs. Sun?\n"
    "- caller: 'Yes: speaking.'\n- agent: Good.\n",
    "plain.txt": f"scenario: {ENTRY}\n\nAgent: Hello,\n  is that Mrs. Sun?\n# a remark\n"
    "[00:07] Caller: Yes: speaking.\n**Assistant:** Good.\n",
    "plain.jsonl": json.dumps({"scenario": ENTRY, "turns": turns("speaker", "text")}) + "\n\n",
    "wide.txt": f"scenario： {ENTRY}\n客服：Hello, is that Mrs. Sun?\n用户：Yes: speaking.\n坐席：Good.",
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form_of_a_dialogue_is_the_same_dialogue(tmp_path: Path, name: str) -> None:
    content = FORMS[name]
    if name == "aside.json":
        content = json.loads(json.dumps(content).replace("Caller [Sun]", "Caller (Sun)"))
    found = read_dialogues(write(tmp_path, name, content))
    assert [said(one) for one in found] == [SAID]
    assert (found[0].entry, found[0].domain, found[0].archetype) == (ENTRY, "customer_service", "hesitant")
    assert "Changjiang Bank" in found[0].agent_prompt
    assert found[0].id


def test_standard_input_tells_json_from_text() -> None:
    inside = json.dumps({"scenario": ENTRY, "turns": turns("speaker", "text")})
    lines = "\n".join(f"{who}: {words}" for who, words in SAID)
    for text in (inside, f"{inside}\n{inside}", lines):
        found = read_dialogues(Path("stdin"), text=text, scenario=ENTRY)
        assert {tuple(said(one)) for one in found} == {tuple(SAID)}


def test_several_dialogues_keep_their_names_and_models(tmp_path: Path) -> None:
    one = {"id": "first", "model": "a", "scenario": ENTRY, "turns": turns("speaker", "text")}
    other = {"model": "b", "turns": turns("speaker", "text")}
    for name, content in (
        ("list.json", [one, other]),
        ("named.json", {"dialogues": [one, other]}),
        ("lines.jsonl", f"{json.dumps(one)}\n{json.dumps(other)}\n"),
        ("bare.json", [one["turns"], other["turns"]]),
    ):
        found = read_dialogues(write(tmp_path, name, content), scenario="fin-loan-collection/resistant")
        assert [said(material) for material in found] == [SAID, SAID]
        assert {material.entry for material in found} == {"fin-loan-collection/resistant"}
        if name != "bare.json":
            assert [material.id for material in found] == ["first", f"{Path(name).stem}-2"]
            assert [material.competitor for material in found] == ["a", "b"]


def test_a_list_of_turns_alone_is_one_dialogue(tmp_path: Path) -> None:
    path = write(tmp_path, "bare.json", turns("role", "content", "assistant", "user"))
    assert [said(one) for one in read_dialogues(path, scenario=ENTRY)] == [SAID]


@pytest.mark.parametrize("head", [f"model: gpt-4.1\nscenario: {ENTRY}", f"scenario: {ENTRY}\nmodel: gpt-4.1"])
def test_the_model_named_before_the_first_turn_says_nothing(tmp_path: Path, head: str) -> None:
    lines = "\n".join(f"{who}: {words}" for who, words in SAID)
    [found] = read_dialogues(write(tmp_path, "a.txt", f"{head}\n\n{lines}"))
    assert (said(found), found.competitor, found.entry) == (SAID, "gpt-4.1", ENTRY)


def test_an_agent_that_is_called_model_speaks_from_its_first_line(tmp_path: Path) -> None:
    lines = "\n".join(f"{'Model' if who == 'agent' else 'User'}: {words}" for who, words in SAID)
    [found] = read_dialogues(write(tmp_path, "a.txt", f"scenario: {ENTRY}\n{lines}"))
    assert (said(found), found.competitor) == (SAID, "")


STRANGERS = (
    "Kate",
    "kate",
    "Mr. Sun",
    "Bank manager",
    "Agent 2",
    "SPEAKER_00",
    "[00:07] Kate",
    "**Kate**",
    "[Kate]",
    "Kate (supervisor)",
    "经理",
)


@pytest.mark.parametrize("stranger", STRANGERS)
@pytest.mark.parametrize("colon", [": ", "："])
def test_somebody_else_who_speaks_in_a_text_is_told_and_not_taken_for_the_one_before(
    tmp_path: Path, stranger: str, colon: str
) -> None:
    text = f"scenario: {ENTRY}\nAgent: Hello.\nCaller: Who is it?\n{stranger}{colon}I take over.\n"
    name = stranger.removeprefix("[00:07] ").partition(" (")[0].strip("[]*")
    with pytest.raises(UserError, match=re.escape(f"a.txt:4: '{name}' is neither the agent nor the caller")):
        read_dialogues(write(tmp_path, "a.txt", text))


@pytest.mark.parametrize(
    "line",
    [
        "  Kate: I take over.",
        "at 10:30, or so",
        "10:30 is fine",
        "https://example.com/x",
        "I said to him and to everybody: no.",
        "and what he said was: no.",
        "ratio 3:1",
    ],
)
def test_a_line_that_names_nobody_goes_on_with_the_one_before(tmp_path: Path, line: str) -> None:
    text = f"scenario: {ENTRY}\nAgent: Hello.\nCaller: Well,\n{line}\n"
    [found] = read_dialogues(write(tmp_path, "a.txt", text))
    assert said(found) == [("agent", "Hello."), ("caller", f"Well, {line.strip()}")]


@pytest.mark.parametrize(
    "speakers",
    [
        "speakers: Kate = agent, Mr. Sun = caller",
        "Speakers: {Kate: agent, 'Mr. Sun': customer}",
        "speakers: kate = bot\nspeakers: Mr. Sun = user",
    ],
)
def test_a_text_says_itself_who_is_who(tmp_path: Path, speakers: str) -> None:
    text = f"scenario: {ENTRY}\n{speakers}\n\nKate: Hello.\nMr. Sun: Who is it?\nAgent: The bank.\n"
    [found] = read_dialogues(write(tmp_path, "a.txt", text))
    assert said(found) == [("agent", "Hello."), ("caller", "Who is it?"), ("agent", "The bank.")]
    assert found.notes == ()
    with pytest.raises(UserError, match=r"a\.txt:1: speakers: 'Kate' is 'boss'; it must be agent or caller"):
        read_dialogues(write(tmp_path, "a.txt", "speakers: Kate = boss\nKate: Hello."))


def test_names_beside_a_text_are_known_in_it(tmp_path: Path) -> None:
    text = "Kate: Hello.\nCaller: Who is it?"
    content = {"scenario": ENTRY, "speakers": {"Kate": "agent"}, "transcript": text}
    [found] = read_dialogues(write(tmp_path, "a.json", content))
    assert said(found) == [("agent", "Hello."), ("caller", "Who is it?")]


def test_pieces_of_one_side_are_one_turn_and_silence_is_none(tmp_path: Path) -> None:
    pieces = [["agent", "One."], ["agent", "Two."], ["caller", ""], ["agent", "Three."]]
    found = read_dialogues(write(tmp_path, "a.json", {"scenario": ENTRY, "turns": pieces}))[0]
    assert said(found) == [("agent", "One. Two. Three.")]
    assert "one turn" in found.notes[0]


def test_a_flow_and_prompt_of_its_own(tmp_path: Path) -> None:
    own = {
        "language": "en-GB",
        "agent_prompt": "Ask for the name.",
        "flow": [{"id": "ask", "criterion": "Asks for the name.", "key": True, "evidence": ["your name"]}],
        "turns": [["agent", "What's your name?"]],
        "temperature": 1,
    }
    found = read_dialogues(write(tmp_path, "a.json", own))[0]
    assert [node.id for node in found.flow.nodes] == ["ask"]
    assert (found.entry, found.language, found.agent_prompt) == ("", "en", "Ask for the name.")
    assert found.notes == ("ignored: temperature",)
    without = {key: value for key, value in own.items() if key != "agent_prompt"}
    assert any(
        "no agent_prompt" in note for note in read_dialogues(write(tmp_path, "b.json", without))[0].notes
    )
    without["turns"] = [["agent", "请问您贵姓？"]]
    del without["language"]
    assert read_dialogues(write(tmp_path, "c.json", without))[0].language == "zh"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", "", "is empty"),
        ("a.json", "{", "a.json:1: not valid JSON"),
        ("a.jsonl", '{"turns": []}\n{', "a.jsonl:2: not valid JSON"),
        ("a.yaml", "turns: [", "a.yaml:2: not valid YAML"),
        ("a.json", "[" * 100_000, "not valid JSON"),
        ("a.json", "3", "must be a mapping with 'turns'"),
        ("a.json", {"scenario": ENTRY}, "has no 'turns'"),
        ("a.json", {"turns": [["agent", "Hi"]]}, "does not say what the call was about"),
        ("a.json", {"scenario": "nothing/hesitant", "turns": []}, "no scenario 'nothing'"),
        ("a.json", {"scenario": "cs-bank-complaint", "turns": []}, "has the user types"),
        ("a.json", {"scenario": ENTRY, "turns": [["Bob", "Hi"]]}, "turn 1: 'Bob' is neither the agent"),
        (
            "a.json",
            {"scenario": ENTRY, "turns": [["agent", "Hi"], {"text": "x"}]},
            "turn 2: has no 'speaker'",
        ),
        ("a.json", {"scenario": ENTRY, "turns": [{"speaker": "agent"}]}, "turn 1: has no 'text'"),
        ("a.json", {"scenario": ENTRY, "turns": [{"speaker": "agent", "text": 3}]}, "must be text"),
        ("a.json", {"scenario": ENTRY, "turns": [7]}, "turn 1: must be a mapping"),
        (
            "a.json",
            {"scenario": ENTRY, "turns": [["agent", "x" * 30_000]]},
            "turn 1: String should have at most",
        ),
        ("a.json", {"scenario": ENTRY, "turns": [["agent", "x"]] * 1001}, "1001 turns"),
        ("a.json", {"scenario": ENTRY, "speakers": {"Bob": "boss"}, "turns": []}, "'Bob' is 'boss'"),
        ("a.json", {"flow": {"nodes": []}, "turns": []}, "flow: nodes"),
        (
            "a.json",
            {"flow": [{"id": "a", "criterion": "x", "requires": ["b"]}], "turns": []},
            "requires 'b', which is no node",
        ),
        (
            "a.json",
            {"flow": [{"id": "a", "criterion": "x"}], "language": "fr", "turns": []},
            "'fr' is not known",
        ),
        ("a.txt", "Hello there", "a.txt:1: begins neither with 'Agent:'"),
        ("a.txt", "# nothing", "has no line such as 'Agent: Hello'"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, name: str, content: Any, message: str) -> None:
    with pytest.raises(UserError, match=re.escape(message)):
        read_dialogues(write(tmp_path, name, content))


def test_a_file_that_is_no_text_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"Agent: \xff\xfe")
    with pytest.raises(UserError, match="is not UTF-8"):
        read_dialogues(tmp_path / "a.txt")
    with pytest.raises(UserError, match="cannot be read"):
        read_dialogues(tmp_path / "nowhere.txt")
