"""The stored error bars: measured by ``calibrate``, printed by every report.

One JSON file for each transport, codec and network (``harness.analysis.cells``,
``harness.paths.calibration_path``). It holds for the machine on which it was measured; on another one the
report says so.
"""

from __future__ import annotations

import datetime
import platform
import socket
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from harness._files.atomic_file import write_model
from harness.paths import calibration_path
from harness.records.scores import CalibrationNote

UNCALIBRATED_RESOLUTION_S = 0.02
"""Assumed half width without a calibration: the bound that a calibration with speech is held to. What packets
leave open at a figure's edges is known, and comes on top."""


class StoredError(BaseModel):
    """Errors of one kind of figure, in ms."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    n: int
    bias: float
    sd: float
    p95_abs: float
    max_abs: float


class ErrorBar(BaseModel):
    """A calibration as stored. Reports print the errors with speech; tones show the instrument alone."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    transport: str
    codec: str = "opus"
    network: str = "clean"
    date: str
    machine: str
    made_with: str = ""
    """The commit of the sources, or the version."""
    marker_responses: StoredError | None = None
    marker_interruptions: StoredError | None = None
    natural_responses: StoredError | None = None
    natural_interruptions: StoredError | None = None


def this_machine() -> str:
    """A name for the machine that a calibration belongs to."""
    return f"{socket.gethostname()} ({platform.system()} {platform.machine()})"


def today() -> str:
    return datetime.datetime.now(datetime.UTC).date().isoformat()


def store_error_bar(bar: ErrorBar) -> Path:
    """Writes the bar for its transport; returns the file."""
    path = calibration_path(bar.transport, bar.codec, bar.network)
    write_model(path, bar)
    return path


def load_error_bar(transport: str, codec: str = "opus", network: str = "clean") -> ErrorBar | None:
    """The stored bar; None where there is none or it cannot be read."""
    path = calibration_path(transport, codec, network)
    try:
        return ErrorBar.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None


def calibration_note(transport: str, codec: str = "opus", network: str = "clean") -> CalibrationNote:
    """The bar as reports print it, or why there is none.

    Args:
        network: Of ``NETWORKS``; empty: none of them is as bad as the call's.
    """
    bar = load_error_bar(transport, codec, network) if network else None
    if bar is None or bar.natural_responses is None or bar.natural_interruptions is None:
        why = f"run '{_command(transport, codec, network)}'; until then"
        if not network:
            why = "on a network like this one, nothing is calibrated;"
        return CalibrationNote(
            transport=transport,
            codec=codec,
            network=network,
            not_calibrated=(
                f"{why} ±{UNCALIBRATED_RESOLUTION_S * 1000:.0f} ms are taken for the instrument's own part"
            ),
        )
    here = this_machine()
    return CalibrationNote(
        transport=transport,
        codec=codec,
        network=network,
        response_p95_ms=bar.natural_responses.p95_abs,
        interruption_p95_ms=bar.natural_interruptions.p95_abs,
        date=bar.date,
        machine=bar.machine if bar.machine == here else f"{bar.machine}; these calls were placed from {here}",
    )


def _command(transport: str, codec: str, network: str) -> str:
    options = "" if transport == "smallwebrtc" else f" --transport {transport}"
    options += "" if codec == "opus" else f" --codec {codec}"
    options += "" if network == "clean" else f" --network {network}"
    return f"outboundeval calibrate{options}"


def response_resolution_s(note: CalibrationNote) -> float:
    """The instrument's own part of the half width of a response latency's error bar."""
    known = note.response_p95_ms
    return UNCALIBRATED_RESOLUTION_S if known is None else known / 1000


def interruption_resolution_s(note: CalibrationNote) -> float:
    """The instrument's own part of the half width of an interruption delay's error bar."""
    known = note.interruption_p95_ms
    return UNCALIBRATED_RESOLUTION_S if known is None else known / 1000


_USES: Mapping[str, Literal["response", "interruption"]] = {
    "response_latency": "response",
    "interruption_delay": "interruption",
}
"""How the names of figures begin that have an error bar, and which of a note's it is."""


def bar_standing(metric: str, notes: Sequence[CalibrationNote]) -> str:
    """In a word what a figure's ± stands on: empty where every call's was calibrated, ``assumed`` where none
    was, ``partly assumed`` where some were."""
    which = next((bar for begins, bar in _USES.items() if metric.startswith(begins)), None)
    known = [
        (which == "interruption" or note.response_p95_ms is not None)
        and (which == "response" or note.interruption_p95_ms is not None)
        for note in notes
    ]
    if known and all(known):
        return ""
    return "partly assumed" if any(known) else "assumed"
