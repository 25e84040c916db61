"""Calibrates cell after cell, and keeps what each came to: whatever is done is not done again.

One JSON file for each cell (:class:`CellResult`), in a folder of their own. It counts as done where it was
made with the same sources, on the same machine, with as many answers and stops, and without a fault of ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from harness._files.atomic_file import write_model
from harness.analysis.cells import NETWORKS, Cell
from harness.analysis.error_bar import ErrorBar, StoredError, this_machine
from harness.selfcheck.calibration.cell_run import Amount
from harness.selfcheck.calibration.design import Sound
from harness.selfcheck.calibration.page import put_into
from harness.selfcheck.calibration.run import CalibrationResult

COMMAND = "outboundeval calibrate --all"
BEGIN, END = f"<!-- {COMMAND}: begin -->", f"<!-- {COMMAND}: end -->"
HEADINGS = (
    "transport",
    "codec",
    "network",
    "sound",
    "answers",
    "bias",
    "p95",
    "worst",
    "stops",
    "bias",
    "p95",
    "worst",
    "not measured",
    "wrong",
    "500 ms verdicts wrong",
    "calls at once",
    "sent late, p95",
    "made with",
)


class CellResult(BaseModel):
    """What a cell came to.

    Attributes:
        at_once: Calls at the same time.
        not_measured: Answers and stops that yielded no figure, each with its reason, by sound.
        wrong: Figures of what never was, denials of what was, and errors beyond 20 ms; by sound. None: kept
            before they were told from those that were not measured.
        verdicts, verdicts_wrong: Of 500 ms, given and wrong.
        faults: Calls that ended as our own fault, each time that they were placed.
        placed_again: Calls that did so once, and were placed again.
        late_p95_ms: How late our sender was with its frames, the worst call's.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    turns: int
    interruptions: int
    at_once: int
    seed: int
    sounds: list[Sound]
    bar: ErrorBar
    not_measured: dict[str, list[str]] = {}
    wrong: dict[str, list[str]] | None = None
    verdicts: int = 0
    verdicts_wrong: int = 0
    faults: list[str] = []
    late_p95_ms: float | None = None
    placed_again: int = 0

    def is_of(self, amount: Amount, made_with: str) -> bool:
        """Whether it need not be done again."""
        return (
            not self.faults
            and self.wrong is not None
            and (self.turns, self.interruptions, self.seed)
            == (amount.turns, amount.interruptions, amount.seed)
            and set(amount.sounds) <= set(self.sounds)
            and self.bar.made_with == made_with
            and self.bar.machine == this_machine()
        )


def result_of(cell: Cell, result: CalibrationResult, amount: Amount, made_with: str) -> CellResult:
    """What is kept of a calibration."""
    found = result.by_sound.values()
    return CellResult(
        turns=amount.turns,
        interruptions=amount.interruptions,
        at_once=amount.at_once,
        seed=amount.seed,
        sounds=list(amount.sounds),
        placed_again=result.placed_again,
        bar=result.error_bar(cell, made_with=made_with),
        not_measured={sound: list(one.lost) for sound, one in result.by_sound.items()},
        wrong={sound: list(one.wrong) for sound, one in result.by_sound.items()},
        verdicts=sum(one.verdicts for one in found),
        verdicts_wrong=sum(len(one.verdicts_wrong) for one in found),
        faults=[fault for one in found for fault in one.faults],
        late_p95_ms=max(result.late_p95_ms, default=None),
    )


def result_path(folder: Path, cell: Cell) -> Path:
    """Where a cell's result lies."""
    return folder / f"{cell.transport}.{cell.codec}.{cell.network}.json"


def read_result(folder: Path, cell: Cell) -> CellResult | None:
    """What a cell came to; None where it was not tried, or its file cannot be read."""
    try:
        return CellResult.model_validate_json(result_path(folder, cell).read_bytes())
    except (OSError, ValidationError):
        return None


def keep_result(folder: Path, cell: Cell, result: CellResult) -> None:
    """Writes it, whole or not at all."""
    path = result_path(folder, cell)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_model(path, result)


def markdown(results: Mapping[Cell, CellResult], missing: Mapping[Cell, str]) -> str:
    """The table between its markers; a row for each cell and sound. What could not be tried follows it."""
    lines = [
        BEGIN,
        "Errors in ms against the log of the agent that was called. Written by the command.",
        "",
        "| " + " | ".join(HEADINGS) + " |",
        "|---|---|---|---|" + "---:|" * (len(HEADINGS) - 5) + "---|",
    ]
    lines += ["| " + " | ".join(row) + " |" for cell in sorted(results) for row in _rows(cell, results[cell])]
    lines += [f"\n{cell.name}: not calibrated here, for want of {why}." for cell, why in missing.items()]
    return "\n".join([*lines, END])


def write_table(path: Path, table: str) -> None:
    """Puts the table in its place in a page."""
    put_into(path, table, begin=BEGIN, end=END)


def _rows(cell: Cell, result: CellResult) -> Iterator[list[str]]:
    bar = result.bar
    by_sound: dict[str, Sequence[StoredError | None]] = {
        "marker": (bar.marker_responses, bar.marker_interruptions),
        "natural": (bar.natural_responses, bar.natural_interruptions),
    }
    for sound, errors in by_sound.items():
        if errors != (None, None):
            yield [
                cell.transport,
                cell.codec,
                NETWORKS[cell.network].title,
                sound,
                *(text for error in errors for text in _figures(error)),
                str(len(result.not_measured.get(sound, []))),
                "not told" if result.wrong is None else str(len(result.wrong.get(sound, []))),
                f"{result.verdicts_wrong} of {result.verdicts}",
                str(result.at_once),
                "—" if result.late_p95_ms is None else f"{result.late_p95_ms:.1f}",
                f"{bar.made_with}, {bar.date}",
            ]


def _figures(error: StoredError | None) -> list[str]:
    if error is None:
        return ["0", "—", "—", "—"]
    return [str(error.n), f"{error.bias:+.2f}", f"**{error.p95_abs:.2f}**", f"{error.max_abs:.2f}"]
