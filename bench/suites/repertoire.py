"""What the light agent knows, writes and says in all calls of a suite, with a mistake in three of ten.

:func:`made_for` speaks it from the suite's own calls: every line as its caller says it, every answer. Where a
suite asks for one thing, the agent is bad at that thing (``harness/selfcheck/selftest/families`` has the same
defects, and draws them alike).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path
from random import Random

import numpy as np
import soundfile
from numpy.typing import NDArray

from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import CallPlan, VoicePlan
from harness.plans.probes.forms import load_suite
from harness.plans.probes.spoken import SpokenItem, SpokenSuite
from harness.plans.probes.suite import Language
from harness.plans.probes.to_read import ToRead
from harness.selfcheck.selftest.entries import Order
from harness.selfcheck.selftest.families.speaking import PAUSES, RUSHES, SHOUTS, Reader
from harness.selfcheck.selftest.families.suites import SAYS_AGAIN, SAYS_CONTENT
from harness.selfcheck.selftest.families.symbols import is_misread
from harness.selfcheck.selftest.made.calls import shipped_clip
from harness.selfcheck.selftest.made.mishearing import Mishearing
from voice_sim.policies.script import ScriptLine

RATE = 48_000
SHARE = 0.3
LOUDER_DB = 6.0
OWN_SHARE_OF_ACCENTS = 0.1
VOICES: dict[Language, VoicePlan] = {
    "en": VoicePlan(engine="piper", name="joe"),
    "zh": VoicePlan(engine="kokoro", name="jf_gongitsune"),
}
"""In which the agent reads."""

Pcm = NDArray[np.float32]


@dataclass(frozen=True, kw_only=True)
class Line:
    """A line of a caller's, and what the agent makes of it.

    Attributes:
        sound, reply: File names in the repertoire's folder; no reply: it says nothing.
        wrote, wrote_in_noise: What it writes down; empty: nothing, or the same as in quiet.
        tells: What it tells that it said.
        reads: It asks for the sentence of this number; 0: for none.
        item: Of the suite.
    """

    sound: str
    item: str
    wrote: str = ""
    wrote_in_noise: str = ""
    reply: str = ""
    tells: str = ""
    reads: int = 0


@dataclass(kw_only=True)
class Repertoire:
    """All lines by name, and what is read aloud: text -> file name.

    Attributes:
        misread: Text -> its symbol is read as nobody may.
        adaptation: Text -> by how much its key is slowed down for, by the lengths of what was spoken.
        paused_ms: Text -> by how much longer the pause before its key is than within the voice's sentences.
    """

    folder: Path
    lines: dict[str, Line] = field(default_factory=dict)
    readings: dict[str, str] = field(default_factory=dict)
    misread: dict[str, bool] = field(default_factory=dict)
    adaptation: dict[str, float] = field(default_factory=dict)
    paused_ms: dict[str, float] = field(default_factory=dict)

    @classmethod
    def read(cls, folder: Path) -> Repertoire:
        content = json.loads((folder / "repertoire.json").read_text(encoding="utf-8"))
        lines = {name: Line(**one) for name, one in content.pop("lines").items()}
        return cls(folder=folder, lines=lines, **content)

    def write(self) -> None:
        content = asdict(self)
        del content["folder"]
        (self.folder / "repertoire.json").write_text(
            json.dumps(content, ensure_ascii=False, indent=1), encoding="utf-8"
        )

    def sound(self, name: str) -> Pcm:
        """A sound of it, 48 kHz."""
        return _read(self.folder / name)

    def keep(self, name: str, samples: Pcm) -> str:
        """Keeps a sound; its file name."""
        soundfile.write(self.folder / f"{name}.flac", samples, RATE, subtype="PCM_16")
        return f"{name}.flac"


@lru_cache(400)
def _read(path: Path) -> Pcm:
    samples, _ = soundfile.read(path, dtype="float32")
    return np.asarray(samples, np.float32)


def made_for(suite: str, plans: Sequence[CallPlan], folder: Path) -> Repertoire:
    """Speaks all that an agent needs in these calls, and keeps it in a folder.

    Raises:
        UserError: A voice is not to be had.
    """
    folder.mkdir(parents=True, exist_ok=True)
    repertoire, maker = Repertoire(folder=folder), ClipMaker()
    content = load_suite(suite)
    if isinstance(content, SpokenSuite):
        _spoken(repertoire, maker, content, plans)
    else:
        _read_aloud(repertoire, maker, suite, plans)
    repertoire.write()
    return repertoire


def line_name(plan: CallPlan, line: ScriptLine) -> str:
    """By how it sounds: the same words in the same voice are one line, and so is the same recording."""
    assert plan.voice is not None
    said = f"{plan.voice.engine} {plan.voice.name} {plan.voice.rate} {line.say} {line.sound}"
    if line.sound is not None:
        said = line.sound.path.name
    return hashlib.sha256(said.encode()).hexdigest()[:12]


def _kept_line(repertoire: Repertoire, maker: ClipMaker, plan: CallPlan, line: ScriptLine) -> str:
    assert plan.voice is not None
    name = line_name(plan, line)
    if not (repertoire.folder / f"{name}.flac").is_file():
        said = maker.speak(plan.voice, line.say) if line.sound is None else maker.play(plan.voice, line.sound)
        repertoire.keep(name, said.samples)
    return name


def _spoken(repertoire: Repertoire, maker: ClipMaker, suite: SpokenSuite, plans: Sequence[CallPlan]) -> None:
    items = {one.id: one for one in suite.items}
    clips = {clip: repertoire.keep(clip, shipped_clip(clip)) for clip, _ in (SAYS_AGAIN, SAYS_CONTENT)}
    for plan in plans:
        assert plan.probe is not None
        assert plan.script is not None
        for asked in plan.probe.asked:
            item = items[asked.item]
            name = _kept_line(repertoire, maker, plan, plan.script.lines[asked.line])
            reply = _reply(item)
            quiet, noisy = _WRITES[suite.name](suite, plan, item)
            repertoire.lines[name] = Line(
                sound=f"{name}.flac",
                item=item.id,
                wrote=quiet,
                wrote_in_noise=noisy,
                reply="" if reply is None else clips[reply[0]],
                tells="" if reply is None else reply[1],
            )


def _falls_on(name: str) -> bool:
    return Random(f"falls on {name}").random() < SHARE


def _reply(item: SpokenItem) -> tuple[str, str] | None:
    """What is wrong in three of ten: content where it should ask again, the reverse, and no silence."""
    wrong = bool(item.usable) and _falls_on(item.id if item.sound is None else item.sound.stem)
    if item.usable == "speech":
        return SAYS_CONTENT if wrong else SAYS_AGAIN
    if item.usable == "sound":
        return SAYS_CONTENT if wrong else None
    return SAYS_AGAIN if wrong else SAYS_CONTENT


def _misheard(item: SpokenItem, *, own: float, more: float, seed: str) -> str:
    mishearing = Mishearing(language=item.language, own_share=own)
    return mishearing.heard(
        item.say, more, own=Random(f"own {item.id}"), defect=Random(f"more {seed} {item.id}")
    )


def _worse_in_noise(_: SpokenSuite, __: CallPlan, item: SpokenItem) -> tuple[str, str]:
    return item.say, _misheard(item, own=0.0, more=SHARE, seed="noise")


def _worse_with_accents(_: SpokenSuite, plan: CallPlan, item: SpokenItem) -> tuple[str, str]:
    assert plan.probe is not None
    more = SHARE if plan.probe.against else 0.0
    return _misheard(item, own=OWN_SHARE_OF_ACCENTS, more=more, seed=plan.probe.setting), ""


def _swaps_names(suite: SpokenSuite, _: CallPlan, item: SpokenItem) -> tuple[str, str]:
    if not _falls_on(item.id):
        return item.say, ""
    alike = [one for one in suite.items_in(item.language) if one.kind == item.kind]
    return alike[(alike.index(item) + 5) % len(alike)].say, ""


def _all_words(_: SpokenSuite, __: CallPlan, item: SpokenItem) -> tuple[str, str]:
    return item.say, ""


_WRITES: dict[str, Callable[[SpokenSuite, CallPlan, SpokenItem], tuple[str, str]]] = {
    "noise": _worse_in_noise,
    "accent": _worse_with_accents,
    "entities": _swaps_names,
    "rejection": _all_words,
}


def _read_aloud(repertoire: Repertoire, maker: ClipMaker, suite: str, plans: Sequence[CallPlan]) -> None:
    readers = {language: Reader(_order(repertoire, suite), voice) for language, voice in VOICES.items()}
    compared: list[tuple[Reader, ToRead]] = []
    for plan in plans:
        assert plan.probe is not None
        assert plan.script is not None
        by_item = {one.item: one for one in plan.probe.to_read}
        for place, one in enumerate(plan.probe.to_read, start=1):
            name = _kept_line(repertoire, maker, plan, plan.script.lines[one.line])
            repertoire.lines[name] = Line(
                sound=f"{name}.flac",
                item=f"number {place}",
                wrote=plan.script.lines[one.line].say,
                reads=place,
            )
            reader = readers[plan.language]
            repertoire.misread[one.text] = suite == "symbols" and is_misread(one, SHARE)
            if suite == "symbols":
                voiced = maker.speak(VOICES[plan.language], _in_words(one, repertoire)).samples
            else:
                voiced = reader.reply(one, by_item.get(one.control))
            digest = hashlib.sha256(one.text.encode()).hexdigest()[:12]
            repertoire.readings[one.text] = repertoire.keep(f"read-{digest}", voiced)
            if one.control in by_item:
                compared.append((reader, one))
    for reader, one in compared:
        if suite == "rate":
            repertoire.adaptation[one.text] = reader.key_s[one.item] / reader.key_s[one.control]
        if suite == "code_switch":
            repertoire.paused_ms[one.text] = 1000 * reader.paused_s.get(one.item, 0.0)


def _order(repertoire: Repertoire, suite: str) -> Order:
    planted = {
        "rate": (RUSHES.name, SHARE),
        "emotion": (SHOUTS.name, LOUDER_DB),
        "code_switch": (PAUSES.name, SHARE),
    }
    defect, amount = planted.get(suite, (None, 0.0))
    return Order(folder=repertoire.folder, defect=defect, amount=amount, seed=1, size="full")


def _in_words(one: ToRead, repertoire: Repertoire) -> str:
    forms = one.wrong if repertoire.misread[one.text] else one.readings
    return one.text.replace(one.key, forms[0]) if one.key and forms else one.text
