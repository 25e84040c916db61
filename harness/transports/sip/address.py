"""Addresses of SIP agents, and where their requests go (RFC 3261, section 19.1; RFC 3263).

::

    sip:alice@pbx.example;transport=tls?user=bob&password={env:SIP_PASSWORD}
    sips:+4930123456@trunk.example?proxy=10.0.0.1:5060&from=+4930999

What stands behind ``?`` is for us and reaches no wire:

``user``, ``password``
    For digest authentication; without them :data:`USER_VARIABLE` and :data:`PASSWORD_VARIABLE`.
``from``
    Who calls: a user, or ``user@domain``; without it the user above, else ``caller``.
``proxy``
    ``HOST[:PORT]`` where every request goes first.
``srtp``
    ``on``: media is encrypted or there is no call (RFC 4568). ``off``: never. Without it: on over TLS.
``follow``
    Hosts, with commas between them, to which a redirection or a transfer may lead. Without it: none.
"""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass, field, replace
from typing import Literal, cast
from urllib.parse import parse_qsl, unquote

from harness.errors import SetupFailed
from harness.plans.on_the_wire import OnTheWire
from harness.redaction import KNOWN

USER_VARIABLE = "OUTBOUNDEVAL_SIP_USER"
PASSWORD_VARIABLE = "OUTBOUNDEVAL_SIP_PASSWORD"
OFFERED = ("pcmu", "pcma", "g722", "opus")
OPTIONS = frozenset({"user", "password", "from", "proxy", "srtp", "follow"})

Carrier = Literal["udp", "tcp", "tls"]
CARRIERS = ("udp", "tcp", "tls")
_HOST = re.compile(r"[A-Za-z0-9._-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]")
_USER = re.compile(r"[A-Za-z0-9_.!~*'()&=+$,;?/%#-]{1,256}")
_PARAMETER = re.compile(r"[A-Za-z0-9_.!~*'()\[\]/:&+$%-]{1,256}(=[A-Za-z0-9_.!~*'()\[\]/:&+$%-]{0,256})?")


class BadAddress(ValueError):
    """It is no SIP address; the message says what is wrong, without quoting it."""


@dataclass(frozen=True, kw_only=True)
class SipUri:
    """An address of RFC 3261, 19.1, as it goes over the wire.

    Attributes:
        parameters: As they stood, without the first semicolon.
    """

    secure: bool
    user: str
    host: str
    port: int | None
    parameters: str = ""

    @property
    def carrier(self) -> Carrier | None:
        """What its ``transport`` names; None where it names none that we know."""
        named = self.parameter("transport").lower()
        return cast(Carrier, named) if named in CARRIERS else None

    def parameter(self, name: str) -> str:
        """Empty where it is not there or has no value."""
        for one in self.parameters.split(";"):
            key, _, value = one.partition("=")
            if key.lower() == name:
                return value
        return ""

    def __str__(self) -> str:
        user = f"{self.user}@" if self.user else ""
        port = f":{self.port}" if self.port is not None else ""
        parameters = f";{self.parameters}" if self.parameters else ""
        return f"{'sips' if self.secure else 'sip'}:{user}{self.host}{port}{parameters}"


@dataclass(frozen=True, kw_only=True)
class Destination:
    """All that an address says about a call.

    Attributes:
        uri: Who is called.
        carrier: How requests travel.
        user, password: For digest authentication; empty where there are none.
        caller: The address in From.
        proxy: Where every request goes first; None: where the address leads.
        codecs: What is offered, the one that is wanted most first.
        srtp: Whether media is encrypted, or there is no call.
        follow: Hosts to which a redirection or a transfer may lead, in lower case.
    """

    uri: SipUri
    carrier: Carrier
    user: str = field(repr=False, default="")
    password: str = field(repr=False, default="")
    caller: str = "caller"
    proxy: tuple[str, int | None] | None = None
    codecs: tuple[str, ...] = OFFERED
    srtp: bool = False
    follow: frozenset[str] = frozenset()


