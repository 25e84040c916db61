"""An INVITE that left, and what goes the same way after it: its CANCEL, and the ACK of its refusal."""

from __future__ import annotations

from dataclasses import dataclass

from sipmessage import Response

from harness.transports.sip.signalling.dialog import Dialog
from harness.transports.sip.signalling.message import request_bytes


@dataclass(frozen=True, kw_only=True)
class SentInvite:
    """What of an INVITE is repeated (RFC 3261, 9.1 and 17.1.1.3), whatever becomes of its dialog."""

    uri: str
    via: str
    routes: tuple[str, ...]
    local: str
    remote: str
    call_id: str
    number: int

    @classmethod
    def last_of(cls, dialog: Dialog, *, via: str) -> SentInvite:
        """The INVITE that was the last request of a dialog."""
        return cls(
            uri=dialog.request_uri,
            via=via,
            routes=tuple(dialog.routes),
            local=dialog.local,
            remote=dialog.remote,
            call_id=dialog.call_id,
            number=dialog.local_number,
        )

    def cancel(self) -> bytes:
        """Takes it back."""
        return self._followed_by("CANCEL", to=self.remote)

    def ack(self, refusal: Response) -> bytes:
        """Acknowledges a response of 300 and more."""
        return self._followed_by("ACK", to=refusal.headers["To"])

    def _followed_by(self, method: str, *, to: str) -> bytes:
        return request_bytes(
            method,
            self.uri,
            [
                ("Via", self.via),
                *(("Route", f"<{route}>") for route in self.routes),
                ("Max-Forwards", "70"),
                ("From", self.local),
                ("To", to),
                ("Call-ID", self.call_id),
                ("CSeq", f"{self.number} {method}"),
            ],
        )
