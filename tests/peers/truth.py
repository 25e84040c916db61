"""What was heard and said by what passed the socket: packets decoded in their order, each placed where it
passed. Timestamps of what was sent have a say only where they follow real time: over every pause, or else
within each stretch that was sent in one go. There a packet that left late has two times, by its clock and by
``sendto``, as in the calibration agent's log."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import av
import numpy as np

from .wire_log import Packet, WireLog

RATE = 48_000
OPUS_DELAY = 312
"""Samples that libopus looks ahead."""
VOICED = 10 ** (-48 / 20)
APART_S = 0.2
"""So much quiet is between two sounds."""
ENVELOPE_S = 10.0
KEEPS_S = 0.03
"""A clock that is further off than this between two packets follows no real time."""
LEAST_STRETCH = 10
"""Packets of a stretch by which one of them can be told to be late."""


@dataclass(frozen=True)
class Sound:
    """First and last voiced sample: where its clock puts them, and when their very packets passed."""

    first_s: float
    last_s: float
    first_wire_s: float
    last_wire_s: float


def truth_of(log: WireLog, behaviour: dict[str, Any]) -> dict[str, Any]:
    """As the calibration agent tells it: ``heard``, ``spoke``, ``over``, and the raw stamps."""
    heard = _sounds(log.arrived, _enveloped(log.arrived))
    spoke = _sounds(log.left, _enveloped(log.left) if _keeps_time(log.left) else _by_stretches(log.left))
    turns = behaviour.get("turns", [])
    return {
        "heard": [{"first_s": one.first_s, "last_s": one.last_s} for one in heard],
        "spoke": [_spoken(one, heard, turns) for one in spoke],
        "over": log.over,
        "channels": log.channels,
        "sent": [(p.sequence, p.timestamp, p.ns, p.marker) for p in log.left],
        "arrived": [(p.sequence, p.timestamp, p.ns) for p in log.arrived],
    }


def _spoken(sound: Sound, heard: Sequence[Sound], turns: Sequence[dict[str, Any]]) -> dict[str, Any]:
    told: dict[str, Any] = {"cut": False}
    for edge, at_s, passed_s in (
        ("first", sound.first_s, sound.first_wire_s),
        ("last", sound.last_s, sound.last_wire_s),
    ):
        told |= {f"{edge}_s": at_s, f"{edge}_clock_s": at_s, f"{edge}_wire_s": passed_s}
    before = [index for index, one in enumerate(heard) if one.last_s < sound.first_s]
    if before:
        index = before[-1]
        turn = turns[index] if index < len(turns) else {}
        told |= {
            "heard_last_s": heard[index].last_s,
            "heard_last_wire_s": heard[index].last_wire_s,
            "answer_after_ms": turn.get("answer_after_ms", 0.0),
        }
        begun = [one for one in heard[index + 1 :] if sound.first_s < one.first_s < sound.last_s]
        if begun and "stop_after_ms" in turn:
            told |= {
                "cut": True,
                "interrupted_at_s": begun[0].first_s,
                "interrupted_at_wire_s": begun[0].first_wire_s,
                "stop_after_ms": turn["stop_after_ms"],
            }
    return told


def _passed(packets: Sequence[Packet]) -> list[float]:
    return [packet.ns / 1e9 for packet in packets]


def _by_stretches(packets: Sequence[Packet]) -> list[float]:
    """When packets were due by a clock that stands still or leaps in between: within each stretch that it
    follows real time over, as an honest one there; by themselves in a stretch of a few."""
    placed: list[float] = []
    begun = 0
    for edge in [*_breaks(packets), len(packets)]:
        stretch = packets[begun:edge]
        placed += _enveloped(stretch) if len(stretch) >= LEAST_STRETCH else _passed(stretch)
        begun = edge
    return placed


def _breaks(packets: Sequence[Packet]) -> list[int]:
    ticks = np.diff(np.unwrap([packet.timestamp for packet in packets], period=2**32))
    return [int(at) + 1 for at in np.flatnonzero(np.abs(ticks / RATE - np.diff(_passed(packets))) >= KEEPS_S)]


def _keeps_time(packets: Sequence[Packet]) -> bool:
    """Whether the time stamps follow real time, over pauses as well."""
    return not _breaks(packets)


def _enveloped(packets: Sequence[Packet]) -> list[float]:
    """When packets of an honest clock were due: the least of passing minus timestamp over ten seconds."""
    if not packets:
        return []
    ticks = np.unwrap([packet.timestamp for packet in packets], period=2**32)
    media = (ticks - ticks[0]) / RATE
    offset = np.array([packet.ns / 1e9 for packet in packets]) - media
    return [float(at + offset[np.abs(media - at) <= ENVELOPE_S / 2].min()) for at in media]


def _sounds(packets: Sequence[Packet], placed_s: Sequence[float]) -> list[Sound]:
    """What is heard of packets, each at its place."""
    decoder = av.CodecContext.create("libopus", "r")
    decoder.format, decoder.layout, decoder.sample_rate = "s16", "mono", RATE
    edges: list[list[tuple[float, float]]] = []
    for packet, at_s in zip(packets, placed_s, strict=True):
        if not packet.payload:
            continue
        frames = decoder.decode(av.Packet(packet.payload))
        pcm = np.concatenate([frame.to_ndarray().reshape(-1) for frame in frames]) / 32768.0
        voiced = np.flatnonzero(np.abs(pcm) >= VOICED)
        if not len(voiced):
            continue
        late_s = packet.ns / 1e9 - at_s
        first_s, last_s = (float(at_s + (voiced[edge] - OPUS_DELAY) / RATE) for edge in (0, -1))
        if not edges or first_s - edges[-1][1][0] > APART_S:
            edges.append([(first_s, late_s), (last_s, late_s)])
        else:
            edges[-1][1] = (last_s, late_s)
    return [
        Sound(first, last, first + first_late, last + last_late)
        for (first, first_late), (last, last_late) in edges
        if last - first > 0.02
    ]
