"""Tables 1, 2 and 3 as markdown and as plain data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from voice_sim.realism.statistics import (
    ComparisonTable,
    DetectionTable,
    Figure,
    ScoreTable,
    comparison_table,
    detection_table,
    score_table,
)
from voice_sim.realism.verdicts import SCALE, Source, Verdicts

SIGNIFICANT = 0.05
_LABELS: Mapping[Source, str] = {"human": "Human dialogue", "simulated": "Simulated dialogue"}


def markdown(verdicts: Verdicts, *, seed: int = 0) -> str:
    """The three tables; one without any question is left out."""
    raters = f"{verdicts.raters} rater{'s' if verdicts.raters != 1 else ''}"
    parts = [f"## Realism, judged by {verdicts.by.replace('|', '/')} ({raters})"]
    if verdicts.scored:
        parts.append(_scores(score_table(verdicts.scored, seed=seed)))
    if verdicts.detected:
        parts.append(_detection(detection_table(verdicts.detected)))
    if verdicts.compared:
        parts.append(_comparison(comparison_table(verdicts.compared)))
    return "\n\n".join(parts) + "\n"


def as_data(verdicts: Verdicts, *, seed: int = 0) -> dict[str, Any]:
    """The same for other programs; a figure that there is not is null."""
    scores = score_table(verdicts.scored, seed=seed)
    detection = detection_table(verdicts.detected)
    comparison = comparison_table(verdicts.compared)
    return {
        "by": verdicts.by,
        "raters": verdicts.raters,
        "prompts": verdicts.prompts,
        "scores": {
            "means": {source: _data(figure) for source, figure in scores.means.items()},
            "difference": _data(scores.difference),
            "p": scores.p,
            "failed": scores.failed,
        },
        "detection": {
            "counts": {f"{is_}_taken_for_{taken}": n for (is_, taken), n in detection.counts.items()},
            "undecided": detection.undecided,
            "taken_for_human": {source: _data(one) for source, one in detection.taken_for_human.items()},
            "correct": _data(detection.correct),
            "p_correct": detection.p_correct,
            "p_told_apart": detection.p_told_apart,
            "failed": detection.failed,
        },
        "comparison": {
            "total": comparison.total,
            "human_wins": comparison.wins["human"],
            "simulated_wins": comparison.wins["simulated"],
            "undecided": comparison.undecided,
            "simulated_share": _data(comparison.simulated_wins),
            "p": comparison.p,
            "first_chosen": _data(comparison.first_chosen),
            "failed": comparison.failed,
        },
    }


def _scores(table: ScoreTable) -> str:
    lines = [
        f"### Human-likeness, 0-{SCALE} (Table 1)",
        "",
        f"| | Score (out of {SCALE}) | 95 % interval | dialogues |",
        "|---|---|---|---|",
    ]
    for source, figure in table.means.items():
        lines.append(f"| {_LABELS[source]} | {_number(figure.value)} | {_interval(figure)} | {figure.n} |")
    if table.difference.value is not None:
        told = f"Difference {table.difference.value:+.2f} ({_interval(table.difference)})"
        lines += ["", f"{told}; Mann-Whitney {_p(table.p)}."]
    return _with_failures(lines, table.failed)


def _detection(table: DetectionTable) -> str:
    lines = [
        "### Taken for human or simulated (Table 2)",
        "",
        "| Realistic evaluation | Human | AI | taken for human | 95 % interval |",
        "|---|---|---|---|---|",
    ]
    for source, figure in table.taken_for_human.items():
        counts = f"{table.counts[(source, 'human')]} | {table.counts[(source, 'simulated')]}"
        lines.append(f"| {_LABELS[source]} | {counts} | {_percent(figure)} | {_percents(figure)} |")
    lines += [
        "",
        f"Taken for what they are: {_percent(table.correct)} ({_percents(table.correct)}), exact binomial "
        f"against one half {_p(table.p_correct)}. Told apart: Fisher's exact test {_p(table.p_told_apart)}.",
    ]
    if table.undecided:
        lines.append(f"Raters were split evenly on {table.undecided}.")
    return _with_failures(lines, table.failed)


def _comparison(table: ComparisonTable) -> str:
    wins, total = table.wins, table.total
    shares = [f"{100 * wins[source] / total:.2f} %" if total else "–" for source in ("human", "simulated")]
    split = f"{100 * table.undecided / total:.2f} %" if total else "–"
    lines = [
        "### Side by side: which is the human one (Table 3)",
        "",
        "| Pairwise | Total | Human win | AI win | undecided |",
        "|---|---|---|---|---|",
        f"| Count | {total} | {wins['human']} | {wins['simulated']} | {table.undecided} |",
        f"| Percentage | 100 % | {shares[0]} | {shares[1]} | {split} |",
        "",
        f"AI wins of the decided: {_percent(table.simulated_wins)} ({_percents(table.simulated_wins)}), "
        f"exact binomial against one half {_p(table.p)}. The one shown first was chosen "
        f"in {_percent(table.first_chosen)} ({_percents(table.first_chosen)}).",
    ]
    return _with_failures(lines, table.failed)


def _with_failures(lines: list[str], failed: int) -> str:
    if failed:
        lines = [*lines, f"{failed} questions without an answer; they enter no figure."]
    return "\n".join(lines)


def _p(p: float | None) -> str:
    if p is None:
        return "not possible"
    told = "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"
    return f"{told} ({'significant' if p < SIGNIFICANT else 'not significant'} at 5 %)"


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _interval(figure: Figure) -> str:
    return (
        "no interval"
        if figure.low is None or figure.high is None
        else f"{figure.low:.2f} to {figure.high:.2f}"
    )


def _percent(figure: Figure) -> str:
    return "–" if figure.value is None else f"{100 * figure.value:.1f} %"


def _percents(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return "no interval"
    return f"{100 * figure.low:.1f} to {100 * figure.high:.1f} %"


def _data(figure: Figure) -> dict[str, float | int | None]:
    return {"value": figure.value, "low": figure.low, "high": figure.high, "n": figure.n}
