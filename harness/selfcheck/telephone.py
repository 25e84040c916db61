"""What this machine has for calls over SIP: ports, encryption, an address, a password."""

from __future__ import annotations

import ipaddress
import os

from aiortc.rtp import RtpPacket
from pylibsrtp import Error

from harness.errors import SetupFailed
from harness.selfcheck.finding import Check, Verdict
from harness.transports.sip.address import PASSWORD_VARIABLE, USER_VARIABLE
from harness.transports.sip.media.encryption import Encryption, Unreadable
from harness.transports.sip.media.ports import open_ports
from harness.transports.sip.media.sdp import new_crypto
from harness.transports.sip.signalling.wire import local_address_towards

NAME = "calls over SIP"
ELSEWHERE = ("192.0.2.1", 5060)
"""A place that nobody has (RFC 5737): the way there is looked up, and nothing is sent."""


def telephone_check() -> Check:
    """Whether agents can be called over SIP from here, and as whom."""
    try:
        open_ports("127.0.0.1").close()
    except OSError as error:
        return _failed(str(error), "let this process open UDP ports, in pairs of neighbours")
    if not _encrypts():
        return _failed("SRTP does not work: what was encrypted could not be decrypted", "reinstall pylibsrtp")
    return Check(name=NAME, verdict=Verdict.OK, found=f"media ports, SRTP; {_from_where()}; {_as_whom()}")


def _failed(found: str, todo: str) -> Check:
    return Check(name=NAME, verdict=Verdict.FAIL, found=found, todo=todo)


def _encrypts() -> bool:
    """Whether one side opens what the other one locks, by the library that does it in calls."""
    (one, *_), (other, *_) = new_crypto(), new_crypto()
    packet = RtpPacket(payload_type=0, sequence_number=1, timestamp=160, ssrc=7, payload=b"sound").serialize()
    try:
        return Encryption(other, one).open(Encryption(one, other).lock(packet)) == packet
    except (Error, Unreadable):
        return False


def _from_where() -> str:
    """The address that agents elsewhere are told."""
    try:
        address = local_address_towards(ELSEWHERE)
    except SetupFailed:
        return "there is no way out of this machine: only agents on it can be called"
    if ipaddress.ip_address(address).is_private:
        return (
            f"agents elsewhere are told {address}, which is private: those beyond your network have to send "
            "sound to where ours comes from (symmetric RTP, a session border controller)"
        )
    return f"agents elsewhere are told {address}"


def _as_whom() -> str:
    missing = [name for name in (USER_VARIABLE, PASSWORD_VARIABLE) if not os.environ.get(name)]
    if missing:
        return f"no password of its own ({' and '.join(missing)} not set)"
    return f"user and password from {USER_VARIABLE} and {PASSWORD_VARIABLE}"
