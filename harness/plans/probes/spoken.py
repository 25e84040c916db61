"""The form ``spoken``: sentences and sounds of the suite, said to the agent one after the other.

What the agent understood is read from its own transcript, or from what it does about it. ::

    form: spoken
    name: noise
    version: "1"
    summary: The same sentences in quiet and in noise.
    callers:                      # who speaks, by language
      en: {engine: piper, name: joe}
    settings:                     # a call is in one of them; none: the callers' voices, in quiet
      - {name: clean}
      - {name: babble 5 dB, noise: {kind: babble, snr_db: 5}, against: clean, stratum: 5 dB}
      - {name: American, language: en, voice: {engine: espeak, name: en-us}}
      - {name: Scottish, language: en, voice: {engine: espeak, name: en-gb-scotland}, against: American}
    items:
      - {id: s-en-1, kind: sentence, language: en, say: The blue van is parked behind the bakery.}
      - {id: name-en-1, kind: name, language: en, entity: Whitcombe, say: My name is Whitcombe.}
      - {id: good-en-1, kind: good, usable: good, language: en, say: "What does it cost?"}
      - {id: reversed-en-1, kind: reversed, usable: speech, language: en, sound: sounds/reversed-en-1.flac}

A call has one setting, so a curve is several calls with the same sentences. ``full``: every item in every
setting of its language. ``quick`` with settings: a setting of each stratum (in a second language, of one),
those that they are compared with, and the same few items in each; without settings: an item of each kind,
and in a second language of every second kind. ``few``: as in a second language, but of every third kind.
Where the agent says nothing, the caller goes on after some
seconds: silence loses the sentence, not the call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from harness.errors import UserError
from harness.plans.call import NoisePlan, VoicePlan
from harness.plans.probes.asked import Usable
from harness.plans.probes.suite import MAX_CALL_ID, MAX_ITEMS, SUITE_FILE, Language, Size, Suite, inside
from spoken_language.entity_kinds import KINDS

LINES_A_CALL = 10
QUICK_LINES = 2
"""Of each setting, where there are several."""
QUICK_GOOD = 3
"""Good input beside one item of each kind that is not."""
FEW_EVERY = 3
GOES_ON_AFTER_S = 6.0
PATIENCE_S = 240.0
"""Of a call in which no line is answered: it has to last for all of them, for it runs from the first one on
after the agent's last speech, and an agent is right to say nothing to several in a row."""
MOST_S = 600.0
"""Agents that say things back at length take 20 s a line."""
ROUND_ITS_SETTING = len(".en.") + len(".100")
"""In a call's id: what stands between the suite's name and the setting's, and behind it."""
CALL_S, LINE_S = 5.0, 9.0
"""What a call and a line take, with an agent that answers after 1.5 s and speaks for 4 s."""


class Setting(BaseModel):
    """How the lines of a call are said.

    Attributes:
        language: None: every language.
        voice: None: the callers'.
        against: Name of the setting that it is compared with; empty: others are compared with it.
        stratum: ``quick`` takes one of each; empty: of those without, one.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    name: str = Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9 ._-]{0,59}$")
    language: Language | None = None
    voice: VoicePlan | None = None
    noise: NoisePlan | None = None
    against: str = Field(default="", max_length=60)
    stratum: str = Field(default="", max_length=60)


class SpokenItem(BaseModel):
    """Something that is said to the agent: words in the caller's voice, or a sound."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    id: str = Field(pattern=r"^[a-z0-9][a-z0-9_-]{0,59}$")
    kind: str = Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")
    language: Language
    say: str = Field(default="", max_length=500)
    entity: str = Field(default="", max_length=200)
    usable: Usable = ""
    sound: Path | None = None
    level_db: float = Field(default=0.0, ge=-40.0, le=10.0)

    @model_validator(mode="after")
    def _says_something(self) -> Self:
        if not self.say and self.sound is None:
            raise ValueError("an item says something or is a sound: give say or sound")
        if self.sound is not None and not self.usable:
            raise ValueError("sound: its words would not be known: only where 'usable' says what it is")
        if self.entity and self.kind not in KINDS:
            raise ValueError(f"kind: '{self.kind}' is no kind of entity; known: {', '.join(KINDS)}")
        return self

    @property
    def label(self) -> str:
        """What is heard, for a reader."""
        return self.say if self.sound is None else f"({self.kind.replace('_', ' ')}) {self.say}".strip()


