"""What sipp asks of us while a call stands."""

from __future__ import annotations

from harness.transports.sip.session import SipSession
from tests.live.telephone import faults
from tests.live.telephone.calling import Call, Called
from tests.live.telephone.scenario import HUNG_UP, TAKEN, Scenario, standing
from tests.live.telephone.sipp import Played
from tests.live.telephone.steps import INVITED, answer_to_ours, ask, pause, receive, respond, sdp

LONGER = Call(for_s=2.5)


def _answers(played: Played, method: str) -> list[str]:
    """First lines of our answers to requests of a method."""
    return [one.first for one in played.ours("SIP/2.0") if one.header("CSeq").endswith(method)]


def _direction(played: Played) -> list[str]:
    """What our answers to offers say of the way of sound."""
    said = [one.body for one in played.ours("SIP/2.0 200") if one.header("CSeq").endswith("INVITE")]
    return [
        line[2:]
        for body in said
        for line in body.split("\n")
        if line in ("a=sendrecv", "a=recvonly", "a=inactive")
    ]


def _held_and_resumed(called: Called) -> bool:
    return [kind for kind in called.kinds() if kind in ("hold", "resume")] == ["hold", "resume"]


def _ack(number: int, *, description: str = "") -> str:
    return ask("ACK", number, sdp=description)


async def _press(session: SipSession) -> None:
    assert session.press("42", 0)


HOLD = [
    ask("INVITE", 1, sdp=sdp(direction="sendonly", version=2)),
    answer_to_ours(200),
    _ack(1),
    pause(200),
    ask("INVITE", 2, sdp=sdp(version=3)),
    answer_to_ours(200),
    _ack(2),
]

IN_CALLS: dict[str, Scenario] = {
    "hold and resume": Scenario(
        steps=standing(*HOLD),
        call=Call(for_s=2.0),
        fault=faults.hold_not_answered,
        check=lambda played, called: (
            _direction(played) == ["recvonly", "sendrecv"] and _held_and_resumed(called)
        ),
    ),
    "hold as it was done once": Scenario(
        steps=standing(ask("INVITE", 1, sdp=sdp(address="0.0.0.0", version=2)), answer_to_ours(200), _ack(1)),
        call=Call(for_s=1.0),
        fault=faults.hold_not_answered,
        check=lambda played, called: _direction(played) == ["inactive"] and "hold" in called.kinds(),
    ),
    "an offer that we are to make": Scenario(
        steps=standing(ask("INVITE", 1), answer_to_ours(200), _ack(1, description=sdp(version=2))),
        call=Call(for_s=1.0),
        fault=faults.no_late_offer,
        check=lambda played, called: "m=audio" in played.ours("SIP/2.0 200")[0].body,
    ),
    "another codec within the call": Scenario(
        steps=standing(ask("INVITE", 1, sdp=sdp("9", version=2)), answer_to_ours(488), _ack(1)),
        call=Call(for_s=1.0),
        fault=faults.any_codec,
        check=lambda played, called: "offer-refused" in called.kinds(),
    ),
    "our answer to an offer was lost": Scenario(
        steps=standing(
            ask("INVITE", 1, sdp=sdp(version=2)), answer_to_ours(200), pause(800), _ack(1), pause(100)
        ),
        call=LONGER,
        fault=faults.once_only,
        check=lambda played, called: len(_answers(played, "INVITE")) >= 2,
    ),
    "an update": Scenario(
        steps=standing(ask("UPDATE", 1, sdp=sdp(direction="inactive", version=2)), answer_to_ours(200)),
        call=Call(for_s=0.8),
        fault=faults.refuses_updates,
        check=lambda played, called: "hold" in called.kinds(),
    ),
    "a sign of life": Scenario(
        steps=standing(ask("OPTIONS", 1), answer_to_ours(200)),
        call=Call(for_s=0.8),
        fault=faults.mute_to_options,
    ),
    "keys in an INFO": Scenario(
        steps=standing(
            ask("INFO", 1, body="application/dtmf-relay|Signal=7\nDuration=160"), answer_to_ours(200)
        ),
        call=Call(for_s=0.8),
        fault=faults.digits_ignored,
        check=lambda played, called: called.data("dtmf") == {"digit": "7", "by": "info"},
    ),
    "keys that we press where the agent takes no events": Scenario(
        steps=[
            INVITED,
            respond(200, "OK", sdp=sdp("0")),
            receive("ACK"),
            *[receive("INFO"), respond(200, "OK", tag="")] * 2,
            *HUNG_UP,
        ],
        call=Call(for_s=1.2, during=_press),
        fault=faults.no_keys_by_info,
        check=lambda played, called: (
            [one.body.split("\n")[0] for one in played.ours("INFO")] == ["Signal=4", "Signal=2"]
        ),
    ),
    "what we do not know": Scenario(
        steps=standing(ask("MESSAGE", 1, body="text/plain|hello"), answer_to_ours(405)),
        call=Call(for_s=0.8),
        fault=faults.deaf_to_unknown,
        check=lambda played, called: "INVITE" in played.ours("SIP/2.0 405")[0].header("Allow"),
    ),
    "an extension that we do not know": Scenario(
        steps=standing(ask("OPTIONS", 1, headers=("Require: teleport",)), answer_to_ours(420)),
        call=Call(for_s=0.8),
        fault=faults.extensions_ignored,
        check=lambda played, called: played.ours("SIP/2.0 420")[0].header("Unsupported") == "teleport",
    ),
    "requests out of order": Scenario(
        steps=standing(ask("OPTIONS", 5), answer_to_ours(200), ask("OPTIONS", 4), answer_to_ours(500)),
        call=Call(for_s=0.8),
        fault=faults.any_order,
    ),
    "somebody else's request": Scenario(
        steps=standing(ask("BYE", 1, from_tag="another"), answer_to_ours(481)),
        call=Call(for_s=0.8),
        fault=faults.any_dialog,
        check=lambda played, called: called.ended == "",
    ),
    "a transfer": Scenario(
        steps=[
            *TAKEN,
            ask("REFER", 1, headers=("Refer-To: <sip:elsewhere@203.0.113.9>",)),
            answer_to_ours(202),
            receive("NOTIFY"),
            respond(200, "OK", tag=""),
            receive("BYE"),
            respond(200, "OK", tag=""),
        ],
        call=LONGER,
        fault=faults.no_notify,
        check=lambda played, called: (
            called.data("transferred") == {"to": "sip:elsewhere@203.0.113.9", "followed": False}
            and called.ended == "the agent transferred the call to sip:elsewhere@203.0.113.9"
        ),
    ),
    "the agent hangs up": Scenario(
        steps=[*TAKEN, ask("BYE", 1, headers=("Reason: Q.850;cause=16",)), answer_to_ours(200), pause(400)],
        call=LONGER,
        fault=faults.goes_on_after_bye,
        check=lambda played, called: (
            called.ended == "the agent hung up (BYE: Q.850;cause=16)" and played.ours("BYE") == []
        ),
    ),
}
