"""What an agent asks of us while a call stands: hang up, hold, transfer, keys, signs of life."""

from __future__ import annotations

from typing import Any, Protocol

from sipmessage import Request

from harness.redaction import KNOWN
from harness.transports.sip.media.dtmf import info_digit
from harness.transports.sip.media.sdp import BadSdp
from harness.transports.sip.negotiation import Negotiation
from harness.transports.sip.session_timer import SessionTimer, refreshing_headers
from harness.transports.sip.signalling.dialog import ALLOW, SUPPORTED, Dialog
from harness.transports.sip.signalling.message import address_of, cseq_of, values
from harness.transports.sip.signalling.transactions import Endpoint
from harness.transports.sip.signalling.wire import Place
from spoken_language.outside_text import one_line

_UNDERSTOOD = frozenset({"timer"})
_SDP = "application/sdp"


class Call(Protocol):
    """What the requests act on."""

    negotiation: Negotiation
    timer: SessionTimer

    def tell(self, kind: str, data: dict[str, Any]) -> None:
        """Something happened on the wire."""

    def end(self, how: str, *, left: bool = False) -> None:
        """The call is over; ``left``: the agent has hung up, and wants no BYE."""

    def media_changed(self) -> None:
        """The agent's description is another one now."""

    def transfer(self, target: str) -> None:
        """The agent wants us to call somebody else."""


class InDialog:
    """Answers the requests of a dialog. One that belongs to no dialog of ours gets 481."""

    def __init__(self, endpoint: Endpoint, dialog: Dialog, call: Call) -> None:
        self._endpoint = endpoint
        self._dialog = dialog
        self._call = call
        self._late_offer: int | None = None
        self.inviting = False
        """Whether a re-INVITE of our own waits for its answer."""

    def take(self, request: Request, source: Place) -> None:
        """One request, once."""
        method = request.method
        if not self._dialog.holds(request):
            if method != "ACK":
                self._endpoint.reply(request, 481)
            return
        number = cseq_of(request).number
        if method == "ACK":
            self._acknowledged(request, number)
            return
        if self._dialog.remote_number is not None and number <= self._dialog.remote_number:
            self._endpoint.reply(request, 500)
            return
        self._dialog.remote_number = number
        wanted = [one.lower() for one in values(request, "Require")]
        if strange := [one for one in wanted if one not in _UNDERSTOOD]:
            self._endpoint.reply(request, 420, headers=(("Unsupported", ", ".join(strange)[:200]),))
            return
        answer = getattr(self, f"_{method.lower()}", None) if method in ALLOW.split(", ") else None
        if answer is None:
            self._endpoint.reply(request, 405, headers=(("Allow", ALLOW),))
            return
        answer(request)

    def _bye(self, request: Request) -> None:
        self._endpoint.reply(request, 200)
        reason = request.headers.get("Reason")
        why = f": {one_line(KNOWN.scrub(reason), most=100)}" if reason else ""
        self._call.end(f"the agent hung up (BYE{why})", left=True)

    def _cancel(self, request: Request) -> None:
        self._endpoint.reply(request, 481)

    def _options(self, request: Request) -> None:
        self._endpoint.reply(
            request, 200, headers=(("Allow", ALLOW), ("Accept", _SDP), ("Supported", SUPPORTED))
        )

    def _info(self, request: Request) -> None:
        self._endpoint.reply(request, 200)
        digit = info_digit((request.headers.get("Content-Type") or "").lower(), request.body)
        if digit is not None:
            self._call.tell("dtmf", {"digit": digit, "by": "info"})

    def _notify(self, request: Request) -> None:
        # We subscribed to nothing.
        self._endpoint.reply(request, 481)

    def _update(self, request: Request) -> None:
        self._offer(request, until_ack=False)

    def _invite(self, request: Request) -> None:
        if self.inviting:
            self._endpoint.reply(request, 491)
            return
        self._offer(request, until_ack=True)

    def _refer(self, request: Request) -> None:
        target = address_of(request.headers.get("Refer-To") or "")
        if not target:
            self._endpoint.reply(request, 400)
            return
        self._endpoint.reply(request, 202, headers=(("Contact", f"<{self._dialog.contact}>"),))
        self._call.transfer(target)

    def _offer(self, request: Request, *, until_ack: bool) -> None:
        """A re-INVITE or an UPDATE: with an offer, without one (then ours goes into the response of an INVITE
        and its answer comes with the ACK), or only to refresh the session."""
        self._dialog.refresh(request)
        headers = [("Contact", f"<{self._dialog.contact}>"), ("Allow", ALLOW), ("Supported", SUPPORTED)]
        headers += refreshing_headers(request)
        body = b""
        if request.body.strip():
            kind = (request.headers.get("Content-Type") or "").partition(";")[0].strip().lower()
            if kind != _SDP:
                self._endpoint.reply(request, 415, headers=(("Accept", _SDP),))
                return
            try:
                body = self._call.negotiation.answer(request.body)
            except BadSdp as error:
                self._call.tell("offer-refused", {"why": KNOWN.scrub(str(error))})
                self._endpoint.reply(request, 488)
                return
            self._call.media_changed()
        elif until_ack:
            body = self._call.negotiation.offer()
            self._late_offer = cseq_of(request).number
        if body:
            headers.append(("Content-Type", _SDP))
        self._call.timer.refreshed(request)
        self._endpoint.reply(request, 200, headers=tuple(headers), body=body, until_ack=until_ack)

    def _acknowledged(self, request: Request, number: int) -> None:
        if number != self._late_offer:
            return
        self._late_offer = None
        try:
            self._call.negotiation.take_answer(request.body)
        except BadSdp as error:
            self._call.tell("answer-refused", {"why": KNOWN.scrub(str(error))})
            return
        self._call.media_changed()
