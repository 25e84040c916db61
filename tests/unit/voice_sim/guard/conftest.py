"""Every test here runs by words, as where no encoder is installed: quick, and alike on every machine."""

from __future__ import annotations

import pytest

from voice_sim.guard.misunderstanding import nearness


@pytest.fixture(autouse=True)
def no_encoder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(nearness, "PACKAGE", "no_such_package")
