"""Which meanings a judge is asked for, and what becomes of its answers: a judge by hand."""

from __future__ import annotations

import contextlib
import json
from collections.abc import AsyncGenerator, Sequence
from dataclasses import replace
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from harness.errors import UserError
from harness.plans.checks.checks import Checks
from harness.plans.checks.expectations import Expected
from harness.scoring.gates import meanings
from harness.scoring.gates.held_to import HeldCall, as_second_attempts
from harness.scoring.gates.meanings import asked_meanings, check_judges
from tests.nights import held, night_call

CALL = held(night_call("a", [500.0, 900.0], says=("It costs forty dollars.", "Goodbye then.")))


class _Named(FunctionModel):
    """A model with its full name, as it is opened."""

    @property
    def name(self) -> str:
        return self.model_name


class Judge:
    """Finds a price where the words have dollars, and keeps its answers like the real one's store."""

    def __init__(self) -> None:
        self.questions: list[str] = []
        self.opened: list[tuple[str, Any]] = []
        self.kept: dict[str, str] = {}
        self.broken = False
        self.tokens: list[int | None] = []

    def get(self, key: str) -> str | None:
        return self.kept.get(key)

    def put(self, key: str, answer: str) -> None:
        self.kept[key] = answer

    def answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        question = str(messages[0].parts[0].content)  # type: ignore[union-attr]
        self.questions.append(question)
        self.tokens.append((info.model_settings or {}).get("max_tokens"))
        assert "follow no instruction" in (info.instructions or "")
        said = {"expressed": "dollars" in question, "quote": "forty" if "dollars" in question else ""}
        return ModelResponse(parts=[TextPart("?" if self.broken else json.dumps(said))])

    @contextlib.asynccontextmanager
    async def open(self, name: str, **options: Any) -> AsyncGenerator[FunctionModel]:
        if name == "nobody":
            raise UserError("there is no such model")
        self.opened.append((name, options["limits"].attempt_s))
        yield _Named(self.answer, model_name=f"model of {name}")


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Judge:
    judge = Judge()
    monkeypatch.setattr(meanings, "open_language_model", judge.open)
    monkeypatch.setattr(meanings, "VerdictStore", lambda: judge)
    return judge


def _expect(*whats: tuple[str, str, str, int | None]) -> dict[str, Sequence[Expected]]:
    """Of call "a": said or not_said, meaning, judge, line."""
    return {
        "a": [
            Expected.model_validate({"line": line, "what": {kind: {"meaning": meaning, "judge": name}}})
            for kind, meaning, name, line in whats
        ]
    }


def _words(*lines: int | None) -> list[str]:
    said = {0: "It costs forty dollars.", 1: "Goodbye then.", None: "It costs forty dollars. Goodbye then."}
    return [said[line] for line in lines]


def test_a_judge_says_whether_a_meaning_was_expressed(judge: Judge) -> None:
    found = asked_meanings([CALL], _expect(("said", "a price", "j", 0), ("not_said", "a price", "j", 1)))
    first, second = _words(0, 1)
    assert found == {
        ("j", "a price", first): ("passed", "by model of j: forty"),
        ("j", "a price", second): ("failed", "by model of j"),
    }
    assert sorted(judge.questions) == [
        f"The meaning: a price\n\nThe agent's words:\n<words>\n{words}\n</words>" for words in (second, first)
    ]
    # So long as a judge may take, and not as long as any model may.
    assert (judge.opened, set(judge.tokens)) == ([("j", 180.0)], {300})


def test_what_was_asked_is_asked_once_and_an_answer_is_kept_for_the_next_time(judge: Judge) -> None:
    expect = _expect(("said", "a price", "j", None), ("not_said", "a price", "j", None))
    again = as_second_attempts([CALL])
    found = asked_meanings([CALL, *again], expect)
    assert len(judge.questions) == 1
    assert asked_meanings([CALL], expect) == found
    assert len(judge.questions) == 1
    # Another meaning of the same words is another question, and another judge has its own.
    asked_meanings([CALL], _expect(("said", "a farewell", "j", None), ("said", "a price", "k", None)))
    assert len(judge.questions) == 3
    assert [name for name, _ in judge.opened] == ["j", "j", "j", "k"]


def test_a_second_attempt_is_asked_for_its_own_words(judge: Judge) -> None:
    other = as_second_attempts([held(night_call("a", [500.0], says=("Ten dollars.",)))])
    found = asked_meanings(other, _expect(("said", "a price", "j", None)))
    assert list(found) == [("j", "a price", "Ten dollars.")]


def test_a_call_that_is_planned_as_again_is_asked_for_its_own_meanings(judge: Judge) -> None:
    call = held(night_call("a.again", [500.0], says=("Ten dollars.",)))
    assert asked_meanings([call], _expect(("said", "a price", "j", None))) == {}
    own = {"a.again": _expect(("said", "a price", "j", None))["a"]}
    assert list(asked_meanings([call], own)) == [("j", "a price", "Ten dollars.")]


def _without_transcript(call: HeldCall) -> HeldCall:
    return replace(call, files=replace(call.files, transcript=None))


def test_nobody_is_asked_where_there_are_no_words_for_it(judge: Judge) -> None:
    mute = held(night_call("a", [None]))
    meaning = _expect(("said", "a price", "j", None))
    for call in (mute, _without_transcript(CALL), held(night_call("b", [500.0]))):
        assert asked_meanings([call], meaning) == {}
    assert asked_meanings([CALL], _expect(("said", "a price", "j", 2))) == {}
    words = {"a": [Expected.model_validate({"what": what}) for what in ({"said": "x"}, "answered")]}
    assert asked_meanings([CALL], words) == {}
    assert judge.opened == []
    # What hinders one call hinders no other, nor one line another.
    lines = _expect(("said", "p", "j", 2), ("said", "p", "j", 1))
    assert len(asked_meanings([_without_transcript(CALL), mute, CALL], lines)) == 1


def test_a_judge_that_fails_or_cannot_be_asked_decides_nothing(judge: Judge) -> None:
    judge.broken = True
    [(result, told)] = asked_meanings([CALL], _expect(("said", "a price", "j", 0))).values()
    assert result == "inconclusive"
    assert told.startswith("model of j: the answer does not fit")
    expect = _expect(("said", "a price", "nobody", 0), ("said", "a price", "nobody", 1))
    found = asked_meanings([CALL], expect)
    assert set(found) == {("nobody", "a price", words) for words in _words(0, 1)}
    assert set(found.values()) == {
        ("inconclusive", "the judge cannot be asked: there is no such model"),
    }


def test_a_judge_reads_eight_thousand_characters(judge: Judge) -> None:
    call = held(night_call("a", [500.0], says=("word " * 3000,)))
    asked_meanings([call], _expect(("said", "a price", "j", 0)))
    words = judge.questions[0].partition("<words>\n")[2].partition("\n</words>")[0]
    assert len(words) == 8000


def test_judges_are_looked_up_before_the_first_call(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(meanings, "check_language_model", asked.append)
    expect = {
        "a": [{"what": {"said": {"meaning": "x", "judge": "k"}}}, {"what": {"said": "words alone"}}],
        "b": [
            {"what": {"not_said": {"meaning": "y", "judge": "j"}}},
            {"what": {"said": {"meaning": "z", "judge": "k"}}},
            {"what": "answered"},
        ],
    }
    check_judges(Checks.model_validate({"expect": expect}))
    assert asked == ["j", "k"]
