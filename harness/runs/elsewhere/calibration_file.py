"""The error bar that a call's figures carry: of the machine that placed it (``harness.records.calibration``).

A bar holds for the machine on which it was measured. A call that was placed elsewhere (a shard, a node of a
cluster) brings the bar of that machine along; one that was placed here takes the newest that there is here.
"""

from __future__ import annotations

from pathlib import Path

from harness._files.atomic_file import write_model
from harness._files.json_file import read_model
from harness.analysis.cells import cell_of
from harness.analysis.error_bar import calibration_note, this_machine
from harness.errors import NotWritten, UserError
from harness.records.calibration import CALIBRATION_FILE, CalibrationFile
from harness.records.call import CallRecord
from harness.records.scores import CalibrationNote
from harness.runs.store import RunStore


def keep_calibration(folder: Path, record: CallRecord) -> None:
    """Puts the bar of this machine beside a call, where none is there yet.

    Raises:
        OSError: It cannot be written.
    """
    path = folder / CALIBRATION_FILE
    if not path.exists():
        write_model(path, CalibrationFile(placed_on=this_machine(), note=_here(record)))


def keep_calibrations(store: RunStore) -> None:
    """Beside every call of a run that was placed here.

    Raises:
        NotWritten: It cannot be written.
    """
    for record in store.records():
        folder = store.call_folder(record.plan.call_id)
        try:
            keep_calibration(folder, record)
        except OSError as error:
            raise NotWritten.of(folder, error) from error


def calibration_of(folder: Path, record: CallRecord) -> CalibrationNote:
    """The bar that a call's figures carry: of the machine that placed it."""
    path = folder / CALIBRATION_FILE
    if path.is_file():
        try:
            kept = read_model(path, CalibrationFile, within=folder)
        except UserError:
            return _here(record)
        if kept.placed_on != this_machine():
            return kept.note
    return _here(record)


def _here(record: CallRecord) -> CalibrationNote:
    cell = cell_of(record)
    return calibration_note(cell.transport, cell.codec, cell.network)