class SpokenSuite(Suite):
    """A suite of this form; see the module's docstring."""

    form: Literal["spoken"] = "spoken"
    settings: tuple[Setting, ...] = Field(default=(), max_length=200)
    items: tuple[SpokenItem, ...] = Field(min_length=1, max_length=MAX_ITEMS)

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        for what, names in (
            ("items: ids", [item.id for item in self.items]),
            ("settings: names", [one.name for one in self.settings]),
        ):
            if len(set(names)) != len(names):
                raise ValueError(f"{what} must differ")
        known = {one.name: one for one in self.settings}
        for one in self.settings:
            if one.against and (one.against not in known or known[one.against].against):
                raise ValueError(f"settings.{one.name}.against: no setting that others are compared with")
        if any(item.language not in self.callers for item in self.items):
            raise ValueError("items: each in a language of 'callers'")
        return self

    @property
    def kinds(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(item.kind for item in self.items))

    def settings_in(self, language: Language) -> list[Setting]:
        """Those in which a call in this language may be."""
        return [one for one in self.settings if one.language in (None, language)]

    def items_in(self, language: Language) -> list[SpokenItem]:
        return [item for item in self.items if item.language == language]

    def placed_in(self, folder: Path) -> Self:
        items = [
            item
            if item.sound is None
            else item.model_copy(update={"sound": inside(folder, item.sound, item.id)})
            for item in self.items
        ]
        settings = [
            one.model_copy(update={"noise": _placed_noise(one, folder)}) if one.noise else one
            for one in self.settings
        ]
        return self.model_copy(update={"items": tuple(items), "settings": tuple(settings)})

    def described(self) -> list[str]:
        settings = [
            f"setting {one.name}" + (f", against {one.against}" * bool(one.against)) for one in self.settings
        ]
        return settings + [
            f"{item.id:<20} {item.language:<4} {item.kind:<12} {item.label}"
            + (f" [{item.entity}]" if item.entity else "")
            for item in self.items
        ]

    @property
    def item_count(self) -> int:
        return len(self.items)

    def calls(self, *, size: Size, random: Random) -> list[dict[str, Any]]:
        calls: list[dict[str, Any]] = []
        for language in self.callers:
            first = language == next(iter(self.callers))
            if size == "few" and not first:
                break
            items = self.items_in(language)
            settings = self.settings_in(language)
            if size == "few" and not settings:
                items = _one_of_each_kind(items, random, every=FEW_EVERY)
            elif size != "full":
                if settings:
                    whole = first and size == "quick"
                    settings = _one_of_each_stratum(settings, random, strata=None if whole else 1)
                    items = random.sample(items, min(QUICK_LINES, len(items)))
                else:
                    items = _one_of_each_kind(items, random, every=1 if first else 2)
            else:
                items = random.sample(items, len(items))
            plain: list[Setting | None] = [None]
            for setting in settings or plain:
                calls += self._calls_in(language, setting, items, size)
        return calls

    def _calls_in(
        self, language: Language, setting: Setting | None, items: Sequence[SpokenItem], size: Size
    ) -> list[dict[str, Any]]:
        calls = []
        most = MAX_CALL_ID - len(self.name) - ROUND_ITS_SETTING
        called = _names_in_ids([one.name for one in self.settings], most=most)
        for start in range(0, len(items), LINES_A_CALL):
            own = items[start : start + LINES_A_CALL]
            number = start // LINES_A_CALL + 1
            told = "" if setting is None else f", {setting.name}"
            parts = [
                self.name,
                language,
                *([] if setting is None else [called[setting.name]]),
                str(number),
            ]
            voice = setting.voice if setting is not None and setting.voice else self.callers[language]
            call: dict[str, Any] = {
                "id": ".".join(parts),
                "title": f"Probes of {self.name} ({language}{told}), {number}",
                "language": language,
                "voice": voice.model_dump(),
                "limits": {"prompt_s": GOES_ON_AFTER_S, "silence_s": PATIENCE_S, "call_s": MOST_S},
                "script": {"lines": [_line(item) for item in own], "hang_up_after_s": 2.0},
                "probe": {
                    "suite": self.name,
                    "version": self.version,
                    "size": size,
                    "seconds": CALL_S + LINE_S * len(own),
                    "asked": [
                        {
                            "item": item.id,
                            "line": line,
                            "kind": item.kind,
                            "entity": item.entity,
                            "usable": item.usable,
                        }
                        for line, item in enumerate(own)
                    ],
                    "setting": setting.name if setting is not None else "",
                    "against": setting.against if setting is not None else "",
                },
            }
            if setting is not None and setting.noise is not None:
                call["conditions"] = {"noise": setting.noise.model_dump(mode="json", exclude_none=True)}
            calls.append(call)
        return calls


