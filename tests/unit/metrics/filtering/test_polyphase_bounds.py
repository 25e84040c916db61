"""What is multiplied with what, by hand: how far a filter reaches, how sure a sum is, when scipy is asked.

The samples alone do not tell: scipy gives the same, only later.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.signal import resample_poly

from metrics.filtering import polyphase
from metrics.filtering.polyphase import filtered
from metrics.resample import _low_pass

Samples = NDArray[np.float32]


class _Asked(Exception):
    """A part was asked; nothing more is to be done."""


def noise(samples: int) -> Samples:
    return np.random.default_rng(5).normal(0, 0.1, samples).astype(np.float32)


def given_to(
    patch: pytest.MonkeyPatch, part: str, samples: int, up: int, down: int, taps: int
) -> tuple[object, ...] | None:
    """What a part of it is given; None where scipy does it all."""
    given: list[tuple[object, ...]] = []

    def asked(*arguments: object) -> None:
        given.append(arguments)
        raise _Asked

    patch.setattr(polyphase, part, asked)
    patch.setattr(polyphase, "_by_scipy", lambda *_: np.zeros(0, np.float32))
    try:
        filtered(noise(samples), up, down, np.ones(taps))
    except _Asked:
        return given[0]
    return None


# ---- what a stretch is


@pytest.mark.parametrize(
    ("up", "down", "taps", "margin", "outputs"),
    [
        (1, 3, 303, 151, 64),
        # 22 for each of three outputs of a sample are 66.
        (3, 1, 303, 50, 66),
        (2, 1, 203, 50, 64),
        (64, 65, 1281, 10, 64),
        (65, 64, 1301, 10, 65),
        (160, 441, 1599, 4, 160),
        (160, 441, 1601, 5, 160),
    ],
)
def test_a_stretch_has_64_outputs_or_as_many_more_as_make_whole_samples(
    up: int, down: int, taps: int, margin: int, outputs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first sample that an output needs lies half a filter before it."""
    given = given_to(monkeypatch, "_matrices", 20_000, up, down, taps)
    assert given == (up, down, np.ones(taps).tobytes(), margin, outputs)


def test_a_sound_is_laid_in_as_many_rows_as_its_stretches_reach_into(monkeypatch: pytest.MonkeyPatch) -> None:
    """320 outputs are five stretches of 192 samples; each needs 151 before, 340 from its own first one on and
    that, so three rows."""
    given = given_to(monkeypatch, "_in_stretches", 960, 1, 3, 303)
    assert given is not None
    assert given[1:] == (151, 7, 192)


