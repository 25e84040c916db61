"""SDP of telephone calls (RFC 4566 by way of RFC 3264): one stream of audio, offered and answered.

What comes in is a stranger's: it is read with bounds, and what is not understood is passed over.
"""

from __future__ import annotations

import base64
import binascii
import ipaddress
import itertools
import re
import secrets
from dataclasses import dataclass, field, replace
from typing import Literal, cast

MAX_BYTES = 20_000
MAX_LINES = 400
MAX_FORMATS = 40
SUITES = ("AES_CM_128_HMAC_SHA1_80", "AES_CM_128_HMAC_SHA1_32")
"""RFC 4568, 6.2; the first one is preferred."""
KEY_BYTES = 30

Direction = Literal["sendrecv", "sendonly", "recvonly", "inactive"]
DIRECTIONS = ("sendrecv", "sendonly", "recvonly", "inactive")
ANSWER_TO: dict[Direction, Direction] = {
    "sendrecv": "sendrecv",
    "sendonly": "recvonly",
    "recvonly": "sendonly",
    "inactive": "inactive",
}
_MEDIA = re.compile(r"m=([A-Za-z0-9.+-]{1,40}) \d{1,5}(?:/\d{1,5})? ([A-Za-z0-9/.+-]{1,60}) ([!-~][ -~]*)")
"""The line of any stream: its kind, the way it goes, and what it is in."""


class BadSdp(ValueError):
    """It is no description that a call can be made of; the message says why."""


@dataclass(frozen=True, kw_only=True)
class Known:
    """A codec as SDP names it."""

    name: str
    payload_type: int
    encoding: str
    rate_hz: int
    channels: int = 1
    fmtp: str = ""

    @property
    def rtpmap(self) -> str:
        channels = f"/{self.channels}" if self.channels > 1 else ""
        return f"{self.encoding}/{self.rate_hz}{channels}"


CODECS = {
    "pcmu": Known(name="pcmu", payload_type=0, encoding="PCMU", rate_hz=8000),
    "pcma": Known(name="pcma", payload_type=8, encoding="PCMA", rate_hz=8000),
    # Said to have 8 kHz, and has 16 (RFC 3551, 4.5.2).
    "g722": Known(name="g722", payload_type=9, encoding="G722", rate_hz=8000),
    "opus": Known(
        name="opus",
        payload_type=111,
        encoding="opus",
        rate_hz=48_000,
        channels=2,
        fmtp="minptime=10;useinbandfec=0",
    ),
}
"""By their names in the table of codecs."""
STATIC = {0: ("pcmu", 8000), 8: ("pcma", 8000), 9: ("g722", 8000)}
_EVENT_TYPES = {8000: 101, 48_000: 110}
"""What we offer for telephone events (RFC 4733), by the clock they run on."""


@dataclass(frozen=True, kw_only=True)
class Crypto:
    """An ``a=crypto`` line (RFC 4568)."""

    tag: int
    suite: str
    key: bytes = field(repr=False)

    def __str__(self) -> str:
        return f"{self.tag} {self.suite} inline:{base64.b64encode(self.key).decode()}"


@dataclass(frozen=True, kw_only=True)
class Audio:
    """The audio of a description.

    Attributes:
        formats: Payload types, the preferred one first.
        named: Payload type -> encoding in lower case and clock rate; static ones included.
        address: Where it wants to receive; ``0.0.0.0`` for an old-style hold.
        crypto: Keys that we can use; none with a number in each packet (MKI), which we do not read.
        needs_mki: There are keys, and all of them have such a number.
        before, after: The other streams of the description, as whoever takes none of them writes them.
    """

    address: str
    port: int
    profile: str
    formats: tuple[int, ...]
    named: dict[int, tuple[str, int]]
    direction: Direction
    crypto: tuple[Crypto, ...] = ()
    needs_mki: bool = False
    rtcp_port: int | None = None
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()

    @property
    def secure(self) -> bool:
        return "SAVP" in self.profile

    @property
    def on_hold(self) -> bool:
        """Whether the peer does not want to hear us."""
        return self.direction in ("sendonly", "inactive") or self.address in ("0.0.0.0", "::")


