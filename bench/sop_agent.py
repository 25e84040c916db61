"""How often the agent by rule finds in its card what the people of the scenarios ask, in their own words::

    python -m bench.sop_agent --language en

Each form of each question that a person has to ask is put once, in the middle of a call in which the person
has only listened so far. Right is what meets the question's ``answered_by``: for one that the card holds no
answer to, that is an honest "I don't know". The agent sees neither. No network; a minute.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from typing import Literal

from harness.calls.text.agents.base import TextAgent
from harness.calls.text.agents.sop import SopAgent
from harness.scenarios.agent_card import Language
from harness.scenarios.folders import load_library
from harness.scenarios.person_called import person_called
from harness.scenarios.scenario import Entry
from spoken_language.dialogue import DialogueTurn
from voice_sim.understanding.acts import acts_of
from voice_sim.understanding.cues import find_any

Kind = Literal["right", "wrong", "does not know", "silent"]
KINDS: tuple[Kind, ...] = ("right", "wrong", "does not know", "silent")


def answers(entry: Entry) -> list[tuple[bool, str, str, Kind]]:
    """For each form of each question: whether the card answers it, its words, the reply and what that is."""
    found = []
    for question in person_called(entry).must_ask:
        for words in question.ask:
            reply = asyncio.run(_reply(SopAgent(entry), entry, words))
            found.append((question.answerable, words, reply, _kind(entry, reply, question.answered_by)))
    return found


async def _reply(agent: TextAgent, entry: Entry, words: str) -> str:
    turns: list[DialogueTurn] = []
    middle = sum(len(step.say) for step in entry.card.sop) // 4
    for said in ["", "Hello?" if entry.scenario.language == "en" else "喂？", *["Mm-hm."] * middle, words]:
        turns += [DialogueTurn(speaker="caller", text=said)] if said else []
        turns.append(DialogueTurn(speaker="agent", text=(await agent.reply(turns)).text))
    return turns[-1].text


def _kind(entry: Entry, reply: str, answered_by: tuple[str, ...]) -> Kind:
    if find_any(answered_by, reply):
        return "right"
    card = entry.card
    known = [item.answer for item in card.faq]
    known += [line for step in card.sop for branch in step.branches for line in branch.say]
    if acts_of(reply, entry.scenario.language).admits_ignorance:
        return "does not know"
    return "wrong" if any(line in reply for line in known) else "silent"


def share(language: Language) -> tuple[Counter[tuple[bool, Kind]], list[str]]:
    """How many questions were answered how, by whether the card answers them; and all that are not right."""
    counted: Counter[tuple[bool, Kind]] = Counter()
    missed = []
    for scenario in load_library():
        for entry in scenario.entries() if scenario.language == language else ():
            for answerable, words, reply, kind in answers(entry):
                counted[answerable, kind] += 1
                if kind != "right":
                    missed.append(f"{entry.id}: {kind}\n    {words}\n    -> {reply}")
    return counted, missed


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--language", choices=["en", "zh"], default="en")
    parser.add_argument("--missed", action="store_true", help="Print what was not right, too.")
    options = parser.parse_args()
    counted, missed = share(options.language)
    if options.missed:
        print("\n".join(missed))
    for answerable in (True, False):
        total = sum(counted[answerable, kind] for kind in KINDS)
        figures = ", ".join(f"{kind} {counted[answerable, kind]}" for kind in KINDS)
        print(f"{options.language}, {'' if answerable else 'not '}answered by the card: {total}: {figures}")


if __name__ == "__main__":
    main()