@pytest.mark.parametrize(("samples", "multiplied"), [(192, False), (193, True)])
def test_a_single_stretch_is_left_to_scipy(
    samples: int, multiplied: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """64 outputs, or 65."""
    assert (given_to(monkeypatch, "_matrices", samples, 1, 3, 303) is not None) is multiplied


@pytest.mark.parametrize(
    ("up", "down", "taps", "entries"),
    [
        # 2 x 151 + 3 x 64 inputs, 64 outputs; 2 x 50 + 22 inputs, 66 outputs; 2 x 10 + 65, 64.
        (1, 3, 303, 31_616),
        (3, 1, 303, 8052),
        (64, 65, 1281, 5440),
    ],
)
def test_a_matrix_has_the_inputs_of_a_stretch_and_what_the_filter_reaches_beyond(
    up: int, down: int, taps: int, entries: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for largest, multiplied in ((entries, True), (entries - 1, False)):
        monkeypatch.setattr(polyphase, "_LARGEST_MATRIX", largest)
        assert (given_to(monkeypatch, "_matrices", 2000, up, down, taps) is not None) is multiplied


def test_a_matrix_of_a_quarter_of_a_million_is_the_largest(monkeypatch: pytest.MonkeyPatch) -> None:
    """(2 x 937 + 126) x 125 = 250,000 and (2 x 1 + 51) x 4717 = 250,001."""
    assert given_to(monkeypatch, "_matrices", 1000, 125, 126, 2 * 937 * 125 + 1) is not None
    assert given_to(monkeypatch, "_matrices", 1000, 4717, 51, 2 * 4717 + 1) is None


@pytest.mark.parametrize(
    ("up", "down", "taps", "outputs", "parts"),
    [
        # One sample before, then up to (3 x 3 + 3) // 2 = 6 behind the first: 8, in rows of six.
        (2, 3, 7, 4, 2),
        # 2 + 5 + 1 = 8 in rows of four: just two of them.
        (1, 1, 5, 4, 2),
        # 2 + 4 + 1 = 7 in rows of three: one is in a third.
        (1, 1, 5, 3, 3),
        (3, 2, 11, 6, 2),
    ],
)
def test_a_matrix_holds_the_filter_once_for_each_output(
    up: int, down: int, taps: int, outputs: int, parts: int
) -> None:
    """Output k is at k x down, input n at n x up of what lies in between; a filter is where its middle is."""
    low_pass = np.arange(1.0, taps + 1)
    margin, step = taps // 2 // up, outputs // up * down
    expected = np.zeros((parts, step, outputs))
    for row in range(parts * step):
        for output in range(outputs):
            tap = output * down - (row - margin) * up + taps // 2
            if 0 <= tap < taps:
                expected[row // step, row % step, output] = up * low_pass[tap]
    np.testing.assert_array_equal(
        polyphase._matrices(up, down, low_pass.tobytes(), margin, outputs), expected
    )


def test_a_sound_is_laid_in_rows_behind_its_margin() -> None:
    sound = np.arange(1, 6, dtype=np.float32)
    rows = polyphase._in_stretches(sound, 2, 3, 3)
    np.testing.assert_array_equal(rows, [[0, 0, 1], [2, 3, 4], [5, 0, 0]])
    # What has no row is what no output needs.
    np.testing.assert_array_equal(polyphase._in_stretches(sound, 2, 2, 3), [[0, 0, 1], [2, 3, 4]])


def test_a_filter_that_does_not_reach_the_last_samples_does_without_them() -> None:
    """Three taps, and every hundredth sample is wanted."""
    audio, taps = noise(12_800), np.array([0.25, 0.5, 0.25])
    expected = np.asarray(resample_poly(audio, 1, 100, window=taps.copy()), np.float32)
    assert filtered(audio, 1, 100, taps).tobytes() == expected.tobytes()


# ---- how sure a sum is


def test_a_row_s_peak_is_its_largest_magnitude() -> None:
    rows = np.array([[1.0, -3.0], [2.0, -1.0], [-1.0, -2.0], [0.0, 0.0]])
    assert polyphase._peaks(rows).tolist() == [3.0, 2.0, 2.0, 0.0]


def test_two_orders_of_a_sum_lie_apart_by_a_unit_for_each_of_its_terms() -> None:
    """7 taps for every second sample are 3.5 terms, and two more; outputs have weights of 16 and 20."""
    matrices = np.array([[[1.0, -2.0], [3.0, 4.0]], [[-5.0, 6.0], [7.0, -8.0]]])
    assert polyphase._bound(np.ones(7), 2, matrices) == 2 * 5.5 * 2.0**-53 * 20


@pytest.mark.parametrize(("samples", "by_scipy"), [(6350, False), (6349, True)])
def test_with_more_than_two_in_a_hundred_samples_open_scipy_gives_all(
    samples: int, by_scipy: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One sample of 1 in silence, and a filter that leaves it as it is: of its stretch of 64 and of the one
    before, which reaches into the same row, all are open but the one: a sum that is nothing may be a little.
    127 are two in a hundred of 6350."""
    monkeypatch.setattr(polyphase, "_by_scipy", lambda *_: np.full(samples, 5, np.float32))
    monkeypatch.setattr(polyphase, "_at", lambda places, *_: np.full(len(places), 7, np.float32))
    audio = np.zeros(samples, np.float32)
    audio[660] = 1.0
    found = filtered(audio, 1, 1, np.array([0.0, 1.0, 0.0]))
    if by_scipy:
        assert np.all(found == 5)
    else:
        assert np.flatnonzero(found == 7).tolist() == [*range(576, 660), *range(661, 704)]
        assert found[660] == 1


def test_what_is_computed_beyond_the_last_sample_is_not_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """The last 14 of 6350 samples are the beginning of a stretch, which has a sound in it."""
    monkeypatch.setattr(polyphase, "_at", lambda places, *_: np.full(len(places), 7, np.float32))
    audio = np.zeros(6350, np.float32)
    audio[6340] = 1.0
    found = filtered(audio, 1, 1, np.array([0.0, 1.0, 0.0]))
    assert np.flatnonzero(found == 7).tolist() == [*range(6272, 6340), *range(6341, 6350)]


@pytest.mark.parametrize(("up", "down"), [(1, 3), (3, 1), (2, 3), (160, 441)])
def test_single_samples_are_scipys(up: int, down: int) -> None:
    audio, low_pass = noise(400), _low_pass(1 / max(up, down))
    expected = np.asarray(resample_poly(audio, up, down, window=low_pass.copy()), np.float32)
    found = polyphase._at(np.arange(len(expected)), audio, up, down, low_pass)
    assert found.dtype == np.float32
    assert found.tobytes() == expected.tobytes()


@pytest.mark.parametrize(("up", "down"), [(1, 3), (3, 1), (160, 441)])
def test_noise_is_multiplied_and_not_left_to_scipy(
    up: int, down: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    audio, low_pass = noise(48_000), _low_pass(1 / max(up, down))
    expected = np.asarray(resample_poly(audio, up, down, window=low_pass.copy()), np.float32)
    monkeypatch.setattr(polyphase, "_by_scipy", lambda *_: pytest.fail("scipy was asked for all of it"))
    assert filtered(audio, up, down, low_pass).tobytes() == expected.tobytes()


# ---- how much at once


@pytest.mark.parametrize(
    ("products", "together", "at_once"),
    [
        (192 * 64, 16, 256),
        (22 * 66, 137, 137),
        (2000, 100, 200),
        # 200,000 / 489 is 408.998.
        (489, 408, 408),
        (100, 2000, 2000),
        (200_000, 1, 256),
        (200_001, 1, 256),
    ],
)
def test_so_many_rows_are_multiplied_together_as_one_thread_does(
    products: int, together: int, at_once: int
) -> None:
    """At most 200,000 products together, and some 256 rows at once."""
    assert polyphase._rows(products) == (together, at_once)


@pytest.mark.parametrize("together", [1, 3, 7, 8])
def test_a_product_is_added_for_every_row(together: int) -> None:
    sound, matrix = np.arange(14.0).reshape(7, 2), np.array([[1.0, 2.0, 3.0], [-4.0, 5.0, 6.0]])
    sums = np.ones((7, 3))
    polyphase._add_product(sums, sound, matrix, together)
    # Row n holds 2 n and 2 n + 1.
    expected = [[1 + 2 * n - 4 * (2 * n + 1), 1 + 14 * n + 5, 1 + 18 * n + 6] for n in range(7)]
    assert sums.tolist() == expected
