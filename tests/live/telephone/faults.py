"""Faults of a user agent, planted in ours one at a time: what a scenario of sipp must notice."""

from __future__ import annotations

import dataclasses
import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from harness.errors import NotAnswered
from harness.transports.sip import dialling, in_dialog, negotiation, session
from harness.transports.sip.in_dialog import InDialog
from harness.transports.sip.media import leg
from harness.transports.sip.media.intake import Intake
from harness.transports.sip.media.leg import Leg
from harness.transports.sip.pressing import Pressing
from harness.transports.sip.signalling import asking, login, message, transactions
from harness.transports.sip.signalling.asking import Asking
from harness.transports.sip.signalling.dialog import Dialog
from harness.transports.sip.signalling.inviting import placing
from harness.transports.sip.signalling.inviting.placing import Placing
from harness.transports.sip.signalling.inviting.redirection import Redirected
from harness.transports.sip.signalling.login import Login
from harness.transports.sip.signalling.sent_invite import SentInvite
from harness.transports.sip.signalling.transactions import ClientTransaction, Endpoint
from harness.transports.sip.transfers import Transfers

Plant = Callable[[pytest.MonkeyPatch], None]
"""Puts a fault into our user agent until the test is over."""


def nothing(*_: Any, **__: Any) -> None:
    """In place of a method: what it should do is not done."""


async def nothing_soon(*_: Any, **__: Any) -> None:
    """The same for a coroutine."""


def replaced(of: Any, name: str, by: Any) -> Plant:
    return lambda patch: patch.setattr(of, name, by)


def around(of: Any, name: str, change: Callable[..., Any]) -> Plant:
    """``change`` gets the original and all of its arguments."""

    def plant(patch: pytest.MonkeyPatch) -> None:
        original = getattr(of, name)

        def changed(*args: Any, **kwargs: Any) -> Any:
            return change(original, *args, **kwargs)

        patch.setattr(of, name, changed)

    return plant


def on_the_wire(change: Callable[[str], str]) -> Plant:
    """Changes each request and response of ours as it is written."""

    def written(original: Any, first: str, told: Any, body: bytes) -> bytes:
        data: bytes = original(first, told, body)
        head, end, rest = data.partition(b"\r\n\r\n")
        return change(head.decode()).encode() + end + rest

    return around(message, "_written", written)


def without_line(start: str) -> Plant:
    return on_the_wire(
        lambda head: "\r\n".join(line for line in head.split("\r\n") if not line.lower().startswith(start))
    )


no_ack = replaced(Asking, "acknowledge", nothing)
no_bye = replaced(Asking, "bye", nothing_soon)
no_cancel = replaced(Placing, "cancel", nothing_soon)
never_again = replaced(ClientTransaction, "_again", nothing)
no_linger = replaced(Endpoint, "linger", nothing_soon)


def _no_ack_of_failures(original: Any, self: ClientTransaction, response: Any) -> Any:
    self.acknowledge = None
    return original(self, response)


no_prack = replaced(Placing, "_prack", nothing_soon)
forgets_the_early_answer = replaced(Placing, "answer_before", lambda self, response: b"")
no_ack_of_failures = around(ClientTransaction, "take", _no_ack_of_failures)


def _swallows_copies(original: Any, self: ClientTransaction, response: Any) -> bool:
    original(self, response)
    return True


swallows_copies = around(ClientTransaction, "take", _swallows_copies)


def _ack_of_another_branch(original: Any, self: SentInvite, refusal: Any) -> Any:
    via = re.sub(r"branch=\w+", f"branch={transactions.new_branch()}", self.via)
    return original(dataclasses.replace(self, via=via), refusal)


ack_of_another_branch = around(SentInvite, "ack", _ack_of_another_branch)


def _same_branch(original: Any, *_: Any) -> str:
    return "z9hG4bKalways"


one_branch_for_all = around(asking, "new_branch", _same_branch)


def _wrong_realm(original: Any, challenge: Any, **told: Any) -> Any:
    return original(challenge, **told | {"user": told["user"] + "x"})


another_user = around(login, "answer", _wrong_realm)
digest_of_another_method = around(
    login, "answer", lambda original, challenge, **told: original(challenge, **told | {"method": "BYE"})
)


def is_right_digest(header: str, *, method: str, password: str) -> bool:
    """Whether it is, by the rule of RFC 2617, 3.2.2, worked out anew."""
    told = {
        name: quoted or bare for name, quoted, bare in re.findall(r'(\w+)=(?:"([^"]*)"|([^,\s]+))', header)
    }
    if not told:
        return False

    def h(*parts: str) -> str:
        return hashlib.md5(":".join(parts).encode()).hexdigest()

    of_user = h("bob", told["realm"], password)
    of_request = h(method, told["uri"])
    middle = [told["nc"], told["cnonce"], told["qop"]] if "qop" in told else []
    return told["response"] == h(of_user, told["nonce"], *middle, of_request) and told["username"] == "bob"


