"""``python -m bench.stimuli [--seeds 3] [--agent sop] [--only '*/hesitant']``: are the planted places said?

Holds every entry in text, by rule on both sides, and counts from the records. Of the dialogues that ran to
their end (status ``completed``: the caller was done, content or not): in how many is each planted place said,
and said once; by domain and dimension. Callers understand by cues (``--examples``: by examples): whether a
place is said hangs little on it, and so 600 dialogues take two minutes.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Iterator
from fnmatch import fnmatch

from harness.calls.text.converse import converse
from harness.calls.text.medium import TextMedium
from harness.plans.benchmark import text_units
from harness.plans.unit import Unit
from harness.records.call import CallRecord, CallStatus
from harness.scenarios.folders import load_library
from voice_sim.person.persona import Persona
from voice_sim.person.stimulus import STIMULUS_KINDS
from voice_sim.policies.agenda.lines import LineBook


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3, help="dialogues of each entry")
    parser.add_argument("--agent", default="sop", help="by rule: sop, faulty-digresses, ...")
    parser.add_argument("--only", default="*", help="entries like this")
    parser.add_argument("--examples", action="store_true", help="callers understand by examples")
    parser.add_argument("--missed", action="store_true", help="list each place that was missed")
    arguments = parser.parse_args()
    entries = [
        entry
        for scenario in load_library()
        for entry in scenario.entries()
        if fnmatch(entry.id, arguments.only) and entry.persona.stimuli
    ]
    units = text_units(
        entries,
        policy="agenda",
        agent=arguments.agent,
        understanding="examples" if arguments.examples else "words",
        trials=arguments.seeds,
    )
    ended, total, turns, most = 0, 0, 0, 0.0
    dialogues: Counter[tuple[str, str]] = Counter()
    once: Counter[tuple[str, str]] = Counter()
    statuses: Counter[str] = Counter()
    missed: list[str] = []
    for record in asyncio.run(_held(units)):
        total += 1
        task = record.plan.about
        statuses[f"{record.status}, {record.end_reason}"] += 1
        if record.status is not CallStatus.COMPLETED:
            continue
        ended += 1
        said = times_said(record, task.persona)
        own = sum(turn.speaker == "caller" for turn in record.turns)
        turns += own
        most = max(most, len(task.persona.stimuli) / own)
        for number, stimulus in enumerate(task.persona.stimuli):
            dialogues[task.domain, stimulus.dimension] += 1
            once[task.domain, stimulus.dimension] += said[number] == 1
            if said[number] != 1:
                missed.append(f"{task.entry} {record.plan.seed}: {stimulus.kind} {said[number]} times")
    print(f"{total} dialogues of {len(entries)} entries with {arguments.agent}; {ended} ran to their end,")
    print(f"with {turns / max(1, ended):.1f} turns of the caller; at most {most:.2f} of them planted")
    for status, count in statuses.most_common():
        print(f"  {count:5} {status}")
    print("\n| Domain | " + " | ".join(STIMULUS_KINDS) + " |")
    print("|---|" + "---|" * len(STIMULUS_KINDS))
    for domain in [*dict.fromkeys(domain for domain, _ in dialogues), "all"]:
        print(f"| {domain} | " + " | ".join(_cells(domain, once, dialogues)) + " |")
    if arguments.missed:
        print("\n" + "\n".join(missed))


def times_said(record: CallRecord, persona: Persona) -> Counter[int]:
    """How often each planted place (by its position) was said for the first time, from the record's words.

    Said again because the agent asked for it is not said twice.
    """
    book = LineBook(persona)
    return Counter(
        int(role.ref)
        for turn in record.turns
        if turn.speaker == "caller"
        for role in book.roles_in(turn.text)
        if role.kind == "stimulus" and role.nth == 0
    )


def _cells(domain: str, once: Counter[tuple[str, str]], dialogues: Counter[tuple[str, str]]) -> Iterator[str]:
    for dimension in STIMULUS_KINDS:
        keys = [key for key in dialogues if key[1] == dimension and domain in (key[0], "all")]
        had, of = sum(once[key] for key in keys), sum(dialogues[key] for key in keys)
        yield f"{had}/{of} ({had / of:.0%})" if of else "none"


async def _held(units: list[Unit]) -> list[CallRecord]:
    async with TextMedium(units) as medium:
        return [(await converse(unit.plan, medium.sides(unit))).record for unit in units]


if __name__ == "__main__":
    main()
