"""Where we can be called, and at which registrar we are known, as a person writes it.

::

    sip:127.0.0.1:5070
    sip:0.0.0.0:5060?user=agent&password={env:AGENT_PASSWORD}
    sips:0.0.0.0:5061
    sip:alice@pbx.example;transport=tcp?password={env:SIP_PASSWORD}&proxy=10.0.0.1

The first three are of ``--listen``: behind ``?`` stands what whoever rings has to know (digest, RFC 7616),
and at ``sips:`` calls are taken over TLS alone, with ``--certificate`` and ``--key``. The last one is of
``--register``; its options are those of an agent's address (:mod:`harness.transports.sip.address`).
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl

from harness.errors import SetupFailed, UserError
from harness.plans.on_the_wire import on_the_wire
from harness.plans.secrets import kept_address
from harness.redaction import KNOWN
from harness.transports.sip.address import BadAddress, Destination, bare_host, parse_uri, read_destination

DEFAULT_PORT = 5060
DEFAULT_TLS_PORT = 5061


@dataclass(frozen=True, kw_only=True)
class Listening:
    """Where we are called.

    Attributes:
        port: 0 for any that is free.
        user, password: What whoever rings has to show; empty: nothing.
        certificate: Of ours, in PEM form: calls come over TLS and by no other way. None: over UDP and TCP.
        key: Of the certificate; None: it is in the same file.
    """

    host: str
    port: int
    user: str = field(default="", repr=False)
    password: str = field(default="", repr=False)
    certificate: Path | None = None
    key: Path | None = None

    @property
    def secure(self) -> bool:
        return self.certificate is not None


def read_listening(text: str, *, certificate: Path | None = None, key: Path | None = None) -> Listening:
    """The address of ``--listen``, with ``--certificate`` and ``--key``.

    Raises:
        UserError: It is none, with what is wrong with it and without what is secret in it.
    """
    where = f"--listen: '{kept_address(text)}'"
    any_free = re.search(r":0(?=\?|$)", text) is not None
    address, _, query = on_the_wire(re.sub(r":0(?=\?|$)", "", text)).url.partition("?")
    try:
        uri = parse_uri(address)
    except BadAddress as error:
        raise UserError(f"{where} is no SIP address: {error}; write sip:HOST:PORT") from None
    if uri.user or uri.parameters:
        raise UserError(
            f"{where}: write sip:HOST:PORT; UDP and TCP are both taken there, and TLS at sips:HOST:PORT"
        )
    if uri.secure and certificate is None:
        raise UserError(f"{where}: calls over TLS need a certificate: give --certificate FILE and --key FILE")
    if not uri.secure and (certificate or key) is not None:
        raise UserError(
            f"{where} takes calls in clear: write sips:HOST:PORT, or give no --certificate and --key"
        )
    try:
        ipaddress.ip_address(bare_host(uri.host))
    except ValueError:
        raise UserError(
            f"{where}: give an IP address of this machine (0.0.0.0 for all of them), not a name"
        ) from None
    options = dict(parse_qsl(query, keep_blank_values=True, max_num_fields=20))
    if unknown := sorted(options.keys() - {"user", "password"}):
        raise UserError(f"{where}: behind ? there is no '{unknown[0][:40]}'; known: password, user")
    if bool(options.get("user")) != bool(options.get("password")):
        raise UserError(f"{where}: whoever rings has to know both: give user and password")
    KNOWN.learn(*filter(None, [options.get("password", "")]))
    return Listening(
        host=bare_host(uri.host),
        port=0 if any_free else uri.port or (DEFAULT_TLS_PORT if uri.secure else DEFAULT_PORT),
        user=options.get("user", ""),
        password=options.get("password", ""),
        certificate=certificate,
        key=key,
    )


def read_registrar(text: str) -> Destination:
    """The address of ``--register``: who we are there, and how it is reached.

    Raises:
        UserError: It is none.
    """
    shown = kept_address(text)
    try:
        found = read_destination(on_the_wire(text), shown=f"--register: {shown}")
    except SetupFailed as error:
        raise UserError(str(error)) from None
    if not found.uri.user:
        raise UserError(f"--register: {shown} names nobody: write sip:USER@REGISTRAR")
    return found
