"""The person at the terminal, with a script in place of the keyboard."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable

import pytest

from harness.calls.text.agents.base import AgentReply
from harness.calls.text.agents.human import MAX_CHARS, HumanAgent, HumanCaller
from harness.records.call import CallStatus
from tests.unit.harness.stand_ins.chatting import ScriptedAgent, ScriptedCaller, hold
from voice_sim.caller.turn_taking import Patience
from voice_sim.policies.base import Leave


def typing(*lines: str | BaseException) -> Callable[[str], str]:
    """A keyboard: each line in turn, then Ctrl-D."""
    waiting = list(lines)

    def ask(prompt: str) -> str:
        line = waiting.pop(0) if waiting else EOFError()
        if isinstance(line, BaseException):
            raise line
        return line

    return ask


def test_a_person_plays_the_agent_and_hangs_up_with_ctrl_d() -> None:
    agent = HumanAgent(ask=typing("  Hello, the bank.  ", "On Friday."))
    record = hold(ScriptedCaller("When?", "And then?"), agent).record
    assert [turn.text for turn in record.turns] == ["Hello, the bank.", "When?", "On Friday.", "And then?"]
    assert record.status is CallStatus.AGENT_HANGUP
    assert record.agent_name == "a person at the terminal"


def test_an_empty_line_of_the_agent_is_silence() -> None:
    agent = HumanAgent(ask=typing("Hello.", ""))
    record = hold(ScriptedCaller("When?"), agent).record
    assert record.end_reason == "agent_silent"


def test_a_person_plays_the_caller_and_hangs_up_with_ctrl_d() -> None:
    record = hold(
        HumanCaller(ask=typing("Who is it?", "", "Thanks.")), ScriptedAgent("Hello.", "The bank.")
    ).record
    assert [(turn.speaker, turn.text) for turn in record.turns] == [
        ("agent", "Hello."),
        ("caller", "Who is it?"),
        ("agent", "The bank."),
        ("caller", "Thanks."),
        ("agent", "The bank."),
    ]
    assert (record.status, record.end_reason) == (CallStatus.COMPLETED, "satisfied")
    assert "the person at the terminal hung up" in record.status_detail


def test_a_person_who_calls_is_asked_when_the_agent_is_silent() -> None:
    caller = HumanCaller(ask=typing("Who is it?", "Hello?"))
    patience = Patience(call_s=900.0, prompt_s=4.0)
    record = hold(caller, ScriptedAgent("Hello.", "", "Sorry!"), patience=patience).record
    assert [turn.text for turn in record.turns] == ["Hello.", "Who is it?", "Hello?", "Sorry!"]


@pytest.mark.parametrize("side", ["agent", "caller"])
def test_ctrl_c_breaks_the_dialogue_off_and_keeps_it(side: str) -> None:
    ask = typing("Well.", KeyboardInterrupt())
    if side == "agent":
        record = hold(ScriptedCaller("When?"), HumanAgent(ask=ask)).record
    else:
        record = hold(HumanCaller(ask=ask), ScriptedAgent("Hello.")).record
    assert record.status is CallStatus.INTERRUPTED
    assert "Well." in [turn.text for turn in record.turns]


def test_ctrl_c_reaches_the_person_at_once_and_asyncio_gets_its_handler_back() -> None:
    handlers = []

    def ask(prompt: str) -> str:
        handlers.append(signal.getsignal(signal.SIGINT))
        return "Hello."

    async def both() -> AgentReply:
        before = signal.getsignal(signal.SIGINT)
        reply = await HumanAgent(ask=ask).reply([])
        assert signal.getsignal(signal.SIGINT) is before
        assert handlers == [signal.default_int_handler]
        assert before is not signal.default_int_handler
        return reply

    assert asyncio.run(both()) == AgentReply(text="Hello.")


def test_what_is_pasted_is_bounded() -> None:
    reply = asyncio.run(HumanAgent(ask=typing("x" * 1_000_000)).reply([]))
    assert len(reply.text) == MAX_CHARS


def test_a_caller_leaves_silently_where_there_is_no_keyboard() -> None:
    assert HumanCaller(ask=typing()).when_silent((), times=1) == Leave(
        reason="satisfied", why="the person at the terminal hung up"
    )
