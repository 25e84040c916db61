"""Counts what judging each dialogue takes, while several are judged at once by one judge.

The count goes by the task that asks: whatever a task started inside :func:`counted` uses is booked there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from harness.models.language.usage import Ledger, Usage
from harness.records.scores.judging import JudgingUse
from harness.records.usage import side_usage
from metrics.dialogue.language_model import AnswerStore


class JudgingCount:
    """What has been used so far."""

    def __init__(self) -> None:
        self.usage = Usage()
        self.answers: set[str] = set()
        self.kept: set[str] = set()

    def use(self) -> JudgingUse:
        """As it is kept with the scores."""
        return JudgingUse(asked=side_usage(self.usage), answers=len(self.answers), kept=len(self.kept))


_counting: ContextVar[JudgingCount | None] = ContextVar("judging", default=None)


@contextmanager
def counted() -> Iterator[JudgingCount]:
    """Counts what is used inside, also by tasks that are started there."""
    count = JudgingCount()
    token = _counting.set(count)
    try:
        yield count
    finally:
        _counting.reset(token)


class CountedLedger(Ledger):
    """Books for the dialogue that is being judged, too."""

    def add(self, model: str, usage: Usage) -> None:
        super().add(model, usage)
        if (count := _counting.get()) is not None:
            count.usage += usage


class CountedStore:
    """An :class:`~metrics.dialogue.language_model.AnswerStore` that counts for the dialogue being judged."""

    def __init__(self, store: AnswerStore) -> None:
        self._store = store

    def get(self, key: str) -> str | None:
        answer = self._store.get(key)
        if answer is not None and (count := _counting.get()) is not None:
            count.kept.add(key)
        return answer

    def put(self, key: str, answer: str) -> None:
        if (count := _counting.get()) is not None:
            count.answers.add(key)
            count.kept.discard(key)  # what was kept was of no use: asked again
        self._store.put(key, answer)
