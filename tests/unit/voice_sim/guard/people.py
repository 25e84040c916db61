"""A person with a few facts, and calls with them, for the guard's tests."""

from __future__ import annotations

from voice_sim.guard.check import check
from voice_sim.guard.session import Ended, Finding, Session, Turn
from voice_sim.person.archetypes import Archetype
from voice_sim.person.persona import Demographics, Ending, Fact, MustAsk, Persona

PERSON = Persona(
    archetype=Archetype.ANALYTICAL,
    language="en",
    role="Zhao Lei, an engineer whose bank took a fee.",
    demographics=Demographics(name="Zhao Lei", age=38, occupation="engineer"),
    facts=(
        Fact(key="amount", value="200 yuan", say=("Two hundred even.",), cues=("how much",)),
        Fact(key="card_last_digits", value="8843", cues=("last digits",)),
        Fact(key="payments", value="41 card payments in 2024", say=("Forty-one card payments.",)),
        Fact(key="noticed", value="January 1, in the evening", cues=("when did you notice",)),
        Fact(key="fever", value="no fever at all", cues=("a temperature",)),
        Fact(key="email", value="zhao.lei@post.example", cues=("address",)),
        Fact(key="crew", value="nine men"),
    ),
    must_ask=(
        MustAsk(id="basis", ask=("On what basis was it charged?",), answered_by=("annual card fee",)),
        MustAsk(id="date", ask=("By which date do I have the result?",), answered_by=("january 13",)),
    ),
    hang_up=(Ending(when="Asked for a code.", cues=("read me the code",), say=("No. Goodbye.",)),),
)


def call(*lines: str, ended: Ended | None = None, person: Persona = PERSON) -> Session:
    """A session from lines "A: …", "C: …", and "H: …" for what was heard of the caller's line above."""
    turns: list[Turn] = []
    for line in lines:
        side, _, said = line.partition(": ")
        if side == "H":
            turns[-1] = Turn(speaker="caller", text=turns[-1].text, heard=said)
        else:
            turns.append(Turn(speaker="agent" if side == "A" else "caller", text=said))
    return Session(persona=person, turns=tuple(turns), ended=ended)


def found(*lines: str, ended: Ended | None = None, person: Persona = PERSON) -> list[Finding]:
    return list(check(call(*lines, ended=ended, person=person)).findings)


def kinds(*lines: str, ended: Ended | None = None, person: Persona = PERSON) -> list[tuple[str, int | None]]:
    """(kind, turn) of every finding."""
    return [(finding.kind, finding.turn) for finding in found(*lines, ended=ended, person=person)]
