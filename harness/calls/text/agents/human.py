"""The person at the terminal, on either side of a dialogue.

Enter sends a line, Ctrl-D hangs up, Ctrl-C breaks the dialogue off. An agent that sends an empty line is
silent, and finds out how long the caller's patience is; a caller is asked again.
"""

from __future__ import annotations

import asyncio
import signal
import threading
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

from harness.calls.text.agents.base import AgentReply
from spoken_language.dialogue import DialogueTurn
from voice_sim.policies.base import THINKING, Decision, Dialogue, Heard, Leave, Line, Said

with suppress(ImportError):
    import readline  # noqa: F401  # where there is one, lines can be edited

MAX_CHARS = 4000

Ask = Callable[[str], str]
"""``input``, or what stands for it: shows a prompt and returns a line. Raises EOFError at Ctrl-D."""


def typed_line(prompt: str) -> str:
    """What the person types after the prompt."""
    return input(prompt)


class HumanAgent:
    """Plays the agent card by hand; see :class:`harness.calls.text.agents.base.TextAgent`."""

    def __init__(self, *, ask: Ask = typed_line) -> None:
        self._ask = ask

    @property
    def name(self) -> str:
        return "a person at the terminal"

    async def reply(self, turns: Sequence[DialogueTurn]) -> AgentReply:
        try:
            return AgentReply(text=_read(self._ask, "agent> "))
        except EOFError:
            return AgentReply(text="", hangs_up=True)


class HumanCaller:
    """Plays the caller by hand; see :class:`voice_sim.policies.base.ThinkingPolicy`."""

    hears_words = True
    hang_up_after_s = 0.0

    def __init__(self, *, ask: Ask = typed_line, wait_for_greeting: bool = True) -> None:
        self._ask = ask
        self._wait_for_greeting = wait_for_greeting

    @property
    def wait_for_greeting(self) -> bool:
        return self._wait_for_greeting

    def prepared_lines(self) -> list[str]:
        return []

    def interruption(self, dialogue: Sequence[Said | Heard]) -> None:
        """A person in text does not interrupt."""

    def next_line(self, dialogue: Dialogue) -> Any:
        return THINKING

    def when_silent(self, dialogue: Dialogue, *, times: int) -> Decision:
        return self._decide("(silence) caller> ")

    async def think(self, dialogue: Dialogue) -> AsyncIterator[Line | Leave]:
        yield self._decide("caller> ")

    def _decide(self, prompt: str) -> Line | Leave:
        try:
            while not (text := _read(self._ask, prompt)):
                prompt = "caller (Ctrl-D hangs up)> "
            return Line(text=text, pause_s=0.0, why="typed")
        except EOFError:
            return Leave(reason="satisfied", why="the person at the terminal hung up")


def _read(ask: Ask, prompt: str) -> str:
    """A line from the terminal. The dialogue has nothing else to do meanwhile."""
    with _breaking_off():
        try:
            return ask(prompt).strip()[:MAX_CHARS]
        except KeyboardInterrupt:
            raise asyncio.CancelledError from None


@contextmanager
def _breaking_off() -> Iterator[None]:
    """Lets Ctrl-C end the wait for a line at once: asyncio's own handler would wait for the line."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
