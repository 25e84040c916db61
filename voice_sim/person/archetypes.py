"""The five user types of the paper (section 4.3.2, step 7): who answers the phone, in one word."""

from __future__ import annotations

from enum import StrEnum


class Archetype(StrEnum):
    """A user type. The order is that of the paper and of its task files (``task-D-C-V-A``: A is 1-5)."""

    COOPERATIVE = "cooperative"
    ANALYTICAL = "analytical"
    HESITANT = "hesitant"
    RESISTANT = "resistant"
    EFFICIENT = "efficient"

    @property
    def number(self) -> int:
        """1-5, as in the last field of an official task file's name."""
        return list(Archetype).index(self) + 1

    @property
    def definition(self) -> str:
        """What the paper says of this type, in short."""
        return _DEFINITIONS[self]

    @classmethod
    def from_number(cls, number: int) -> Archetype:
        """The type with this number.

        Raises:
            ValueError: The number is not 1-5.
        """
        if not 1 <= number <= len(cls):
            raise ValueError(f"there is no user type {number}; they are numbered 1-{len(cls)}")
        return list(cls)[number - 1]


_DEFINITIONS = {
    Archetype.COOPERATIVE: "Talks readily and warmly, knows what they need, decides promptly.",
    Archetype.ANALYTICAL: "Neutral and calm, wants information first, decides after weighing it.",
    Archetype.HESITANT: "Passive, unsure what they need, asks again for confirmation, decides slowly.",
    Archetype.RESISTANT: "Avoids the conversation, has no clear need, impatient, tends to refuse outright.",
    Archetype.EFFICIENT: "Goal-oriented and even-tempered, wants a quick result and nothing else.",
}
