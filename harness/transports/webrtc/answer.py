"""What an SDP answer must have before it is given to aiortc, which would fail later and less clearly."""

from __future__ import annotations

from collections.abc import Sequence

from harness.errors import SetupFailed
from harness.transports.webrtc.codec_choice import agreed

MAX_CANDIDATES = 64
_TOLD = {"opus": "Opus", "pcmu": "PCMU", "pcma": "PCMA", "g722": "G.722"}


def check_answer(agent: str, sdp: str, *, offered: Sequence[str]) -> str:
    """The codec that was agreed on, by its name in the table of codecs.

    Args:
        agent: The address as messages have it.
        offered: The codecs of our offer.

    Raises:
        SetupFailed: No call comes of it; the message says why.
    """
    ours = ", ".join(_TOLD.get(name, name) for name in offered)
    if not sdp.startswith("v=0"):
        raise SetupFailed(f"{agent}: its SDP answer is no SDP: it does not begin with v=0")
    if sdp.count("a=candidate:") > MAX_CANDIDATES:
        raise SetupFailed(f"{agent}: its SDP answer names more than {MAX_CANDIDATES} candidates")
    if "m=audio" not in sdp or "m=audio 0 " in sdp:
        raise SetupFailed(f"{agent}: its SDP answer accepts no audio (we offer {ours})")
    codec = agreed(sdp, offered)
    if codec is None:
        raise SetupFailed(f"{agent}: its SDP answer accepts no codec that we offered ({ours})")
    if "a=fingerprint:" not in sdp:
        raise SetupFailed(
            f"{agent}: its SDP answer has no DTLS fingerprint, so its audio cannot be decrypted"
        )
    return codec
