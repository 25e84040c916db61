"""A voice that reads symbols wrongly: sentences of the suite ``symbols``, said in words by our voices."""

from __future__ import annotations

from functools import cache
from random import Random

from harness.analysis.probes.reading_error import verdicts_are_right
from harness.calls.conversation import Held
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import CallPlan, VoicePlan
from harness.plans.plan import expand_plan
from harness.plans.probes.to_read import ToRead
from harness.selfcheck.selftest.entries import Defect, Family, Order, Planted, Progress, Size, Strength
from harness.selfcheck.selftest.made.calls import MadeLine, Samples, keep, made_call, shipped_clip

VOICE = VoicePlan(engine="piper", name="joe")
CALLS: dict[Size, int] = {"quick": 3, "full": 6}
"""Of up to ten sentences each."""

MISREADS = Defect(
    name="misreads-symbols",
    told="reads numbers, letters and signs as nobody may",
    moves={"symbol_mispronunciation_rate": 1},
    weak=Strength(amount=0.3, told="3 of 10"),
    strong=Strength(amount=0.8, told="8 of 10"),
)


def _make(order: Order, progress: Progress) -> Planted:
    share = order.strength_of(MISREADS.name)
    content = {"agent": "http://127.0.0.1:7860", "probes": [{"suite": "symbols", "size": "full"}]}
    plans = [one for one in expand_plan(content).calls if one.language == "en"][: CALLS[order.size]]
    calls, wrong = [], []
    for plan in plans:
        assert plan.probe is not None
        misread = {one.item: is_misread(one, share) for one in plan.probe.to_read}
        wrong += [
            misread[one.item] for one in plan.probe.to_read if verdicts_are_right(one.kind, plan.language)
        ]
        calls.append(_call(plan.model_copy(update={"seed": order.seed}), misread, order))
        progress(f"{len(calls)} of {len(plans)} calls made")
    keep(order.folder, "symbols", calls)
    return {"symbol_mispronunciation_rate": sum(wrong) / len(wrong)} if wrong else {}


def is_misread(one: ToRead, share: float) -> bool:
    """Whether the defect falls on a sentence."""
    return bool(one.wrong) and Random(f"misread {one.item}").random() < share


def _call(plan: CallPlan, misread: dict[str, bool], order: Order) -> Held:
    assert plan.probe is not None
    assert plan.script is not None
    lines = []
    for one in plan.probe.to_read:
        forms = one.wrong if misread[one.item] else one.readings
        said = one.text.replace(one.key, forms[0]) if one.key and forms else one.text
        lines.append(
            MadeLine(
                said=plan.script.lines[one.line].say,
                sound=shipped_clip("question"),
                reply=_spoken(said),
                # What a language model wrote, and not how it was read.
                tells=one.text,
            )
        )
    return made_call(plan, lines, random=Random(f"{order.seed} {plan.call_id}"))


@cache
def _maker() -> ClipMaker:
    return ClipMaker()


@cache
def _spoken(text: str) -> Samples:
    return _maker().speak(VOICE, text).samples


FAMILIES = (
    Family(
        name="symbols",
        way="made",
        defects=(MISREADS,),
        only=frozenset({"timing", "words"}),
        make=_make,
        again=frozenset({"full"}),
    ),
)
