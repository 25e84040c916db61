"""Offer and answer of one call (RFC 3264): what we describe, and what the agent's descriptions come to."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field

from harness.transports.sip.media.encryption import Encryption
from harness.transports.sip.media.sdp import (
    SUITES,
    Agreed,
    Audio,
    BadSdp,
    Crypto,
    agree,
    new_crypto,
    read_audio,
    write_answer,
    write_offer,
)

_MKI = "each of its keys has a number (MKI), and packets with one we do not read"


@dataclass(kw_only=True)
class Negotiation:
    """Our side of it.

    Attributes:
        address, port: Where we receive.
        secure: Whether media is encrypted or there is none.
        agreed: By the latest description. What follows the first one may give the codec another number, and
            may not change it.
        theirs: The agent's latest description.
    """

    address: str
    port: int
    codecs: tuple[str, ...]
    secure: bool
    agreed: Agreed | None = None
    theirs: Audio | None = None
    encryption: Encryption | None = None
    _keys: tuple[Crypto, ...] = field(default=(), repr=False)
    _session: tuple[int, int] = field(default_factory=lambda: (secrets.randbits(31), 0))

    def offer(self) -> bytes:
        """What we propose; within the call, what was agreed."""
        if self.secure and not self._keys:
            self._keys = new_crypto()
        return write_offer(
            address=self.address,
            port=self.port,
            codecs=self.codecs,
            session=self._next(),
            crypto=self._keys,
            agreed=self.agreed,
            theirs=self.theirs,
        )

    def take_answer(self, body: bytes) -> None:
        """The agent's answer to our offer.

        Raises:
            BadSdp: No call can be made of it.
        """
        theirs = read_audio(body)
        if theirs.port == 0:
            raise BadSdp("it takes no audio")
        agreed = agree(theirs, self._speakable, offered=True, before=self.agreed)
        if theirs.secure != self.secure:
            what = "it wants it in clear" if self.secure else "it answers with encryption that nobody offered"
            raise BadSdp(f"audio was offered {'encrypted' if self.secure else 'in clear'}, and {what}")
        if self.secure:
            chosen = next((key for key in self._keys for one in theirs.crypto if one.tag == key.tag), None)
            of_theirs = next(
                (one for one in theirs.crypto if chosen is not None and one.suite == chosen.suite), None
            )
            if chosen is None or of_theirs is None:
                raise BadSdp(_MKI if theirs.needs_mki else "it names no key to decrypt its audio with")
            self._encrypt(chosen, of_theirs)
        self.agreed = agreed
        self.theirs = theirs

    def answer(self, body: bytes) -> bytes:
        """Our answer to an offer of the agent's.

        Raises:
            BadSdp: We cannot take it.
        """
        theirs = read_audio(body)
        if theirs.port == 0:
            raise BadSdp("it offers no audio")
        agreed = agree(theirs, self._speakable, offered=False, before=self.agreed)
        if theirs.secure != self.secure and self.agreed is not None:
            raise BadSdp("it turns encryption on or off within the call")
        key = None
        if theirs.secure:
            of_theirs = next((one for suite in SUITES for one in theirs.crypto if one.suite == suite), None)
            if of_theirs is None:
                raise BadSdp(_MKI if theirs.needs_mki else "it names no key that we can use")
            before = next((one for one in self._keys if one.suite == of_theirs.suite), None)
            ours = before or new_crypto((of_theirs.suite,))[0]
            key = Crypto(tag=of_theirs.tag, suite=ours.suite, key=ours.key)
            self._encrypt(key, of_theirs)
            self._keys = (key,)
            self.secure = True
        self.agreed = agreed
        self.theirs = theirs
        return write_answer(
            theirs, agreed, address=self.address, port=self.port, session=self._next(), crypto=key
        )

    def _encrypt(self, ours: Crypto, theirs: Crypto) -> None:
        if self.encryption is None or not self.encryption.has(ours, theirs):
            self.encryption = Encryption(ours, theirs, before=self.encryption)

    @property
    def _speakable(self) -> tuple[str, ...]:
        """What may be agreed: within a call nothing but its codec, in which it is recorded."""
        return self.codecs if self.agreed is None else (self.agreed.codec,)

    def _next(self) -> tuple[int, int]:
        self._session = (self._session[0], self._session[1] + 1)
        return self._session
