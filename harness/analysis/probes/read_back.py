"""Whether an agent that was asked to say something back did so at all, right or wrong.

What it did not say is not wrong. A number is said back where the reply has any; of names and the like
somebody who says another cannot be told from somebody who says none, but for words that are written as names.
"""

from __future__ import annotations

import re

from metrics.recognition.normalize import Language, normalize
from metrics.recognition.proper_nouns import EntityKind
from spoken_language.asking_again import asks_again

WITH_DIGITS: frozenset[EntityKind] = frozenset({"code", "digits", "date", "amount"})
_NAME_INSIDE = re.compile(r"(?<=[a-z,'’] )[A-Z][a-z]+")
_NOT_NAMES = frozenset(["I", "Mr", "Mrs", "Ms", "Miss", "Dr", "Sir", "Madam", "Okay", "Ok", "Yes", "No"])


def said_back(reply: str, entity: str, kind: EntityKind, language: Language) -> bool:
    """Whether a reply that does not have the entity says something of its kind.

    Args:
        reply: What the agent said.
        entity: What was to be said back.
    """
    if asks_again(reply, language):
        return False
    heard = normalize(reply, language)
    if kind in WITH_DIGITS:
        return any(character.isdigit() for character in heard)
    if language == "zh":
        wanted = normalize(entity, "zh")
        return sum(character in heard for character in set(wanted)) * 2 >= len(set(wanted))
    return any(name not in _NOT_NAMES for name in _NAME_INSIDE.findall(reply))
