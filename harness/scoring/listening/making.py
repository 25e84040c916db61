"""From runs to a listening page: its sheet, its sounds, and a key for each run."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.errors import UserError
from harness.runs.store import RunStore, is_chat_run
from harness.scoring.listening.items import Draft, Pieces, acr_items, acr_training, ccr_items, ccr_training
from harness.scoring.listening.key import ListeningKey
from harness.scoring.listening.levels import RATE_HZ, at_one_level
from harness.scoring.listening.own_sounds import clean_speech, headphone_trials
from harness.scoring.listening.pairs import pairs_of
from harness.scoring.listening.sheet import Method, Sheet, SheetItem, sound_file
from harness.scoring.listening.stretches import Clip, Stretch, in_turn, stretches_of, with_sound
from harness.scoring.listening.voices import VoiceClips, is_of_components, voices_in
from spoken_language.outside_text import one_line

MAX_SOUND_BYTES = 150_000_000
"""About 300 clips of 5 s."""
_TONES_HZ = 8_000


@dataclass(frozen=True, kw_only=True)
class ListeningPage:
    """A page before it is written.

    Attributes:
        sounds: Id -> WAV file.
        keys: One for each run, alike but for which run it lies in.
        clips: Of the runs that are rated; pairs in a comparison.
        calls: From how many calls they are; of voices, from how many texts.
        of: ``call`` or ``text``.
    """

    sheet: Sheet
    sounds: dict[str, bytes]
    keys: tuple[ListeningKey, ...]
    clips: int
    calls: int
    of: str = "call"


def make_page(
    folders: Sequence[Path], *, method: Method, clips: int, seed: int, headphones: bool = True
) -> ListeningPage:
    """Draws the clips and makes the page.

    Args:
        folders: Of runs of calls; or one of ``score-tts``, whose voices are to the page what runs are.
        clips: How many, over all runs; fewer where there are no more.

    Raises:
        UserError: A folder is no scored run of calls, two are the same, or nothing in them can be rated.
    """
    stores = _stores(folders, method)
    voices = [one for one in stores if isinstance(one, VoiceClips)]
    rng = random.Random(f"{seed} listening {method}")
    drafts, training = (_acr if method == "acr" else _ccr)(stores, clips, rng)
    rng.shuffle(drafts)
    [volume] = clean_speech(rng, 1)
    heard: list[Pieces] = [(volume,)]
    for sounds in (*training, *(one.sounds for one in drafts)):
        heard += sounds
    samples, level_dbov = at_one_level(heard)
    tones = headphone_trials(rng) if headphones else []
    waiting = [(one, RATE_HZ) for one in samples] + [(one, _TONES_HZ) for _, one in tones]
    names = [f"s{number:03d}" for number in range(1, len(waiting) + 1)]
    rng.shuffle(names)
    files = {
        name: sound_file(one, rate, seed=rng.getrandbits(32))
        for name, (one, rate) in zip(names, waiting, strict=True)
    }
    size = sum(map(len, files.values()))
    if size > MAX_SOUND_BYTES:
        raise UserError(
            f"{clips} clips make a page of {size * 4 / 3e6:.0f} MB, too much for a browser: ask for fewer "
            "with --clips"
        )
    at = iter(names)
    volume_id = next(at)
    trained = [
        SheetItem(id=f"t{number:03d}", sounds=tuple(next(at) for _ in sounds))
        for number, sounds in enumerate(training, 1)
    ]
    items = [
        SheetItem(id=f"q{number:03d}", sounds=tuple(next(at) for _ in one.sounds))
        for number, one in enumerate(drafts, 1)
    ]
    sheet = Sheet(
        method=method,
        volume=volume_id,
        tones=tuple(at),
        training=tuple(trained),
        items=tuple(items),
        sounds={name: hashlib.sha256(files[name]).hexdigest() for name in sorted(files)},
    )
    keys = tuple(
        ListeningKey(
            seed=seed,
            runs=tuple(one.name for one in voices) or _names([one.folder.resolve() for one in stores]),
            this_run=number,
            level_dbov=round(level_dbov, 2),
            sheet=sheet,
            softer=tuple(softer for softer, _ in tones),
            items={item.id: one.is_ for item, one in zip(items, drafts, strict=True)},
        )
        for number in range(len(folders))
    )
    rated = [one.is_ for one in drafts if one.is_.kind == "clip"]
    # Two voices that say the same text say one text.
    calls = {(0 if voices else place.run, place.call_id) for one in rated for place in one.places}
    return ListeningPage(
        sheet=sheet,
        sounds=files,
        keys=keys,
        clips=len(rated),
        calls=len(calls),
        of="text" if voices else "call",
    )


Source = RunStore | VoiceClips
Drawn = tuple[list[Draft], list[tuple[Pieces, ...]]]


def _stretches(store: Source, run: int) -> list[Stretch]:
    return store.stretches(run=run) if isinstance(store, VoiceClips) else stretches_of(store, run=run)


def _acr(stores: Sequence[Source], clips: int, rng: random.Random) -> Drawn:
    found = [one for run, store in enumerate(stores) for one in _stretches(store, run)]
    heard = with_sound(in_turn(found, rng), stores, most=clips)
    if missing := set(range(len(stores))) - {one.stretch.run for one in heard}:
        lacking = stores[min(missing)]
        which = lacking.name if isinstance(lacking, VoiceClips) else lacking.folder
        raise UserError(
            f"{which}: nothing of it is among the {len(heard)} clips: ask for more with --clips, or leave it "
            "out (what has no speech level cannot be rated)"
        )
    return acr_items(heard, rng), acr_training(rng)


def _ccr(stores: Sequence[Source], clips: int, rng: random.Random) -> Drawn:
    first, second = (_stretches(store, run) for run, store in enumerate(stores))
    both = dict(pairs_of(first, second))
    order = in_turn(list(both), rng)
    pairs: list[tuple[Clip, Clip]] = []
    for at in range(0, len(order), clips):
        part = order[at : at + clips]
        ones = {clip.stretch: clip for clip in with_sound(part, stores, most=len(part))}
        wanted = [both[one] for one in part]
        others = {clip.stretch: clip for clip in with_sound(wanted, stores, most=len(part))}
        pairs += [(ones[one], others[both[one]]) for one in part if one in ones and both[one] in others]
        if len(pairs) >= clips:
            break
    if not pairs:
        raise UserError(
            f"{stores[0].folder} and {stores[1].folder}: there is no pair: in no call of the same id did the "
            "agent say the same words (80 % alike, in 2 to 12 s, by our recogniser); try --method acr"
        )
    return ccr_items(pairs[:clips], rng), ccr_training(rng)


def _names(folders: Sequence[Path]) -> tuple[str, ...]:
    """Their own; where two have the same, with as many of the folders above as tell them apart."""

    def tail(folder: Path, parts: int) -> tuple[str, ...]:
        return folder.parts[-parts:]

    names = []
    for folder in folders:
        others = [one for one in folders if one != folder]
        parts = 1
        while tail(folder, parts) in {tail(one, parts) for one in others}:
            parts += 1
        names.append(one_line("/".join(tail(folder, parts)), most=100))
    return tuple(names)


def _stores(folders: Sequence[Path], method: Method) -> Sequence[Source]:
    if of_voices := [folder for folder in folders if is_of_components(folder)]:
        if len(folders) > 1:
            raise UserError(f"{of_voices[0]}: is of score-tts: give it alone; its voices are side by side")
        voices = voices_in(of_voices[0])
        if method == "ccr" and len(voices) != 2:
            raise UserError(f"ccr compares two voices, and {of_voices[0]} has {len(voices)}")
        return voices
    if method == "ccr" and len(folders) != 2:
        raise UserError(f"ccr compares two runs, and {len(folders)} were given")
    if len({folder.resolve() for folder in folders}) < len(folders):
        raise UserError("the same run was given twice")
    for folder in folders:
        if is_chat_run(folder):
            raise UserError(f"{folder}: is a run of dialogues in text; there is nothing to listen to")
    return [RunStore(folder) for folder in folders]