def parse_uri(text: str) -> SipUri:
    """Reads an address as it stands in a request, a Contact or a Route, without angle brackets.

    Raises:
        BadAddress: It is none, or none that can be reached.
    """
    scheme, colon, rest = text.partition(":")
    if not colon or scheme.lower() not in ("sip", "sips"):
        raise BadAddress("it does not begin with sip: or sips:")
    rest = rest.removeprefix("//").partition("?")[0]
    user, _, where = rest.rpartition("@")
    user = user.partition(":")[0]
    host_port, *parameters = where.split(";")
    host, port = _host_and_port(host_port)
    if user and not _USER.fullmatch(user):
        raise BadAddress("its user has a sign that a SIP address cannot have")
    if any(not _PARAMETER.fullmatch(one) for one in parameters):
        raise BadAddress("one of its parameters is none")
    return SipUri(
        secure=scheme.lower() == "sips", user=user, host=host, port=port, parameters=";".join(parameters)
    )


def read_destination(to: OnTheWire, *, shown: str) -> Destination:
    """What is dialled, from the address as it goes over the wire.

    Raises:
        SetupFailed: It cannot be dialled; the message says what of it is wrong.
    """
    try:
        found = _destination(to.url)
    except BadAddress as error:
        raise SetupFailed(f"{shown}: this is no SIP address: {error}") from None
    codecs = to.reach.codecs or OFFERED
    if strangers := [one for one in codecs if one not in OFFERED]:
        known = ", ".join(OFFERED)
        raise SetupFailed(f"{shown}: '{strangers[0][:20]}' cannot be spoken over SIP; known: {known}")
    return replace(found, codecs=codecs)


def _destination(url: str) -> Destination:
    address, _, query = url.partition("?")
    uri = parse_uri(address)
    options = dict(parse_qsl(query, keep_blank_values=True, max_num_fields=20))
    unknown = sorted(options.keys() - OPTIONS)
    if unknown:
        raise BadAddress(f"behind ? there is no '{unknown[0][:40]}'; known: {', '.join(sorted(OPTIONS))}")
    in_address = unquote(address.partition(":")[2].rpartition("@")[0])
    of_uri, _, password = in_address.partition(":")
    user = options.get("user") or (of_uri if password else os.environ.get(USER_VARIABLE, ""))
    password = options.get("password") or password or os.environ.get(PASSWORD_VARIABLE, "")
    KNOWN.learn(*(one for one in (password, f"{user}:{password}") if password))
    named = uri.parameter("transport").lower()
    if named and named not in CARRIERS:
        raise BadAddress(f"its transport is none of {', '.join(CARRIERS)}")
    carrier: Carrier = "tls" if uri.secure else (uri.carrier or "udp")
    srtp = options.get("srtp", "")
    if srtp not in ("", "on", "off"):
        raise BadAddress("srtp is 'on' or 'off'")
    caller = options.get("from") or user or "caller"
    if not _USER.fullmatch(caller.partition("@")[0]) or (
        "@" in caller and not _HOST.fullmatch(caller.partition("@")[2])
    ):
        raise BadAddress("'from' is a user, or user@domain")
    return Destination(
        uri=uri,
        carrier=carrier,
        user=user,
        password=password,
        caller=caller,
        proxy=_host_and_port(options["proxy"]) if options.get("proxy") else None,
        srtp=srtp == "on" or (srtp == "" and carrier == "tls"),
        follow=frozenset(one.strip().lower() for one in options.get("follow", "").split(",") if one.strip()),
    )


def default_port(carrier: Carrier) -> int:
    """RFC 3261, 19.1.2."""
    return 5061 if carrier == "tls" else 5060


def bare_host(host: str) -> str:
    """Without the brackets of an IPv6 address, as sockets want it."""
    return host.strip("[]")


def is_numeric(host: str) -> bool:
    """Whether it is an IP address: then no DNS is asked."""
    try:
        ipaddress.ip_address(bare_host(host))
    except ValueError:
        return False
    return True


def in_brackets(host: str) -> str:
    """A host as it stands in an address: IPv6 in brackets."""
    return f"[{host}]" if ":" in host and not host.startswith("[") else host


def _host_and_port(text: str) -> tuple[str, int | None]:
    found = re.fullmatch(r"(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?", text)
    if found is None or not _HOST.fullmatch(found[1]):
        raise BadAddress("it names no host")
    port = None if found[2] is None else int(found[2])
    if port is not None and not 0 < port < 65_536:
        raise BadAddress("there is no such port")
    return found[1], port
