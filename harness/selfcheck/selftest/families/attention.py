"""An agent that follows the other voice: dialogues of the suite ``attention``, made with planted attention.

Where somebody else is heard under the request, the agent takes up the other's words (or of several voices at
once, nothing); where the other falls into its speech, it stops for it.
"""

from __future__ import annotations

from random import Random

from harness.calls.conversation import Held
from harness.calls.voice.speaking.recorded_line import recorded_line
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan
from harness.plans.probes.attended import Attended
from harness.records.call import SAMPLE_RATE_HZ, Event, SpokenUtterance
from harness.selfcheck.selftest.entries import Defect, Family, Order, Planted, Progress, Strength
from harness.selfcheck.selftest.made.calls import (
    ANSWERS_AFTER_S,
    BEGINS_S,
    LEVEL_DBFS,
    UNSTEADY_S,
    WRITES_AFTER_S,
    Samples,
    held,
    keep,
    shipped_clip,
    transcript_event,
)

FALLS_AFTER_S = 1.0
"""Into the agent's speech, after its onset."""
STOPS_AFTER_S = 0.4
WAITS_S = 3.0
"""After a dialogue: an answer to the other would come within 2 s."""

FOLLOWS = Defect(
    name="follows-the-other",
    told="attends to another voice than its caller's",
    moves={"selective_attention_success_rate": -1},
    weak=Strength(amount=0.3, told="3 dialogues of 10"),
    strong=Strength(amount=0.8, told="8 dialogues of 10"),
)


def _make(order: Order, progress: Progress) -> Planted:
    content = {"agent": "http://127.0.0.1:7860", "probes": [{"suite": "attention", "size": "full"}]}
    plans = [one for one in expand_plan(content).calls if order.size == "full" or one.language == "en"]
    share = order.strength_of(FOLLOWS.name)
    kept: list[bool] = []
    calls = []
    for plan in plans:
        assert plan.probe is not None
        follows = {
            one.item: not one.control and Random(f"falls on {plan.call_id} {one.item}").random() < share
            for one in plan.probe.attended
        }
        kept += [not follows[one.item] for one in plan.probe.attended if not one.control]
        random = Random(f"{order.seed} {plan.call_id}")
        calls.append(_call(plan.model_copy(update={"seed": order.seed}), follows, random))
    progress(f"{len(calls)} calls made")
    keep(order.folder, "attention", calls)
    return {"selective_attention_success_rate": sum(kept) / len(kept)}


def _call(plan: CallPlan, follows: dict[str, bool], random: Random) -> Held:
    """A dialogue after the other."""
    assert plan.probe is not None
    assert plan.script is not None
    lines = plan.script.lines
    places = {one.item: one for one in plan.probe.planted if one.is_line}
    request, answer = shipped_clip("question"), shipped_clip("answer_long")
    caller: list[tuple[float, Samples]] = []
    agent: list[tuple[float, Samples]] = []
    utterances: list[SpokenUtterance] = []
    events: list[Event] = []
    at_s = BEGINS_S
    for one in plan.probe.attended:
        caller.append((at_s, request))
        utterances.append(_said(one.line, lines[one.line].say, at_s, len(request)))
        end_s = utterances[-1].end_s
        events.append(transcript_event(end_s + WRITES_AFTER_S, _wrote(one, follows[one.item])))
        onset_s = end_s + ANSWERS_AFTER_S + random.uniform(-UNSTEADY_S, UNSTEADY_S)
        reply = answer
        place = places.get(one.item)
        if place is not None:
            falls_s = onset_s + FALLS_AFTER_S
            sound = lines[place.line].sound
            other = (
                shipped_clip("mm") if sound is None else recorded_line(sound, level_dbfs=LEVEL_DBFS).samples
            )
            caller.append((falls_s, other))
            utterances.append(_said(place.line, lines[place.line].say, falls_s, len(other)))
            if follows[one.item]:
                reply = answer[: round((FALLS_AFTER_S + STOPS_AFTER_S) * SAMPLE_RATE_HZ)]
        agent.append((onset_s, reply))
        spoken_s = [start_s + len(sound) / SAMPLE_RATE_HZ for start_s, sound in (caller[-1], agent[-1])]
        at_s = max(spoken_s) + WAITS_S
    return held(plan, caller=caller, agent=agent, utterances=utterances, events=events, random=random)


def _wrote(one: Attended, follows: bool) -> str:
    """What the agent writes of a request; where it follows the other, the other's words."""
    own = f"it is about {one.entity}"
    if not follows or one.place == "over_agent":
        return own
    return f"{own} {one.words[0]}" if one.words else "nothing that could be made out"


def _said(index: int, text: str, start_s: float, samples: int) -> SpokenUtterance:
    return SpokenUtterance(
        index=index,
        text=text,
        kind="turn",
        start_s=start_s,
        end_s=start_s + samples / SAMPLE_RATE_HZ,
        audio_sha256="0",
    )


FAMILIES = (Family(name="attention", way="made", defects=(FOLLOWS,), only=frozenset({"timing"}), make=_make),)
