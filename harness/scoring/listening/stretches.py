"""Which stretches of agent speech people hear: drawn with a seed, from as many calls as there are."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from harness.analysis.call import scorable
from harness.calls.guard import read_guard
from harness.errors import UserError
from harness.records.call import SAMPLE_RATE_HZ
from harness.records.scores import CallScores
from harness.runs.reader import read_run
from harness.runs.store import RunStore
from harness.scoring.material import sides_of
from metrics.listening.speech_level import active_speech_level

Samples = NDArray[np.float32]
Pairs = Sequence[tuple[float, float]]

SHORTEST_S, LONGEST_S = 2.0, 12.0
PAUSE_S = 0.7
"""A longer silence ends a stretch."""
EDGE_S = 0.15
"""Kept before and after it, as far as half of the silence there."""
FADE_S = 0.005


@dataclass(frozen=True, kw_only=True)
class Stretch:
    """A stretch of one call's agent side, as it is heard. ``run``: which of the runs, from 0."""

    run: int
    call_id: str
    recording_sha256: str
    start_s: float
    end_s: float
    words: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Clip:
    """A stretch with its sound, mono at 48 kHz."""

    stretch: Stretch
    samples: Samples


class HasSound(Protocol):
    """What is no run, and has clips all the same."""

    def sound(self, item: str) -> tuple[str, Samples] | None:
        """A clip's checksum and samples; None where there is none."""


def stretches_of(store: RunStore, *, run: int = 0) -> list[Stretch]:
    """Every stretch of a run that can be rated, in the order of its calls.

    Calls in which our own side or our own caller was at fault are in no figure of the run, so nobody is asked
    about them.

    Raises:
        UserError: The folder is no run, none of its calls was scored, or there is no such stretch.
    """
    files, found, scored, ours = read_run(store.folder), list[Stretch](), 0, 0
    for call in files.calls:
        if call.record is None or call.scores is None or not scorable(call.record.status):
            continue
        scored += 1
        guard = read_guard(store.call_folder(call.call_id))
        if not call.record.status.took_place or (guard is not None and guard.verdict == "guilty"):
            ours += 1
            continue
        recording = store.recording(call.call_id)
        if recording is None:
            continue
        words = [
            (word.start_s, word.word)
            for line in (call.transcript.lines if call.transcript is not None else ())
            if line.side == "agent" and line.source == "whisper"
            for word in line.words
        ]
        found += [
            Stretch(
                run=run,
                call_id=call.call_id,
                recording_sha256=recording.sha256,
                start_s=start_s,
                end_s=end_s,
                words=tuple(word for at_s, word in words if start_s <= at_s < end_s),
            )
            for start_s, end_s in spoken_stretches(call.scores)
        ]
    if not scored:
        raise UserError(f"{store.folder}: no call of it was scored; outboundeval score {store.folder}")
    if not found:
        aside = f"; {ours} were left out, because our own side or caller was at fault" if ours else ""
        raise UserError(
            f"{store.folder}: nothing in it can be rated: its {scored} scored calls hold no stretch of agent "
            f"speech of {SHORTEST_S:g} to {LONGEST_S:g} s that the caller did not interrupt{aside}"
        )
    return found


def spoken_stretches(scores: CallScores) -> list[tuple[float, float]]:
    """(start, end) in seconds of what the agent said in one go, 2 to 12 s, by the detectors that scored it.

    Speech that the caller interrupted is left out: it ends in the middle of a word, and that is no fault of
    the voice.
    """
    spans = scores.spans.agent
    speech = [one for one in spans.get("energy", ()) if _touches(one, spans.get("silero", ()))]
    cut = [(one.agent_onset_s, one.agent_stop_s or one.user_start_s) for one in scores.interruptions]
    found = []
    for part in _parts(sorted(speech)):
        start_s, end_s = part[0][0], part[-1][1]
        if _touches((start_s, end_s), cut):
            continue
        before = max((one[1] for one in speech if one[1] <= start_s), default=0.0)
        after = min((one[0] for one in speech if one[0] >= end_s), default=end_s + 2 * EDGE_S)
        start_s = max(start_s - EDGE_S, (start_s + before) / 2, 0.0)
        end_s = min(end_s + EDGE_S, (end_s + after) / 2)
        if SHORTEST_S <= end_s - start_s <= LONGEST_S:
            found.append((round(start_s, 3), round(end_s, 3)))
    return found