def _line(item: SpokenItem) -> dict[str, Any]:
    """An aside, so that an agent which says nothing loses the line and not the call."""
    line: dict[str, Any] = {"say": item.label, "kind": "aside"}
    if item.sound is None:
        return line
    sound = {"path": str(item.sound), "words": "heard", "trimmed": True, "level_db": item.level_db}
    return line | {"sound": sound}


def _one_of_each_stratum(settings: Sequence[Setting], random: Random, *, strata: int | None) -> list[Setting]:
    """Those of the drawn settings, and before them those that they are compared with."""
    compared = [one for one in settings if one.against]
    names = list(dict.fromkeys(one.stratum for one in compared))
    names = names if strata is None else random.sample(names, min(strata, len(names)))
    drawn = [random.choice([one for one in compared if one.stratum == name]) for name in names]
    wanted = {one.against for one in drawn}
    return [one for one in settings if one.name in wanted or (not compared and not one.against)] + drawn


def _placed_noise(setting: Setting, folder: Path) -> NoisePlan | None:
    """Its noise; a folder of recordings is looked for in the suite's."""
    noise = setting.noise
    if noise is None or noise.path is None:
        return noise
    here = folder.resolve()
    path = (here / noise.path).resolve()
    where = f"{folder / SUITE_FILE}: settings.{setting.name}.noise.path"
    if not path.is_relative_to(here):
        raise UserError(f"{where}: it lies outside the suite")
    if not path.is_dir():
        raise UserError(f"{where}: there is no folder '{noise.path}' in the suite's")
    return noise.model_copy(update={"path": path})


def _one_of_each_kind(items: Sequence[SpokenItem], random: Random, *, every: int) -> list[SpokenItem]:
    good = [item for item in items if item.usable == "good"]
    kinds = list(dict.fromkeys(item.kind for item in items if item.usable != "good"))
    drawn = random.sample(kinds, len(kinds))[::every]
    found = [random.choice([item for item in items if item.kind == kind]) for kind in drawn]
    found += random.sample(good, min(QUICK_GOOD // every, len(good)))
    return random.sample(found, len(found))


def _names_in_ids(names: Sequence[str], *, most: int) -> dict[str, str]:
    """What each setting is called in the ids of its calls: no two the same, and ``most`` characters long."""
    called: dict[str, str] = {}
    for name in names:
        plain = "-".join(name.lower().split())
        found, nth = plain[:most], 1
        while found in called.values():
            nth += 1
            found = f"{plain[: most - len(str(nth)) - 1]}-{nth}"
        called[name] = found
    return called


def kinds_of(items: Iterable[SpokenItem]) -> dict[str, int]:
    """How many items there are of each kind."""
    counted: dict[str, int] = {}
    for item in items:
        counted[item.kind] = counted.get(item.kind, 0) + 1
    return counted
