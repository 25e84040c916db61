"""What an agent is dialled with: address, headers and request data with their secrets put in.

What a plan keeps of them is in :mod:`harness.plans.secrets`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from harness.errors import UserError
from harness.plans.reach.ice_url import IceUrl
from harness.plans.reach.offer import OfferPlan
from harness.plans.reach.plan import DIRECT, ReachPlan
from harness.plans.secrets import (
    REFERENCE,
    SIP_SCHEMES,
    Withheld,
    check_references,
    check_value,
    in_header,
    is_broken,
    kept_address,
)
from harness.redaction import HIDDEN, KNOWN


@dataclass(frozen=True, kw_only=True)
class IceServer:
    """A STUN or TURN server with its credentials."""

    url: IceUrl
    username: str | None = field(default=None, repr=False)
    credential: str | None = field(default=None, repr=False)


@dataclass(frozen=True, kw_only=True)
class Reach:
    """How an agent is reached, beside its address; see :mod:`harness.plans.reach.plan`.

    Attributes:
        ice_servers: One for each URL, in the order in which they are tried.
    """

    ca_file: Path | None = None
    ice_servers: tuple[IceServer, ...] = ()
    relay_only: bool = False
    codecs: tuple[str, ...] = ()
    offer: OfferPlan | None = field(default=None, repr=False)


@dataclass(frozen=True, kw_only=True)
class OnTheWire:
    """What an agent is dialled with: for the wire alone, so that nothing of it shows in a ``repr``.

    Attributes:
        url: The address without user and password; a SIP address whole.
        user, password: Of ``Basic`` authentication (RFC 7617); None where the address has none.
    """

    url: str = field(repr=False)
    user: str | None = field(default=None, repr=False)
    password: str = field(default="", repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    request_data: dict[str, Any] = field(default_factory=dict, repr=False)
    reach: Reach = Reach()


def on_the_wire(
    agent: str,
    headers: Mapping[str, str] | None = None,
    request_data: dict[str, Any] | None = None,
    reach: ReachPlan = DIRECT,
) -> OnTheWire:
    """Address, headers, request data and servers with the values of this process' environment.

    The values are known to :data:`~harness.redaction.KNOWN` from then on.

    Raises:
        UserError: A variable is not set, a value is not known here, or it cannot be sent.
    """
    url, user, password = _dialled(_given(agent, "the address of the agent"))
    if is_broken(url):
        raise UserError(
            f"'{kept_address(agent)}' is no address that can be dialled; in a user, a password or a query "
            "/ ? # @ and % are written %2F %3F %23 %40 %25, or named: {env:NAME}"
        )
    sent = {}
    for name, value in (headers or {}).items():
        text = _filled(_given(value, f"the header {name}"), f"the header {name}")
        KNOWN.learn(*in_header(text))
        try:
            check_value(name, text)
        except ValueError as error:
            raise UserError(str(error)) from None
        sent[name] = text
    if user is not None and any(name.lower() == "authorization" for name in sent):
        raise UserError("the address has a user, and there is a header Authorization: give one of them")
    data = _filled_data(request_data or {})
    return OnTheWire(
        url=url, user=user, password=password, headers=sent, request_data=data, reach=_reached(reach)
    )


def _reached(plan: ReachPlan) -> Reach:
    servers = []
    for position, server in enumerate(plan.ice_servers):
        where = f"reach.ice_servers[{position}]"
        username, credential = (
            None if given is None else _filled(_given(given, where), where)
            for given in (server.username, server.credential)
        )
        KNOWN.learn(*filter(None, (username, credential)))
        servers += [IceServer(url=url, username=username, credential=credential) for url in server.addresses]
    if plan.ca_file is not None and not plan.ca_file.is_file():
        raise UserError(f"reach.ca_file: {plan.ca_file} is no file")
    return Reach(
        ca_file=plan.ca_file,
        ice_servers=tuple(servers),
        relay_only=plan.relay_only,
        codecs=plan.codecs,
        offer=None if plan.offer is None else _filled_offer(plan.offer),
    )


def _filled_offer(plan: OfferPlan) -> OfferPlan:
    where = "reach.offer"
    filled: dict[str, Any] = {}
    if plan.body is not None:
        filled["body"] = _filled_data(plan.body, where)
    if plan.messages is not None:
        filled["messages"] = tuple(_filled(one, where) for one in plan.messages)
    if plan.on_input is not None:
        filled["on_input"] = plan.on_input.model_copy(
            update={"body": _filled_data(plan.on_input.body, where)}
        )
    return plan.model_copy(update=filled)


def _given(text: str, where: str) -> str:
    if isinstance(text, Withheld) and text.given is not None:
        return text.given
    if HIDDEN in text:
        raise UserError(
            f"{where} was given with its secret written out, which is not kept: give it again, or name an "
            "environment variable in its place: {env:NAME}"
        )
    return str(text)


def _filled(text: str, where: str, escape: Callable[[str], str] = str) -> str:
    try:
        check_references(text, where=where)
    except ValueError as error:
        raise UserError(str(error)) from None

    def value(found: re.Match[str]) -> str:
        name = found[1]
        set_to = os.environ.get(name)
        if not set_to:
            raise UserError(f"{where} names the environment variable {name}, which is not set")
        KNOWN.learn(set_to)
        return escape(set_to)

    return REFERENCE.sub(value, text)


def _filled_data(data: Any, where: str = "request_data") -> Any:
    if isinstance(data, str):
        return _filled(data, where)
    if isinstance(data, dict):
        return {key: _filled_data(value, where) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_filled_data(one, where) for one in data]
    return data


def _dialled(address: str) -> tuple[str, str | None, str]:
    """URL without credentials, user, password."""
    where = "the address of the agent"
    if address.partition(":")[0].lower() in SIP_SCHEMES:
        # Whom it names is called; for whom we are, see the transport.
        return _filled(address, where, _escaped), None, ""
    try:
        parts = urlsplit(address)
    except ValueError:
        return _filled(address, where), None, ""
    if not parts.netloc:
        return _filled(address, where), None, ""
    login, at, host = parts.netloc.rpartition("@")
    user, _, password = login.partition(":")
    user, password = unquote(_filled(user, where, _escaped)), unquote(_filled(password, where, _escaped))
    url = urlunsplit(
        (
            parts.scheme,
            _filled(host, where),
            _filled(parts.path, where, quote),
            _filled(parts.query, where, _escaped),
            "",
        )
    )
    if not at:
        return url, None, ""
    KNOWN.learn(password or user, f"{user}:{password}")
    return url, user, password


def _escaped(value: str) -> str:
    return quote(value, safe="")
