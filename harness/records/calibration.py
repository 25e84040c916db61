"""``calls/ID/calibration.json``: the error bar of the machine that placed a call, for whoever scores it."""

from __future__ import annotations

from pydantic import Field

from harness.records.base import FileModel
from harness.records.scores import CalibrationNote

CALIBRATION_FILE = "calibration.json"


class CalibrationFile(FileModel):
    """The file.

    Attributes:
        placed_on: The machine from which the call was placed.
        note: Its error bar, or why it had none.
    """

    placed_on: str = Field(max_length=300)
    note: CalibrationNote
