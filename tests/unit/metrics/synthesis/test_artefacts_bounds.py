"""Every number of the artefacts from both sides, on levels and frames that are counted by hand.

At 16 kHz a block of 2.5 ms has 40 samples and a frame of 20 ms has 320. Levels are those of +level and -level
in turn. Speech is loud at -20 dBFS here: it is loud enough around a hole from -35 on, has fallen at -40, is
at full level from -28 on, and is silent below -45.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from metrics.detection import levels as levels_module
from metrics.detection.levels import block_levels
from metrics.spans import Span
from metrics.synthesis import artefacts
from metrics.synthesis.artefacts import (
    StretchArtefacts,
    drop_outs,
    ends_at_full_level,
    find_artefacts,
    level_jumps,
    peak_spread,
)

RATE = 16_000
BLOCK, FRAME = 40, 320
LOUD = -20.0
SILENT = -90.0
Samples = NDArray[np.float32]


def square(count: int, level: float) -> Samples:
    return (level * (1 - 2 * (np.arange(count) % 2))).astype(np.float32)


def blocks(*runs: tuple[int, float]) -> Samples:
    """So many blocks of so many dBFS, run after run; :data:`SILENT` is none at all."""
    return np.concatenate(
        [square(count * BLOCK, 0.0 if db == SILENT else 10 ** (db / 20)) for count, db in runs]
    )


def levels(*runs: tuple[int, float]) -> NDArray[np.float64]:
    return np.concatenate([np.full(count, db) for count, db in runs])


def holes(*runs: tuple[int, float], loud: float = LOUD) -> list[tuple[int, int]]:
    """First block and the one after the last."""
    return [(round(one.start_s * 400), round(one.end_s * 400)) for one in drop_outs(levels(*runs), loud)]


def hole(*runs: tuple[int, float], before: float = LOUD, after: float = LOUD) -> list[tuple[int, int]]:
    """Blocks 12 and so on, with 12 of speech before them and after."""
    return holes((12, before), *runs, (12, after))


# --- levels


# --- drop-outs


def test_a_hole_is_told_from_the_last_loud_blocks_to_the_first_loud_one() -> None:
    [found] = drop_outs(levels((12, LOUD), (4, -60), (12, LOUD)), LOUD)
    assert found.start_s == pytest.approx(0.025)
    assert found.end_s == pytest.approx(0.04)


@pytest.mark.parametrize(
    ("long", "found"), [(1, 0), (2, 0), (3, 0), (4, 1), (5, 1), (83, 1), (84, 0), (90, 0)]
)
def test_a_hole_has_4_to_83_silent_blocks(long: int, found: int) -> None:
    assert hole((long, -60)) == [(10, 12 + long)] * found


@pytest.mark.parametrize(("db", "found"), [(-40.1, 1), (-40.0, 1), (-39.9, 0)])
def test_speech_falls_by_20_db(db: float, found: int) -> None:
    assert hole((5, db)) == [(10, 17)] * found


def test_it_falls_against_what_was_before_and_rises_against_what_comes_after() -> None:
    assert hole((5, -45), before=-25, after=-20) == [(10, 17)]
    assert hole((5, -44.9), before=-25, after=-20) == []
    assert hole((5, -45), before=-20, after=-25) == [(10, 17)]
    assert hole((5, -44.9), before=-20, after=-25) == []


@pytest.mark.parametrize(("before", "after"), [(-20, -25), (-25, -20)])
def test_within_a_hole_it_stays_16_db_below_the_quieter_side(before: float, after: float) -> None:
    assert hole((3, -60), (1, -41), (4, -60), before=before, after=after) == [(10, 20)]
    assert hole((3, -60), (1, -40.9), (4, -60), before=before, after=after) == []


def test_the_last_three_blocks_of_a_hole_may_be_louder() -> None:
    assert hole((6, -60), (1, -35.5), (1, -60), (1, -35.5)) == [(10, 21)]
    assert hole((5, -60), (1, -35.5), (1, -60), (2, -35.5)) == []


def test_speech_comes_back_within_three_blocks() -> None:
    assert hole((6, -60), (2, -39)) == [(10, 20)]
    assert hole((6, -60), (3, -39)) == []
    assert hole((6, -60), (1, -40), (2, -39)) == [(10, 21)]


def test_speech_falls_within_three_blocks() -> None:
    assert hole((2, -39), (6, -60)) == [(12, 20)]
    assert hole((3, -39), (6, -60)) == []


@pytest.mark.parametrize(("db", "found"), [(-35.0, 1), (-35.1, 0)])
def test_what_is_around_a_hole_is_loud(db: float, found: int) -> None:
    assert hole((6, -60), before=db) == [(10, 18)] * found
    assert hole((6, -60), after=db) == [(10, 18)] * found


def test_four_blocks_before_a_hole_are_loud_and_four_after_it() -> None:
    assert holes((12, LOUD), (1, -60), (4, LOUD), (6, -60), (12, LOUD)) == [(17, 23)]
    assert holes((12, LOUD), (1, -60), (3, LOUD), (6, -60), (12, LOUD)) == []
    assert holes((12, LOUD), (6, -60), (4, LOUD), (1, -60), (12, LOUD)) == [(10, 18)]
    assert holes((12, LOUD), (6, -60), (3, LOUD), (1, -60), (12, LOUD)) == []


def test_a_hole_may_begin_after_four_blocks_and_end_five_before_the_last() -> None:
    assert holes((4, LOUD), (6, -60), (12, LOUD)) == [(4, 10)]
    assert holes((3, LOUD), (6, -60), (12, LOUD)) == []
    assert holes((12, LOUD), (6, -60), (5, LOUD)) == [(10, 18)]
    assert holes((12, LOUD), (6, -60), (4, LOUD)) == []


def test_a_hole_that_began_with_the_first_block_that_is_looked_at_has_all_of_its_blocks() -> None:
    """Four of them, and no other beginning in between would leave one that is silent."""
    assert holes((4, LOUD), (4, -60), (12, LOUD)) == [(4, 8)]


def test_a_later_hole_does_not_make_one_of_what_comes_back_slowly() -> None:
    assert holes((12, LOUD), (6, -60), (3, -39), (12, LOUD), (6, -60), (12, LOUD)) == [(31, 39)]


def test_each_hole_is_told_once() -> None:
    assert holes((12, LOUD), (6, -60), (8, LOUD), (5, -60), (12, LOUD)) == [(10, 18), (24, 31)]


def test_steps_that_are_loud_themselves_end_a_hole_two_blocks_after_its_beginning() -> None:
    """Speech that is 5 dB over the loud part: -33 is a fall of 18 dB and yet loud enough to be speech."""
    assert hole((1, -36), (4, -33), (4, -60), before=-15, after=-15) == [(10, 21)]
    # Four of them from the second block on: it came back too soon. The second fall is a hole.
    assert hole((1, -36), (5, -33), (4, -60), before=-15, after=-15) == [(17, 22)]


# --- clipping


def frames(*amplitudes: float) -> Samples:
    return np.concatenate([square(FRAME, one) for one in amplitudes])


def test_the_spread_is_that_of_the_loudest_40_percent() -> None:
    """Of 101 levels from 0.2 to 0.4 those are 0.32 and up: 41 equidistant ones, the deviation of which is
    sqrt((41 ** 2 - 1) / 12) = 11.832 steps of 0.002, over a mean of 180 of them."""
    ramp = [0.002 * one for one in range(100, 201)]
    assert peak_spread(frames(*ramp), RATE) == pytest.approx(11.83216 / 180, rel=1e-5)
    quiet = frames(*ramp, *[0.0] * 50, *[0.002] * 50)
    assert peak_spread(np.concatenate([quiet, square(319, 0.9)]), RATE) == pytest.approx(
        11.83216 / 180, rel=1e-5
    )


def test_a_peak_is_what_two_percent_of_a_frame_exceed() -> None:
    """7 samples of 320 lie above the 313th, and 0.98 of the way is at 312.62 of 0 to 319: 0.62 between the
    two levels. Half of the frames are 0.3 all along."""
    peaked = square(FRAME, 0.3)
    peaked[100:107] *= 2
    sound = np.concatenate([frames(*[0.3] * 6), *[peaked] * 4])
    # All of the loudest 40 % are peaked ones, and alike.
    assert peak_spread(sound, RATE) == pytest.approx(0.0, abs=1e-6)
    # 0.486 and 0.5: mean 0.493, deviation 0.007.
    mixed = np.concatenate([frames(*[0.1] * 6), *[peaked] * 2, frames(0.5, 0.5)])
    assert peak_spread(mixed, RATE) == pytest.approx(0.007 / 0.493, rel=1e-4)


@pytest.mark.parametrize(("db", "told"), [(-34.9, True), (-35.1, False)])
def test_ten_frames_within_35_db_of_the_loudest_are_needed(db: float, told: bool) -> None:
    spread = peak_spread(frames(*[0.5] * 9, 0.5 * 10 ** (db / 20)), RATE)
    assert spread == (pytest.approx(0.0, abs=1e-6) if told else None)


def test_silence_and_scraps_have_no_peaks() -> None:
    assert peak_spread(frames(*[0.0] * 20), RATE) is None
    assert peak_spread(square(FRAME - 1, 0.5), RATE) is None


@pytest.mark.parametrize(
    ("spread", "clipped"), [(0.1199, True), (0.12, False), (0.1201, False), (None, None)]
)
def test_below_012_it_is_clipped(spread: float | None, clipped: bool | None) -> None:
    assert StretchArtefacts(span=Span(start_s=0, end_s=1), peak_spread=spread).clipped is clipped


# --- jumps


def jumps(*runs: tuple[int, float], loud: float = 10.0) -> list[tuple[int, float]]:
    """Block and dB of each."""
    return [(round(one.at_s * 400), round(one.db, 6)) for one in level_jumps(levels(*runs), loud)]


@pytest.mark.parametrize(
    ("db", "found"), [(-10.0, 1), (-7.05, 1), (-6.95, 0), (6.95, 0), (7.05, 1), (10.0, 1)]
)
def test_a_jump_has_7_db_or_more(db: float, found: int) -> None:
    assert jumps((800, 0.0), (800, db), loud=0.0) == [(800, db)] * found


def test_exactly_at_the_bound_is_a_jump(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(artefacts, "JUMP_DB", 10.0)
    assert jumps((400, 0.0), (401, 10.0)) == [(400, 10.0)]


def test_a_second_before_it_and_more_than_a_second_after_it_are_looked_at() -> None:
    assert jumps((400, 0.0), (400, 10.0)) == []
    assert jumps((400, 0.0), (401, 10.0)) == [(400, 10.0)]
    assert jumps((399, 0.0), (401, 10.0)) == []
    # What lies further away than the second does not count.
    assert jumps((160, 10.0), (400, 0.0), (400, 10.0), (1, 0.0))[-1] == (560, 10.0)


def test_every_eighth_block_is_looked_at() -> None:
    assert jumps((408, 0.0), (420, 10.0)) == [(408, 10.0)]
    # Of a step at 405 the second after 400 has 5 quiet blocks: 3955 / 400, which is more than 4000 / 427.
    assert jumps((405, 0.0), (404, 10.0)) == [(400, round(float(10 * np.log10(3955 / 400)), 6))]


def test_60_percent_of_either_second_are_speech_and_only_they_count() -> None:
    found = [(400, 10.0)]
    assert jumps((160, -60.0), (240, 0.0), (401, 10.0)) == found
    assert jumps((161, -60.0), (239, 0.0), (401, 10.0)) == []
    assert jumps((400, 0.0), (240, 10.0), (161, -60.0)) == found
    assert jumps((400, 0.0), (239, 10.0), (162, -60.0)) == []


def test_speech_lies_less_than_20_db_below_the_loud_part() -> None:
    found = jumps((160, -10.0), (240, 0.0), (401, 10.0))
    assert found == [(400, 10.0)]
    counted = 10 - 10 * np.log10((240 + 160 * 10**-0.99) / 400)
    assert jumps((160, -9.9), (240, 0.0), (401, 10.0)) == [(400, round(float(counted), 6))]


def test_two_jumps_are_told_apart_from_one_second_on() -> None:
    assert jumps((400, 0.0), (800, 10.0), (401, 0.0)) == [
        (400, 10.0),
        (1200, -10.0),
    ]
    assert jumps((400, 0.0), (400, 10.0), (401, 1.0)) == [
        (400, 10.0),
        (800, -9.0),
    ]


# --- ends


QUIET = (-46.0,) * 40


def ends(*db: float) -> bool | None:
    return ends_at_full_level(np.array(db), LOUD)


def test_from_full_level_to_silence_it_takes_three_blocks_at_most() -> None:
    assert ends(-20, -20, -30, -30, *QUIET) is True
    assert ends(-20, -20, -30, -30, -30, *QUIET) is False
    assert ends(*[-20] * 10, *QUIET) is True


def test_full_level_is_8_db_below_the_loud_part() -> None:
    assert ends(-28.0, -30, -30, *QUIET) is True
    assert ends(-28.1, -30, -30, *QUIET) is None


def test_silence_is_more_than_25_db_below_the_loud_part() -> None:
    assert ends(-20, *[-45.1] * 40) is True
    assert ends(-20, *[-45.0] * 40) is None
    assert ends(-20, *[-45.0] * 4, *QUIET) is False


def test_what_comes_after_is_quiet_in_the_middle_of_its_last_20_blocks() -> None:
    """A noise that dips below silence and comes again is heard at the end of them, or not."""
    assert ends(-20, *[-46.0] * 30, *[-44.0] * 9) is True
    assert ends(-20, *[-46.0] * 30, *[-44.0] * 11) is None
    # Half of them are enough to be heard, at whichever end: the median is -45.
    assert ends(-20, *[-46.0] * 30, *[-44.0] * 10) is None
    assert ends(-20, *[-46.0] * 30, *[-44.0] * 10, *[-46.0] * 10) is None
    # What is further back than 50 ms does not count.
    assert ends(-20, -46.0, *[-44.0] * 20, *[-46.0] * 20) is True


# --- a stretch of a recording


def found_in(sound: Samples, start_s: float, end_s: float) -> StretchArtefacts:
    return find_artefacts(sound, RATE, Span(start_s=start_s, end_s=end_s))


def test_what_lies_below_minus_50_is_no_speech() -> None:
    assert found_in(blocks((400, -50.1), (60, SILENT)), 0.0, 1.0) == StretchArtefacts(
        span=Span(start_s=0.0, end_s=1.0)
    )
    found = found_in(blocks((400, -49.9), (60, SILENT)), 0.0, 1.0)
    assert found.cut_end is True
    assert found.peak_spread == pytest.approx(0.0, abs=1e-6)


def test_exactly_at_the_bound_is_no_speech(monkeypatch: pytest.MonkeyPatch) -> None:
    sound = blocks((400, -20.0), (60, SILENT))
    monkeypatch.setattr(levels_module, "SILENCE_DBFS", float(block_levels(sound, RATE)[0]))
    assert found_in(sound, 0.0, 1.0).cut_end is None


@pytest.mark.parametrize(("quiet", "full"), [(71, True), (70, False)])
def test_loud_is_what_70_percent_of_the_speech_stay_below(quiet: int, full: bool) -> None:
    """Of 101 blocks the one after 70 quieter ones; silence within the stretch is none of them."""
    sound = blocks((200, SILENT), (101 - quiet, -20), (quiet, -30), (60, SILENT))
    assert found_in(sound, 0.0, 301 * 0.0025).cut_end is full


@pytest.mark.parametrize(("count", "told"), [(400, True), (399, False)])
def test_the_peaks_of_a_second_are_needed(count: int, told: bool) -> None:
    found = found_in(blocks((count, -20), (60, SILENT)), 0.0, count * 0.0025)
    assert (found.peak_spread is not None) is told


def test_times_are_those_of_the_recording() -> None:
    found = found_in(blocks((200, SILENT), (12, -20), (4, SILENT), (50, -20), (60, SILENT)), 0.5, 0.665)
    [drop_out] = found.drop_outs
    assert (drop_out.start_s, drop_out.end_s) == pytest.approx((0.525, 0.54))
    assert found.span == Span(start_s=0.5, end_s=0.665)
    stepped = found_in(blocks((200, SILENT), (408, -20), (420, -10), (60, SILENT)), 0.5, 2.57)
    [jump] = stepped.jumps
    assert (jump.at_s, jump.db) == pytest.approx((1.52, 10.0), abs=1e-4)


def test_the_peaks_are_those_of_the_stretch() -> None:
    ramp = frames(*[0.002 * one for one in range(100, 201)])
    sound = np.concatenate([square(8_000, 0.5), ramp, square(8_000, 0.5)])
    found = found_in(sound, 0.5, 0.5 + 101 * 0.02)
    assert found.peak_spread == pytest.approx(11.83216 / 180, rel=1e-5)


def test_the_sample_after_the_stretch_is_none_of_it() -> None:
    """Fifty frames, and one sample less than another."""
    sound = np.concatenate([frames(*[0.3] * 50), square(8_000, 0.5)])
    assert found_in(sound, 0.0, (51 * FRAME - 1) / RATE).peak_spread == pytest.approx(0.0, abs=1e-6)
    assert found_in(sound, 0.0, 51 * FRAME / RATE).peak_spread != pytest.approx(0.0, abs=1e-2)


@pytest.mark.parametrize(("after", "cut"), [(30, False), (31, None), (40, None)])
def test_the_tenth_of_a_second_after_it_is_looked_at(after: int, cut: bool | None) -> None:
    """Sound at -40 is neither loud nor silent: it may be the end that comes. Of the last 20 blocks half have
    to be silent."""
    sound = blocks((80, -20), (after, -40), (100, SILENT))
    assert found_in(sound, 0.0, 0.2).cut_end is cut


def test_a_recording_that_goes_on_is_not_filled_up() -> None:
    assert found_in(blocks((80, -20), (100, -40)), 0.0, 0.2).cut_end is None


@pytest.mark.parametrize("left", [0, 2, 3, 20])
def test_where_the_recording_ends_silence_follows(left: int) -> None:
    assert found_in(blocks((80, -20), (left, -40)), 0.0, 0.2).cut_end is (left < 3)


def test_blocks_are_counted_from_the_first_sample_of_the_stretch() -> None:
    """It begins in the middle of a block. Counted from half a block off 9 of the last 20 blocks would be
    silent, not the half that is enough."""
    lead = BLOCK // 2
    sound = np.concatenate([square(lead, 0.0), blocks((80, -20), (30, -28.5), (10, SILENT), (10, -20))])
    assert found_in(sound, lead / RATE, lead / RATE + 0.2).cut_end is False


def test_what_is_left_of_a_block_is_not_looked_at() -> None:
    """Of the tenth of a second after it the last 39 samples are silent: one less than a block."""
    span_end = 80 * BLOCK + BLOCK - 1
    sound = np.concatenate([blocks((80, -20)), square(1_600, 10 ** (-40 / 20)), square(2_000, 0.0)])
    assert found_in(sound, 0.0, span_end / RATE).cut_end is None


@pytest.mark.parametrize(("rest", "cut"), [(39, None), (40, False)])
def test_after_it_a_tenth_of_a_second_is_looked_at_to_the_sample(rest: int, cut: bool | None) -> None:
    """One sample less, and of the last 20 blocks 11 are heard, not 10."""
    sound = blocks((80, -20), (31, -28.5), (10, SILENT), (10, -20))
    assert found_in(sound, 0.0, (80 * BLOCK + rest) / RATE).cut_end is cut