@dataclass(frozen=True, kw_only=True)
class Agreed:
    """What both sides said yes to.

    Attributes:
        codec: By its name in the table of codecs.
        payload_type: Of what we send.
        accepted: Payload types under which the codec may come.
        event_type: Payload type of telephone events that we send; None: the peer takes none.
        event_types: Those under which they may come.
    """

    codec: str
    payload_type: int
    accepted: frozenset[int]
    event_type: int | None
    event_types: frozenset[int]
    event_rate_hz: int = 8000

    def after(self, before: Agreed | None) -> Agreed:
        """The same with what was agreed in this call before: by its numbers packets may still come. A number
        that has another meaning now has that one alone."""
        if before is None:
            return self
        return replace(
            self,
            accepted=self.accepted | (before.accepted - self.event_types),
            event_types=self.event_types | (before.event_types - self.accepted),
        )


def read_audio(body: bytes) -> Audio:
    """The first stream of audio in a description.

    Raises:
        BadSdp: It is none, or has no audio.
    """
    if len(body) > MAX_BYTES:
        raise BadSdp(f"it has more than {MAX_BYTES} bytes")
    lines = body.decode("utf-8", "replace").replace("\r\n", "\n").split("\n")[:MAX_LINES]
    if not lines or lines[0].strip() != "v=0":
        raise BadSdp("it does not begin with v=0")
    starts = [place for place, line in enumerate(lines) if line.startswith("m=")]
    session = lines[: starts[0]] if starts else lines
    for place, (start, end) in enumerate(itertools.pairwise([*starts, len(lines)])):
        if lines[start].startswith("m=audio"):
            audio = _audio(lines[start], lines[start + 1 : end], session)
            before, after = ([lines[one] for one in part] for part in (starts[:place], starts[place + 1 :]))
            return replace(audio, before=_not_taken(before), after=_not_taken(after))
    raise BadSdp("there is no audio in it")


def agree(theirs: Audio, codecs: tuple[str, ...], *, offered: bool, before: Agreed | None = None) -> Agreed:
    """What is spoken, by the peer's description.

    Args:
        offered: Whether ours went out before, so that what we called the codecs counts as well.
        before: What was agreed in this call before, and what an offer of ours named therefore.

    Raises:
        BadSdp: There is no codec in common.
    """
    for payload_type in theirs.formats:
        encoding, rate_hz = theirs.named.get(payload_type, ("", 0))
        for name in codecs:
            known = CODECS[name]
            if (known.encoding.lower(), known.rate_hz) != (encoding, rate_hz):
                continue
            event = _event_type(theirs, known.rate_hz)
            events = {one for one, (what, _) in theirs.named.items() if what == "telephone-event"}
            accepted = {payload_type}
            if offered:
                accepted |= ({known.payload_type} if before is None else before.accepted) - events
                events |= set(_EVENT_TYPES.values()) - accepted
            return Agreed(
                codec=name,
                payload_type=payload_type,
                accepted=frozenset(accepted),
                event_type=event,
                event_types=frozenset(events),
                event_rate_hz=theirs.named[event][1] if event is not None else 8000,
            ).after(before)
    theirs_named = ", ".join(what for what, _ in theirs.named.values() if what != "telephone-event")
    raise BadSdp(
        f"there is no codec in common: we speak {', '.join(codecs)}, it {theirs_named[:100] or 'none'}"
    )


