"""One dialogue in text: the caller's state machine against an agent that reads and writes.

The caller is the one of voice calls, told the same events, on a **virtual clock**: a line takes as long as
it would take to say (:mod:`harness.calls.text.spoken_length`), an agent answers 0.8 s after the caller,
and nobody waits for any of it. An agent that answers with no words is silent, and the caller's patience runs
on that clock. How long a model really took counts for neither side; it is kept as ``wall_s``.

Text has no overlap: the caller never interrupts here and gives no backchannels while the agent speaks. A line
that was meant to be said over the agent is said as an ordinary turn where its policy offers it as one.
"""

from __future__ import annotations

import asyncio
import datetime
import traceback
from collections.abc import Callable

from harness.calls.conversation import Held
from harness.calls.text.agents.base import AgentFailed
from harness.calls.text.talk import Participants, Talk
from harness.errors import BudgetSpent
from harness.models.language.cap_exceeded import CapExceeded
from harness.plans.call import CallPlan
from harness.records.call import CallRecord, CallStatus, Event
from harness.records.endings import BY_PERSON, STATUS_OF_REASON
from spoken_language.outside_text import harmless, one_line
from voice_sim.caller.events import HangUpReason
from voice_sim.policies.base import PolicyError

MAX_TRACE_CHARS = 8000


async def converse(
    plan: CallPlan,
    sides: Participants,
    *,
    on_event: Callable[[Event], None] = lambda event: None,
    versions: dict[str, str] | None = None,
) -> Held:
    """Holds one dialogue and returns what is left of it. Never raises for what either side does.

    ``on_event`` is for those who watch. Cancelling it (Ctrl-C) still returns what was said until then, as
    ``interrupted``.
    """
    started_at = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    talk = Talk(plan, sides, on_event)
    end_reason: HangUpReason | None = None
    try:
        end_reason, detail = await talk.hold()
        status = STATUS_OF_REASON[end_reason]
    except AgentFailed as failure:
        said_something = any(turn.speaker == "agent" for turn in talk.turns)
        status = CallStatus.AGENT_FAILED if said_something else CallStatus.SETUP_FAILED
        detail = str(failure)
    except PolicyError as failure:
        if isinstance(failure.__cause__, CapExceeded):
            status, detail = CallStatus.INTERRUPTED, failure.__cause__.message
        else:
            status, detail = CallStatus.HARNESS_FAULT, f"our caller failed: {failure}"
    except BudgetSpent as spent:
        status, detail = CallStatus.INTERRUPTED, str(spent)
    except (asyncio.CancelledError, KeyboardInterrupt):
        status, detail = CallStatus.INTERRUPTED, BY_PERSON
    except Exception as error:
        # A fault in our own code ends this dialogue and no other; its traceback is kept with it.
        status, detail = (
            CallStatus.HARNESS_FAULT,
            f"our own error: {type(error).__name__}: {one_line(str(error), most=500)}",
        )
        talk.note("caller", "fault", "harness", trace=traceback.format_exc()[-MAX_TRACE_CHARS:])
    detail = harmless(detail)
    talk.note("caller", "ended", "harness", status=status, detail=detail)
    record = CallRecord(
        plan=plan,
        status=status,
        end_reason=end_reason,
        status_detail=detail,
        agent_name=sides.agent.name,
        started_at=started_at,
        duration_s=round(talk.now_s, 3),
        turns=tuple(talk.turns),
        agent_usage=sides.agent_usage().model_copy(update={"wall_s": round(talk.wall_s["agent"], 3)}),
        caller_usage=sides.caller_usage().model_copy(update={"wall_s": round(talk.wall_s["caller"], 3)}),
        versions={**(versions or {}), **_own_versions(sides)},
    )
    return Held(record=record, events=talk.events)


def _own_versions(sides: Participants) -> dict[str, str]:
    """What the sides say of themselves: prompts change, and with them what is said."""
    told = {"caller": getattr(sides.policy, "version", ""), "agent": getattr(sides.agent, "version", "")}
    return {f"{side} in text": version for side, version in told.items() if version}
