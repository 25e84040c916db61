"""The table of reference agents: every cell of it can be asked for, and nothing else."""

from __future__ import annotations

import pytest

from harness.analysis.cells import NETWORKS, SIP_IN, Cell
from harness.errors import UserError
from harness.selfcheck.calibration import references
from harness.selfcheck.calibration.references import REFERENCES, cells_of, chosen_cell
from harness.transports.by_scheme import transport_names
from harness.transports.codecs.table import CODECS


def test_what_is_in_the_table_is_known_elsewhere() -> None:
    assert set(REFERENCES) <= {*transport_names(), SIP_IN}
    for cell in cells_of():
        assert cell.network in NETWORKS
        assert cell.codec in CODECS.names()


def test_no_cell_is_there_twice_and_the_usual_codec_meets_every_network() -> None:
    cells = cells_of()
    assert len(set(cells)) == len(cells)
    for transport, reference in REFERENCES.items():
        for network in reference.networks:
            assert Cell(transport=transport, codec=reference.codecs[0], network=network) in cells


def test_what_is_left_open_is_the_usual() -> None:
    _, cell = chosen_cell("smallwebrtc", None, None)
    assert cell == Cell(transport="smallwebrtc", codec="opus", network="clean")


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (
            ("pigeon", None, None),
            "no reference agent for the transport 'pigeon'; there are: ",
        ),
        (("smallwebrtc", "mp3", None), "not calibrated with 'mp3'; there are: opus, pcmu"),
        (("smallwebrtc", None, "moon"), "not calibrated with 'moon'; there are: clean, lossy"),
    ],
)
def test_what_is_not_there_is_told_with_what_is(asked: tuple[str, str | None, str | None], told: str) -> None:
    with pytest.raises(UserError, match=told):
        chosen_cell(*asked)


def test_a_cell_whose_relay_is_not_installed_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(references, "can_relay", lambda: False)
    with pytest.raises(UserError, match="relay-udp cannot be calibrated here without a TURN server: apt-get"):
        chosen_cell("smallwebrtc", None, "relay-udp")
