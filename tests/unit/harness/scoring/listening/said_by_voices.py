"""Folders as ``score-tts`` leaves them, without any voice: clips are told apart by their loudness."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import soundfile

from harness._files.atomic_file import write_model
from harness.analysis.components.figures import ComponentTable, SystemRow
from harness.analysis.components.kept import Kept
from harness.analysis.components.tts import TtsResult
from metrics.score import not_measured
from tests.unit.harness.scoring.listening.rated_runs import RATE, speech_like

MOS = not_measured("mos", "mos", "needs ratings by people")


def folder_of_voices(folder: Path, voices: Mapping[str, Mapping[str, float]]) -> Path:
    """Voices, each with its texts by id and for how many seconds it says them."""
    kept = Kept(folder, TtsResult)
    for number, (name, texts) in enumerate(voices.items()):
        for item, seconds in texts.items():
            say(kept, folder, name, item, seconds, loudness=number)
    rows = tuple(
        SystemRow(system=name, identity=name, language="en", items=len(texts), failed=0, scores={"mos": MOS})
        for name, texts in voices.items()
    )
    table = ComponentTable(kind="tts", folder=str(folder), complete=True, rows=rows, differences=())
    write_model(folder / "summary.json", table)
    return folder


def say(kept: Kept[TtsResult], folder: Path, name: str, item: str, seconds: float, *, loudness: int) -> None:
    """One clip, and the line that tells of it."""
    path = folder / "audio" / name.replace("/", "-") / f"{item}.flac"
    path.parent.mkdir(parents=True, exist_ok=True)
    # At half the rate of a page, as voices are at rates of their own.
    soundfile.write(path, speech_like(loudness, [(0.0, seconds)], round(seconds * RATE))[::2], RATE // 2)
    kept.put(
        TtsResult(
            key=f"{name} {item} {loudness}",
            system=name,
            item=item,
            language="en",
            audio_s=seconds,
            audio=str(path.relative_to(folder)),
        )
    )
