"""An agent that mishears: words of its transcript are others than were said."""

from __future__ import annotations

from functools import partial
from random import Random

from harness.plans.call import CallPlan
from harness.plans.probes.forms import load_suite
from harness.plans.probes.spoken import SpokenSuite
from harness.plans.probes.suite import Language
from harness.selfcheck.selftest.entries import Defect, Family, Order, Planted, Progress, Size, Strength
from harness.selfcheck.selftest.made.calls import MadeLine, keep, made_call, shipped_clip
from harness.selfcheck.selftest.made.mishearing import Mishearing
from voice_sim.policies.script import Script, ScriptLine

_EN: Language = "en"
_ZH: Language = "zh"
CALLS: dict[Size, int] = {"quick": 24, "full": 60}
"""A line each."""

WORDS = Defect(
    name="mishears-words",
    told="writes other words than were said",
    moves={"wer": 1, "cer": 1},
    weak=Strength(amount=0.1, told="1 word of 10"),
    strong=Strength(amount=0.3, told="3 words of 10"),
)
CHARACTERS = Defect(
    name="mishears-characters",
    told="writes other characters than were said (Chinese)",
    moves={"cer": 1},
    weak=Strength(amount=0.1, told="1 character of 10"),
    strong=Strength(amount=0.3, told="3 characters of 10"),
)


def _make(language: Language, defect: Defect, order: Order, progress: Progress) -> Planted:
    """Calls of one line each."""
    share = order.strength_of(defect.name)
    counted = Mishearing(language=language)
    calls = []
    for number, said in enumerate(lines_without_numbers(language)[: CALLS[order.size]]):
        call_id = f"words.{language}.{number + 1}"
        own = Random(f"{order.seed} {call_id}")
        line = MadeLine(
            said=said,
            sound=shipped_clip("question"),
            wrote=counted.heard(said, share, own=own, defect=Random(call_id)),
            reply=shipped_clip("answer_short"),
        )
        plan = CallPlan(
            call_id=call_id,
            agent="http://127.0.0.1:7860",
            language=language,
            script=Script(lines=(ScriptLine(say=said),)),
            seed=order.seed,
        )
        calls.append(made_call(plan, [line], random=own))
    progress(f"{len(calls)} calls made")
    keep(order.folder, f"words-{language}", calls)
    return {"wer" if language == "en" else "cer": counted.share}


def lines_without_numbers(language: Language) -> list[str]:
    """Sentences without numbers, which a scorer may write in more ways than one."""
    found = []
    for name in ("accent", "noise", "entities"):
        suite = load_suite(name)
        assert isinstance(suite, SpokenSuite)
        kinds = ("sentence", "name", "place", "company")
        found += [
            item.say
            for item in suite.items_in(language)
            if item.kind in kinds and not any(one.isdigit() for one in item.say)
        ]
    return list(dict.fromkeys(found))


FAMILIES = tuple(
    Family(
        name=name,
        way="made",
        defects=(defect,),
        only=frozenset({"timing"}),
        make=partial(_make, language, defect),
    )
    for name, language, defect in (("words", _EN, WORDS), ("characters", _ZH, CHARACTERS))
)
