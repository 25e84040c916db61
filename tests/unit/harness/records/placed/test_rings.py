"""The file of who rang."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.records.placed import rings
from harness.records.placed.rings import RINGS_FILE, RingRecord, RingsFile, RingStatus, told


def test_rings_are_kept_in_order_and_counted(tmp_path: Path) -> None:
    file = RingsFile(tmp_path)
    for status in (RingStatus.TAKEN, RingStatus.RANG_TWICE, RingStatus.TAKEN):
        file.add(RingRecord(at="2026-01-01T00:00:00+00:00", status=status, entry="a", code=200))
    lines = (tmp_path / RINGS_FILE).read_text().splitlines()
    assert [RingRecord.model_validate_json(line).status for line in lines] == [
        RingStatus.TAKEN,
        RingStatus.RANG_TWICE,
        RingStatus.TAKEN,
    ]
    assert told(file.counts.items()) == "1 rang twice, 2 taken"
    # A run that goes on appends.
    RingsFile(tmp_path).add(RingRecord(at="", status=RingStatus.TAKEN))
    assert len((tmp_path / RINGS_FILE).read_text().splitlines()) == 4


def test_a_flood_is_counted_and_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rings, "MAX_KEPT", 2)
    file = RingsFile(tmp_path)
    for _ in range(5):
        file.add(RingRecord(at="", status=RingStatus.UNWANTED_ADDRESS))
    assert file.counts[RingStatus.UNWANTED_ADDRESS] == 5
    assert len((tmp_path / RINGS_FILE).read_text().splitlines()) == 2
