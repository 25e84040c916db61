"""What a good agent says on one call, in words that know neither the person's cues nor its examples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "agents" / "words"
"""A file a domain: entry, then what is said. Written from the agent's card and the person's spoken questions
and objections alone."""


@dataclass(frozen=True, kw_only=True)
class AgentWords:
    """Lines of one agent for one entry.

    Attributes:
        steps: What its task makes it say, in order.
        answers: To each question that the person may ask, by its id; several for when it is asked again.
        objections: To each obstacle, by its id.
        reasons: Why it is good for this person.
        asks: For the person's yes.
        presses: Asks for it all the same, without a reason.
        respects: A no for good.
        goodbye: And after the goodbye was answered: ``last``.
    """

    steps: tuple[str, ...]
    answers: Mapping[str, tuple[str, ...]]
    objections: Mapping[str, tuple[str, ...]]
    reasons: tuple[str, ...]
    asks: tuple[str, ...]
    presses: str
    respects: str
    goodbye: str
    last: str


_PRESSES = {"en": "Come on. Shall we do it all the same?", "zh": "别这样，还是办了，好吗？"}
_LAST = {"en": "Bye, then.", "zh": "好，再见。"}


@cache
def strangers_words(folder: Path = FOLDER) -> dict[str, AgentWords]:
    """The words for each entry that has some, by its id."""
    found: dict[str, AgentWords] = {}
    for path in sorted(folder.glob("*.yaml")):
        for entry, said in yaml.safe_load(path.read_text(encoding="utf-8")).items():
            language = "zh" if entry.split("/")[0].endswith("-zh") else "en"
            found[entry] = AgentWords(
                steps=tuple(said["steps"]),
                answers={key: _several(texts) for key, texts in said["answers"].items()},
                objections={key: tuple(texts) for key, texts in said["objections"].items()},
                reasons=tuple(said["reasons"]),
                asks=tuple(said["asks"]),
                presses=_PRESSES[language],
                respects=said["respects"],
                goodbye=said["goodbye"],
                last=_LAST[language],
            )
    return found


def _several(texts: str | list[str]) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts)