def _never_tried(original: Any, self: Login, response: Any, method: str) -> Any:
    self._tried.clear()
    return original(self, response, method)


password_again_and_again = around(Login, "heed", _never_tried)
proxy_like_server = around(
    Login,
    "headers",
    lambda original, *args: [(name.replace("Proxy-", ""), value) for name, value in original(*args)],
)


def _same_number(original: Any, self: Dialog, method: str, **told: Any) -> Any:
    made = original(self, method, **told)
    if told.get("number") is None:
        self.local_number -= 1
    return made


numbers_stand_still = around(Dialog, "headers", _same_number)


def _cancel_of_its_own_branch(original: Any, self: Endpoint, data: bytes, **told: Any) -> Any:
    if told["method"] == "CANCEL":
        data = data.replace(told["branch"].encode(), b"z9hG4bKanother")
    return original(self, data, **told)


cancel_of_its_own_branch = around(Endpoint, "ask", _cancel_of_its_own_branch)


def _as_if_heard(original: Any, self: Placing) -> Any:
    self.heard = True
    return original(self)


cancels_what_nobody_has = around(Placing, "cancel", _as_if_heard)


def _routes_as_they_come(original: Any, self: Dialog, response: Any) -> None:
    original(self, response)
    self.routes.reverse()


routes_the_wrong_way_round = around(Dialog, "confirm", _routes_as_they_come)
contact_ignored = replaced(Dialog, "refresh", nothing)
any_dialog = replaced(Dialog, "holds", lambda self, request: True)


def refuses(method: str) -> Plant:
    """Answers a method as if it did not know it."""
    return lambda patch: patch.setattr(in_dialog, "ALLOW", in_dialog.ALLOW.replace(f"{method}, ", ""))


def mute_to(method: str) -> Plant:
    """Does not answer a method."""
    return replaced(InDialog, f"_{method.lower()}", nothing)


deaf_to_unknown = around(
    InDialog,
    "take",
    lambda original, self, request, source: (
        None if request.method == "MESSAGE" else original(self, request, source)
    ),
)
digits_ignored = replaced(in_dialog, "info_digit", nothing)


def _always_both_ways(original: Any, *args: Any, **told: Any) -> bytes:
    return original(*args, **told).replace(b"a=recvonly", b"a=sendrecv").replace(b"a=inactive", b"a=sendrecv")


hold_not_answered = around(negotiation, "write_answer", _always_both_ways)


def _no_offer(original: Any, self: Any) -> bytes:
    return original(self) if self.agreed is None else b""


no_late_offer = around(negotiation.Negotiation, "offer", _no_offer)
any_codec = replaced(negotiation.Negotiation, "answer", lambda self, body: self.offer())
once_only = replaced(Endpoint, "_repeat", nothing)
no_notify = replaced(Transfers, "tell", nothing_soon)
goes_on_after_bye = replaced(session.SipSession, "end", nothing)
extensions_ignored = lambda patch: patch.setattr(in_dialog, "_UNDERSTOOD", frozenset({"timer", "teleport"}))  # noqa: E731


def _any_order(original: Any, self: InDialog, request: Any, source: Any) -> Any:
    self._dialog.remote_number = None
    return original(self, request, source)


any_order = around(InDialog, "take", _any_order)


follows_nobody = around(
    placing, "redirected", lambda original, response, **told: placing.not_taken(response, shown="")
)


def _follows_everybody(original: Any, response: Any, **told: Any) -> Exception:
    return Redirected(to=message.address_of(message.values(response, "Contact")[0]))


follows_everybody = around(placing, "redirected", _follows_everybody)
no_x_headers = around(dialling, "fitting", lambda original, to, most: (original(to, most)[0][:1], []))
session_stays_short = replaced(Placing, "_lengthen_session", nothing)


def _forgets_the_proxy(original: Any, self: Login, response: Any, method: str) -> Any:
    self._answered.clear()
    return original(self, response, method)


forgets_the_proxy = around(Login, "heed", _forgets_the_proxy)


def _stale_is_refused(original: Any, headers: Any) -> Any:
    return dataclasses.replace(original(headers), stale=False)


stale_is_refused = around(login, "read_challenge", _stale_is_refused)


def _without_credentials(original: Any, self: Asking, *told: Any) -> Any:
    self.invite_credentials = ()
    return original(self, *told)


ack_without_credentials = around(Asking, "acknowledge", _without_credentials)


def _only_for_invites(original: Any, self: Login, method: str, uri: str) -> Any:
    return original(self, method, uri) if method == "INVITE" else []


