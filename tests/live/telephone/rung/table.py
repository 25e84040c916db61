"""What sipp does that calls us, and what comes of it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from harness.errors import NotAnswered, RangOff
from harness.transports.sip.answering.session import AnsweredSession
from tests.live.telephone import faults as common
from tests.live.telephone.faults import Plant
from tests.live.telephone.rung import faults
from tests.live.telephone.rung.being_called import Answer, Rung
from tests.live.telephone.rung.steps import (
    HANGS_UP,
    INVITE_BRANCH,
    IS_HUNG_UP,
    KEEP_TAG,
    OF_THE_NUMBER,
    REFUSAL_TAKEN,
    SECOND_BRANCH,
    TAKEN,
    answered,
    call,
    within,
)
from tests.live.telephone.sipp import Played
from tests.live.telephone.steps import pause, receive, sdp

Check = Callable[[Played, Rung], bool]
LONGER = Answer(for_s=3.0)
PASSWORD = Answer(for_s=3.0, password="let-me-in")


@dataclass(frozen=True, kw_only=True)
class Incoming:
    """What sipp plays; it goes right only where every message that it waits for comes.

    Attributes:
        fault: With which it goes wrong.
        check: What has to be so besides.
        password: That sipp shows.
    """

    steps: Sequence[str]
    fault: Plant
    check: Check = lambda played, rung: not rung.error
    answer: Answer = field(default_factory=Answer)
    tcp: bool = False
    password: str = ""


def _answers(played: Played, method: str) -> list[str]:
    """First lines of our responses to requests of a method."""
    return [one.first for one in played.ours("SIP/2.0") if one.header("CSeq").endswith(method)]


def _codes(played: Played, method: str = "INVITE") -> list[int]:
    return [int(first.split(" ")[1]) for first in _answers(played, method)]


def _directions(played: Played) -> list[str]:
    said = [one.body for one in played.ours("SIP/2.0 200") if one.header("CSeq").endswith("INVITE")]
    return re.findall(r"^a=(sendrecv|recvonly|inactive|sendonly)", "\n".join(said), re.M)


def _tags(played: Played) -> set[str]:
    said = [one.header("To") for one in played.ours("SIP/2.0") if not one.first.startswith("SIP/2.0 100")]
    return {to.partition("tag=")[2] for to in said}


def _planned(rung: Rung, reason: str, code: int) -> bool:
    failure = rung.failure
    return (
        isinstance(failure, NotAnswered)
        and failure.planned
        and (failure.reason, failure.code) == (reason, code)
    )


async def _speaks(session: AnsweredSession) -> None:
    await asyncio.sleep(0.3)


def _refused(code: int) -> list[str]:
    return [call(), answered(100, optional=True), answered(180, optional=True), answered(code), REFUSAL_TAKEN]


def _cancel(branch: str = INVITE_BRANCH) -> str:
    return within("CANCEL", 1, branch=branch, uri=OF_THE_NUMBER, tag="")


INCOMING: Mapping[str, Incoming] = {
    "it rings, is picked up, and the agent hangs up": Incoming(
        steps=[*TAKEN, pause(200), *HANGS_UP],
        answer=LONGER,
        fault=faults.bye_unknown,
        check=lambda played, rung: (
            rung.ended == "the agent hung up (BYE)" and _codes(played) == [100, 180, 200]
        ),
    ),
    "it rings as long as it was drawn": Incoming(
        steps=[*TAKEN, *HANGS_UP],
        answer=Answer(for_s=3.0, ring_s=0.8),
        fault=faults.picks_up_at_once,
        check=lambda played, rung: 0.79 <= rung.data("picked-up")["rang_s"] < 1.0,
    ),
    "we hang up": Incoming(steps=[*TAKEN, *IS_HUNG_UP], fault=common.no_bye),
    "the agent gives up while it rings": Incoming(
        steps=[
            call(),
            answered(100, optional=True),
            answered(180),
            pause(100),
            _cancel(),
            answered(200),
            answered(487),
            REFUSAL_TAKEN,
        ],
        answer=Answer(ring_s=3.0),
        fault=faults.cancel_ignored,
        check=lambda played, rung: isinstance(rung.failure, RangOff) and not rung.data("picked-up"),
    ),
    "it gives up by a BYE": Incoming(
        steps=[
            call(),
            answered(100, optional=True),
            answered(180, routes=True),
            within("BYE", 2),
            answered(200),
            answered(487),
            REFUSAL_TAKEN,
        ],
        answer=Answer(ring_s=3.0),
        fault=faults.cancel_ignored,
        check=lambda played, rung: isinstance(rung.failure, RangOff) and _codes(played, "BYE") == [200],
    ),
    "a CANCEL that crosses our answer": Incoming(
        steps=[*TAKEN, _cancel(), answered(200), pause(100), *HANGS_UP],
        answer=LONGER,
        fault=faults.late_cancel_unknown,
        check=lambda played, rung: rung.ended == "the agent hung up (BYE)",
    ),
    "the ACK was lost": Incoming(
        steps=[*TAKEN[:-1], pause(800), within("ACK", 1), pause(100), *HANGS_UP],
        answer=LONGER,
        fault=common.once_only,
        check=lambda played, rung: _codes(played).count(200) >= 2,
    ),
    "an ACK ends the repeating": Incoming(
        steps=[*TAKEN, pause(1800), *HANGS_UP],
        answer=LONGER,
        fault=faults.ack_ignored,
        check=lambda played, rung: _codes(played).count(200) == 1,
    ),
    "the INVITE comes twice": Incoming(
        steps=[
            call(),
            answered(100, optional=True),
            answered(180),
            # sipp repeats itself for each copy of what it has had, until it has something else.
            call(),
            answered(200, routes=True),
            within("ACK", 1),
            *HANGS_UP,
        ],
        answer=Answer(for_s=3.0, ring_s=0.6),
        fault=faults.copies_ring_again,
        check=lambda played, rung: len(rung.rings) == 1,
    ),
    "all that we say is of one telephone": Incoming(
        steps=[*TAKEN, *HANGS_UP],
        answer=LONGER,
        fault=faults.another_tag_each_time,
        check=lambda played, rung: len(_tags(played)) == 1,
    ),
    "somebody is told that we try": Incoming(
        steps=[call(), answered(100), answered(180), answered(200, routes=True), within("ACK", 1), *HANGS_UP],
        answer=LONGER,
        fault=faults.no_trying,
    ),
    "we declined": Incoming(
        steps=_refused(603),
        answer=Answer(does="decline"),
        fault=faults.refuses_with(486),
        check=lambda played, rung: _planned(rung, "declined", 603) and 180 in _codes(played),
    ),
    "we are busy": Incoming(
        steps=_refused(486),
        answer=Answer(does="busy"),
        fault=faults.refuses_with(603),
        check=lambda played, rung: _planned(rung, "busy", 486) and 180 not in _codes(played),
    ),
    "nobody ever picks up": Incoming(
        steps=[
            call(),
            answered(100, optional=True),
            answered(180),
            pause(700),
            _cancel(),
            answered(200),
            answered(487),
            REFUSAL_TAKEN,
        ],
        answer=Answer(does="never"),
        fault=faults.never_rings,
        check=lambda played, rung: _planned(rung, "no answer", 487),
    ),
    "no codec in common": Incoming(
        steps=[call(description=sdp("18")), answered(100, optional=True), answered(488), REFUSAL_TAKEN],
        fault=faults.deaf_to_offers,
        check=lambda played, rung: "there is no codec in common" in rung.error,
    ),
    "refused for its codec, and asking again for less": Incoming(
        steps=[
            call(description=sdp("18")),
            answered(100, optional=True),
            answered(488),
            REFUSAL_TAKEN,
            call(number=2, branch=SECOND_BRANCH),
            answered(100, optional=True),
            # A call of its own: here only the first is taken.
            answered(486),
            within("ACK", 2, branch=SECOND_BRANCH, uri=OF_THE_NUMBER),
        ],
        fault=faults.nobody_asks_twice,
        check=lambda played, rung: (
            len({ring.header("Call-ID") for ring in rung.rings}) == 1 < len(rung.rings)
        ),
    ),
    "an offer that is none": Incoming(
        steps=[
            call(description="v=1\nnonsense\n"),
            answered(100, optional=True),
            answered(488),
            REFUSAL_TAKEN,
        ],
        fault=faults.deaf_to_offers,
        check=lambda played, rung: "its SDP offer cannot be used" in rung.error,
    ),
    "we are to make the offer": Incoming(
        steps=[
            call(description=""),
            answered(100, optional=True),
            answered(180),
            answered(200, routes=True),
            within("ACK", 1, description=sdp()),
            pause(400),
            *HANGS_UP,
        ],
        answer=LONGER,
        fault=faults.late_answer_ignored,
        check=lambda played, rung: (
            rung.codec == "pcmu" and not rung.error and "m=audio" in played.ours("SIP/2.0 200")[0].body
        ),
    ),
    "an ACK without the answer to it": Incoming(
        steps=[
            call(description=""),
            answered(100, optional=True),
            answered(180),
            answered(200, routes=True),
            within("ACK", 1),
            *IS_HUNG_UP,
        ],
        fault=common.no_bye,
        check=lambda played, rung: "without an SDP answer" in rung.error,
    ),
    "sound flows both ways from our answer on": Incoming(
        steps=[*TAKEN, pause(500), *HANGS_UP],
        answer=Answer(for_s=3.0, during=_speaks),
        fault=faults.sends_nothing,
        # sipp sends back what it gets.
        check=lambda played, rung: len(rung.packets) >= 10,
    ),
    "an extension that we do not know": Incoming(
        steps=[
            call(headers=("Require: teleport",)),
            answered(100, optional=True),
            answered(420),
            REFUSAL_TAKEN,
        ],
        fault=faults.any_extension,
        check=lambda played, rung: played.ours("SIP/2.0 420")[0].header("Unsupported") == "teleport",
    ),
    "it wants what we say before the answer acknowledged": Incoming(
        steps=[
            call(headers=("Require: 100rel",)),
            answered(100, optional=True),
            answered(420),
            REFUSAL_TAKEN,
        ],
        fault=faults.any_extension,
        check=lambda played, rung: played.ours("SIP/2.0 420")[0].header("Unsupported") == "100rel",
    ),
    "signs of life too often": Incoming(
        steps=[
            call(headers=("Session-Expires: 30", "Supported: timer")),
            answered(100, optional=True),
            answered(180),
            answered(200, routes=True),
            within("ACK", 1),
            *HANGS_UP,
        ],
        answer=LONGER,
        # It may be refused (RFC 4028, 9), and is a call all the same: without a timer.
        fault=faults.any_interval,
        check=lambda played, rung: not played.ours("SIP/2.0 200")[0].header("Session-Expires"),
    ),
    "signs of life are agreed": Incoming(
        steps=[
            call(headers=("Session-Expires: 1800;refresher=uac", "Supported: timer")),
            answered(100, optional=True),
            answered(180),
            answered(200, routes=True),
            within("ACK", 1),
            *HANGS_UP,
        ],
        answer=LONGER,
        fault=faults.no_session_timer,
        check=lambda played, rung: (
            played.ours("SIP/2.0 200")[0].header("Session-Expires") == "1800;refresher=uac"
        ),
    ),
    "hold and resume": Incoming(
        steps=[
            *TAKEN,
            within("INVITE", 2, description=sdp(direction="sendonly", version=2)),
            answered(200),
            within("ACK", 2),
            pause(200),
            within("INVITE", 3, description=sdp(version=3)),
            answered(200),
            within("ACK", 3),
            within("BYE", 4),
            answered(200),
        ],
        answer=LONGER,
        fault=common.hold_not_answered,
        check=lambda played, rung: (
            _directions(played) == ["sendrecv", "recvonly", "sendrecv"]
            and [kind for kind in rung.kinds() if kind in ("hold", "resume")] == ["hold", "resume"]
        ),
    ),
    "keys in an INFO": Incoming(
        steps=[
            *TAKEN,
            within("INFO", 2, headers=("Content-Type: application/dtmf-relay",)).replace(
                "Content-Length: 0\n\n", "Content-Length: [len]\n\nSignal=7\nDuration=160\n"
            ),
            answered(200),
            within("BYE", 3),
            answered(200),
        ],
        answer=LONGER,
        fault=common.digits_ignored,
        check=lambda played, rung: rung.data("dtmf") == {"digit": "7", "by": "info"},
    ),
    "a transfer": Incoming(
        steps=[
            *TAKEN,
            within("REFER", 2, headers=("Refer-To: <sip:elsewhere@203.0.113.9>",)),
            answered(202),
            receive("NOTIFY"),
            IS_HUNG_UP[1],
            *IS_HUNG_UP,
        ],
        answer=LONGER,
        fault=common.no_notify,
        check=lambda played, rung: rung.data("transferred")["followed"] is False,
    ),
    "somebody else's BYE": Incoming(
        steps=[
            *TAKEN[:-2],
            answered(200, routes=True, action=KEEP_TAG),
            within("ACK", 1),
            within("BYE", 2, tag=";tag=another"),
            answered(481),
            within("BYE", 3, tag=";tag=[$1]"),
            answered(200),
        ],
        answer=LONGER,
        fault=common.any_dialog,
        check=lambda played, rung: rung.ended == "the agent hung up (BYE)",
    ),
    "the way back through proxies": Incoming(
        steps=[
            call(
                headers=(
                    "Record-Route: <sip:127.0.0.1:[local_port];lr;first=1>",
                    "Record-Route: <sip:192.0.2.7;lr>",
                )
            ),
            answered(100, optional=True),
            answered(180),
            answered(200),
            within("ACK", 1, uri="sip:outboundeval@[remote_ip]:[remote_port]"),
            *IS_HUNG_UP,
        ],
        fault=faults.routes_the_wrong_way_round,
        check=lambda played, rung: (
            [route.partition(";")[0] for route in played.ours("BYE")[0].headers("Route")][1:]
            == ["<sip:192.0.2.7"]
        ),
    ),
    "whoever rings has to know a password": Incoming(
        steps=[
            call(),
            answered(100, optional=True),
            answered(401, auth=True),
            REFUSAL_TAKEN,
            call(number=2, headers=("[authentication]",), branch=INVITE_BRANCH + "2"),
            answered(100, optional=True),
            answered(180),
            answered(200, routes=True),
            within("ACK", 2),
            within("BYE", 3),
            answered(200),
        ],
        answer=PASSWORD,
        password="let-me-in",
        fault=faults.no_password_is_right,
        check=lambda played, rung: not rung.error and rung.unwanted == [],
    ),
    "and does not know it": Incoming(
        steps=[
            call(),
            answered(100, optional=True),
            answered(401, auth=True),
            REFUSAL_TAKEN,
            call(number=2, headers=("[authentication]",), branch=INVITE_BRANCH + "2"),
            answered(100, optional=True),
            answered(403),
            within("ACK", 2, branch=INVITE_BRANCH + "2", uri=OF_THE_NUMBER),
        ],
        answer=PASSWORD,
        password="guessed",
        fault=faults.any_password,
        check=lambda played, rung: rung.unwanted == ["unwanted credentials"] and rung.rings == [],
    ),
    "somebody who may not ring": Incoming(
        steps=[call(), answered(403), REFUSAL_TAKEN],
        answer=Answer(from_hosts=frozenset({"192.0.2.1"})),
        fault=faults.everybody_admitted,
        check=lambda played, rung: rung.unwanted == ["unwanted address"] and rung.rings == [],
    ),
    "are you there": Incoming(
        steps=[within("OPTIONS", 1, uri=OF_THE_NUMBER, tag=""), answered(200)],
        fault=faults.strangers_ignored,
        check=lambda played, rung: "INVITE" in played.ours("SIP/2.0 200")[0].header("Allow"),
    ),
    "a call that nobody knows": Incoming(
        steps=[within("BYE", 7, uri=OF_THE_NUMBER, tag=";tag=nobody"), answered(481)],
        fault=faults.strangers_ignored,
        check=lambda played, rung: rung.rings == [],
    ),
    "what we do not speak": Incoming(
        steps=[within("MESSAGE", 1, uri=OF_THE_NUMBER, tag=""), answered(405)],
        fault=faults.strangers_ignored,
        check=lambda played, rung: "INVITE" in played.ours("SIP/2.0 405")[0].header("Allow"),
    ),
    "over TCP": Incoming(
        steps=[*TAKEN, pause(100), *HANGS_UP],
        answer=LONGER,
        tcp=True,
        fault=faults.knows_no_call,
        check=lambda played, rung: (
            rung.ended == "the agent hung up (BYE)" and rung.data("rung")["over"] == "TCP"
        ),
    ),
    "headers by their short names": Incoming(
        steps=[
            call(short=True),
            answered(100, optional=True),
            answered(180),
            answered(200, routes=True),
            within("ACK", 1),
            *HANGS_UP,
        ],
        answer=LONGER,
        fault=faults.short_names_unread,
    ),
    "each codec that is offered": Incoming(
        steps=[
            call(description=sdp("9 8 101")),
            answered(100, optional=True),
            answered(180),
            answered(200, routes=True),
            within("ACK", 1),
            *HANGS_UP,
        ],
        answer=LONGER,
        fault=faults.speaks_pcma_alone,
        check=lambda played, rung: rung.codec == "g722",
    ),
}
