"""One scenario of the matrix."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from tests.live.telephone.calling import Call, Called
from tests.live.telephone.faults import Plant
from tests.live.telephone.sipp import Played
from tests.live.telephone.steps import INVITED, receive, respond, sdp

Check = Callable[[Played, Called], bool]

TAKEN = [INVITED, respond(180, "Ringing"), respond(200, "OK", sdp=sdp()), receive("ACK")]
HUNG_UP = [receive("BYE"), respond(200, "OK", tag="")]


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """What sipp plays, and what comes of it.

    Attributes:
        steps: What sipp does; it goes right only where every message that it waits for comes.
        fault: With which it goes wrong.
        check: What has to be so besides.
    """

    steps: Sequence[str]
    fault: Plant
    check: Check = lambda played, called: not called.error
    call: Call = field(default_factory=Call)
    tcp: bool = False


def standing(*steps: str) -> list[str]:
    """A call that is taken, in which sipp does something, and which we hang up."""
    return [*TAKEN, *steps, *HUNG_UP]
