"""The process behind ``harness.calls.voice.hearing.meaning``: persons and questions on stdin, odds on stdout.

In: one JSON object a line:

* ``{"open": PERSON, "persona": {...}}``: somebody who is called, under a number;
* ``{"ask": NUMBER, "person": PERSON, "text": ...}``: what an utterance means to them;
* ``{"close": PERSON}``: nobody asks for them any more.

Out: first ``{"ready": true}``, then ``{"opened": PERSON}`` once a person's examples have been read, and
``{"answer": NUMBER, "odds": [[KIND, REF, LOG_ODDS], ...]}``.

A question never waits for a person's examples to be read: it is answered between two of their lines.
"""

from __future__ import annotations

import json
import sys
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from harness.calls.voice.workers.process import working
from voice_sim.person.persona import Persona
from voice_sim.understanding.encoders.base import SentenceEncoder, Vectors
from voice_sim.understanding.encoders.e5 import E5Encoder
from voice_sim.understanding.examples.understander import UnderstandsByExamples, lines_of
from voice_sim.understanding.vectors import VectorCache

READY = b'{"ready": true}\n'
NICENESS = 5
"""As the ears': what was said is understood before the next words are recognised."""
REMEMBERED = 4000
"""Vectors of what agents said, 1.5 kB each."""
_WARM_UP = ("Good morning, do you have a moment?", "你好，请问方便吗？")


@dataclass(kw_only=True)
class Desk:
    """What was asked, between the thread that reads and the one that works; questions go first."""

    asks: deque[dict[str, Any]] = field(default_factory=deque)
    others: deque[dict[str, Any]] = field(default_factory=deque)
    over: bool = False
    changed: threading.Condition = field(default_factory=threading.Condition)

    def read(self, source: BinaryIO) -> None:
        """Takes in lines until the source ends."""
        try:
            for line in source:
                told = json.loads(line)
                with self.changed:
                    (self.asks if "ask" in told else self.others).append(told)
                    self.changed.notify()
        finally:
            with self.changed:
                self.over = True
                self.changed.notify()

    def question(self) -> dict[str, Any] | None:
        """One that waits, if any does."""
        with self.changed:
            return self.asks.popleft() if self.asks else None

    def next(self) -> dict[str, Any] | None:
        """What to do now. Waits for it; None: it is over."""
        with self.changed:
            while not self.over:
                if self.asks:
                    return self.asks.popleft()
                if self.others:
                    return self.others.popleft()
                self.changed.wait()
        return None


@dataclass(frozen=True, kw_only=True)
class ReadsBetween:
    """An encoder that takes texts one by one and lets others have their turn before each."""

    encoder: SentenceEncoder
    between: Callable[[], None]

    @property
    def name(self) -> str:
        return self.encoder.name

    def encode(self, texts: Sequence[str]) -> Vectors:
        rows = []
        for text in texts:
            self.between()
            rows.append(self.encoder.encode([text])[0])
        return np.stack(rows) if rows else self.encoder.encode([])


class Remembers:
    """An encoder that knows what it encoded last: an agent that goes on speaking, or reads the same lines to
    everybody, says little that is new.

    Args:
        encoder: Who encodes what is new.
    """

    def __init__(self, encoder: SentenceEncoder) -> None:
        self._encoder = encoder
        self._known: OrderedDict[str, Vectors] = OrderedDict()

    @property
    def name(self) -> str:
        return self._encoder.name

    def encode(self, texts: Sequence[str]) -> Vectors:
        new = [text for text in dict.fromkeys(texts) if text not in self._known]
        self._known.update(zip(new, self._encoder.encode(new), strict=True))
        for text in texts:
            self._known.move_to_end(text)
        found = [self._known[text] for text in texts]
        while len(self._known) > REMEMBERED:
            self._known.popitem(last=False)
        return np.stack(found) if found else self._encoder.encode([])


class Meanings:
    """Answers for everybody who is called now.

    Args:
        desk: What is asked.
        sink: Where answers go.
        encoder: Of all languages.
        cache: Keeps the vectors of examples.
    """

    def __init__(self, desk: Desk, sink: BinaryIO, encoder: SentenceEncoder, cache: VectorCache) -> None:
        self._desk = desk
        self._sink = sink
        self._encoder = encoder
        self._hearing = Remembers(encoder)
        self._cache = cache
        self._persons: dict[int, UnderstandsByExamples] = {}

    def work(self) -> None:
        """Until the desk is closed."""
        while (told := self._desk.next()) is not None:
            if "ask" in told:
                self._answer(told)
            elif "open" in told:
                self._open(told["open"], Persona.model_validate(told["persona"]))
            else:
                self._persons.pop(told["close"], None)

    def _open(self, person: int, persona: Persona) -> None:
        reading = ReadsBetween(encoder=self._encoder, between=self._answer_waiting)
        vectors = self._cache.encode(lines_of(persona), reading)
        self._persons[person] = UnderstandsByExamples(persona, self._hearing, vectors=vectors)
        self._tell({"opened": person})

    def _answer_waiting(self) -> None:
        while (told := self._desk.question()) is not None:
            self._answer(told)

    def _answer(self, told: dict[str, Any]) -> None:
        person = self._persons.get(told["person"])
        if person is None:
            return  # closed before its turn came: nobody waits for it
        odds = [[item.kind, item.ref, value] for item, value in person.odds(told["text"]).items()]
        self._tell({"answer": told["ask"], "odds": odds})

    def _tell(self, content: dict[str, Any]) -> None:
        self._sink.write(json.dumps(content).encode() + b"\n")
        self._sink.flush()


def serve(source: BinaryIO, sink: BinaryIO, encoder: SentenceEncoder, cache: VectorCache) -> None:
    """Answers until the source ends."""
    desk = Desk()
    threading.Thread(target=desk.read, args=(source,), daemon=True).start()
    sink.write(READY)
    sink.flush()
    Meanings(desk, sink, encoder, cache).work()


def main() -> None:
    with working(niceness=NICENESS):
        encoder = E5Encoder()
        # Its weights come into memory with the first run.
        encoder.encode(_WARM_UP)
        serve(sys.stdin.buffer, sys.stdout.buffer, encoder, VectorCache(Path(sys.argv[1])))


if __name__ == "__main__":
    main()
