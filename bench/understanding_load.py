"""How long it takes to understand a turn beside live calls, and what that does to the calls.

``python -m bench.understanding_load [12]``: so many calls to a light peer on loopback, with ears, once with
nothing beside them and once with a person in each call who understands the agent by examples, every
:data:`EVERY_S` a turn. Turns are lines of the development set, none heard twice, every second time two of
them together. Goal: 60 ms (median) without calls, 200 ms (p95) beside twelve, and frames that leave no later
than without.

Also: how long the process takes to start, and to read a person's examples for the first and the second time.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from bench.simultaneous_calls import STAGGER_S, prepared_call, wait_for_peer
from harness.calls.voice.hearing.ears import Ears
from harness.calls.voice.hearing.meaning import LiveMeaning, PersonMeaning
from harness.calls.voice.place import Beside, place_call
from harness.models.served_process import free_port
from harness.selfcheck.understanding.labelled import Labelled, load_labelled, sets_root

EVERY_S = 6.0
"""A turn of the agent and one of the caller take longer than that in most calls."""
ROUNDS = 3


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 12
    lines = load_labelled(sets_root() / "development")
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(_measure(count, lines, Path(folder) / "vectors.sqlite"))


async def _measure(count: int, lines: Sequence[Labelled], vectors: Path) -> None:
    print(f"load of the machine before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    people = list({line.entry: line for line in lines}.values())[:count]
    began = time.perf_counter()
    async with LiveMeaning(vectors=vectors) as meaning:
        print(f"process ready after {time.perf_counter() - began:.2f} s")
        opened = [await _timed(meaning, line) for line in people]
        print(
            f"a person's examples read for the first time: {np.median([s for _, s in opened]):.2f} s (median)"
        )
        for person, _ in opened:
            person.close()
        opened = [await _timed(meaning, line) for line in people]
        print(f"for the second time: {np.median([s for _, s in opened]):.3f} s")
        turns = [_turns(line.entry, lines, seed) for seed, line in enumerate(people)]
        for (person, _), texts in zip(opened, turns, strict=True):
            for _ in range(4):
                await person.odds(next(texts))
        _print("no call", meaning)
        quiet, talked = [], []
        for _ in range(ROUNDS):
            quiet += await _calls(count, [])
            talked += await _calls(
                count, [(person, texts) for (person, _), texts in zip(opened, turns, strict=True)]
            )
        _print(f"{count} calls", meaning)
        for name, late in (("without", quiet), ("with", talked)):
            p50, p95, p99 = np.percentile(late, [50, 95, 99])
            print(
                f"frames leave late, {count} calls {name} understanding: p50 {p50:.2f}, p95 {p95:.2f}, "
                f"p99 {p99:.2f}, max {max(late):.1f} ms (n {len(late)})"
            )
    print(f"load of the machine after: {os.getloadavg()[0]:.1f}")


async def _timed(meaning: LiveMeaning, line: Labelled) -> tuple[PersonMeaning, float]:
    began = time.perf_counter()
    person = await meaning.open(line.persona)
    return person, time.perf_counter() - began


def _turns(entry: str, lines: Sequence[Labelled], seed: int) -> Iterator[str]:
    """Of this person first, then of others, none twice."""
    language = next(line.persona.language for line in lines if line.entry == entry)
    own = [line.says for line in lines if line.entry == entry]
    others = [line.says for line in lines if line.entry != entry and line.persona.language == language]
    random.Random(seed).shuffle(others)
    left = iter(dict.fromkeys([*own, *others]))
    for several in itertools.cycle((1, 2)):
        yield " ".join(itertools.islice(left, several))


def _print(name: str, meaning: LiveMeaning) -> None:
    took_ms = np.array(meaning.took_s) * 1000
    p50, p95 = np.percentile(took_ms, [50, 95])
    print(
        f"a turn understood, {name}: median {p50:.0f}, p95 {p95:.0f}, max {took_ms.max():.0f} ms "
        f"(n {len(took_ms)})",
        flush=True,
    )
    meaning.took_s.clear()


async def _calls(count: int, people: Sequence[tuple[PersonMeaning, Iterator[str]]]) -> list[float]:
    """How late each frame left while all calls stood, in milliseconds."""
    port = free_port()
    peer = await asyncio.create_subprocess_exec(sys.executable, "-m", "bench._peer", str(port))
    try:
        await asyncio.to_thread(wait_for_peer, port)
        async with Ears() as ears:
            agent = f"http://127.0.0.1:{port}"
            calls = [asyncio.create_task(_call(agent, number, count, ears)) for number in range(count)]
            await asyncio.sleep(count * STAGGER_S + 3.0)
            talks = [
                asyncio.create_task(_talk(person, texts, number * EVERY_S / len(people)))
                for number, (person, texts) in enumerate(people)
            ]
            late = await asyncio.gather(*calls)
            for talk in talks:
                talk.cancel()
            await asyncio.gather(*talks, return_exceptions=True)
    finally:
        peer.terminate()
        await peer.wait()
    return [ms for of_one in late for ms in of_one]


async def _call(agent: str, number: int, count: int, ears: Ears) -> list[float]:
    await asyncio.sleep(number * STAGGER_S)
    held = await place_call(prepared_call(agent, number, count), beside=Beside(ears=ears))
    if held.recording is None:
        raise SystemExit(f"call {number} came to nothing: {held.record.status_detail}")
    return held.late_ms[round((count - number) * STAGGER_S / 0.02) + 100 :]


async def _talk(person: PersonMeaning, texts: Iterator[str], first_s: float) -> None:
    await asyncio.sleep(first_s)
    for text in texts:
        asked_s = asyncio.get_running_loop().time()
        await person.odds(text)
        await asyncio.sleep(EVERY_S - (asyncio.get_running_loop().time() - asked_s))


if __name__ == "__main__":
    main()
