"""``python -m bench.nights [--pairs 2000] [--series 500]``: are comparisons and histories right?"""

from __future__ import annotations

import argparse
from statistics import median

from bench.nights.comparisons import FAMILY, RATE, Found, Planted, tried
from bench.nights.enumerated import green_share
from bench.nights.histories import planted_steps
from harness.plans.checks.gates import Gate

SLOWDOWNS = (80.0, 150.0)
FACTORS = (0.83, 1.0, 1.2)


def rows() -> list[Planted]:
    """What the first table has."""
    one, rate = FAMILY[:1], RATE
    return [
        *(Planted(label="nothing", gates=FAMILY, calls=calls) for calls in (10, 30, 100)),
        *(Planted(label=f"{ms:g} ms slower", gates=FAMILY, calls=30, slower_ms=ms) for ms in SLOWDOWNS),
        *(Planted(label=f"{ms:g} ms, one gate", gates=one, calls=30, slower_ms=ms) for ms in SLOWDOWNS),
        *(Planted(label="rate 0.90, then 0.75", gates=rate, calls=n, rates=(0.9, 0.75)) for n in (30, 120)),
        *(Planted(label="rate 0.90, then 0.90", gates=rate, calls=n, rates=(0.9, 0.9)) for n in (30, 120)),
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pairs", type=int, default=2000, help="simulated pairs of nights of each kind")
    parser.add_argument("--series", type=int, default=500, help="simulated histories of each kind")
    parser.add_argument("--row", type=int, help="only this row of the first table, from 0")
    parser.add_argument(
        "--part", choices=("gates", "enumerated", "detectable", "history"), help="only this table"
    )
    arguments = parser.parse_args()
    if arguments.part in (None, "gates"):
        families(arguments.pairs, arguments.row)
    if arguments.part in (None, "enumerated"):
        enumerated()
    if arguments.part in (None, "detectable"):
        detectable(arguments.pairs)
    if arguments.part in (None, "history"):
        histories(arguments.series)


def histories(series: int) -> None:
    """60 nights each; the step is on night 40."""
    print(f"\n{series} histories of 60 nights each; the step is on night 40\n")
    print("| step, in night-to-night sd | found by night 43 | by 50 | by 60 | another step at the end |")
    print("|---|---|---|---|---|")
    for step in (0.0, 1.0, 2.0, 3.0):
        found = planted_steps(series, step)
        shares = " | ".join(f"{share:.3f}" for share in found)
        print(f"| {step:g} | {shares} |", flush=True)


def families(pairs: int, row: int | None) -> None:
    print(f"{pairs} pairs of nights each; 95 % intervals in brackets; family: {'; '.join(FAMILY)}\n")
    print("| planted | calls a side | red | green | inconclusive | could have seen | calls needed |")
    print("|---|---|---|---|---|---|---|")
    for number, planted in enumerate(rows()):
        if row in (None, number):
            _row(planted, pairs)


def enumerated() -> None:
    gate = Gate.model_validate(RATE[0])
    print(f"\n| rates | calls a side | green under '{gate.text}', over all tables |")
    print("|---|---|---|")
    for calls, one, two in ((30, 0.9, 0.75), (30, 0.9, 0.9), (120, 0.9, 0.9), (120, 0.9, 0.85)):
        print(
            f"| {one:.2f}, then {two:.2f} | {calls} | {green_share((one, two), calls, gate):.2g} |",
            flush=True,
        )


def detectable(pairs: int) -> None:
    """At the change that is printed as what could have been seen, it should be seen in 80 of 100."""
    print("\n| figure | calls | printed: could have seen (median) | planted | found in |")
    print("|---|---|---|---|---|")
    for calls in (10, 30, 100):
        quiet = tried(Planted(label="", gates=FAMILY[:1], calls=calls), min(pairs, 300))
        seen = median(quiet.detectable)
        for factor in FACTORS:
            slower = seen * factor
            found = tried(Planted(label="", gates=FAMILY[:1], calls=calls, slower_ms=slower), pairs)
            _seen("p50 latency, ms", calls, f"{seen:.0f}", f"{slower:.0f}", found)
    for calls in (30, 120):
        quiet = tried(Planted(label="", gates=RATE, calls=calls, rates=(0.9, 0.9)), min(pairs, 300))
        seen = median(quiet.detectable)
        for factor in FACTORS:
            rates = (0.9, 0.9 - seen * factor)
            found = tried(Planted(label="", gates=RATE, calls=calls, rates=rates), pairs)
            _seen("response rate", calls, f"{seen:.3f}", f"{seen * factor:.3f}", found)


def _row(planted: Planted, pairs: int) -> None:
    found = tried(planted, pairs)
    seen = f"{median(found.detectable):.3g}" if found.detectable else "-"
    needed = f"{median(found.needed):.0f}" if found.needed else "-"
    words = " | ".join(found.share(word) for word in ("red", "green", "inconclusive"))
    print(f"| {planted.label} | {planted.calls} | {words} | {seen} | {needed} |", flush=True)


def _seen(figure: str, calls: int, printed: str, planted: str, found: Found) -> None:
    print(f"| {figure} | {calls} | {printed} | {planted} | {found.changed / found.n:.3f} |", flush=True)


if __name__ == "__main__":
    main()
