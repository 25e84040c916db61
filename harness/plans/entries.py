"""Entries of the benchmark in a plan file: which ones are meant, and what a call takes from each."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.plans.task import task_of
from harness.scenarios.folders import load_entry, load_library
from harness.scenarios.inline_card import inline_card
from harness.scenarios.scenario import Entry

MAX_PATTERNS = 1000


def find_entries(patterns: Sequence[str], folders: Sequence[Path] = ()) -> list[Entry]:
    """The entries that are named, each once, in the order of the names.

    Args:
        patterns: Ids (``cs-bank-complaint/hesitant``), or patterns of ids (``cs-*/*``, ``*/resistant``).
        folders: Where to look; default: the scenarios that come with the product.

    Raises:
        UserError: A name stands for nothing, or a scenario is broken.
    """
    entries: dict[str, Entry] = {}
    library: list[Entry] | None = None
    for pattern in patterns:
        if not any(mark in pattern for mark in "*?["):
            entries.setdefault(pattern, load_entry(pattern, folders))
            continue
        if library is None:
            library = [entry for scenario in load_library(folders) for entry in scenario.entries()]
        found = [entry for entry in library if fnmatchcase(entry.id, pattern)]
        if not found:
            raise UserError(
                f"no scenario matches '{pattern}'; ids look like cs-bank-complaint/hesitant, "
                "see 'outboundeval scenarios list'"
            )
        for entry in found:
            entries.setdefault(entry.id, entry)
    return list(entries.values())


def fields_of(entry: Entry) -> dict[str, Any]:
    """What a call about an entry takes from it, unless the plan file says otherwise."""
    scenario = entry.scenario
    return {
        "title": f"{scenario.title} ({entry.persona.archetype.value})",
        "language": scenario.language,
        "task": task_of(entry),
        "request_data": told_to_agent(entry),
    }


def told_to_agent(entry: Entry) -> dict[str, Any]:
    """What the agent is told when it is dialled, so that an agent that can may play the entry.

    ``scenario`` is the entry's id, ``prompt`` the system prompt of a language-model agent (all that it may
    know, Table 22), ``card`` the same as steps and answers for an agent without a language model
    (:func:`inline_card`). About 20 KB; an agent that has its own task ignores it.
    """
    return {
        "scenario": entry.id,
        "language": entry.scenario.language,
        "prompt": entry.prompt(),
        "card": inline_card(entry),
    }


def call_id_of(entry_id: str) -> str:
    """``cs-bank-complaint/hesitant`` as the name of a call, which is also a folder's."""
    return entry_id.replace("/", ".")
