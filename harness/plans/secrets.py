"""Secrets of a plan: named in what is kept, and put in only where an agent is dialled.

``{env:NAME}`` stands for the value of an environment variable, in a header, in an address and in the texts of
``request_data``::

    agent: http://bob:{env:BOB_PASSWORD}@127.0.0.1:7860/api/offer?token={env:OFFER_TOKEN}
    headers: {Authorization: "Bearer {env:AGENT_TOKEN}"}
    request_data: {customer: {pin: "{env:CUSTOMER_PIN}"}}

The plan keeps the names. The process that dials looks the values up (:mod:`harness.plans.on_the_wire`), so
that a worker elsewhere takes its own. What is written out in a header, as a password in an address or as
``?token=`` works all the same, but is kept as ``***``: it is known only to the process that was given it. So
a plan's digest never depends on a secret.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any
from urllib.parse import unquote, urlsplit

from pydantic import AfterValidator, Field, ValidatorFunctionWrapHandler, WrapValidator

from harness.errors import UserError
from harness.redaction import HIDDEN, KNOWN

REFERENCE = re.compile(r"\{env:([A-Za-z_][A-Za-z0-9_]{0,99})\}")
_BROKEN_REFERENCE = re.compile(r"\{env:")
_SCHEME_WORD = re.compile(r"\s*((Bearer|Basic|Token|ApiKey|Key|JWT)\s+)?", re.IGNORECASE)
"""What may stand in clear beside a reference in a header."""
_SECRET_PARAMETER = re.compile(
    r"token|key|secret|passw|pwd|auth|credential|sig|jwt|session|code|pin|access", re.IGNORECASE
)
"""Parameters of a query whose values are secrets."""
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}")
"""RFC 9110, 5.6.2: what a header may be called."""
_OURS = {
    "host", "content-length", "content-type", "transfer-encoding", "connection", "upgrade", "te", "trailer"
}  # fmt: skip
"""Headers without which, or with others of which, our own requests are none."""
SIP_SCHEMES = ("sip", "sips")
MAX_HEADERS = 50
MAX_VALUE_CHARS = 16_000


class Withheld(str):
    """Text whose characters are what may be kept and shown; ``given`` is what it stands for.

    ``given`` goes wherever the object goes, and nowhere else: not into JSON, not into another process. There
    it is None where something was hidden, and cannot be dialled any more.
    """

    given: str | None

    def __new__(cls, kept: str, given: str | None) -> Withheld:
        made = super().__new__(cls, kept)
        made.given = given
        return made

    def __deepcopy__(self, memo: object) -> Withheld:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), None if HIDDEN in self else self.given)


def kept_address(text: str) -> str:
    """An address as it may be kept and shown: ``http://bob:***@host/offer?token=***``.

    Also of what is no address that can be dialled. References stay; a user name without a password stays in a
    SIP address, where it says who is called, and is a token everywhere else.
    """
    scheme, colon, rest = text.partition(":")
    if not colon or REFERENCE.fullmatch(text):
        return text
    slashes = "//" if rest.startswith("//") else ""
    rest = rest[len(slashes) :]
    before, mark, query = rest.partition("?")
    before, hash_mark, fragment = before.partition("#") if not mark else (before, "", "")
    if mark:
        query, hash_mark, fragment = query.partition("#")
    ends = _end_of_user(text, before, slashes)
    if ends < 0 and "@" in query + fragment and is_broken(text):
        # A password with a question mark in it: nothing after the user's name can be told from it.
        return f"{scheme}:{slashes}{HIDDEN}@{rest.rpartition('@')[2].partition('?')[0]}"
    if ends >= 0:
        user, with_password, password = before[:ends].partition(":")
        if with_password:
            shown = f"{user}:{_without_literals(password)}"
        else:
            shown = _without_literals(user) if slashes else user
        before = f"{shown}@{before[ends + 1 :]}"
    shown_query = _kept_query(query) if mark else ""
    shown_fragment = _kept_query(fragment) if hash_mark else ""
    return f"{scheme}:{slashes}{before}{mark}{shown_query}{hash_mark}{shown_fragment}"


def kept_header(value: str) -> str:
    """A header's value as it may be kept: with its references, and nothing written out beside them but a word
    like ``Bearer``."""
    if REFERENCE.search(value) is None:
        return HIDDEN
    pieces = REFERENCE.split(value)
    shown = []
    for position, piece in enumerate(pieces):
        if position % 2:
            shown.append(f"{{env:{piece}}}")
        elif _SCHEME_WORD.fullmatch(piece) if position == 0 else not piece.strip(" :,;"):
            shown.append(piece)
        else:
            shown.append(HIDDEN)
    return "".join(shown)


def _end_of_user(text: str, before: str, slashes: str) -> int:
    """Where in ``before`` the @ stands that ends user and password; -1 where there is none."""
    if not slashes or is_broken(text):
        # Nobody can dial it, and what is wrong with it may be a password with a slash in it.
        return before.rfind("@")
    return before.partition("/")[0].rfind("@")


def without_references(address: str) -> str:
    """An address of the same form, for whoever wants to know its scheme or whether it is one at all."""
    return REFERENCE.sub("1", address)


def with_slashes(address: str) -> str:
    """A SIP address, which has no ``//`` and its parameters behind the host, in the form of all others."""
    scheme, colon, rest = address.partition(":")
    if not colon or scheme.lower() not in SIP_SCHEMES or rest.startswith("//"):
        return address
    before, mark, query = rest.partition("?")
    login, at, host = before.rpartition("@")
    return f"{scheme}://{login}{at}{host.partition(';')[0]}{mark}{query}"


