"""Which spans are heard together, where in the window they lie, and how times get back."""

from __future__ import annotations

import numpy as np
import pytest

from metrics.recognition.whisper.packs import JOINT_S, LONGEST_S, pack_of, packed
from metrics.spans import Span

RATE = 16_000
COUNTED = (np.arange(100 * RATE) % 9973 / 9973).astype(np.float32)


def spans(*lengths_s: float) -> list[Span]:
    found, at_s = [], 0.5
    for length_s in lengths_s:
        found.append(Span(start_s=at_s, end_s=at_s + length_s))
        at_s += length_s + 0.25
    return found


@pytest.mark.parametrize(
    ("lengths_s", "sizes"),
    [
        ((), []),
        ((3.0,), [1]),
        # With a second of silence between: 13.5 + 1 + 13.5 = 28 is the longest.
        ((13.5, 13.5), [2]),
        ((13.5, 13.6), [1, 1]),
        ((5.0,) * 5, [4, 1]),
        # What is longer than a pack has one to itself, and nothing joins it.
        ((40.0, 1.0, 1.0), [1, 2]),
        ((1.0, 40.0, 1.0), [1, 1, 1]),
    ],
)
def test_as_many_as_fit_in_order(lengths_s: tuple[float, ...], sizes: list[int]) -> None:
    wanted = spans(*lengths_s)
    packs = packed(COUNTED, wanted)
    assert [len(pack.pieces) for pack in packs] == sizes
    assert [piece.span for pack in packs for piece in pack.pieces] == wanted
    assert all(len(pack.clip) <= LONGEST_S * RATE for pack in packs if len(pack.pieces) > 1)


def test_each_sample_is_in_its_place_and_silence_between() -> None:
    one, other = spans(2.0, 3.0)
    pack = pack_of(COUNTED, [one, other])
    first, second = pack.pieces
    assert (first.within.start_s, first.within.end_s) == (0.0, 2.0)
    assert (second.within.start_s, second.within.end_s) == (3.0, 6.0)
    assert np.array_equal(pack.clip[: 2 * RATE], COUNTED[round(0.5 * RATE) : round(2.5 * RATE)])
    assert not pack.clip[2 * RATE : 3 * RATE].any()
    assert np.array_equal(pack.clip[3 * RATE :], COUNTED[round(2.75 * RATE) : round(5.75 * RATE)])
    assert JOINT_S == 1.0


def test_times_get_back_and_stay_inside() -> None:
    one, other = spans(2.0, 3.0)
    pack = pack_of(COUNTED, [one, other])
    first, second = pack.pieces
    assert [first.in_call(at_s) for at_s in (0.0, 1.5, 2.0, 2.6)] == [0.5, 2.0, 2.5, 2.5]
    assert [second.in_call(at_s) for at_s in (2.9, 3.0, 4.5, 7.0)] == [2.75, 2.75, 4.25, 5.75]


def test_the_silence_belongs_to_the_nearer_one() -> None:
    pack = pack_of(COUNTED, spans(2.0, 3.0))
    first, second = pack.pieces
    assert [pack.piece_at(at_s) for at_s in (0.0, 2.0, 2.4)] == [first] * 3
    assert [pack.piece_at(at_s) for at_s in (2.6, 3.0, 9.0)] == [second] * 3
