"""Which codecs an offer of ours names, and which one an answer took of them.

Names are those of the table of codecs (``harness.transports.codecs.table``); WebRTC knows Opus, G.711 and
G.722 (RFC 7874), and so does aiortc.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from aiortc import RTCRtpCodecCapability, RTCRtpSender

_STATIC = {"0": "pcmu", "8": "pcma", "9": "g722"}
"""Payload types that need no ``a=rtpmap`` (RFC 3551, table 4)."""
_RATES = {"opus": "48000", "pcmu": "8000", "pcma": "8000", "g722": "8000"}
"""By which ``a=rtpmap`` names a codec's clock; G.722's is an error of an early RFC that stays."""
_RTPMAP = re.compile(r"a=rtpmap:(\d{1,3}) ([\w.-]{1,40})/(\d{1,6})", re.ASCII | re.IGNORECASE)
_AUDIO = re.compile(r"m=audio (\d{1,5})(?:/\d+)? \S+((?: \d{1,3})+)\s*$", re.ASCII)

OFFERABLE = tuple(_RATES)
"""Codecs that can be offered over WebRTC."""


def capabilities(names: Iterable[str]) -> list[RTCRtpCodecCapability]:
    """What aiortc is to offer, in the given order of preference.

    Raises:
        ValueError: One of them is not to be had over WebRTC.
    """
    known: dict[str, RTCRtpCodecCapability] = {}
    for codec in RTCRtpSender.getCapabilities("audio").codecs:
        known.setdefault(codec.mimeType.partition("/")[2].lower(), codec)
    names = list(names)
    if strange := [name for name in names if name not in known or name not in OFFERABLE]:
        raise ValueError(f"not to be had over WebRTC: {', '.join(strange)}; known: {', '.join(OFFERABLE)}")
    return [known[name] for name in names]


def agreed(sdp: str, offered: Iterable[str]) -> str | None:
    """The codec that an answer puts first of those that were offered: the one its sender means to use
    (RFC 3264, 6.1). None where it takes none, or no audio at all."""
    names: dict[str, str] = {}
    formats: list[str] = []
    for line in _audio_section(sdp):
        if (audio := _AUDIO.match(line)) is not None:
            formats = [] if audio[1] == "0" else audio[2].split()
        elif (mapped := _RTPMAP.match(line)) is not None:
            name = mapped[2].lower()
            names[mapped[1]] = name if _RATES.get(name) == mapped[3] else ""
    offered = set(offered)
    taken = (names.get(number, _STATIC.get(number, "")) for number in formats)
    return next((name for name in taken if name in offered), None)


def _audio_section(sdp: str) -> list[str]:
    """The lines of the first audio section, its ``m=`` line first."""
    lines = sdp.splitlines()
    start = next((at for at, line in enumerate(lines) if line.startswith("m=audio ")), len(lines))
    end = next((at for at in range(start + 1, len(lines)) if lines[at].startswith("m=")), len(lines))
    return lines[start:end]
