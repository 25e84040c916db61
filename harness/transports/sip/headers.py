"""What a call carries beside what SIP itself needs: headers of the plan, and request data as X- headers.

``request_data: {customer_id: 7, cart: [1, 2]}`` goes out as ``X-Customer-Id: 7`` and ``X-Cart: [1,2]``:
texts as they are, and everything else as JSON. In a datagram there is no room for a whole card:
telephones read some 4000 bytes (PJSIP) to 8192 (libre) of one, and drop a longer one without a word.
"""

from __future__ import annotations

import json
import re
from typing import Any

from harness.errors import HarnessFault
from harness.plans.on_the_wire import OnTheWire
from harness.versions import library_versions

_OURS = frozenset(
    {"via", "from", "to", "call-id", "cseq", "contact", "max-forwards", "route", "record-route"}
    | {"content-length", "content-type", "allow", "supported", "require", "proxy-require"}
    | {"session-expires", "min-se", "authorization", "proxy-authorization", "user-agent"}
)
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,80}")
NOT_CALLED = "; the agent was not called"
"""How each message ends."""
MAX_BYTES = 50_000
"""Of all of them, where they go over a connection."""
MAX_DATAGRAM_BYTES = 2000
"""Of request data in a datagram: half of what PJSIP reads is for the offer and for SIP's own headers."""


def call_headers(to: OnTheWire) -> list[tuple[str, str]]:
    """The headers of an INVITE.

    Raises:
        HarnessFault: One of them cannot be sent; the message names it.
    """
    made = [("User-Agent", f"outboundeval/{library_versions().get('outboundeval', '0')}")]
    for name, value in to.headers.items():
        if name.lower() in _OURS:
            raise HarnessFault(f"the header {name} is set by the call itself{NOT_CALLED}")
        made.append((name, value))
    for name, content in to.request_data.items():
        if not _NAME.fullmatch(name):
            raise HarnessFault(f"request_data: over SIP a name has letters, digits, _ and - only{NOT_CALLED}")
        made.append((f"X-{name.replace('_', '-').title()}", _text(content)))
    if sum(len(name) + len(value) for name, value in made) > MAX_BYTES:
        raise HarnessFault(f"more than {MAX_BYTES} characters of headers{NOT_CALLED}")
    return made


def fitting(to: OnTheWire, most: int) -> tuple[list[tuple[str, str]], list[str]]:
    """The headers of an INVITE with as much request data as fits, and the names of what does not.

    The longest go first. Headers of the plan always stay.

    Args:
        most: Bytes that request data may have.

    Raises:
        HarnessFault: As :func:`call_headers`.
    """
    made = call_headers(to)
    told = made[len(made) - len(to.request_data) :]
    left: list[tuple[str, str]] = []
    while sum(map(_bytes, told)) > most:
        left.append(max(told, key=_bytes))
        told.remove(left[-1])
    return made[: len(made) - len(to.request_data)] + told, [name for name, _ in left]


def _bytes(header: tuple[str, str]) -> int:
    return len(header[0].encode()) + len(header[1].encode()) + len(": \r\n")


def _text(content: Any) -> str:
    if isinstance(content, str) and content.isascii() and content.isprintable():
        return content
    return json.dumps(content, ensure_ascii=True, separators=(",", ":"))
