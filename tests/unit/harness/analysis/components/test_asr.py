"""Recognisers that are wrong in a known way, and the figures that have to say so."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import soundfile
from rich.console import Console

pytest.importorskip("livekit.agents", reason="livekit-agents is not installed (extra 'livekit')")

from livekit.agents import stt

from harness.analysis.components.asr import Clip, kept_results, read_clips, recognise_all
from harness.analysis.components.asr_figures import asr_table
from harness.analysis.components.figures import ComponentTable
from harness.analysis.components.systems import open_recogniser
from harness.analysis.components.systems.base import Recogniser, RecognitionFailed
from harness.cli.screen.components import print_table
from harness.errors import UserError
from metrics.audio import Audio
from metrics.intervals import wilson
from metrics.score import Status

TEXTS = [f"we met at noon in room {word}" for word in ("one", "two", "three", "four", "five", "six")] * 4


class Told:
    """Knows the words by the length of the clip; every ``wrong``-th time it hears one word wrong."""

    def __init__(self, texts: Sequence[str], *, wrong: int = 0, fails: int = 0, name: str = "told") -> None:
        self._texts, self._wrong, self._fails, self._name = texts, wrong, fails, name
        self.asked = 0

    @property
    def identity(self) -> str:
        return self._name

    def recognise(self, audio: Audio, language: str) -> str:
        self.asked += 1
        position = round((audio.duration_s - 0.2) * 100)
        if self._fails and position % self._fails == 0:
            raise RecognitionFailed("refused")
        text = self._texts[position]
        return text.replace("noon", "dawn") if self._wrong and position % self._wrong == 0 else text


def _clips(folder: Path, rows: Sequence[dict[str, object]]) -> list[Clip]:
    for position in range(len(rows)):
        soundfile.write(folder / f"{position}.wav", np.full(1600 + 80 * position * 2, 0.1), 8000)
        length = round((0.2 + position / 100) * 8000)
        soundfile.write(folder / f"{position}.wav", np.full(length, 0.1), 8000)
    lines = [json.dumps({"audio": f"{position}.wav", **row}) for position, row in enumerate(rows)]
    (folder / "list.jsonl").write_text("\n".join(lines), encoding="utf-8")
    return read_clips(folder / "list.jsonl")


def _table(folder: Path, clips: list[Clip], systems: dict[str, Recogniser]) -> ComponentTable:
    found = recognise_all(clips, systems, folder / "out")
    return asr_table(clips, systems, found, folder="out")


def test_error_rates_by_hand_and_their_difference(tmp_path: Path) -> None:
    clips = _clips(tmp_path, [{"text": text} for text in TEXTS])
    systems: dict[str, Recogniser] = {
        "right": Told(TEXTS, name="right"),
        "some": Told(TEXTS, wrong=4, name="some"),
        "many": Told(TEXTS, wrong=2, name="many"),
    }
    table = _table(tmp_path, clips, systems)
    rates = {row.system: row.scores["wer"] for row in table.rows}
    # 24 texts of 7 words; 6 and 12 of them with one word wrong.
    assert rates["right"].value == 0.0
    assert rates["some"].value == pytest.approx(6 / 168)
    assert rates["many"].value == pytest.approx(12 / 168)
    assert rates["many"].ci_low is not None
    assert rates["many"].ci_high is not None
    assert rates["many"].ci_low < 12 / 168 < rates["many"].ci_high
    [wer] = [d for d in table.differences if (d.metric, d.baseline, d.candidate) == ("wer", "right", "many")]
    assert wer.estimate == pytest.approx(12 / 168)
    assert wer.p_adjusted < 0.05
    assert table.complete


def test_columns_of_noise_accents_names_and_rejection(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"text": TEXTS[position], "accent": "standard" if position % 2 else "scottish", "snr_db": position}
        for position in range(24)
    ]
    rows[2]["entities"] = [{"kind": "name", "value": "noon"}]
    rows[3]["entities"] = [{"kind": "digits", "value": "4"}]
    rows += [{"text": "", "usable": False}] * 2
    heard = [*TEXTS, "", "well"]
    table = _table(tmp_path, _clips(tmp_path, rows), {"many": Told(heard, wrong=2)})
    [row] = table.rows
    # Half of the 15 clips below 15 dB are wrong (0, 2, … 14); no text is said in both accents.
    assert row.scores["wer_noisy"].value == pytest.approx(8 / (15 * 7))
    assert row.scores["accent_adaptability"].status is Status.NOT_APPLICABLE
    assert row.scores["proper_noun_accuracy"].value == pytest.approx(0.5)
    assert row.scores["rejection_rate"].value == pytest.approx(0.5)
    assert row.scores["false_rejection_rate"].value == 0.0


def test_all_of_a_few_is_not_certainty(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"text": text, "entities": [{"kind": "name", "value": "noon"}]} for text in TEXTS[:6]
    ]
    rows += [{"text": "", "usable": False}] * 6
    [row] = _table(tmp_path, _clips(tmp_path, rows), {"right": Told([*TEXTS[:6], *[""] * 6])}).rows
    for name in ("proper_noun_accuracy", "rejection_rate"):
        score, of_six = row.scores[name], wilson(6, 6)
        assert (score.value, score.ci_low, score.ci_high) == (1.0, of_six.low, of_six.high)
    assert row.scores["wer"].ci_low == 0.0


def test_accent_is_a_ratio_to_the_standard_voices(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"text": TEXTS[position // 2], "accent": "standard" if position % 2 else "scottish"}
        for position in range(24)
    ]
    heard = [
        str(rows[position]["text"]).replace("noon", "dawn" if position % 4 < 3 else "noon")
        for position in range(24)
    ]
    [row] = _table(tmp_path, _clips(tmp_path, rows), {"some": Told(heard)}).rows
    # Standard: 6 of 12 wrong; accented: all 12. Twice as many: a relative change of 1.
    assert row.scores["accent_adaptability"].value == pytest.approx(1.0)


def test_a_system_that_refuses_many_clips_gets_no_rate(tmp_path: Path) -> None:
    clips = _clips(tmp_path, [{"text": text} for text in TEXTS])
    [row] = _table(tmp_path, clips, {"some": Told(TEXTS, fails=8)}).rows
    assert (row.failed, row.why_failed) == (3, "refused")
    assert row.scores["wer"].status is Status.INDETERMINATE


def test_what_was_done_is_not_done_again(tmp_path: Path) -> None:
    clips = _clips(tmp_path, [{"text": text} for text in TEXTS[:4]])
    first, second = Told(TEXTS), Told(TEXTS)

    def cut(done: int, of: int) -> None:
        if done == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        recognise_all(clips, {"told": first}, tmp_path / "out", on_progress=cut)
    part = asr_table(
        clips,
        {"told": first},
        kept_results(clips, {"told": first}, tmp_path / "out"),
        folder="out",
    )
    assert not part.complete
    assert part.rows[0].items == 2
    with (tmp_path / "out" / "results.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"key": "cut off in the mid')
    assert len(recognise_all(clips, {"told": second}, tmp_path / "out")["told"]) == 4
    assert second.asked == 3  # the first of the two that were left, twice
    third = Told(TEXTS)
    recognise_all(clips, {"told": third}, tmp_path / "out")
    assert third.asked == 0


def test_speeds_of_two_tries_are_said_to_be_of_two(tmp_path: Path) -> None:
    clips = _clips(tmp_path, [{"text": text} for text in TEXTS[:4]])
    one: dict[str, Recogniser] = {"one": Told(TEXTS, name="one")}
    both: dict[str, Recogniser] = {**one, "two": Told(TEXTS, name="two")}
    assert not [note for note in _table(tmp_path, clips, one).notes if "tries" in note]
    kept = tmp_path / "out" / "results.jsonl"
    rows = [json.loads(line) for line in kept.read_text(encoding="utf-8").splitlines()]
    earlier = [json.dumps({**row, "measured_at": "2026-01-02T03:04:05+00:00"}) for row in rows]
    kept.write_text("\n".join(earlier) + "\n", encoding="utf-8")
    [note] = [note for note in _table(tmp_path, clips, both).notes if "tries" in note]
    assert note.startswith("latency_s and real_time_factor are of 2 tries of the command (one 2026-01-02T03:")


def test_a_doubtful_interval_is_told_on_the_terminal(tmp_path: Path) -> None:
    clips = _clips(tmp_path, [{"text": text} for text in TEXTS[:4]])
    console = Console(width=200, record=True, file=io.StringIO())
    print_table(console, _table(tmp_path, clips, {"some": Told(TEXTS, wrong=2)}))
    [told] = [line for line in console.export_text().splitlines() if line.startswith("interval of wer,")]
    assert "only 4 groups, so perhaps still too narrow" in told


class Locked(stt.STT):
    """Needs a key, as those of a provider do."""

    def __init__(self, *, model: str = "") -> None:
        raise ValueError("LOCKED_API_KEY must be set")

    async def _recognize_impl(self, *_: Any, **__: Any) -> stt.SpeechEvent:
        raise NotImplementedError


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("kaldi/x", "unknown recogniser 'kaldi'; known: livekit, whisper"),
        ("whisper/no-such", "no faster-whisper model"),
        ("livekit/no such", "write PLUGIN/VOICE"),
        ("livekit/nosuchplugin/x", "pip install livekit-plugins-nosuchplugin"),
        ("livekit/json:JSONDecoder", "has no recogniser"),
        (f"livekit/{__name__}:Locked", "ValueError: LOCKED_API_KEY must be set"),
    ],
)
def test_an_unknown_recogniser_says_what_to_do(name: str, told: str) -> None:
    with pytest.raises(UserError, match=told):
        open_recogniser(name)
