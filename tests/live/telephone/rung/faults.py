"""Faults planted in our user agent where it is called: what a scenario of sipp must notice."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from harness.transports.sip import in_dialog, session_timer
from harness.transports.sip.answering import door, reception, session
from harness.transports.sip.answering.door import Door
from harness.transports.sip.answering.ring import Ring
from harness.transports.sip.answering.session import AnsweredSession
from harness.transports.sip.media.leg import Leg
from harness.transports.sip.negotiation import Negotiation
from harness.transports.sip.signalling.credentials import Credentials
from harness.transports.sip.signalling.dialog import Dialog
from harness.transports.sip.signalling.transactions import Endpoint
from tests.live.telephone.faults import Plant, around, nothing, nothing_soon, replaced

never_rings = replaced(Ring, "rings", nothing)
cancel_ignored = replaced(Ring, "given_up", lambda self, request: False)
picks_up_at_once = replaced(AnsweredSession, "_ring_out", nothing_soon)
ack_ignored = replaced(Endpoint, "acknowledged", nothing)
no_trying = around(
    Endpoint,
    "reply",
    lambda original, self, request, code, **told: (
        None if code == 100 else original(self, request, code, **told)
    ),
)
waits_for_no_ack = replaced(AnsweredSession, "_never_acknowledged", nothing)
everybody_admitted = around(
    reception,
    "Door",
    lambda original, **told: original(**told | {"admits": lambda host: True}),
)
any_password = replaced(Credentials, "check", lambda self, request: "right")
no_password_is_right = replaced(Credentials, "check", lambda self, request: "wrong")
no_session_timer = replaced(session, "refreshing_headers", lambda request: [])
any_interval = replaced(session_timer, "LEAST_S", 1)
any_extension = around(
    session, "values", lambda original, message, name: [] if name == "Require" else original(message, name)
)
deaf_to_offers = replaced(Negotiation, "answer", lambda self, body: self.offer())
offers_nothing = replaced(Negotiation, "offer", lambda self: b"")
late_answer_ignored = replaced(AnsweredSession, "_take_late_answer", nothing)
strangers_ignored = replaced(Door, "_answer_stranger", nothing)
nobody_asks_twice = around(
    Door, "_remember", lambda original, self, call_id, number: original(self, call_id, 2**32)
)
knows_no_call = around(
    Door, "line", lambda original, self, call_id, *args, **told: original(self, call_id + "x", *args, **told)
)
sends_nothing = replaced(Leg, "_send", nothing)


def _new_ring_each_time(original: Any, self: Endpoint, request: Any, source: Any) -> Any:
    if request.method == "INVITE":
        self._served.clear()
    return original(self, request, source)


copies_ring_again = around(Endpoint, "_take_request", _new_ring_each_time)


def another_tag_each_time(patch: pytest.MonkeyPatch) -> None:
    """Answers as if each response were of another telephone."""

    def reply(original: Any, self: Endpoint, request: Any, code: int, **told: Any) -> Any:
        return original(self, request, code, **told | {"to_tag": f"t{code}"})

    around(Endpoint, "reply", reply)(patch)


def _routes_as_of_a_caller(original: Any, self: AnsweredSession) -> None:
    original(self)
    assert self._asking is not None
    self._asking.dialog.routes.reverse()


routes_the_wrong_way_round = around(AnsweredSession, "_prepare_dialog", _routes_as_of_a_caller)


def refuses_with(code: int) -> Plant:
    """Refuses every call with the same code."""
    return around(Ring, "refuse", lambda original, self, _, *args: original(self, code, *args))


def _cancel_ends_it(original: Any, self: AnsweredSession, request: Any, source: Any) -> Any:
    if request.method == "CANCEL":
        self._ring.line.endpoint.reply(request, 481)
        return None
    return original(self, request, source)


late_cancel_unknown = around(AnsweredSession, "_on_request", _cancel_ends_it)


def _only_pcma(original: Any, self: AnsweredSession) -> Any:
    self._destination = dataclasses.replace(self._destination, codecs=("pcma",))
    return original(self)


speaks_pcma_alone = around(AnsweredSession, "_described", _only_pcma)
_read = door.read_message


def _without_short_names(data: bytes) -> Any:
    """Reads no message with a header by its short name."""
    if b"\r\ni:" in data:
        raise door.BadMessage("a name that is not known")
    return _read(data)


short_names_unread = replaced(door, "read_message", _without_short_names)
bye_unknown = replaced(in_dialog.InDialog, "_bye", nothing)
contact_forgotten = replaced(Dialog, "refresh", nothing)
