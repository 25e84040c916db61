"""What the agent's words mean to whoever is called, by their example lines: worked out beside the calls.

:class:`LiveMeaning` is the process of low priority that does it, seen from the event loop; it has the
sentence encoder. :class:`PersonMeaning` is one person in it, who may be called several times at once.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from harness.calls.voice.hearing.meaning_worker import READY
from harness.calls.voice.workers.process import WorkerProcess
from harness.errors import HarnessFault
from voice_sim.person.examples import Item
from voice_sim.person.persona import Persona
from voice_sim.understanding.examples.understander import Odds

WORKER = "harness.calls.voice.hearing.meaning_worker"
ANSWER_LIMIT_S = 7.0
"""A caller that answers later would be silent to the agent, for our own slowness."""
OPEN_LIMIT_S = 300.0
"""The examples of one who was never called are read once: seconds, and minutes on a busy machine."""
MAX_BACKLOG_BYTES = 20_000_000
_KEPT_TIMES = 10_000
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
"""More would wait for each other, and take the core on which packets leave."""

_T = TypeVar("_T")


@dataclass(kw_only=True, eq=False)
class _Opened:
    """A person in the worker, and what was asked for them."""

    number: int
    ready: asyncio.Future[None]
    users: int = 0
    answers: dict[str, asyncio.Future[Odds]] = field(default_factory=dict)


class LiveMeaning(WorkerProcess):
    """The worker process. Use as an async context manager: entered, its encoder is loaded and warm.

    Args:
        vectors: File in which the vectors of examples are kept.
        arguments: Of the Python interpreter, before ``vectors``.

    Attributes:
        took_s: How long each answer took, from the question to its arrival; of the last ones.
    """

    def __init__(self, *, vectors: Path, arguments: Sequence[str] = ("-m", WORKER)) -> None:
        super().__init__(
            name="the process that tells the caller what the agent's words mean",
            arguments=(*arguments, str(vectors)),
            ready=READY,
            backlog_bytes=MAX_BACKLOG_BYTES,
            environment=_ONE_THREAD,
        )
        self.took_s: deque[float] = deque(maxlen=_KEPT_TIMES)
        self._opened: dict[str, _Opened] = {}
        self._by_number: dict[int, _Opened] = {}
        self._asked: dict[int, asyncio.Future[Odds]] = {}
        self._next = 0

    async def open(self, persona: Persona) -> PersonMeaning:
        """A person whose examples have been read. Two who are the same are one there.

        Raises:
            HarnessFault: The worker is gone, or not done within :data:`OPEN_LIMIT_S`.
        """
        self._must_work()
        content = persona.model_dump_json()
        person = self._opened.get(content)
        if person is None:
            person = _Opened(number=self._number(), ready=asyncio.get_running_loop().create_future())
            self._opened[content] = self._by_number[person.number] = person
            self._tell({"open": person.number, "persona": json.loads(content)})
        person.users += 1
        opened = PersonMeaning(self, content)
        try:
            await self._arrived(
                person.ready, limit_s=OPEN_LIMIT_S, what="the person's examples were not read"
            )
        except BaseException:
            opened.close()
            raise
        return opened

    async def odds(self, content: str, text: str) -> Odds:
        """See :meth:`PersonMeaning.odds`."""
        self._must_work()
        person = self._opened[content]
        if text not in person.answers:
            number = self._number()
            answer: asyncio.Future[Odds] = asyncio.get_running_loop().create_future()
            self._asked[number] = person.answers[text] = answer
            self._note_time(answer)
            self._tell({"ask": number, "person": person.number, "text": text})
        return await self._arrived(
            person.answers[text], limit_s=ANSWER_LIMIT_S, what="what the agent's words mean was not known"
        )

    def close(self, content: str) -> None:
        """See :meth:`PersonMeaning.close`."""
        person = self._opened[content]
        person.users -= 1
        if person.users:
            return
        del self._opened[content], self._by_number[person.number]
        nobody_waits = set(person.answers.values())
        self._asked = {number: one for number, one in self._asked.items() if one not in nobody_waits}
        if not self._lost:
            self._tell({"close": person.number})

    def _number(self) -> int:
        self._next += 1
        return self._next

    def _note_time(self, answer: asyncio.Future[Odds]) -> None:
        loop = asyncio.get_running_loop()
        asked_s = loop.time()
        answer.add_done_callback(lambda _: self.took_s.append(loop.time() - asked_s))

    def _tell(self, content: dict[str, Any]) -> None:
        self._send(json.dumps(content).encode() + b"\n")

    async def _arrived(self, wanted: asyncio.Future[_T], *, limit_s: float, what: str) -> _T:
        """Waits for it. Others wait for it too: who gives up does not take it from them."""
        assert self._listening is not None
        either: set[asyncio.Future[Any]] = {wanted, self._listening}
        await asyncio.wait(either, timeout=limit_s, return_when=asyncio.FIRST_COMPLETED)
        if wanted.done():
            return wanted.result()
        self._must_work()
        raise HarnessFault(f"{what} within {limit_s:g} s: the machine is overloaded")

    async def _hear(self, told: asyncio.StreamReader) -> None:
        while line := await told.readline():
            content = json.loads(line)
            if "opened" in content:
                person = self._by_number.get(content["opened"])
                if person is not None:
                    person.ready.set_result(None)
                continue
            answer = self._asked.pop(content["answer"], None)
            if answer is not None:
                answer.set_result({Item(kind, ref): float(odds) for kind, ref, odds in content["odds"]})


class PersonMeaning:
    """One person who is called, in the worker. Ends with :meth:`close`."""

    def __init__(self, worker: LiveMeaning, content: str) -> None:
        self._worker = worker
        self._content = content
        self._closed = False

    @property
    def lost(self) -> str:
        """Why nobody answers any more; empty while somebody does."""
        return self._worker.lost

    async def odds(self, text: str) -> Odds:
        """What an utterance of the agent means to them.

        Raises:
            HarnessFault: The worker is gone, or has no answer within :data:`ANSWER_LIMIT_S`.
        """
        return await self._worker.odds(self._content, text)

    def close(self) -> None:
        """Nobody asks for them in this call any more."""
        if not self._closed:
            self._closed = True
            self._worker.close(self._content)