def write_offer(
    *,
    address: str,
    port: int,
    codecs: tuple[str, ...],
    session: tuple[int, int],
    crypto: tuple[Crypto, ...] = (),
    direction: Direction = "sendrecv",
    agreed: Agreed | None = None,
    theirs: Audio | None = None,
) -> bytes:
    """Our description.

    Args:
        session: Its id and its version, which grows with each one of a call.
        crypto: Given: encrypted, with one of these.
        agreed: Within a call: its codec alone is offered, by the numbers that it has there (RFC 3264, 8.3.2).
        theirs: Within a call: the peer's latest description, whose streams are in ours as well (RFC 3264, 8).
    """
    if agreed is not None:
        return _written(address, port, _named_in_call(agreed), session, crypto, direction, theirs)
    known = [CODECS[name] for name in codecs]
    rates = sorted({one.rate_hz for one in known})
    events = {_EVENT_TYPES[rate]: rate for rate in rates}
    named = [(one.payload_type, one.rtpmap, one.fmtp) for one in known]
    named += [(number, f"telephone-event/{rate}", "0-16") for number, rate in events.items()]
    return _written(address, port, named, session, crypto, direction)


def write_answer(
    theirs: Audio,
    agreed: Agreed,
    *,
    address: str,
    port: int,
    session: tuple[int, int],
    crypto: Crypto | None = None,
) -> bytes:
    """Our answer to their offer: the agreed codec and nothing else; each stream of theirs has its line, in
    order, and over the same transport (RFC 3264, 6)."""
    named = _named_of(agreed)
    direction = ANSWER_TO["inactive" if theirs.address in ("0.0.0.0", "::") else theirs.direction]
    return _written(address, port, named, session, (crypto,) if crypto is not None else (), direction, theirs)


def _named_of(agreed: Agreed) -> list[tuple[int, str, str]]:
    known = CODECS[agreed.codec]
    named = [(agreed.payload_type, known.rtpmap, known.fmtp)]
    if agreed.event_type is not None:
        named.append((agreed.event_type, f"telephone-event/{agreed.event_rate_hz}", "0-16"))
    return named


def _named_in_call(agreed: Agreed) -> list[tuple[int, str, str]]:
    """As an offer names it: a peer that took no events may do so now."""
    named, rate_hz = _named_of(agreed), CODECS[agreed.codec].rate_hz
    if agreed.event_type is None and (number := _EVENT_TYPES[rate_hz]) not in agreed.accepted:
        named.append((number, f"telephone-event/{rate_hz}", "0-16"))
    return named


def new_crypto(suites: tuple[str, ...] = SUITES) -> tuple[Crypto, ...]:
    """Keys of our own, one for each suite."""
    return tuple(
        Crypto(tag=place + 1, suite=suite, key=secrets.token_bytes(KEY_BYTES))
        for place, suite in enumerate(suites)
    )


def _written(
    address: str,
    port: int,
    named: list[tuple[int, str, str]],
    session: tuple[int, int],
    crypto: tuple[Crypto, ...],
    direction: Direction,
    theirs: Audio | None = None,
) -> bytes:
    profile = theirs.profile if theirs is not None else f"RTP/{'SAVP' if crypto else 'AVP'}"
    family = "IP6" if ":" in address else "IP4"
    lines = [
        "v=0",
        f"o=- {session[0]} {session[1]} IN {family} {address}",
        "s=-",
        f"c=IN {family} {address}",
        "t=0 0",
        *(theirs.before if theirs is not None else ()),
        f"m=audio {port} {profile} {' '.join(str(one[0]) for one in named)}",
        *(f"a=rtpmap:{number} {rtpmap}" for number, rtpmap, _ in named),
        *(f"a=fmtp:{number} {fmtp}" for number, _, fmtp in named if fmtp),
        *(f"a=crypto:{one}" for one in crypto),
        "a=ptime:20",
        f"a={direction}",
        *(theirs.after if theirs is not None else ()),
    ]
    return "\r\n".join(lines).encode() + b"\r\n"


