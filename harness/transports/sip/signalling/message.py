"""SIP messages: read with bounds, and written (RFC 3261, section 7).

What comes in was written by a stranger: it is read whole here, or refused. ``sipmessage`` does the reading;
what it does not know is mended first: lines that are folded, spaces before a colon, bytes of Latin-1, a
status line without a phrase, a scheme in upper case and names of hosts like ``agent_1``.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sipmessage import Message, Request, Response
from sipmessage.message import COMPACT_FORMS

from spoken_language.outside_text import one_line

MAX_MESSAGE_BYTES = 65_535
MAX_HEADER_LINES = 200
MAX_LINE_CHARS = 8_000
MAX_ADDRESSES = 32
"""In one header: no path through proxies is longer."""

_FOLD = re.compile(rb"\r\n[ \t]+")
_SENT_BY = re.compile(
    r"SIP\s*/\s*2\.0\s*/\s*\S+\s+(?:\[[^\]]*\]|[^\s:\[]+)\s*(?::\s*(\d{1,5}))?", re.IGNORECASE
)
_REQUEST_LINE = re.compile(rb"([!-~]{1,40}) (.*) SIP/2\.0", re.IGNORECASE)
_SIP_URI = re.compile(rb"(sips?):((?:[^@]*@)?)([A-Za-z0-9._-]{1,253})((?:[:;].*)?)", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z0-9!%*_+`'~.-]{1,100}")
_METHOD = re.compile(r"[A-Z]{2,20}")
_ALONE = frozenset({"call-id", "cseq", "from", "to", "content-length", "max-forwards"})
"""Headers of which there may be one."""

_REPEATED = ("Via", "From", "To", "Call-ID", "CSeq")
"""Of a request, in each answer to it."""

Headers = Sequence[tuple[str, str]]


class BadMessage(ValueError):
    """It is no SIP message that anybody could answer; the message says why."""


@dataclass(frozen=True, kw_only=True)
class CSeq:
    """Number and method of a transaction."""

    number: int
    method: str


def read_message(data: bytes) -> Request | Response:
    """Reads a whole message, its body cut to what Content-Length says.

    Raises:
        BadMessage: It is none, it is too large, or one of the headers that every message has is not there.
    """
    if len(data) > MAX_MESSAGE_BYTES:
        raise BadMessage(f"more than {MAX_MESSAGE_BYTES} bytes")
    head, end, body = data.lstrip(b"\r\n").partition(b"\r\n\r\n")
    if not end:
        raise BadMessage("it breaks off in its headers")
    head = _FOLD.sub(b" ", head)
    lines = head.split(b"\r\n")
    if len(lines) > MAX_HEADER_LINES or any(len(line) > MAX_LINE_CHARS for line in lines):
        raise BadMessage("too many headers, or one that is too long")
    first, host = _first_line(_utf8(lines[0]))
    mended = [first, *(_mended(_utf8(line)) for line in lines[1:])]
    try:
        message = Message.parse(b"\r\n".join(mended) + b"\r\n\r\n" + body)
        if host and isinstance(message, Request):
            message.uri = replace(message.uri, host=host)
        _check(message)
    except BadMessage:
        raise
    # What the library raises for a broken message: mostly ValueError, but no list of it is promised.
    except Exception as error:
        raise BadMessage(f"it cannot be read: {type(error).__name__}") from None
    length = message.headers.get("Content-Length")
    if length is not None:
        if not re.fullmatch(r"\d{1,9}", length) or int(length) > len(message.body):
            raise BadMessage("its Content-Length is not that of its body")
        message.body = message.body[: int(length)]
    return message


def bad_request(data: bytes, source: tuple[str, int]) -> tuple[bytes, tuple[str, int]] | None:
    """The answer (400) to what :func:`read_message` refuses, and where it goes over UDP: so whoever sent it
    need not ask again and again (RFC 3261, 18.3 and 21.4.1).

    Returns:
        None where there is nobody to answer: it is no request, or an ACK, or has no Via that can be read.
    """
    head, end, _ = data[:MAX_MESSAGE_BYTES].lstrip(b"\r\n").partition(b"\r\n\r\n")
    first, *lines = _FOLD.sub(b" ", head).split(b"\r\n")[:MAX_HEADER_LINES]
    asked = _REQUEST_LINE.fullmatch(first)
    if not end or asked is None or asked[1].upper() == b"ACK":
        return None
    told: dict[str, list[str]] = {name.lower(): [] for name in _REPEATED}
    for line in lines:
        name, _, value = _mended(_utf8(line)).decode().partition(":")
        if (kept := told.get(name.lower())) is None or (kept and name.lower() != "via"):
            continue
        if len(line) > MAX_LINE_CHARS or not value.strip().isprintable():
            return None
        kept.append(value.strip())
    vias = [one for value in told["via"] for one in split_outside(value, ",")][:MAX_ADDRESSES]
    if not vias or _SENT_BY.fullmatch(split_outside(vias[0], ";")[0]) is None:
        return None
    told["via"] = [_with_source(vias[0], source), *vias[1:]]
    told["to"] = [to if tag_of(to) else f"{to};tag={secrets.token_hex(4)}" for to in told["to"]]
    repeated = [(name, value) for name in _REPEATED for value in told[name.lower()]]
    return _written("SIP/2.0 400 Bad Request", repeated, b""), _place_by(vias[0], source)


def cseq_of(message: Request | Response) -> CSeq:
    """Of a message that was read."""
    number, _, method = message.headers["CSeq"].partition(" ")
    return CSeq(number=int(number), method=method.strip())


def branch_of(message: Request | Response) -> str:
    """The branch of the topmost Via: which transaction a message belongs to."""
    return parameter(top_via(message), "branch")


def top_via(message: Request | Response) -> str:
    """The topmost Via, in whichever way several of them are written."""
    vias = values(message, "Via")
    return vias[0] if vias else ""


def values(message: Request | Response, name: str) -> list[str]:
    """The values of a header, those that stand in one line apart (RFC 3261, 7.3.1)."""
    found: list[str] = []
    for line in message.headers.getlist(name):
        found += split_outside(line, ",")
        if len(found) > MAX_ADDRESSES:
            break
    return [one for one in found if one][:MAX_ADDRESSES]


def address_of(value: str) -> str:
    """The address in a header like Contact or Route, as it stands there."""
    found = re.search(r"<([^<>]{1,2000})>", value)
    return found[1].strip() if found else value.partition(";")[0].strip()


def tag_of(value: str) -> str:
    """The tag of a From or To; empty where there is none."""
    return parameter(value, "tag")


def parameter(value: str, name: str) -> str:
    """A parameter of a header, outside of its angle brackets and quotes; empty where it is not there."""
    after = value.rpartition(">")[2] if ">" in value else value
    for one in split_outside(after, ";")[0 if ">" in value else 1 :]:
        key, _, content = one.partition("=")
        if key.strip().lower() == name:
            return content.strip().strip('"')
    return ""


def number_in(text: str) -> int | None:
    """A whole number as a stranger writes it; None: it is none, or one of more digits than anything here has.
    Python reads none of thousands of digits, and raises for it."""
    text = text.strip()
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 10 else None


def split_outside(text: str, sign: str) -> list[str]:
    """Splits at a sign wherever it stands neither in quotes nor in angle brackets."""
    parts, start, quoted, depth, skip = [], 0, False, 0, False
    for place, char in enumerate(text):
        if skip:
            skip = False
        elif char == "\\" and quoted:
            skip = True
        elif char == '"':
            quoted = not quoted
        elif quoted:
            continue
        elif char in "<>":
            depth = max(0, depth + (1 if char == "<" else -1))
        elif char == sign and depth == 0:
            parts.append(text[start:place].strip())
            start = place + 1
    return [*parts, text[start:].strip()]


def request_bytes(method: str, uri: str, headers: Headers, body: bytes = b"") -> bytes:
    """A request as it goes over the wire."""
    return _written(f"{method} {uri} SIP/2.0", headers, body)


def response_bytes(
    request: Request,
    code: int,
    phrase: str,
    *,
    to_tag: str = "",
    headers: Headers = (),
    body: bytes = b"",
    source: tuple[str, int] | None = None,
) -> bytes:
    """A response to a request that was read (RFC 3261, 8.2.6).

    Args:
        to_tag: Added to To, where it has none.
        source: Whence the request came: told in its topmost Via (RFC 3581), its port where that asks for it.
    """
    told = [("Via", via) for via in values(request, "Via")]
    if told and source is not None:
        told[0] = ("Via", _with_source(told[0][1], source))
    told += [("Record-Route", route) for route in values(request, "Record-Route")]
    to = request.headers["To"]
    told += [
        ("From", request.headers["From"]),
        ("To", to if not to_tag or tag_of(to) else f"{to};tag={to_tag}"),
        ("Call-ID", request.headers["Call-ID"]),
        ("CSeq", request.headers["CSeq"]),
    ]
    return _written(f"SIP/2.0 {code} {phrase}", [*told, *headers], body)


def reply_place(request: Request, source: tuple[str, int]) -> tuple[str, int]:
    """Where the responses to a request go over UDP, every copy of them alike: to the address that it came
    from, and there to the port that its topmost Via names, 5060 where that names none (RFC 3261, 18.2.2).
    Where ``rport`` stands in it, to the very port that it came from (RFC 3581)."""
    return _place_by(top_via(request), source)


def described(response: Response) -> bytes:
    """The SDP of a response; empty where it has none."""
    kind = (response.headers.get("Content-Type") or "").partition(";")[0].strip().lower()
    return response.body if kind == "application/sdp" else b""


def said(response: Response) -> str:
    """Code and phrase, for people."""
    return one_line(f"{response.code} {response.phrase}", most=80)


def _written(first: str, headers: Headers, body: bytes) -> bytes:
    lines = [first, *(f"{name}: {value}" for name, value in headers), f"Content-Length: {len(body)}"]
    return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


def _place_by(via: str, source: tuple[str, int]) -> tuple[str, int]:
    parts = split_outside(via, ";")
    sent_by = _SENT_BY.fullmatch(parts[0])
    if sent_by is None or any(_key(one) == "rport" for one in parts[1:]):
        return source
    port = int(sent_by[1] or 5060)
    return (source[0], port) if 0 < port < 65_536 else source


def _with_source(via: str, source: tuple[str, int]) -> str:
    kept = [one for one in split_outside(via, ";") if _key(one) not in ("rport", "received")]
    asked = any(_key(one) == "rport" for one in split_outside(via, ";"))
    told = [f"received={source[0]}"] + ([f"rport={source[1]}"] if asked else [])
    return ";".join([*kept, *told])


def _key(parameter: str) -> str:
    return parameter.partition("=")[0].strip().lower()


def _mended(line: bytes) -> bytes:
    name, colon, value = line.partition(b":")
    bare = name.strip()
    long = COMPACT_FORMS.get(bare.decode("latin-1").lower())
    return (long.encode() if long else bare) + colon + value


def _utf8(line: bytes) -> bytes:
    """A line as UTF-8 (RFC 3261, 7.3.1): one that is none is Latin-1, as old telephones write names."""
    try:
        line.decode()
    except UnicodeDecodeError:
        return line.decode("latin-1").encode()
    return line


def _first_line(line: bytes) -> tuple[bytes, str]:
    """A first line as ``sipmessage`` reads it, and the host for which another one stands in it: that knows no
    underscore in a name, and no digit at its end."""
    if re.fullmatch(rb"SIP/2\.0 \d{3}", line):
        return line + b" ", ""
    asked = _REQUEST_LINE.fullmatch(line)
    uri = None if asked is None else _SIP_URI.fullmatch(asked[2])
    if asked is None or uri is None:
        return line, ""
    return b"%s %s:%shost%s SIP/2.0" % (asked[1], uri[1].lower(), uri[2], uri[4]), uri[3].decode()


def _check(message: Request | Response) -> None:
    for name in message.headers.keys():  # noqa: SIM118 - it is no mapping
        if not _NAME.fullmatch(name):
            raise BadMessage("one of its headers has no name")
        if name.lower() in _ALONE and len(message.headers.getlist(name)) > 1:
            raise BadMessage(f"it has {name} more than once")
    for name in _REPEATED:
        if not message.headers.get(name):
            raise BadMessage(f"it has no {name}")
    found = re.fullmatch(r"(\d{1,10})\s+([A-Z]{2,20})", message.headers["CSeq"])
    if found is None or int(found[1]) >= 2**32:
        raise BadMessage("its CSeq is none")
    message.headers.set("CSeq", f"{int(found[1])} {found[2]}")
    if isinstance(message, Request):
        if not _METHOD.fullmatch(message.method) or message.method != found[2]:
            raise BadMessage("its CSeq is of another method")
    elif not 100 <= message.code <= 699:
        raise BadMessage("its code is none")
