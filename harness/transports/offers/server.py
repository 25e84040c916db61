"""An agent's HTTP server, asked with bounds: one host, no redirections, no answer longer than an SDP can
be."""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import SplitResult, parse_qsl, urlencode, urljoin, urlsplit

import httpx

from harness._files.json_file import BadJson, parse_json
from harness.errors import SetupFailed
from harness.plans.on_the_wire import OnTheWire
from harness.redaction import KNOWN
from harness.transports.tls import DISTRUSTED, distrusted
from spoken_language.outside_text import harmless, one_line

MAX_ANSWER_BYTES = 262_144
MAX_PAGE_BYTES = 4_000_000
"""Of a page's description, which names every component of it."""
_MOST_CHARS = 200
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, kw_only=True)
class Response:
    """A bounded answer.

    Attributes:
        where: The address that it came from, as messages have it.
        location: Of the ``Location`` header, as it was sent; empty without one.
    """

    where: str
    status: int
    content_type: str
    body: bytes = field(repr=False)
    location: str = field(default="", repr=False)

    def json(self) -> Any:
        """What it says; None where that is no JSON."""
        try:
            return parse_json(self.body)
        except BadJson:
            return None

    def text(self) -> str:
        """A short text; empty where it is none, or a page for people."""
        if not self.content_type.startswith("text/plain"):
            return ""
        # The whole of it, bounded as it is: cut before it is scrubbed, half a secret is left.
        said = self.body.decode("utf-8", "replace")
        return one_line(KNOWN.scrub(harmless(said)), most=_MOST_CHARS)


@dataclass(frozen=True, kw_only=True)
class Server:
    """Where an agent's requests go, whatever the path.

    Attributes:
        base: Scheme, host and port. For the wire alone.
        query: Of the address, sent with each request that is about the call.
        shown: The address as messages have it.
    """

    client: httpx.AsyncClient = field(repr=False)
    base: str = field(repr=False)
    query: Mapping[str, str] = field(repr=False)
    shown: str

    async def ask(
        self,
        method: str,
        path: str,
        *,
        content: bytes = b"",
        content_type: str = "",
        query: Mapping[str, str] | str | None = None,
        most: int = MAX_ANSWER_BYTES,
    ) -> Response:
        """One request.

        Args:
            query: In place of the address's own; a text is sent as it is.

        Raises:
            SetupFailed: Nothing answers there, or no end of it.
        """
        where = f"{_shown_host(self.shown)}{path}"
        asked = self.query if query is None else query
        written = asked if isinstance(asked, str) else urlencode(asked)
        url = f"{self.base}{path}" + (f"?{written}" if written else "")
        headers = {"Content-Type": content_type} if content_type else {}
        try:
            async with self.client.stream(method, url, content=content, headers=headers) as response:
                body = bytearray()
                async for block in response.aiter_bytes():
                    body += block
                    if len(body) > most:
                        raise SetupFailed(f"{where}: answered with more than {most} bytes; not an SDP answer")
                return Response(
                    where=where,
                    status=response.status_code,
                    content_type=_type_of(response),
                    body=bytes(body),
                    location=response.headers.get("location", "")[:2000],
                )
        # What httpx says may quote the address.
        except httpx.ConnectError as error:
            if why := distrusted(error):
                raise SetupFailed(f"{where}: its certificate is not trusted: {why}; {DISTRUSTED}") from error
            raise SetupFailed(f"{where}: nothing answers there ({_said(error)})") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            cause = _said(error) or "the connection broke off"
            raise SetupFailed(f"{where}: {type(error).__name__}: {cause}") from error

    def place_at(self, location: str, *, asked: str) -> str | None:
        """Path and query of a resource that an answer names, as it writes them; None where it is on another
        server, to which nothing of ours goes.

        Args:
            asked: The path that was answered, for one that is relative to it.
        """
        if not location or not location.isascii() or not location.isprintable():
            return None
        try:
            found = urlsplit(urljoin(f"{self.base}{asked}", location))
            here = _is_same(found, urlsplit(self.base))
        except ValueError:
            return None
        if not here or not found.path:
            return None
        return found.path + (f"?{found.query}" if found.query else "")


def _is_same(named: SplitResult, base: SplitResult) -> bool:
    """Whether an address is of the server that was asked, however it is written.

    A server behind a proxy that speaks TLS for it takes itself for one of ``http``. It is asked where it was
    asked before, whatever it says.

    Raises:
        ValueError: Its port is none.
    """
    if named.hostname is None or named.hostname != base.hostname:
        return False
    port = base.port or _PORTS.get(base.scheme)
    if named.scheme == base.scheme:
        return (named.port or _PORTS.get(named.scheme)) == port
    return (named.scheme, base.scheme) == ("http", "https") and named.port in (None, _PORTS["http"], port)


def open_server(to: OnTheWire, *, shown: str, verify: ssl.SSLContext | bool) -> Server:
    """The server of an address, whose scheme is ``http`` or ``https``. Its client is to be closed."""
    parts = urlsplit(to.url)
    login = None if to.user is None else httpx.BasicAuth(to.user, to.password)
    # The dial deadline is kept by the caller; a timeout here would only produce a second message.
    client = httpx.AsyncClient(
        timeout=None, follow_redirects=False, auth=login, headers=dict(to.headers), verify=verify
    )
    return Server(
        client=client,
        base=f"{parts.scheme}://{parts.netloc}",
        query=dict(parse_qsl(parts.query, keep_blank_values=True)),
        shown=shown,
    )


def _shown_host(shown: str) -> str:
    scheme, _, rest = shown.partition("://")
    before = rest.partition("#")[0].partition("?")[0]
    login, sign, host = before.rpartition("@")
    return f"{scheme}://{login}{sign}{host.partition('/')[0]}"


def _type_of(response: httpx.Response) -> str:
    named = response.headers.get("content-type", "no type given").partition(";")[0]
    return one_line(KNOWN.scrub(harmless(named)), most=80)


def _said(error: Exception) -> str:
    return one_line(KNOWN.scrub(harmless(str(error))), most=_MOST_CHARS)
