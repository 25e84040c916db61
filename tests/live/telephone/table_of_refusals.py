"""Calls that are not taken at once, or not at all: refused, challenged, cancelled, redirected."""

from __future__ import annotations

from harness.errors import NotAnswered
from tests.live.telephone import faults
from tests.live.telephone.calling import Call, Called
from tests.live.telephone.scenario import HUNG_UP, Scenario
from tests.live.telephone.sipp import Played
from tests.live.telephone.steps import INVITED, pause, receive, respond, respond_to_invite, sdp

OK = respond(200, "OK", sdp=sdp())
MD5 = 'Digest realm="test", nonce="abc", algorithm=MD5'
TWO_QOPS = 'Digest realm="test", nonce="abc", qop="auth,auth-int", algorithm=MD5, opaque="xyz"'
STALE = 'Digest realm="test", nonce="def", algorithm=MD5, stale=true'
LOGIN = Call(to="sip:agent@127.0.0.1:{port}?user=bob&password=secret")
SHORT_WAIT = Call(connect_s=0.8)


def _challenged(value: str, code: int = 401) -> list[str]:
    name = "WWW-Authenticate" if code == 401 else "Proxy-Authenticate"
    return [INVITED, respond(code, "Who are you", headers=(f"{name}: {value}",)), receive("ACK")]


TAKEN = [INVITED, OK, receive("ACK"), *HUNG_UP]


def _right(played: Played, header: str = "Authorization", *, which: int = 1) -> bool:
    """Whether an INVITE carries the right answer to the challenge, by the rule of RFC 2617."""
    invite = played.ours("INVITE")[which]
    return faults.is_right_digest(invite.header(header), method="INVITE", password="secret")


def _reason(called: Called) -> tuple[str, int | None]:
    failure = called.failure
    return (failure.reason, failure.code) if isinstance(failure, NotAnswered) else ("", None)


