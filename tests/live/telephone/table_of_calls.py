"""Calls that sipp takes: what it plays, what has to come of it, and the fault that it notices."""

from __future__ import annotations

from typing import cast

from harness.transports.sip.session import SipSession
from harness.transports.stamp import RtpStamp
from tests.live.telephone import faults
from tests.live.telephone.calling import Call, Called
from tests.live.telephone.scenario import HUNG_UP, Scenario, standing
from tests.live.telephone.sipp import Played
from tests.live.telephone.steps import INVITED, pause, receive, respond, respond_to_invite, sdp, send

OK = respond(200, "OK", sdp=sdp())
RELIABLE = ("Require: 100rel",)
PROXIES = "Record-Route: <sip:[local_ip]:[local_port];lr;p=2>, <sip:[local_ip]:[local_port];lr;p=1>"
SHORT_NAMES = send(
    "SIP/2.0 200 OK\n[last_Via:]\n[last_From:]\n[last_To:];tag=x\n[last_Call-ID:]\n[last_CSeq:]\n"
    "m: <sip:short@[local_ip]:[local_port]>\nc: application/sdp\nl: [len]\n\n" + sdp()
)


def _number(played: Played, method: str) -> int:
    return int(played.ours(method)[0].header("CSeq").split()[0])


def _once_each(called: Called) -> bool:
    numbers = [cast(RtpStamp, packet.stamp).sequence for packet in called.packets]
    return len(set(numbers)) == len(numbers) > 10


async def _press(session: SipSession) -> None:
    assert session.press("42", 0)


