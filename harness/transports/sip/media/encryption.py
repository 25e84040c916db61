"""SRTP with keys from SDP (RFC 3711, RFC 4568)."""

from __future__ import annotations

import threading

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
        before: What held in this call until now: a direction whose key stays counts on where it was, as the
            peer does, since a packet's number in the stream is a part of what locks it (RFC 3711, 3.3.1).
    """

    def __init__(self, ours: Crypto, theirs: Crypto, before: Encryption | None = None) -> None:
        self._out: Session
        self._turns: threading.Lock
        self._in: Session
        self._ours, self._theirs = (ours.suite, ours.key), (theirs.suite, theirs.key)
        if before is not None and before._ours == self._ours:
            self._out, self._turns = before._out, before._turns
        else:
            self._turns = threading.Lock()
            self._out = Session(
                Policy(key=ours.key, ssrc_type=Policy.SSRC_ANY_OUTBOUND, srtp_profile=_PROFILES[ours.suite])
            )
        if before is not None and before._theirs == self._theirs:
            self._in = before._in
        else:
            self._in = Session(
                Policy(
                    key=theirs.key, ssrc_type=Policy.SSRC_ANY_INBOUND, srtp_profile=_PROFILES[theirs.suite]
                )
            )

    def has(self, ours: Crypto, theirs: Crypto) -> bool:
        """Whether it has these keys, whatever numbers they have."""
        return (self._ours, self._theirs) == ((ours.suite, ours.key), (theirs.suite, theirs.key))

    def lock(self, packet: bytes, *, rtcp: bool = False) -> bytes:
        """A packet as it leaves. From any thread: sound leaves by the sender's, reports by the event loop's,
        and libsrtp counts both in one place."""
        with self._turns:
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
