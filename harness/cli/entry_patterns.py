"""Which entries a dialogue or a run is about, from what a person typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from harness.errors import UserError
from harness.scenarios.catalogue import Domain
from harness.scenarios.folders import load_entry, load_library
from harness.scenarios.scenario import Entry, Scenario
from voice_sim.person.archetypes import Archetype


def one_entry(name: str, folders: Sequence[Path] = ()) -> Entry:
    """The entry of this name.

    Raises:
        UserError: There is none; the message names those that come closest.
    """
    try:
        return load_entry(name, folders)
    except UserError:
        # Only now, to say what there is: reading them all takes a second or two.
        entries = [known.id for known in _library(folders)]
    same_scenario = [known for known in entries if known.startswith(f"{name.partition('/')[0]}/")]
    if same_scenario:
        raise UserError(f"{name}: say who answers the phone, one of: {', '.join(same_scenario)}")
    close = get_close_matches(name, entries, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else "an id looks like cs-bank-complaint/hesitant."
    raise UserError(f"no entry '{name}': {hint} 'outboundeval scenarios list' has them all")


def many_entries(
    *,
    folders: Sequence[Path] = (),
    language: Literal["en", "zh", "all"] = "en",
    only: Sequence[str] = (),
    archetype: Archetype | None = None,
    domain: Domain | None = None,
) -> list[Entry]:
    """All entries that pass every filter, domain by domain. ``only`` are patterns of ids (``cs-*/*``).

    Raises:
        UserError: None does, or a pattern stands for none.
    """
    library = _library(folders)
    for pattern in only:
        if not any(fnmatchcase(known.id, pattern) for known in library):
            raise UserError(
                f"--only '{pattern}': no entry has such an id; they look like cs-bank-complaint/hesitant, "
                "and * stands for any part"
            )
    found = [
        known
        for known in library
        if language in ("all", known.scenario.language)
        and (archetype is None or known.archetype is archetype)
        and (domain is None or known.scenario.domain is domain)
        and (not only or any(fnmatchcase(known.id, pattern) for pattern in only))
    ]
    if not found:
        raise UserError(
            "no entry passes all of these filters; leave one out (--language all includes Chinese)"
        )
    found.sort(key=lambda known: list(Domain).index(known.scenario.domain))
    return [known.scenario.entry(known.archetype) for known in found]


@dataclass(frozen=True, kw_only=True)
class _Known:
    """An entry that could be made: filling in all of them takes longer than choosing."""

    scenario: Scenario
    archetype: Archetype

    @property
    def id(self) -> str:
        return f"{self.scenario.id}/{self.archetype.value}"


def _library(folders: Sequence[Path]) -> list[_Known]:
    return [
        _Known(scenario=scenario, archetype=archetype)
        for scenario in load_library(folders)
        for archetype in Archetype
        if any(persona.archetype is archetype for persona in scenario.personas)
    ]