CALLS: dict[str, Scenario] = {
    "taken and hung up": Scenario(steps=standing(), fault=faults.no_ack),
    "we hang up": Scenario(steps=standing(), fault=faults.no_bye),
    "each request has a branch of its own": Scenario(
        steps=standing(),
        fault=faults.one_branch_for_all,
        check=lambda played, called: len({one.branch for one in played.messages if one.ours}) == 3,
    ),
    "numbers grow": Scenario(
        steps=standing(),
        fault=faults.numbers_stand_still,
        check=lambda played, called: _number(played, "BYE") == _number(played, "INVITE") + 1,
    ),
    "requests have a limit of hops": Scenario(
        steps=[INVITED, OK, receive("ACK"), *HUNG_UP],
        fault=faults.no_max_forwards,
        check=lambda played, called: (
            {one.header("Max-Forwards") for one in played.messages if one.ours} == {"70"}
        ),
    ),
    "over TCP": Scenario(
        steps=standing(),
        call=Call(to="sip:agent@127.0.0.1:{port};transport=tcp"),
        tcp=True,
        fault=faults.no_content_length,
    ),
    "answers go back by the port they came from": Scenario(
        steps=standing(),
        fault=faults.no_rport,
        check=lambda played, called: ";rport" in played.ours("INVITE")[0].header("Via"),
    ),
    "short names of headers": Scenario(
        steps=[INVITED, SHORT_NAMES, receive("ACK"), *HUNG_UP],
        fault=faults.short_names_unknown,
        check=lambda played, called: played.ours("BYE sip:short@") != [],
    ),
    "proxies on the way": Scenario(
        steps=[INVITED, respond(200, "OK", headers=(PROXIES,), sdp=sdp()), receive("ACK"), *HUNG_UP],
        fault=faults.routes_the_wrong_way_round,
        check=lambda played, called: (
            [route[-4:-1] for route in played.ours("BYE")[0].headers("Route")] == ["p=1", "p=2"]
        ),
    ),
    "requests go to the contact": Scenario(
        steps=[
            INVITED,
            respond(200, "OK", sdp=sdp(), contact="sip:there@[local_ip]:[local_port]"),
            receive("ACK"),
            *HUNG_UP,
        ],
        fault=faults.contact_ignored,
        check=lambda played, called: played.ours("BYE sip:there@") != [],
    ),
    "what the plan tells the agent": Scenario(
        steps=standing(),
        call=Call(headers={"X-Tenant": "t1"}, request_data={"customer_id": 7}),
        fault=faults.no_x_headers,
        check=lambda played, called: (
            played.ours("INVITE")[0].header("X-Tenant") == "t1"
            and played.ours("INVITE")[0].header("X-Customer-Id") == "7"
        ),
    ),
    "early media": Scenario(
        steps=[INVITED, respond(183, "Progress", sdp=sdp()), OK, receive("ACK"), *HUNG_UP],
        fault=faults.no_early_media,
        check=lambda played, called: called.data("ringing").get("early_media") is True,
    ),
    "ringing that is not to be lost": Scenario(
        steps=[
            INVITED,
            respond(180, "Ringing", headers=(*RELIABLE, "RSeq: 4711")),
            receive("PRACK"),
            respond(200, "OK", tag=""),
            respond_to_invite(200, "OK", tag="sipp[call_number]", sdp=sdp()),
            receive("ACK"),
            *HUNG_UP,
        ],
        fault=faults.no_prack,
        check=lambda played, called: (
            "100rel" in played.ours("INVITE")[0].header("Supported")
            and played.ours("PRACK")[0].header("RAck") == f"4711 {_number(played, 'INVITE')} INVITE"
            and [_number(played, method) - _number(played, "INVITE") for method in ("PRACK", "ACK", "BYE")]
            == [1, 0, 2]
        ),
    ),
    "an answer before it is taken": Scenario(
        steps=[
            INVITED,
            respond(183, "Progress", headers=(*RELIABLE, "RSeq: 1"), sdp=sdp()),
            receive("PRACK"),
            respond(200, "OK", tag=""),
            respond_to_invite(200, "OK", tag="sipp[call_number]"),
            receive("ACK"),
            *HUNG_UP,
        ],
        fault=faults.forgets_the_early_answer,
        check=lambda played, called: not called.error and len(called.packets) > 10,
        call=Call(for_s=0.6),
    ),
    "our INVITE was lost": Scenario(
        steps=[INVITED, pause(900), OK, receive("ACK"), *HUNG_UP],
        fault=faults.never_again,
        check=lambda played, called: len(played.ours("INVITE")) >= 2,
    ),
    "our ACK was lost": Scenario(
        steps=[
            INVITED,
            respond_to_invite(200, "OK", tag="a", sdp=sdp()),
            receive("ACK"),
            respond_to_invite(200, "OK", tag="a", sdp=sdp()),
            receive("ACK"),
            *HUNG_UP,
        ],
        fault=faults.swallows_copies,
    ),
    "two phones answer at once": Scenario(
        steps=[
            INVITED,
            respond_to_invite(200, "OK", tag="a", sdp=sdp()),
            receive("ACK"),
            respond_to_invite(200, "OK", tag="b", sdp=sdp()),
            receive("ACK"),
            receive("BYE"),
            respond(200, "OK", tag=""),
            *HUNG_UP,
        ],
        fault=faults.other_tags_ignored,
        check=lambda played, called: (
            [one.header("To").rpartition("=")[2] for one in played.ours("BYE")] == ["b", "a"]
        ),
    ),
    "sound both ways": Scenario(
        # sipp sends back what it gets.
        steps=standing(),
        fault=faults.sends_elsewhere,
        check=lambda played, called: len(called.packets) > 10,
        call=Call(for_s=0.6),
    ),
    "each packet once": Scenario(
        steps=standing(),
        fault=faults.keeps_packets_twice,
        check=lambda played, called: _once_each(called),
        call=Call(for_s=0.6),
    ),
    "keys that we press": Scenario(
        steps=standing(),
        fault=faults.wrong_event_type,
        check=lambda played, called: (
            [one.data["digit"] for one in called.events if one.kind == "dtmf"] == ["4", "2"]
        ),
        call=Call(for_s=1.0, during=_press),
    ),
}