no_password_in_dialogs = around(Login, "headers", _only_for_invites)
everything_is_busy = around(
    placing,
    "not_taken",
    lambda original, response, **told: NotAnswered("busy", reason="busy", code=486),
)
no_early_media = replaced(
    session, "described", lambda response: response.body if response.code >= 200 else b""
)
other_tags_ignored = replaced(placing, "tag_of", lambda value: "always")


def short_names_unknown(patch: pytest.MonkeyPatch) -> None:
    """Reads no header by its short name."""
    patch.setattr(message, "_mended", lambda line: line)
    patch.setattr("sipmessage.message.COMPACT_FORMS", {})


wrong_event_type = around(
    leg, "event_packets", lambda original, digit, **told: original("0" if digit != "0" else "1", **told)
)


def _twice(original: Any, self: Intake, *args: Any) -> None:
    original(self, *args)
    original(self, *args)


keeps_packets_twice = around(Intake, "_keep", _twice)


def sends_elsewhere(patch: pytest.MonkeyPatch) -> None:
    """Sends sound to a port where nobody is."""
    patch.setattr(Leg, "_go_to", lambda self, *told: setattr(self, "_to", ("127.0.0.1", 9)))


no_keys_by_info = replaced(Pressing, "_inform", nothing_soon)
no_max_forwards = without_line("max-forwards")
no_content_length = without_line("content-length")
no_rport = on_the_wire(lambda head: head.replace(";rport", ""))
refuses_updates = refuses("UPDATE")
mute_to_options = mute_to("OPTIONS")

TOLD: Mapping[str, str] = {
    "no_ack": "sends no ACK for a 200",
    "no_bye": "sends no BYE",
    "no_cancel": "sends no CANCEL",
    "never_again": "sends no request twice",
    "no_linger": "is gone at once after a refusal",
    "no_prack": "sends no PRACK",
    "forgets_the_early_answer": "wants an answer in the 200 that came before",
    "no_ack_of_failures": "sends no ACK for a refusal",
    "swallows_copies": "takes no notice of a 200 that comes again",
    "ack_of_another_branch": "acknowledges a refusal in another transaction",
    "one_branch_for_all": "has one branch for all requests",
    "another_user": "answers a challenge as somebody else",
    "digest_of_another_method": "works the digest out for another method",
    "password_again_and_again": "tries the same password again and again",
    "proxy_like_server": "answers a proxy as if it were the server",
    "numbers_stand_still": "does not count its requests",
    "cancel_of_its_own_branch": "cancels a transaction of its own",
    "cancels_what_nobody_has": "cancels what nobody has answered",
    "routes_the_wrong_way_round": "takes the proxies in the wrong order",
    "contact_ignored": "takes no notice of a Contact",
    "any_dialog": "heeds requests of other dialogs",
    "deaf_to_unknown": "does not answer a method that it does not know",
    "digits_ignored": "reads no keys in an INFO",
    "hold_not_answered": "answers a hold as if there were none",
    "no_late_offer": "has no offer for an INVITE without one",
    "any_codec": "agrees to any codec",
    "once_only": "sends its answers once only",
    "no_notify": "tells nothing of a transfer",
    "goes_on_after_bye": "goes on after a BYE",
    "extensions_ignored": "pretends to know an extension",
    "any_order": "takes requests in any order",
    "follows_nobody": "follows no redirection",
    "follows_everybody": "follows every redirection",
    "no_x_headers": "leaves out what the plan tells the agent",
    "session_stays_short": "does not lengthen a session that is too short",
    "forgets_the_proxy": "forgets the proxy's challenge for the server's",
    "stale_is_refused": "takes a stale nonce for a wrong password",
    "ack_without_credentials": "acknowledges without credentials",
    "no_password_in_dialogs": "hangs up without credentials",
    "everything_is_busy": "takes every refusal for busy",
    "no_early_media": "sees no early media",
    "other_tags_ignored": "takes every 200 for the first one",
    "short_names_unknown": "reads no short names of headers",
    "wrong_event_type": "presses other keys",
    "no_keys_by_info": "presses keys by events alone",
    "keeps_packets_twice": "keeps every packet twice",
    "sends_elsewhere": "sends its sound elsewhere",
    "no_max_forwards": "sends no Max-Forwards",
    "no_content_length": "sends no Content-Length",
    "no_rport": "asks for no rport",
    "refuses_updates": "does not know UPDATE",
    "mute_to_options": "does not answer OPTIONS",
}
"""In words, what our user agent does with a fault."""


def told(fault: Plant) -> str:
    """A fault in words.

    Raises:
        KeyError: Nobody has written them down.
    """
    return next(words for name, words in TOLD.items() if globals()[name] is fault)