def _audio(media: str, lines: list[str], session: list[str]) -> Audio:
    found = re.fullmatch(r"m=audio (\d{1,5})(?:/\d+)? ([A-Z/]{3,20}) ([0-9 ]{1,300})\s*", media)
    if found is None or int(found[1]) > 65_535:
        raise BadSdp("its line m=audio cannot be read")
    if found[2] not in ("RTP/AVP", "RTP/SAVP", "RTP/AVPF", "RTP/SAVPF"):
        raise BadSdp(f"its audio is to go over {found[2]}, which we do not speak")
    formats = tuple(int(one) for one in found[3].split() if int(one) < 128)[:MAX_FORMATS]
    named = {one: STATIC[one] for one in formats if one in STATIC}
    for attribute in _attributes(lines, "rtpmap"):
        match = re.fullmatch(r"(\d{1,3})\s+([A-Za-z0-9.-]{1,40})/(\d{1,6})(?:/\d+)?\s*", attribute)
        if match is not None and int(match[1]) in formats:
            named[int(match[1])] = (match[2].lower(), int(match[3]))
    rtcp = _attributes(lines, "rtcp")
    keys = [one for line in _attributes(lines, "crypto") if (one := _crypto(line)) is not None]
    usable = tuple(crypto for crypto, mki in keys if not mki)
    direction = next(
        (one[2:].strip() for part in (lines, session) for one in part if one[2:].strip() in DIRECTIONS),
        "sendrecv",
    )
    return Audio(
        address=_address(lines, session),
        port=int(found[1]),
        profile=found[2],
        formats=formats,
        named=named,
        direction=cast(Direction, direction),
        crypto=usable,
        needs_mki=bool(keys) and not usable,
        rtcp_port=_port(rtcp[0].split(" ")[0]) if rtcp else None,
    )


def _not_taken(media: list[str]) -> tuple[str, ...]:
    """Lines of streams, as whoever takes none of them answers: without a port (RFC 3264, 6). What is no such
    line has no answer either."""
    found = (_MEDIA.fullmatch(line.strip()) for line in media)
    return tuple(f"m={one[1]} 0 {one[2]} {one[3]}" for one in found if one is not None)


def _address(lines: list[str], session: list[str]) -> str:
    for line in [*lines, *session]:
        found = re.fullmatch(r"c=IN IP[46] ([0-9A-Fa-f:.]{2,45})(?:/\d+)*\s*", line)
        if found is not None:
            try:
                ipaddress.ip_address(found[1])
            except ValueError:
                break
            return found[1]
    raise BadSdp("it does not name an IP address for its audio")


def _event_type(theirs: Audio, rate_hz: int) -> int | None:
    """The payload type of telephone events: those on the codec's own clock before others (RFC 4733, 2.1)."""
    found = [(one, rate) for one, (what, rate) in theirs.named.items() if what == "telephone-event"]
    found.sort(key=lambda one: one[1] != rate_hz)
    return found[0][0] if found else None


def _attributes(lines: list[str], name: str) -> list[str]:
    return [line[len(name) + 3 :].strip() for line in lines if line.startswith(f"a={name}:")]


def _port(text: str) -> int | None:
    return int(text) if re.fullmatch(r"[0-9]{1,5}", text) and 0 < int(text) < 65_536 else None


def _crypto(line: str) -> tuple[Crypto, bool] | None:
    """A key, and whether each packet locked with it has a number (MKI; RFC 4568, 6.1) before its tag: whoever
    does not know how long that is opens none."""
    found = re.fullmatch(r"(\d{1,9})\s+(\S{1,60})\s+inline:([A-Za-z0-9+/=]{1,200})(\|\S*)?(?:\s.*)?", line)
    if found is None or found[2] not in SUITES:
        return None
    try:
        key = base64.b64decode(found[3], validate=True)
    except (binascii.Error, ValueError):
        return None
    if len(key) != KEY_BYTES:
        return None
    mki = any(":" in one for one in (found[4] or "").split("|"))
    return Crypto(tag=int(found[1]), suite=found[2], key=key), mki
