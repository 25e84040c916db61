"""How right ``speech_rate_adaptation`` is: ``python -m bench.speaking.rates``.

Pairs of readings of the same words whose true rates are known: espeak-ng with the key slowed down by SSML and
its edges marked; Piper and Kokoro with head, key and tail said one by one at rates of their own and joined.
The key is given to the instrument within 0.1 s of the truth, by draws; and as Whisper places it in the
control. Half of them come through mu-law. The rules were chosen on other sentences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from bench.speaking.carriers import CHOSEN_ON, HELD_OUT, INTRODUCTIONS
from bench.speaking.marked_espeak import MarkedEspeak
from harness.analysis.instruments import Instruments
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import VoicePlan
from harness.transports.codecs.recording_rate import at_recording_rate
from harness.transports.codecs.table import codec_named
from metrics.resample import resampled, to_speech_rate
from metrics.spans import Span
from metrics.synthesis.prosody.frames import UnreadableError
from metrics.synthesis.prosody.places import place_phrase
from metrics.synthesis.prosody.rate import NotComparableError, paired_rates

RATE_HZ = 48_000
RATES = ((100, 100), (90, 100), (80, 100), (80, 115), (65, 100))
"""Key and rest, in percent of the control's."""
SILENCE_BELOW_PEAK_DB, STOP_S = 36.0, 0.08
PAUSE_S = 0.3
VOICES = {
    "chosen on": (("espeak", "en-us", "en"), ("espeak", "cmn", "zh"), ("piper", "joe", "en")),
    "held out": (
        ("espeak", "en-gb-scotland+f2", "en"),
        ("kokoro", "jm_kumo", "en"),
        ("piper", "joe", "en"),
        ("espeak", "cmn+f3", "zh"),
        ("kokoro", "jf_gongitsune", "zh"),
    ),
}
Samples = NDArray[np.float32]
Carrier = tuple[str, str, str]


class Reading(NamedTuple):
    """Sound at 48 kHz; the key in it; articulated seconds of key and rest, by the edges it was made with."""

    samples: Samples
    key: Span
    key_s: float
    rest_s: float


class Readers:
    """Says a carrier with known edges."""

    def __init__(self) -> None:
        self._espeak, self._maker = MarkedEspeak(), ClipMaker()

    def read(
        self, voice: tuple[str, str, str], carrier: Carrier, rates: tuple[int, int], *, stressed: bool
    ) -> Reading:
        engine, name, language = voice
        introduction = INTRODUCTIONS[language][0 if stressed else 1]
        if engine == "espeak":
            said = self._espeak.say(
                name,
                before=carrier[0],
                key=carrier[1],
                after=carrier[2],
                key_rate=rates[0],
                rest_rate=rates[1],
            )
            first = self._espeak.plain(name, introduction)
            parts = [first, said.samples[: said.start], said.samples[said.start : said.end]]
            parts = [resampled(one, said.rate_hz, RATE_HZ) for one in (*parts, said.samples[said.end :])]
        else:
            parts = [self._part(engine, name, introduction, 100), np.zeros(0, np.float32)]
            shares = (rates[1], rates[0], rates[1])
            said_parts = [
                self._part(engine, name, text, share) for text, share in zip(carrier, shares, strict=True)
            ]
            parts = [np.pad(parts[0], (0, round(PAUSE_S * RATE_HZ))), *said_parts]
        edges = np.cumsum([len(one) for one in parts]) / RATE_HZ
        sound = np.concatenate(parts).astype(np.float32)
        return Reading(
            sound * np.float32(0.6 if stressed else 1.0),
            Span(start_s=edges[1], end_s=edges[2]),
            articulated_s(parts[2]),
            articulated_s(parts[1]) + articulated_s(parts[3]),
        )

    def _part(self, engine: str, name: str, text: str, percent: int) -> Samples:
        sound = self._maker.speak(VoicePlan(engine=engine, name=name, rate=percent / 100), text).samples
        voiced = np.nonzero(np.abs(sound) > 0.003)[0]
        return sound[voiced[0] : voiced[-1] + 1]


