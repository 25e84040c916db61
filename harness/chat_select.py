"""Which entries a dialogue or a run is about, from what a person typed."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Literal

from harness.catalogue import Domain
from harness.errors import UserError
from harness.scenario import Entry
from harness.scenario_files import load_library
from voice_sim.archetypes import Archetype


def one_entry(name: str, folders: Sequence[Path] = ()) -> Entry:
    """The entry of this name.

    Raises:
        UserError: There is none; the message names those that come closest.
    """
    entries = {entry.id: entry for entry in _library(folders)}
    if name in entries:
        return entries[name]
    same_scenario = [known for known in entries if known.startswith(f"{name.partition('/')[0]}/")]
    if same_scenario:
        raise UserError(f"{name}: say who answers the phone, one of: {', '.join(same_scenario)}")
    close = get_close_matches(name, entries, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(close)}?" if close else "an id looks like cs-bank-complaint/hesitant"
    raise UserError(f"no entry '{name}': {hint} All of them: outboundeval scenarios list")


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
        if not any(fnmatchcase(entry.id, pattern) for entry in library):
            raise UserError(
                f"--only '{pattern}': no entry has such an id; they look like cs-bank-complaint/hesitant, "
                "and * stands for any part"
            )
    found = [
        entry
        for entry in library
        if language in ("all", entry.scenario.language)
        and (archetype is None or entry.persona.archetype is archetype)
        and (domain is None or entry.scenario.domain is domain)
        and (not only or any(fnmatchcase(entry.id, pattern) for pattern in only))
    ]
    if not found:
        raise UserError(
            "no entry passes all of these filters; leave one out (--language all includes Chinese)"
        )
    return sorted(found, key=lambda entry: list(Domain).index(entry.scenario.domain))


def _library(folders: Sequence[Path]) -> list[Entry]:
    return [entry for scenario in load_library(folders) for entry in scenario.entries()]
