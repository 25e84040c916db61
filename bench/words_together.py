"""``python -m bench.words_together [--calls N]``: spans heard together in one window, and each by itself.

The calls, and what is told of them, are those of :mod:`bench.encoder_window`: lines whose words are known,
clean, with noise 15 dB below, and over 8 kHz. Each call is transcribed both ways, which first in turns.
"""

from __future__ import annotations

import argparse

from bench.encoder_window import VOICES, Call, Tried, apart_s, calls_of_lines, changes, summary, tried, unlike
from harness.models.resolve import resolve_model
from metrics.resample import SPEECH_RATE_HZ
from metrics.transcript import Transcriber


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.words_together", description=__doc__)
    parser.add_argument("--calls", type=int, default=24)
    folder = resolve_model("whisper-base")
    ways = [Transcriber(folder, threads=1, together=together) for together in (False, True)]
    rows: list[tuple[Call, Tried, Tried]] = []
    for number, call in enumerate(calls_of_lines(parser.parse_args().calls)):
        if number == 0:
            for way in ways:
                tried(way, call)
        order = (0, 1) if number % 2 else (1, 0)
        heard = {way: tried(ways[way], call) for way in order}
        apart, together = heard[0], heard[1]
        rows.append((call, apart, together))
        others, words = unlike(apart.heard, together.heard)
        print(
            f"{number + 1}: {call.language}, {call.condition}, {len(call.audio) / SPEECH_RATE_HZ:.0f} s: "
            f"{apart.processor_s:.1f} and {together.processor_s:.1f} s; {others} of {words} words unlike; "
            f"errors {apart.errors} and {together.errors} of {apart.length}; "
            f"words apart by {apart_s(apart.heard, together.heard):.3f} s (95 %)",
            flush=True,
        )
        for one, other in changes(apart.heard, together.heard):
            print(f"    {one!r} -> {other!r}")
    for language in VOICES:
        some = [row for row in rows if row[0].language == language]
        if some:
            print(f"{language}: {summary(some)}")


if __name__ == "__main__":
    main()
