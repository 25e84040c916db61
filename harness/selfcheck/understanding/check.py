"""A labelled set tried on the caller as it is here, and beside it on its cue phrases alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from harness.selfcheck.understanding.callers_here import Ears, ears_by_words, ears_of
from harness.selfcheck.understanding.figures import (
    AS_MEANT_AT_LEAST,
    FALSE_AT_MOST,
    Share,
    Tried,
    as_meant,
    false,
    false_on_nothing,
    try_lines,
)
from harness.selfcheck.understanding.labelled import Labelled, load_labelled, sets_root
from voice_sim.person.examples import ItemKind
from voice_sim.person.persona import Persona
from voice_sim.understanding.examples.evidence import KINDS

HELD_OUT, DEVELOPMENT = "held_out", "development"
OnLine = Callable[[int, int], None]
"""Is told after each line: how many are tried, of how many."""


@dataclass(frozen=True, kw_only=True)
class Figures:
    """Shares of lines; see :mod:`harness.selfcheck.understanding.figures`."""

    as_meant: Share
    false: Share
    false_on_nothing: Share


@dataclass(frozen=True, kw_only=True)
class Way:
    """One way of understanding on the lines of one language.

    Attributes:
        understanding: As it stands in plans; several where people of the set are understood differently.
        whole, kinds: The figures of all items, and of those of each kind.
        missed: Lines of which nothing that is meant was taken, or something that is not.
    """

    understanding: tuple[str, ...]
    whole: Figures
    kinds: dict[ItemKind, Figures]
    missed: tuple[Tried, ...]


@dataclass(frozen=True, kw_only=True)
class LanguageFigures:
    """The lines of one language of a set.

    Attributes:
        here: The caller as it is on this machine.
        by_words: The same with cue phrases alone.
    """

    language: Literal["en", "zh"]
    lines: int
    entries: int
    here: Way
    by_words: Way

    @property
    def passes(self) -> bool:
        """Whether both bars are met by the shares themselves; the intervals stand beside them."""
        meant, wrong = self.here.whole.as_meant.value, self.here.whole.false.value
        return (meant is None or meant >= AS_MEANT_AT_LEAST) and (wrong is None or wrong <= FALSE_AT_MOST)


def sets_to_try(folder: Path | None) -> list[Path]:
    """The folder that was named, else the sets that come along, the one that nobody tuned on first."""
    if folder is not None:
        return [folder]
    return [path for name in (HELD_OUT, DEVELOPMENT) if (path := sets_root() / name).is_dir()]


def try_set(folder: Path, *, on_line: OnLine = lambda done, of: None) -> list[LanguageFigures]:
    """The figures of a set, language by language.

    Raises:
        UserError: The folder holds no set that can be used.
    """
    lines = load_labelled(folder)
    tried: dict[Literal["en", "zh"], list[tuple[Tried, Tried]]] = {}
    ways: dict[Literal["en", "zh"], set[str]] = {}
    done = 0
    for persona, said in _by_person(lines):
        understanding, here = ears_of(persona)
        ways.setdefault(persona.language, set()).add(understanding)
        words = ears_by_words(persona)
        for line in said:
            tried.setdefault(persona.language, []).append((_try(line, here), _try(line, words)))
            done += 1
            on_line(done, len(lines))
    return [
        LanguageFigures(
            language=language,
            lines=len(pairs),
            entries=len({one.line.entry for one, _ in pairs}),
            here=_way(tuple(sorted(ways[language])), [here for here, _ in pairs]),
            by_words=_way(("words",), [words for _, words in pairs]),
        )
        for language, pairs in sorted(tried.items())
    ]


def _by_person(lines: Sequence[Labelled]) -> list[tuple[Persona, list[Labelled]]]:
    said: dict[str, list[Labelled]] = {}
    for line in lines:
        said.setdefault(line.entry, []).append(line)
    return [(own[0].persona, own) for own in said.values()]


def _try(line: Labelled, ears: Ears) -> Tried:
    [tried] = try_lines([line], lambda one: ears(one.says))
    return tried


def _way(understanding: tuple[str, ...], tried: Sequence[Tried]) -> Way:
    return Way(
        understanding=understanding,
        whole=_figures(tried, None),
        kinds={kind: _figures(tried, kind) for kind in KINDS},
        missed=tuple(one for one in tried if one.false or (one.line.means and not one.as_meant)),
    )


def _figures(tried: Sequence[Tried], kind: ItemKind | None) -> Figures:
    return Figures(
        as_meant=as_meant(tried, kind),
        false=false(tried, kind),
        false_on_nothing=false_on_nothing(tried, kind),
    )
