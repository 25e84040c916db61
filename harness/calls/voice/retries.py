"""Carries the retries of a caller's language model to the timeline of the call that they happen in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol


class Retry(Protocol):
    """What is told of one failed attempt; ``harness.models.language.Retry`` is one."""

    @property
    def attempt(self) -> int: ...
    @property
    def wait_s(self) -> float: ...
    @property
    def kind(self) -> Any: ...
    @property
    def reason(self) -> str: ...


class RetryBell:
    """Made with the model, before there is a call; answered by the call while it lasts."""

    def __init__(self) -> None:
        self.answer: Callable[[dict[str, Any]], None] = lambda data: None

    def ring(self, retry: Retry) -> None:
        """Passes a retry on."""
        self.answer(
            {
                "attempt": retry.attempt,
                "kind": str(retry.kind),
                "reason": retry.reason[:500],
                "wait_s": round(retry.wait_s, 3),
            }
        )
