"""What an agent made of the lines of a spoken suite, counted: a table by setting or by kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.analysis.measures.pooling import SEED
from harness.records.scores import ProbeHearing
from metrics.intervals import bootstrap_ratio_by_call


@dataclass(frozen=True, kw_only=True)
class ProbeTable:
    """A table of a section; the first two columns are words, the others numbers."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def table_of(hearings: Sequence[ProbeHearing]) -> ProbeTable | None:
    """The lines of one suite, as they are known over the run; None where there are none."""
    if not hearings:
        return None
    if any(one.usable for one in hearings):
        headings = ("", "kind", "lines", "asked again", "answered", "silent", "not known")
        return ProbeTable(headings=headings, rows=_rows(hearings, lambda one: one.kind, _done))
    if any(one.entity for one in hearings):
        headings = ("", "kind", "said", "right", "sounds alike", "wrong", "not said or not known")
        return ProbeTable(headings=headings, rows=_rows(hearings, lambda one: one.kind, _entities))
    headings = ("", "setting", "lines", "words", "wrong", "rate", "95 % interval")
    return ProbeTable(headings=headings, rows=_rows(hearings, lambda one: one.setting, _rates))


def line_told(one: ProbeHearing) -> str:
    """A line and what became of it, for a reader."""
    where = f"{one.setting}: " if one.setting else ""
    said = f"“{one.said}”" if one.said else one.item
    heard = "" if one.heard is None else f" → “{one.heard}”"
    became = (one.did or "").replace("_", " ")
    if one.right is not None:
        became = f"{one.entity} is there" if one.right else f"{one.entity} is not there"
        became += ", something that sounds like it is" if one.near_miss else ""
    if one.errors is not None:
        became = f"{one.errors} of {one.length} wrong"
    return f"{where}{said}{heard}: {'; '.join(filter(None, [became, one.reason]))}"


def went_wrong(one: ProbeHearing) -> bool:
    """Whether what became of a line speaks against the agent."""
    if one.usable:
        return one.did == ("asked_again" if one.usable == "good" else "answered")
    return bool(one.errors) or one.right is False


def _rows(
    hearings: Sequence[ProbeHearing],
    by: Callable[[ProbeHearing], str],
    counted: Callable[[Sequence[ProbeHearing]], tuple[str, ...]],
) -> tuple[tuple[str, ...], ...]:
    groups: dict[tuple[str, str], list[ProbeHearing]] = {}
    for one in hearings:
        groups.setdefault((one.language, by(one)), []).append(one)
    return tuple(
        (language, name.replace("_", " "), *counted(own)) for (language, name), own in groups.items()
    )


def _rates(own: Sequence[ProbeHearing]) -> tuple[str, ...]:
    known = [one for one in own if one.errors is not None]
    length = sum(one.length or 0 for one in known)
    if not length:
        return (str(len(own)), "0", "", "not known", "")
    errors = sum(one.errors or 0 for one in known)
    by_sentence: dict[str, list[tuple[float, float]]] = {}
    for one in known:
        by_sentence.setdefault(one.item, []).append((one.errors or 0, one.length or 0))
    found = bootstrap_ratio_by_call(by_sentence, seed=SEED)
    ends = "" if found.low is None or found.high is None else f"{found.low:.2f} to {found.high:.2f}"
    return (str(len(own)), str(length), str(errors), f"{errors / length:.2f}", ends)


def _entities(own: Sequence[ProbeHearing]) -> tuple[str, ...]:
    right = sum(one.right is True for one in own)
    alike = sum(one.right is False and one.near_miss for one in own)
    wrong = sum(one.right is False and not one.near_miss for one in own)
    return (str(len(own)), str(right), str(alike), str(wrong), str(sum(one.right is None for one in own)))


def _done(own: Sequence[ProbeHearing]) -> tuple[str, ...]:
    did = Counter(one.did for one in own)
    return (str(len(own)), *(str(did[one]) for one in ("asked_again", "answered", "silent", None)))