def is_broken(text: str) -> bool:
    try:
        parts = urlsplit(with_slashes(without_references(text)))
        return not parts.hostname or parts.port == 0
    except ValueError:
        return True


def _without_literals(text: str) -> str:
    """References as they are, and :data:`HIDDEN` for everything else."""
    if not text:
        return text
    pieces = REFERENCE.split(text)
    return "".join(
        f"{{env:{piece}}}" if position % 2 else HIDDEN if piece else ""
        for position, piece in enumerate(pieces)
    )


def _kept_query(query: str) -> str:
    shown = []
    for part in re.split(r"([&;])", query):
        name, equals, value = part.partition("=")
        hidden = equals and _SECRET_PARAMETER.search(unquote(name))
        shown.append(f"{name}={_without_literals(value)}" if hidden else part)
    return "".join(shown)


def _withheld(kept: Callable[[str], str]) -> Callable[[Any, ValidatorFunctionWrapHandler], Any]:
    def validate(value: Any, handler: ValidatorFunctionWrapHandler) -> Any:
        # As it is: validation makes plain text of it, and plain text has only what may be kept.
        if isinstance(value, Withheld):
            return value
        text = handler(value)
        if text is None:
            return None
        shown = kept(text)
        if shown == text:
            # Without a secret, or as it was kept: then what was hidden is not known here.
            return Withheld(shown, None if HIDDEN in text else text)
        KNOWN.learn(*_literals(text, shown))
        return Withheld(shown, text)

    return validate


def _literals(text: str, shown: str) -> list[str]:
    """What was hidden of a text."""
    pattern = "(.*)".join(re.escape(piece) for piece in shown.split(HIDDEN))
    found = re.fullmatch(pattern, text, re.DOTALL)
    hidden = list(found.groups()) if found is not None else [text]
    bare = [form for one in hidden for form in in_header(one)]
    return [*hidden, *bare, *(unquote(one) for one in hidden), *_basic(text)]


def _basic(address: str) -> list[str]:
    """User and password as ``Basic`` authentication has them, before base64: the password alone may be too
    short to be looked for."""
    try:
        parts = urlsplit(address)
        user, password = parts.username, parts.password
    except ValueError:
        return []
    return [f"{unquote(user or '')}:{unquote(password)}"] if password else []


