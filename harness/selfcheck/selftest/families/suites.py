"""Agents that are bad at one thing that a spoken probe suite asks: whole suites, with planted replies.

Each is tried on the suite that asks for it, as it comes along: noise, accent, entities, rejection. What the
agent wrote of a line and what it answered is planted; what the suite makes of that is measured. In full,
noise and accent say each other's sentences, too: their observations are sentences, and ten are few.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random

from harness.calls.voice.speaking.recorded_line import recorded_line
from harness.plans.call import CallPlan
from harness.plans.plan import expand_plan
from harness.plans.probes.forms import load_suite
from harness.plans.probes.spoken import SpokenItem, SpokenSuite
from harness.selfcheck.selftest.entries import Defect, Family, Order, Planted, Progress, Size, Strength
from harness.selfcheck.selftest.made.calls import LEVEL_DBFS, MadeLine, Samples, keep, made_call, shipped_clip
from harness.selfcheck.selftest.made.mishearing import Mishearing
from voice_sim.policies.script import LineSound

QUICK_NOISES = ("babble",)
LENDS = {"noise": "accent", "accent": "noise"}
"""Suite -> the one whose sentences it says besides its own, in full."""
NOISY_TO_DB = 10.0
OWN_SHARE_OF_ACCENTS = 0.1
"""Of the words every voice is misheard so much: no ratio is formed to less than 3 %."""
SAYS_AGAIN = ("say_again", "Sorry, could you say that again?")
SAYS_CONTENT = ("refund", "Your refund will arrive within five days.")

NOISE = Defect(
    name="mishears-in-noise",
    told="writes other words than were said, where there is noise of 10 dB and louder",
    moves={"wer_noisy": 1},
    weak=Strength(amount=0.1, told="1 word of 10"),
    strong=Strength(amount=0.3, told="3 words of 10"),
)
ACCENT = Defect(
    name="worse-with-accents",
    told="writes other words than an accented voice said",
    moves={"accent_adaptability": 1},
    weak=Strength(amount=0.1, told="1 word of 10 more"),
    strong=Strength(amount=0.3, told="3 words of 10 more"),
)
NAMES = Defect(
    name="swaps-names",
    told="writes another name, place or number than was said",
    moves={"proper_noun_accuracy": -1},
    weak=Strength(amount=0.1, told="1 of 10"),
    strong=Strength(amount=0.3, told="3 of 10"),
)
ACCEPTS = Defect(
    name="answers-muddle",
    told="answers speech that nobody can understand",
    moves={"rejection_rate": -1},
    weak=Strength(amount=0.3, told="3 of 10"),
    strong=Strength(amount=0.8, told="8 of 10"),
)
REJECTS = Defect(
    name="rejects-good-input",
    told="asks again after plain questions",
    moves={"false_rejection_rate": 1},
    weak=Strength(amount=0.3, told="3 of 10"),
    strong=Strength(amount=0.8, told="8 of 10"),
)
ANSWERS_NOISE = Defect(
    name="answers-noise",
    told="answers coughs and noise",
    moves={"silence_at_noise_rate": -1},
    weak=Strength(amount=0.3, told="3 of 10"),
    strong=Strength(amount=0.8, told="8 of 10"),
)
_OF_USABLE = {"good": REJECTS, "speech": ACCEPTS, "sound": ANSWERS_NOISE}


@dataclass(kw_only=True)
class _Counts:
    """What the planter itself counted, by setting: of words, or of answers that were right."""

    own_share: float
    words: dict[str, Mishearing]
    right: dict[str, list[bool]]

    def misheard(self, plan: CallPlan, item: SpokenItem, share: float, seed: int) -> str:
        setting = plan.probe.setting if plan.probe else ""
        key = f"{plan.language} {setting}"
        counted = self.words.setdefault(key, Mishearing(language=item.language, own_share=self.own_share))
        own = Random(f"{seed} {plan.call_id} {item.id}")
        return counted.heard(item.say, share, own=own, defect=Random(f"{plan.call_id} {item.id}"))


Writes = Callable[[CallPlan, SpokenItem, Order, _Counts], str | None]


def _in_noise(plan: CallPlan, item: SpokenItem, order: Order, counts: _Counts) -> str:
    noise = plan.conditions.noise
    noisy = noise is not None and noise.snr_db <= NOISY_TO_DB
    return counts.misheard(plan, item, order.strength_of(NOISE.name) if noisy else 0.0, order.seed)


def _with_accent(plan: CallPlan, item: SpokenItem, order: Order, counts: _Counts) -> str:
    accented = plan.probe is not None and bool(plan.probe.against)
    share = order.strength_of(ACCENT.name) if accented else 0.0
    return counts.misheard(plan, item, share, order.seed)


def _entity(plan: CallPlan, item: SpokenItem, order: Order, counts: _Counts) -> str:
    """The whole line of another item of its kind, where it is wrong: no entity stands to the letter in every
    line that says it."""
    wrong = _takes(item.id, order.strength_of(NAMES.name))
    counts.right.setdefault("proper_noun_accuracy", []).append(not wrong)
    if not wrong:
        return item.say
    suite = load_suite("entities")
    assert isinstance(suite, SpokenSuite)
    alike = [one for one in suite.items_in(item.language) if one.kind == item.kind]
    return alike[(alike.index(item) + 5) % len(alike)].say


def _understood(_: CallPlan, item: SpokenItem, __: Order, ___: _Counts) -> str | None:
    return item.say or None


def _takes(name: str, share: float) -> bool:
    """Whether the defect falls on an item; those of the weaker strength are of the stronger, too."""
    return Random(f"falls on {name}").random() < share


def _reply(item: SpokenItem, order: Order, counts: _Counts) -> tuple[str, str] | None:
    """Name and words of the clip that is answered with."""
    if not item.usable:
        return SAYS_CONTENT
    defect = _OF_USABLE[item.usable]
    wrong = _takes(item.id, order.strength_of(defect.name))
    [metric] = defect.moves
    # A false rejection is what is counted, and not what is right.
    counts.right.setdefault(metric, []).append(wrong if item.usable == "good" else not wrong)
    if item.usable == "good":
        return SAYS_AGAIN if wrong else SAYS_CONTENT
    if item.usable == "speech":
        return SAYS_CONTENT if wrong else SAYS_AGAIN
    return SAYS_CONTENT if wrong else None


def _make(name: str, writes: Writes, order: Order, progress: Progress) -> Planted:
    suite = _suite(name, order.size)
    items = {item.id: item for item in suite.items}
    own = OWN_SHARE_OF_ACCENTS if name == "accent" else 0.03
    counts = _Counts(own_share=own, words={}, right={})
    calls = []
    for plan in _plans(suite, order.size):
        assert plan.probe is not None
        random = Random(f"{order.seed} {plan.call_id}")
        lines = []
        for asked in plan.probe.asked:
            item = items[asked.item]
            reply = _reply(item, order, counts)
            lines.append(
                MadeLine(
                    said=item.label,
                    sound=_sound(item),
                    wrote=writes(plan, item, order, counts),
                    reply=None if reply is None else shipped_clip(reply[0]),
                    tells=None if reply is None else reply[1],
                    words_unknown=item.sound is not None,
                )
            )
        calls.append(made_call(plan.model_copy(update={"seed": order.seed}), lines, random=random))
    progress(f"{len(calls)} calls made")
    keep(order.folder, name, calls)
    planted = {metric: sum(right) / len(right) for metric, right in counts.right.items()}
    return planted | dict(_rates(name, suite, counts.words))


def _sound(item: SpokenItem) -> Samples:
    if item.sound is None:
        return shipped_clip("question")
    sound = LineSound(path=item.sound, words="heard", trimmed=True, level_db=item.level_db)
    return recorded_line(sound, level_dbfs=LEVEL_DBFS).samples


def _suite(name: str, size: Size) -> SpokenSuite:
    suite = load_suite(name)
    assert isinstance(suite, SpokenSuite)
    if size != "full" or name not in LENDS:
        return suite
    other = load_suite(LENDS[name])
    assert isinstance(other, SpokenSuite)
    lent = [item.model_copy(update={"id": f"{other.name}-{item.id}"}) for item in other.items]
    return suite.model_copy(update={"items": (*suite.items, *lent)})


def _plans(suite: SpokenSuite, size: Size) -> Iterator[CallPlan]:
    """All calls of a suite; quickly, those in English and in one noise."""
    calls = suite.calls(size="full", random=Random(suite.name))
    for plan in expand_plan({"agent": "http://127.0.0.1:7860", "calls": calls}).calls:
        noise = plan.conditions.noise
        whole = size == "full" or suite.name == "rejection"
        if whole or (plan.language == "en" and (noise is None or noise.kind in QUICK_NOISES)):
            yield plan


def _rates(name: str, suite: SpokenSuite, words: Mapping[str, Mishearing]) -> Iterator[tuple[str, float]]:
    """What the suite's error rates ought to be, by the planter's count."""
    if name == "noise":
        by_level: dict[float, list[Mishearing]] = {}
        for one in suite.settings:
            if one.noise is not None and f"en {one.name}" in words:
                by_level.setdefault(one.noise.snr_db, []).append(words[f"en {one.name}"])
        counted = [own for level, own in by_level.items() if level <= NOISY_TO_DB]
        yield "wer_noisy", sum(_share(own) for own in counted) / len(counted)
    if name == "accent":
        pairs = [
            (words[f"en {one.name}"], words[f"en {one.against}"])
            for one in suite.settings_in("en")
            if one.against
        ]
        yield (
            "accent_adaptability",
            _share([one for one, _ in pairs]) / _share([other for _, other in pairs]) - 1.0,
        )


def _share(counted: list[Mishearing]) -> float:
    return sum(one.replaced for one in counted) / sum(one.words for one in counted)


_WRITES: Mapping[str, tuple[tuple[Defect, ...], Writes]] = {
    "noise": ((NOISE,), _in_noise),
    "accent": ((ACCENT,), _with_accent),
    "entities": ((NAMES,), _entity),
    "rejection": ((ACCEPTS, REJECTS, ANSWERS_NOISE), _understood),
}
FAMILIES = tuple(
    Family(
        name=name,
        way="made",
        defects=defects,
        only=frozenset({"timing"}),
        make=partial(_make, name, writes),
    )
    for name, (defects, writes) in _WRITES.items()
)
