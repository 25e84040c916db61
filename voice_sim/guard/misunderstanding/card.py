"""What the agent's card says, as far as the guard needs it: read from the prompt that the agent was given."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from functools import lru_cache

from voice_sim.guard.words import sentences

_SPOKEN = re.compile(r'^\s+"(?P<line>.*)"$', re.MULTILINE)
_ANSWER = re.compile(r"^A: (?P<line>.*)$", re.MULTILINE)
_TODAY = re.compile(
    r"^Today is \w+, (\d{4})-(\d{2})-(\d{2})\.$|^今天是(\d{4})年(\d{1,2})月(\d{1,2})日", re.MULTILINE
)


@dataclass(frozen=True, kw_only=True)
class Card:
    """Lines of an agent's card.

    Attributes:
        lines: What it proposes to say, and the answers of its FAQ, sentence by sentence.
    """

    lines: tuple[str, ...] = ()

    @property
    def questions(self) -> tuple[str, ...]:
        return tuple(line for line in self.lines if line.rstrip().endswith(("?", "？")))


@lru_cache(maxsize=256)
def read_card(prompt: str) -> Card:
    """The card in a prompt as cards are rendered: quoted lines, and "A: ..." in the FAQ.

    A prompt of another form has no lines, and the guard then does without the card.
    """
    spoken = [match["line"] for form in (_SPOKEN, _ANSWER) for match in form.finditer(prompt)]
    return Card(lines=tuple(dict.fromkeys(part for line in spoken for part in sentences(line))))


def today_in(prompt: str) -> datetime.date | None:
    """The day of the call, as a prompt of a card tells it; None where it does not."""
    found = _TODAY.search(prompt)
    if found is None:
        return None
    year, month, day = (int(part) for part in found.groups() if part)
    try:
        return datetime.date(year, month, day)
    except ValueError:
        return None