def in_header(value: str) -> list[str]:
    """What of a header's value is secret: without ``Bearer``; of ``Basic`` the password, too."""
    bare = value[_end_of_word(value) :]
    if not value.lower().startswith("basic"):
        return [bare]
    try:
        login = base64.b64decode(bare, validate=True).decode()
    except ValueError:
        return [bare]
    return [bare, login, login.partition(":")[2]]


def _end_of_word(value: str) -> int:
    found = _SCHEME_WORD.match(value)
    return found.end() if found else 0


def _well_formed(headers: dict[str, str]) -> dict[str, str]:
    """Raises ValueError for what is no header, without its value."""
    if len(headers) > MAX_HEADERS:
        raise ValueError(f"more than {MAX_HEADERS} headers")
    seen: set[str] = set()
    for name, value in headers.items():
        if not _TOKEN.fullmatch(name):
            raise ValueError("the name of a header has letters, digits and hyphens only (Authorization)")
        if name.lower() in _OURS:
            raise ValueError(f"the header {name} is set by the request itself")
        if name.lower() in seen:
            raise ValueError(f"the header {name} is there twice")
        seen.add(name.lower())
        given = getattr(value, "given", None)
        check_value(name, value if given is None else given)
        check_references(value if given is None else given, where=f"the header {name}")
    return headers


def check_value(name: str, value: str) -> None:
    """Raises ValueError for what would be another header, or another request, on the wire."""
    if any(not (" " <= sign <= "~" or sign == "\t") for sign in value):
        raise ValueError(f"the header {name} has a line break or a sign in it that a header cannot have")
    if not value.strip():
        raise ValueError(f"the header {name} is empty")
    if len(value) > MAX_VALUE_CHARS:
        raise ValueError(f"the header {name} has more than {MAX_VALUE_CHARS} characters")


def check_references(text: str, *, where: str) -> None:
    if _BROKEN_REFERENCE.search(REFERENCE.sub("", text)):
        raise ValueError(f"{where}: {{env:NAME}} is how a variable is named, with letters, digits and _")


def _address_with_references(address: str) -> str:
    given = getattr(address, "given", None)
    check_references(address if given is None else given, where="the address")
    return address


Secret = Annotated[str, Field(max_length=2000), WrapValidator(_withheld(_without_literals))]
"""A user name, a password, a key: kept is what is named, ``{env:NAME}``, and that there was more."""
Address = Annotated[str, WrapValidator(_withheld(kept_address)), AfterValidator(_address_with_references)]
"""Of an agent; its characters are :func:`kept_address`."""
Headers = Annotated[
    dict[str, Annotated[str, WrapValidator(_withheld(kept_header))]], AfterValidator(_well_formed)
]
"""HTTP headers for the agent; the characters of each value are :func:`kept_header`."""


def header_of(option: str) -> tuple[str, str]:
    """Name and value of ``--header 'NAME: VALUE'``.

    Raises:
        UserError: It is no header; the message does not repeat it.
    """
    name, colon, value = option.partition(":")
    if not colon or not _TOKEN.fullmatch(name.strip()):
        raise UserError("--header: write NAME: VALUE, for instance 'Authorization: Bearer {env:AGENT_TOKEN}'")
    return name.strip(), value.strip(" \t")


def headers_of(options: list[str] | None) -> dict[str, str]:
    """The headers that were given on the command line.

    Raises:
        UserError: One is no header, or is there twice.
    """
    headers: dict[str, str] = {}
    for option in options or []:
        name, value = header_of(option)
        if name.lower() in (known.lower() for known in headers):
            raise UserError(f"--header: {name} is there twice")
        headers[name] = value
    return headers


def merged_headers(*layers: Mapping[str, str]) -> dict[str, str]:
    """All of them; a later one of the same name, in whatever letters, takes the place of an earlier one."""
    merged: dict[str, tuple[str, str]] = {}
    for layer in layers:
        merged |= {name.lower(): (name, value) for name, value in layer.items()}
    return dict(merged.values())
