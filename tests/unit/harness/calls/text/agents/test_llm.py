"""A language model that plays the card: what it is sent, and what is made of what it writes."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Sequence
from typing import Any

import pytest
from pydantic_ai.exceptions import ModelHTTPError, UnexpectedModelBehavior
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, TextPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from harness.calls.text.agents.base import AgentFailed, AgentReply
from harness.calls.text.agents.llm import (
    CONNECTED,
    END_MARK,
    RULES,
    RULES_VERSION,
    SILENCE,
    LlmAgent,
    is_closing,
    parse_reply,
)
from harness.errors import BudgetSpent
from harness.models.language.cap_exceeded import CapExceeded
from spoken_language.dialogue import DialogueTurn, Speaker


def _turns(*said: tuple[Speaker, str]) -> list[DialogueTurn]:
    return [DialogueTurn(speaker=speaker, text=text) for speaker, text in said]


def _ask(agent: LlmAgent, turns: Sequence[DialogueTurn] = ()) -> AgentReply:
    return asyncio.run(agent.reply(turns))


class _Scripted:
    """A language model that writes (or raises) what it is told to, and keeps what it was sent."""

    def __init__(self, answer: str | BaseException) -> None:
        self._answer = answer
        self.sent: list[ModelMessage] = []
        self.settings: dict[str, Any] = {}
        self.instructions: str | None = None

    def agent(self, **options: Any) -> LlmAgent:
        return LlmAgent(
            model=FunctionModel(self._respond), name="scripted", prompt="You sell tea.", **options
        )

    def _respond(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.sent = messages
        self.settings = dict(info.model_settings or {})
        last = messages[-1]
        assert isinstance(last, ModelRequest)
        self.instructions = last.instructions
        if isinstance(self._answer, BaseException):
            raise self._answer
        return ModelResponse(parts=[TextPart(self._answer)])


def _as_text(messages: Sequence[ModelMessage]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for message in messages:
        for part in message.parts:
            if isinstance(part, UserPromptPart | TextPart):
                found.append((message.kind, str(part.content)))
    return found


def test_it_gets_its_card_the_rules_and_the_dialogue_as_it_was_said() -> None:
    model = _Scripted("At eight.")
    turns = _turns(
        ("caller", "Hello?"),
        ("agent", "It's the tea shop."),
        ("caller", "When do you open?"),
        ("caller", "Hello?"),
    )
    assert _ask(model.agent(), turns) == AgentReply(text="At eight.")
    assert _as_text(model.sent) == [
        ("request", "Hello?"),
        ("response", "It's the tea shop."),
        ("request", "When do you open?\nHello?"),
    ]
    assert model.instructions == f"You sell tea.\n\n{RULES['en']}"
    assert END_MARK in RULES["en"]
    assert END_MARK in RULES["zh"]


def test_what_it_is_told_does_not_change_without_a_new_version() -> None:
    told = json.dumps([RULES, CONNECTED, SILENCE], ensure_ascii=False, sort_keys=True)
    digest = hashlib.sha256(told.encode()).hexdigest()[:16]
    assert (RULES_VERSION, digest) == (1, "4c464e993bc0ba3c")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_is_told_when_it_speaks_first_and_when_the_line_is_silent(language: Any) -> None:
    model = _Scripted("Hello.")
    _ask(model.agent(language=language))
    assert _as_text(model.sent) == [("request", CONNECTED[language])]
    _ask(model.agent(language=language), _turns(("agent", "Hello.")))
    assert _as_text(model.sent)[-1] == ("request", SILENCE[language])


def test_settings_are_passed_on_and_left_out_where_there_are_none() -> None:
    model = _Scripted("Hello.")
    _ask(model.agent(temperature=0.3, seed=7))
    assert (model.settings["temperature"], model.settings["seed"]) == (0.3, 7)
    _ask(model.agent(temperature=None))
    assert {"temperature", "seed"}.isdisjoint(model.settings)


@pytest.mark.parametrize(
    "error",
    [
        ModelHTTPError(status_code=503, model_name="m", body="busy"),
        UnexpectedModelBehavior("no content"),
    ],
)
def test_a_model_that_gives_no_answer_is_the_agents_failure(error: BaseException) -> None:
    with pytest.raises(AgentFailed, match=r"^(status_code: 503.*busy|no content)$"):
        _ask(_Scripted(error).agent())


def test_a_cap_is_nobodys_failure() -> None:
    with pytest.raises(BudgetSpent, match=r"^the run has used 5 USD$"):
        _ask(_Scripted(CapExceeded("the run has used 5 USD", what="cost")).agent())


@pytest.mark.parametrize(
    ("written", "words", "hangs_up"),
    [
        ("On Friday.", "On Friday.", False),
        ("Goodbye. [end of call]", "Goodbye.", True),
        ("Goodbye.\n[END OF CALL]\n", "Goodbye.", True),
        ("[end of call]", "", True),
        ("Bye. [End of the call] Caller: wait! Agent: yes?", "Bye.", True),
        ("Bye. (hangs up)", "Bye.", True),
        ("Bye. *call ended*", "Bye.", True),
        ("再见。【通话结束】", "再见。", True),
        ("再见。[挂断]", "再见。", True),
        ("Shall we end the call?", "Shall we end the call?", False),
        ("   ", "", False),
        ("", "", False),
    ],
)
def test_the_mark_ends_the_call_and_is_not_said(written: str, words: str, hangs_up: bool) -> None:
    assert parse_reply(written, []) == AgentReply(text=words, hangs_up=hangs_up)


@pytest.mark.parametrize(
    ("before", "written", "hangs_up"),
    [
        ([("caller", "Thanks, bye.")], "Goodbye!", True),
        ([("agent", "Have a lovely day."), ("caller", "You too.")], "Take care, goodbye.", True),
        ([("agent", "Goodbye."), ("caller", "One more thing: when?")], "On Friday.", False),
        ([("agent", "Hello."), ("caller", "Yes?")], "Goodbye!", False),
        ([("caller", "Bye.")], "Before you say goodbye, may I ask one thing?", False),
        ([("caller", "那就这样，再见。")], "好的，再见。", True),
        ([("agent", "Goodbye."), ("caller", "a"), ("agent", "b"), ("caller", "c")], "Goodbye.", False),
    ],
)
def test_two_closing_turns_in_a_row_end_the_call(
    before: list[tuple[Speaker, str]], written: str, hangs_up: bool
) -> None:
    assert parse_reply(written, _turns(*before)).hangs_up is hangs_up


@pytest.mark.parametrize(
    ("text", "closing"),
    [
        ("All right. Have a nice day!", True),
        ("Good bye then.", True),
        ("祝您生活愉快，再见！", True),
        ("Will you take care of it?", False),
        (
            "I said goodbye to my old phone. "
            + "And then the new one came with a crack in it, right there. " * 3,
            False,
        ),
        ("He was a bystander.", False),
        ("", False),
    ],
)
def test_what_a_closing_turn_is(text: str, closing: bool) -> None:
    assert is_closing(text) is closing
