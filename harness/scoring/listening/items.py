"""What a page asks besides the clips of the runs: training, anchors, gold, traps and null pairs.

Each item is drafted with its sounds as pieces, before any of it has a number that a rater sees.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.records.call import SAMPLE_RATE_HZ
from harness.scoring.listening.key import KeyItem, Place
from harness.scoring.listening.own_sounds import clean_speech, says_choose
from harness.scoring.listening.stretches import Clip, Stretch, faded
from metrics.listening.modulated_noise import with_modulated_noise

Samples = NDArray[np.float32]
Pieces = tuple[Samples, ...]

ANCHORS_Q_DB = (35.0, 25.0, 15.0, 5.0)
TRAPS, NULL_PAIRS = 2, 2
GOLD_CLEAN, GOLD_NOISY = 2, 2
GOLD_PAIRS = 3
GOLD_PAIR_Q_DB = 5.0
CLEAN_IS_RIGHT, NOISY_IS_RIGHT = (3, 4, 5), (1, 2)
ALIKE_IS_RIGHT = (-1, 0, 1)
WORSE_IS_RIGHT = (-3, -2, -1)
TRAINING_Q_DB = (None, 20.0, 10.0, 0.0)
TRAINING_PAIRS_Q_DB = ((None, 0.0), (15.0, None), (None, None), (None, 25.0))
TRAP_BEGINS_S = 2.0
"""So much of a clip is heard before the voice says what to choose."""


@dataclass(frozen=True, kw_only=True)
class Draft:
    """An item before it has a number."""

    sounds: tuple[Pieces, ...]
    is_: KeyItem


def acr_items(clips: Sequence[Clip], rng: random.Random) -> list[Draft]:
    """Clips, anchors, gold and traps."""
    drafts = [
        Draft(sounds=((one.samples,),), is_=KeyItem(kind="clip", places=(_place(one.stretch),)))
        for one in clips
    ]
    for q_db, one in zip(ANCHORS_Q_DB, _some(clips, len(ANCHORS_Q_DB), rng), strict=True):
        of = KeyItem(kind="anchor", places=(_place(one.stretch),), q_db=q_db)
        drafts.append(Draft(sounds=((_noisy(one.samples, q_db, rng),),), is_=of))
    ours = clean_speech(rng, GOLD_CLEAN + GOLD_NOISY)
    for clean in ours[:GOLD_CLEAN]:
        drafts.append(Draft(sounds=((clean,),), is_=KeyItem(kind="gold", right=CLEAN_IS_RIGHT)))
    for clean in ours[GOLD_CLEAN:]:
        noisy = _noisy(clean, 0.0, rng)
        drafts.append(Draft(sounds=((noisy,),), is_=KeyItem(kind="gold", right=NOISY_IS_RIGHT, q_db=0.0)))
    for value, one in zip(rng.sample(range(1, 6), TRAPS), _some(clips, TRAPS, rng), strict=True):
        begins = faded(one.samples[: round(TRAP_BEGINS_S * SAMPLE_RATE_HZ)], SAMPLE_RATE_HZ)
        trap = KeyItem(kind="trap", right=(value,))
        drafts.append(Draft(sounds=((begins, says_choose(value)),), is_=trap))
    return drafts


def ccr_items(pairs: Sequence[tuple[Clip, Clip]], rng: random.Random) -> list[Draft]:
    """Pairs of the two runs, gold pairs and null pairs; which of two is the sheet's first is by chance."""
    drafts = []
    for pair in pairs:
        places = tuple(_place(one.stretch) for one in pair)
        sounds = tuple((one.samples,) for one in pair)
        drafts.append(Draft(sounds=sounds, is_=KeyItem(kind="clip", places=places)))
    for clean in clean_speech(rng, GOLD_PAIRS):
        gold = KeyItem(kind="gold", right=WORSE_IS_RIGHT, q_db=GOLD_PAIR_Q_DB)
        drafts.append(Draft(sounds=((clean,), (_noisy(clean, GOLD_PAIR_Q_DB, rng),)), is_=gold))
    for one in _some([clip for pair in pairs for clip in pair], NULL_PAIRS, rng):
        null = KeyItem(kind="null", places=(_place(one.stretch),), right=ALIKE_IS_RIGHT)
        drafts.append(Draft(sounds=((one.samples,), (one.samples,)), is_=null))
    return [turned(one) if rng.random() < 0.5 else one for one in drafts]


def turned(draft: Draft) -> Draft:
    """The same pair with its second sound first."""
    was = draft.is_
    right = tuple(sorted(-value for value in was.right))
    now = was.model_copy(update={"places": was.places[::-1], "right": right})
    return Draft(sounds=draft.sounds[::-1], is_=now)


def acr_training(rng: random.Random) -> list[tuple[Pieces, ...]]:
    """One sound each: clean, then noisier and noisier."""
    ours = clean_speech(rng, len(TRAINING_Q_DB))
    return [((_noisy(one, q_db, rng),),) for one, q_db in zip(ours, TRAINING_Q_DB, strict=True)]


def ccr_training(rng: random.Random) -> list[tuple[Pieces, ...]]:
    """Two sounds each."""
    ours = clean_speech(rng, len(TRAINING_PAIRS_Q_DB))
    return [
        ((_noisy(one, first, rng),), (_noisy(one, second, rng),))
        for one, (first, second) in zip(ours, TRAINING_PAIRS_Q_DB, strict=True)
    ]


def _some(clips: Sequence[Clip], count: int, rng: random.Random) -> list[Clip]:
    """Different ones as far as there are."""
    found: list[Clip] = []
    while len(found) < count:
        found += rng.sample(clips, min(count - len(found), len(clips)))
    return found


def _noisy(samples: Samples, q_db: float | None, rng: random.Random) -> Samples:
    return samples if q_db is None else with_modulated_noise(samples, q_db, seed=rng.getrandbits(32))


def _place(one: Stretch) -> Place:
    return Place(
        run=one.run,
        call_id=one.call_id,
        recording_sha256=one.recording_sha256,
        start_s=one.start_s,
        end_s=one.end_s,
    )
