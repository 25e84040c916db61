"""SRTP with keys from SDP (RFC 3711, RFC 4568)."""

from __future__ import annotations

from pylibsrtp import Error, Policy, Session

from harness.transports.sip.media.sdp import Crypto

_PROFILES = {
    "AES_CM_128_HMAC_SHA1_80": Policy.SRTP_PROFILE_AES128_CM_SHA1_80,
    "AES_CM_128_HMAC_SHA1_32": Policy.SRTP_PROFILE_AES128_CM_SHA1_32,
}


class Unreadable(ValueError):
    """A packet that our keys do not open: another key, or one that came before."""


class Encryption:
    """Both directions of one stream.

    Args:
        ours: The key that we named: what we send is locked with it.
        theirs: The key that the peer named.
    """

    def __init__(self, ours: Crypto, theirs: Crypto) -> None:
        self._out = Session(
            Policy(key=ours.key, ssrc_type=Policy.SSRC_ANY_OUTBOUND, srtp_profile=_PROFILES[ours.suite])
        )
        self._in = Session(
            Policy(key=theirs.key, ssrc_type=Policy.SSRC_ANY_INBOUND, srtp_profile=_PROFILES[theirs.suite])
        )

    def lock(self, packet: bytes, *, rtcp: bool = False) -> bytes:
        return self._out.protect_rtcp(packet) if rtcp else self._out.protect(packet)

    def open(self, packet: bytes, *, rtcp: bool = False) -> bytes:
        """The packet in clear.

        Raises:
            Unreadable: It cannot be opened.
        """
        try:
            return self._in.unprotect_rtcp(packet) if rtcp else self._in.unprotect(packet)
        except (Error, TypeError, ValueError) as error:
            raise Unreadable(str(error)) from None
