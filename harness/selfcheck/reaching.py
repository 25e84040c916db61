"""What can be reached from this installation, and for what of it there are error bars."""

from __future__ import annotations

from harness.analysis.cells import Cell
from harness.analysis.error_bar import load_error_bar
from harness.errors import UserError
from harness.selfcheck.calibration.references import REFERENCES, cells_of
from harness.selfcheck.finding import Check, Verdict
from harness.selfcheck.relay import can_relay
from harness.transports.by_scheme import SCHEMES, transport_for, transport_name


def reach_checks() -> list[Check]:
    """Whether each scheme of addresses can be dialled with what is installed."""
    return [_scheme_check(scheme) for scheme in SCHEMES.names()]


def relay_check() -> Check:
    """coturn, to calibrate calls through a relay; the calls themselves need none here."""
    found = "installed" if can_relay() else "not installed; optional: apt-get install coturn"
    return Check(name="TURN server (coturn), to calibrate relayed calls", verdict=Verdict.OK, found=found)


def cell_checks() -> list[Check]:
    """For each transport that can be calibrated, which codecs and networks have error bars here."""
    return [_cells_check(transport) for transport in REFERENCES]


def _scheme_check(scheme: str) -> Check:
    name = f"dials {scheme}://"
    try:
        transport_for(f"{scheme}://127.0.0.1:1")
    except UserError as error:
        what, _, todo = str(error).partition("\n")
        return Check(name=name, verdict=Verdict.WARN, found=what, todo=todo)
    return Check(name=name, verdict=Verdict.OK, found=transport_name(f"{scheme}://127.0.0.1:1"))


def _cells_check(transport: str) -> Check:
    cells = [cell for cell in cells_of() if cell.transport == transport]
    known = [cell for cell in cells if load_error_bar(cell.transport, cell.codec, cell.network)]
    lacking = [cell for cell in cells if cell not in known]
    found = f"measured: {_told(known)}; not measured: {_told(lacking)}"
    return Check(
        name=f"error bars {transport}",
        verdict=Verdict.WARN if lacking else Verdict.OK,
        found=found,
        todo="where you need them: outboundeval calibrate --all" if lacking else "",
    )


def _told(cells: list[Cell]) -> str:
    return ", ".join(f"{cell.codec} {cell.network}" for cell in cells) or "none"
