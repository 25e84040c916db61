"""127.0.0.1 among the host candidates of ICE."""

from __future__ import annotations

import aioice.ice
import pytest

from harness.transports.webrtc.loopback import allow_loopback_candidates


def test_loopback_is_offered_once_and_nothing_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    before = aioice.ice.get_host_addresses(True, False)
    monkeypatch.setattr(aioice.ice, "get_host_addresses", aioice.ice.get_host_addresses)
    allow_loopback_candidates()
    allow_loopback_candidates()
    after = aioice.ice.get_host_addresses(True, False)
    assert after.count("127.0.0.1") == 1
    assert set(before) <= set(after)
    assert "127.0.0.1" not in aioice.ice.get_host_addresses(False, True)
