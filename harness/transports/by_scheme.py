"""Which transport an agent's address means; the names under which calibrations are stored."""

from __future__ import annotations

from urllib.parse import urlsplit

NAMES = {"http": "smallwebrtc", "https": "smallwebrtc"}


def transport_name(agent: str) -> str:
    """``smallwebrtc`` for ``http://…``; the scheme itself where it is not known."""
    scheme = urlsplit(agent).scheme
    return NAMES.get(scheme, scheme or "unknown")
