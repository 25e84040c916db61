"""``python -m bench.understanding [--language en] [--cache FILE]``: fits what the caller understands by.

Takes about 20 minutes the first time (every example line and its parts are encoded), two with the cache.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Literal

from bench.understanding.evidence import evidence_of_examples
from bench.understanding.fit import fitted, unset, with_threshold, write
from harness.selfcheck.understanding.labelled import load_labelled, sets_root
from voice_sim.understanding.encoders.e5 import E5Encoder
from voice_sim.understanding.examples.understander import UnderstandsByExamples, lines_of
from voice_sim.understanding.examples.weights import FOLDER
from voice_sim.understanding.vectors import VectorCache

LANGUAGES: tuple[Literal["en", "zh"], ...] = ("en", "zh")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", choices=LANGUAGES, help="only this one")
    parser.add_argument("--cache", type=Path, default=Path("out/vectors.sqlite"))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    lines = load_labelled(sets_root() / "development")
    for language in [arguments.language] if arguments.language else LANGUAGES:
        evidence, truth = evidence_of_examples(
            language, cache=arguments.cache, seed=arguments.seed, jobs=arguments.jobs
        )
        weights = unset(*fitted(evidence, truth))
        encoder, cache = E5Encoder(), VectorCache(arguments.cache)
        own = [line for line in lines if line.persona.language == language]
        odds = {}
        for entry in dict.fromkeys(line.entry for line in own):
            persona = next(line.persona for line in own if line.entry == entry)
            vectors = cache.encode(lines_of(persona), encoder)
            person = UnderstandsByExamples(persona, encoder, vectors=vectors, weights=weights)
            odds |= {(entry, line.says): person.odds(line.says) for line in own if line.entry == entry}
        weights, curve = with_threshold(weights, own, odds)
        write(weights, curve, FOLDER / f"{language}.json", queries=len(truth), language=language)
        print(f"{language}: {len(truth)} pairs of a line and an item, {len(own)} development lines")
        print("taken from   as meant   false")
        for point in curve:
            mark = " *" if point.taken_from == weights.taken_from else ""
            print(f"{point.taken_from:10.2f}   {point.as_meant:8.3f}   {point.false:.3f}{mark}")


if __name__ == "__main__":
    main()