def in_turn(stretches: Sequence[Stretch], rng: random.Random) -> list[Stretch]:
    """All of them in an order by chance, in which each run and each call has its turn before one has its
    next."""
    runs: dict[int, dict[str, list[Stretch]]] = {}
    for one in rng.sample(stretches, len(stretches)):
        runs.setdefault(one.run, {}).setdefault(one.call_id, []).append(one)
    return list(_by_turns([list(_by_turns(list(calls.values()))) for calls in runs.values()]))


def with_sound(
    stretches: Sequence[Stretch], stores: Sequence[RunStore | HasSound], *, most: int
) -> list[Clip]:
    """The first ``most`` of them that have a speech level, with their sound, in their order."""
    found: list[Clip | None] = []
    at = 0
    while at < len(stretches) and (short := most - sum(one is not None for one in found)) > 0:
        taken = stretches[at : at + short]
        at += len(taken)
        found += _loaded(taken, stores)
    return [one for one in found if one is not None]


def _loaded(stretches: Sequence[Stretch], stores: Sequence[RunStore | HasSound]) -> list[Clip | None]:
    """Each call's recording is read once, and no two stand in memory together."""
    found: list[Clip | None] = [None] * len(stretches)
    for call in dict.fromkeys((one.run, one.call_id) for one in stretches):
        heard = _sound(stores[call[0]], call[1])
        if heard is None:
            continue
        sha256, agent = heard
        for place, one in enumerate(stretches):
            if (one.run, one.call_id) != call or one.recording_sha256 != sha256:
                continue
            samples = faded(
                agent[round(one.start_s * SAMPLE_RATE_HZ) : round(one.end_s * SAMPLE_RATE_HZ)].copy(),
                SAMPLE_RATE_HZ,
            )
            long_enough = len(samples) >= SHORTEST_S * SAMPLE_RATE_HZ
            if long_enough and active_speech_level(samples, SAMPLE_RATE_HZ) is not None:
                found[place] = Clip(stretch=one, samples=samples)
    return found


def _sound(store: RunStore | HasSound, call_id: str) -> tuple[str, Samples] | None:
    """The checksum of a recording, and what is heard of the agent in it."""
    if not isinstance(store, RunStore):
        return store.sound(call_id)
    recording, record = store.recording(call_id), store.read_record(call_id)
    if recording is None:
        return None
    return recording.sha256, sides_of(recording, record.media if record is not None else None)[1]


def faded(samples: Samples, sample_rate_hz: int) -> Samples:
    """The same, without a click at either end."""
    ramp = np.linspace(0.0, 1.0, min(round(FADE_S * sample_rate_hz), len(samples) // 2), dtype=np.float32)
    faded_in = samples.copy()
    faded_in[: len(ramp)] *= ramp
    faded_in[len(faded_in) - len(ramp) :] *= ramp[::-1]
    return faded_in


def _parts(speech: Pairs) -> Iterator[list[tuple[float, float]]]:
    """Speech between pauses; where one would be too long, up to its last pause however short."""
    part: list[tuple[float, float]] = []
    for one in speech:
        if part and (one[0] - part[-1][1] > PAUSE_S or one[1] - part[0][0] > LONGEST_S - 2 * EDGE_S):
            yield part
            part = []
        part.append(one)
    if part:
        yield part


def _touches(one: tuple[float, float], others: Pairs) -> bool:
    return any(other[0] < one[1] and one[0] < other[1] for other in others)


def _by_turns(heaps: Sequence[list[Stretch]]) -> Iterator[Stretch]:
    for turn in range(max(map(len, heaps), default=0)):
        yield from (heap[turn] for heap in heaps if turn < len(heap))