REFUSALS: dict[str, Scenario] = {
    "busy": Scenario(
        steps=[INVITED, respond(486, "Busy Here"), receive("ACK")],
        fault=faults.no_ack_of_failures,
        check=lambda played, called: _reason(called) == ("busy", 486),
    ),
    "declined after ringing": Scenario(
        steps=[INVITED, respond(180, "Ringing"), respond(603, "Decline"), receive("ACK")],
        fault=faults.everything_is_busy,
        check=lambda played, called: _reason(called) == ("declined", 603),
    ),
    "the ACK of a failure belongs to it": Scenario(
        steps=[INVITED, respond(500, "Oops"), receive("ACK")],
        fault=faults.ack_of_another_branch,
        check=lambda played, called: played.ours("ACK")[0].branch == played.ours("INVITE")[0].branch,
    ),
    "our ACK of a failure was lost": Scenario(
        # sipp takes our second ACK for a copy, so it is not waited for.
        steps=[
            INVITED,
            respond_to_invite(486, "Busy Here", tag="a"),
            receive("ACK"),
            pause(300),
            respond_to_invite(486, "Busy Here", tag="a"),
            pause(300),
        ],
        fault=faults.no_linger,
        check=lambda played, called: _reason(called) == ("busy", 486) and len(played.ours("ACK")) >= 2,
    ),
    "a server wants to know who we are": Scenario(
        steps=[*_challenged(MD5), *TAKEN],
        call=LOGIN,
        fault=faults.another_user,
        check=lambda played, called: not called.error and _right(played),
    ),
    "with quality of protection": Scenario(
        steps=[*_challenged(TWO_QOPS), *TAKEN],
        call=LOGIN,
        fault=faults.digest_of_another_method,
        check=lambda played, called: not called.error and _right(played),
    ),
    "a proxy wants to know who we are": Scenario(
        steps=[*_challenged(MD5, 407), *TAKEN],
        call=LOGIN,
        fault=faults.proxy_like_server,
        check=lambda played, called: not called.error and _right(played, "Proxy-Authorization"),
    ),
    "both want to know": Scenario(
        steps=[*_challenged(MD5, 407), *_challenged(MD5, 401), *TAKEN],
        call=LOGIN,
        fault=faults.forgets_the_proxy,
        check=lambda played, called: (
            _right(played, "Proxy-Authorization", which=2) and _right(played, which=2)
        ),
    ),
    "the nonce was too old": Scenario(
        steps=[*_challenged(MD5), *_challenged(STALE), *TAKEN],
        call=LOGIN,
        fault=faults.stale_is_refused,
    ),
    "a wrong password is sent once": Scenario(
        steps=[*_challenged(MD5), *_challenged(MD5)],
        call=LOGIN,
        fault=faults.password_again_and_again,
        check=lambda played, called: (
            "does not take our user and password" in called.error and len(played.ours("INVITE")) == 2
        ),
    ),
    "the ACK has the credentials, too": Scenario(
        steps=[*_challenged(MD5), *TAKEN],
        call=LOGIN,
        fault=faults.ack_without_credentials,
        check=lambda played, called: bool(played.ours("ACK")[-1].header("Authorization")),
    ),
    "hanging up wants to be authorised": Scenario(
        steps=[
            INVITED,
            OK,
            receive("ACK"),
            receive("BYE"),
            respond(401, "Who are you", tag="", headers=(f"WWW-Authenticate: {MD5}",)),
            *HUNG_UP,
        ],
        call=LOGIN,
        fault=faults.no_password_in_dialogs,
        check=lambda played, called: bool(played.ours("BYE")[1].header("Authorization")),
    ),
    "the session shall be longer": Scenario(
        steps=[INVITED, respond(422, "Too Small", headers=("Min-SE: 3600",)), receive("ACK"), *TAKEN],
        fault=faults.session_stays_short,
        check=lambda played, called: int(played.ours("INVITE")[1].header("Session-Expires")) >= 3600,
    ),
    "nobody picks up": Scenario(
        steps=[
            INVITED,
            respond(180, "Ringing"),
            receive("CANCEL"),
            respond(200, "OK", tag=";tag=a"),
            respond_to_invite(487, "Terminated", tag="a"),
            receive("ACK"),
        ],
        call=SHORT_WAIT,
        fault=faults.no_cancel,
        check=lambda played, called: _reason(called) == ("no answer", None),
    ),
    "the CANCEL belongs to its INVITE": Scenario(
        steps=[
            INVITED,
            respond(180, "Ringing"),
            receive("CANCEL"),
            respond(200, "OK", tag=";tag=a"),
            respond_to_invite(487, "Terminated", tag="a"),
            receive("ACK"),
        ],
        call=SHORT_WAIT,
        fault=faults.cancel_of_its_own_branch,
        check=lambda played, called: played.ours("CANCEL")[0].branch == played.ours("INVITE")[0].branch,
    ),
    "taken while we give up": Scenario(
        steps=[
            INVITED,
            respond(180, "Ringing"),
            receive("CANCEL"),
            respond(200, "OK", tag=";tag=a"),
            respond_to_invite(200, "OK", tag="a", sdp=sdp()),
            receive("ACK"),
            *HUNG_UP,
        ],
        call=SHORT_WAIT,
        fault=faults.no_bye,
        check=lambda played, called: _reason(called) == ("no answer", None),
    ),
    "nobody there gets no CANCEL": Scenario(
        steps=[INVITED, pause(1500)],
        call=Call(connect_s=0.6),
        fault=faults.cancels_what_nobody_has,
        check=lambda played, called: (
            played.ours("CANCEL") == [] and "no answer to the INVITE" in called.error
        ),
    ),
    "a redirection that the plan allows": Scenario(
        steps=[
            INVITED,
            respond(302, "Moved", contact="sip:there@127.0.0.1:[local_port]"),
            receive("ACK"),
            pause(100),
        ],
        call=Call(to="sip:agent@127.0.0.1:{port}?follow=127.0.0.1", connect_s=1.5),
        fault=faults.follows_nobody,
        check=lambda played, called: "redirected" in called.kinds(),
    ),
    "a redirection that it does not": Scenario(
        steps=[INVITED, respond(302, "Moved", contact="sip:there@127.0.0.1:[local_port]"), receive("ACK")],
        fault=faults.follows_everybody,
        check=lambda played, called: (
            "redirected" not in called.kinds() and "the plan does not allow" in called.error
        ),
    ),
    "taken without a description": Scenario(
        steps=[INVITED, respond(200, "OK"), receive("ACK"), *HUNG_UP],
        fault=faults.no_bye,
        check=lambda played, called: "without an SDP answer" in called.error,
    ),
    "taken in a codec that nobody offered": Scenario(
        steps=[INVITED, respond(200, "OK", sdp=sdp("18")), receive("ACK"), *HUNG_UP],
        fault=faults.no_ack,
        check=lambda played, called: "no codec in common" in called.error,
    ),
}