def articulated_s(sound: Samples) -> float:
    """Seconds without pauses by waveform alone: quiet of more than 80 ms counts as 80 ms, none at the end."""
    size = RATE_HZ // 200
    frames = sound[: len(sound) // size * size].reshape(-1, size)
    level = np.sqrt(np.mean(frames.astype(np.float64) ** 2, axis=1))
    loud = level > np.quantile(level, 0.95) * 10 ** (-SILENCE_BELOW_PEAK_DB / 20)
    edges = np.flatnonzero(loud)
    gaps = np.diff(edges) - 1
    return float(edges[-1] - edges[0] + 1 - np.sum(np.maximum(gaps - STOP_S * 200, 0))) / 200


def pairs(
    readers: Readers, voice: tuple[str, str, str], carriers: Sequence[Carrier]
) -> Iterator[tuple[Carrier, Reading, Reading]]:
    for number, carrier in enumerate(carriers):
        control = readers.read(voice, carrier, (100, 100), stressed=False)
        for rates in RATES:
            stressed = readers.read(voice, carrier, rates, stressed=True)
            narrow = number % 2
            yield (
                carrier,
                _by_line(stressed) if narrow else stressed,
                _by_line(control) if narrow else control,
            )


def _by_line(reading: Reading) -> Reading:
    codec = at_recording_rate(codec_named("pcmu"))
    padded = np.pad(reading.samples, (0, codec.delay_samples + codec.frame_samples))
    heard = codec.decode(codec.encode(padded))[codec.delay_samples :]
    return reading._replace(samples=heard[: len(reading.samples)].astype(np.float32))


def error_of(stressed: Reading, control: Reading, key: Span | None) -> float | None:
    """Measured over true, less one; None: not measured."""
    true = (stressed.key_s / control.key_s) / (stressed.rest_s / control.rest_s)
    if key is None:
        return None
    try:
        found = paired_rates(stressed.samples, control.samples, RATE_HZ, key=key)
    except (NotComparableError, UnreadableError):
        return None
    return found.adaptation / true - 1


def row(name: str, errors: Sequence[float | None]) -> str:
    told = np.abs([one for one in errors if one is not None])
    if not len(told):
        return f"| {name} | {len(errors)} | 0 | | | |"
    mean = np.mean([one for one in errors if one is not None])
    return (
        f"| {name} | {len(errors)} | {len(told)} | {np.count_nonzero(told <= 0.05)} | {100 * mean:+.1f} % "
        f"| {100 * np.median(told):.1f} % | {100 * np.max(told):.1f} % |"
    )


def main() -> None:
    readers, whisper, random = Readers(), Instruments().whisper, np.random.default_rng(3)
    if whisper is None:
        raise SystemExit("Whisper is not installed: outboundeval models")
    for group, carriers in (("chosen on", CHOSEN_ON), ("held out", HELD_OUT)):
        print(f"\n{group}\n\n| voice, key by | pairs | measured | within 5 % | mean | median | largest |")
        print("|---|---:|---:|---:|---:|---:|---:|")
        for voice in VOICES[group]:
            drawn: list[float | None] = []
            heard: list[float | None] = []
            places: dict[str, Span | None] = {}
            for carrier, stressed, control in pairs(readers, voice, carriers[voice[2]]):
                off = random.uniform(-0.1, 0.1, 2)
                near = Span(start_s=control.key.start_s + off[0], end_s=control.key.end_s + off[1])
                drawn.append(error_of(stressed, control, near))
                if carrier[0] not in places:
                    narrow = to_speech_rate(control.samples, RATE_HZ)
                    whole = Span(start_s=0.0, end_s=len(narrow) / 16_000)
                    words = whisper.transcribe(narrow, voice[2], spans=[whole]).words
                    before, key, after = carrier
                    placed = place_phrase(words, before=before, phrase=key, after=after)
                    places[carrier[0]] = None if placed is None else placed.span
                heard.append(error_of(stressed, control, places[carrier[0]]))
            name = f"{voice[0]}/{voice[1]} ({voice[2]})"
            print(row(f"{name}, truth within 0.1 s", drawn))
            print(row(f"{name}, Whisper", heard), flush=True)


if __name__ == "__main__":
    main()
