"""A dialog (RFC 3261, section 12): who talks to whom, by which way, and where each side counts."""

from __future__ import annotations

from dataclasses import dataclass, field

from sipmessage import Request, Response

from harness.transports.sip.signalling.message import address_of, tag_of, values

ALLOW = "INVITE, ACK, CANCEL, BYE, OPTIONS, UPDATE, INFO, REFER, NOTIFY"
SUPPORTED = "timer"
MAX_ROUTES = 16


@dataclass(kw_only=True)
class Dialog:
    """One side of a dialog: ours.

    Attributes:
        local, remote: From and To of our requests, with their tags.
        target: The peer's address, where requests end.
        routes: Proxies on the way, the first one first, as they name themselves.
        contact: Our own address.
        local_number, remote_number: CSeq of the last request of either side.
    """

    call_id: str
    local: str
    remote: str
    target: str
    contact: str
    routes: list[str] = field(default_factory=list)
    local_number: int = 0
    remote_number: int | None = None

    @property
    def remote_tag(self) -> str:
        return tag_of(self.remote)

    @property
    def local_tag(self) -> str:
        return tag_of(self.local)

    @property
    def next_hop(self) -> str:
        """The address to which a request is sent first."""
        return self.routes[0] if self.routes else self.target

    @property
    def request_uri(self) -> str:
        """What stands in a request's first line: a strict router wants its own address there (16.12.1.2)."""
        return self.routes[0] if self._strict else self.target

    def headers(self, method: str, *, via: str, number: int | None = None) -> list[tuple[str, str]]:
        """The headers of a request in the dialog; counts on, unless a number is given (ACK, CANCEL)."""
        if number is None:
            self.local_number += 1
            number = self.local_number
        return [
            ("Via", via),
            *(("Route", f"<{route}>") for route in self._route_set),
            ("Max-Forwards", "70"),
            ("From", self.local),
            ("To", self.remote),
            ("Call-ID", self.call_id),
            ("CSeq", f"{number} {method}"),
            ("Contact", f"<{self.contact}>"),
        ]

    def confirm(self, response: Response) -> None:
        """Takes tag, target and routes from a response that makes the dialog."""
        self.remote = response.headers["To"]
        self.routes = [address_of(one) for one in reversed(values(response, "Record-Route"))][:MAX_ROUTES]
        self.refresh(response)

    def refresh(self, message: Request | Response) -> None:
        """Takes a new target, where the peer names one (12.2.1.2)."""
        contacts = values(message, "Contact")
        if contacts and contacts[0] != "*":
            self.target = address_of(contacts[0])

    def holds(self, request: Request) -> bool:
        """Whether a request of the peer belongs to it."""
        return (
            request.headers["Call-ID"] == self.call_id
            and tag_of(request.headers["To"]) == self.local_tag
            and tag_of(request.headers["From"]) == self.remote_tag
        )

    @property
    def _strict(self) -> bool:
        return bool(self.routes) and ";lr" not in self.routes[0].lower()

    @property
    def _route_set(self) -> list[str]:
        return [*self.routes[1:], self.target] if self._strict else self.routes
