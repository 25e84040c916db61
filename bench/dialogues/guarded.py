"""``python -m bench.dialogues.guarded [--misses] [--false]``: what the guard finds in the kept calls.

A turn counts as past the agent's words where both readers said so, and as found where the guard has any
finding of misunderstanding at it, certain or suspected. False are findings at turns that both called in
order; turns that were not read are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import cast

from bench.dialogues.kept import KeptDialogue, kept_dialogues
from harness.calls.guard import session_of
from metrics.intervals import wilson
from voice_sim.caller.events import HangUpReason
from voice_sim.guard.check import check
from voice_sim.guard.session import Finding, Turn

MISUNDERSTANDING = (
    "did_not_answer",
    "asked_again",
    "satisfied_without_cause",
    "answered_unasked",
    "talked_past",
)


@dataclass(frozen=True, kw_only=True)
class GuardedTurn:
    """One turn of the caller that two people have read, with what the guard says of it."""

    dialogue: KeptDialogue
    at: int
    findings: tuple[Finding, ...]

    @property
    def past(self) -> bool:
        return self.dialogue.turns[self.at].past

    @property
    def false(self) -> bool:
        """Found, and in order."""
        return bool(self.findings) and all(one == "ok" for one in self.dialogue.turns[self.at].readers)


def guarded(dialogues: Sequence[KeptDialogue]) -> list[GuardedTurn]:
    """Every turn of the caller that was read, call by call."""
    turns = []
    for dialogue in dialogues:
        said = [Turn(speaker=turn.speaker, text=turn.text) for turn in dialogue.turns]
        found = check(session_of(dialogue.task, said, cast(HangUpReason, dialogue.ended))).findings
        turns += [
            GuardedTurn(
                dialogue=dialogue,
                at=at,
                findings=tuple(f for f in found if f.turn == at and f.kind in MISUNDERSTANDING),
            )
            for at in dialogue.caller_turns()
            if dialogue.turns[at].readers and "not read" not in dialogue.turns[at].readers
        ]
    return turns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", default="*", help="of these files alone")
    parser.add_argument("--misses", action="store_true", help="print what was not found")
    parser.add_argument("--false", action="store_true", help="print what was found in order")
    arguments = parser.parse_args()
    turns = guarded(kept_dialogues(files=arguments.files))
    for turn in turns:
        if (arguments.misses and turn.past and not turn.findings) or (arguments.false and turn.false):
            print("\n".join(_told(turn)))
    for file, of_file in groupby(turns, key=lambda turn: turn.dialogue.file):
        print(_counts(file, list(of_file)))
    print(_counts("all", turns))


def _counts(name: str, turns: Sequence[GuardedTurn]) -> str:
    past = [turn for turn in turns if turn.past]
    found = sum(bool(turn.findings) for turn in past)
    false = sum(turn.false for turn in turns)
    return f"{name}: found {share_of(found, len(past))}; false {share_of(false, len(turns))} of turns"


def share_of(hits: int, of: int) -> str:
    """So many of so many, with the 95 % interval of Wilson."""
    if not of:
        return "-"
    interval = wilson(hits, of)
    return f"{hits} of {of} ({hits / of:.3f}) [{interval.low:.3f}, {interval.high:.3f}]"


def _told(turn: GuardedTurn) -> list[str]:
    kept = turn.dialogue.turns
    agent = next((t.text for t in reversed(kept[: turn.at]) if t.speaker == "agent"), "")
    return [
        f"## {turn.dialogue.file} {turn.dialogue.name} {turn.at} {'; '.join(kept[turn.at].readers)}",
        f"  agent:  {agent}",
        f"  caller: {kept[turn.at].text}",
        *(f"  {finding.kind}: {finding.detail}" for finding in turn.findings),
        "",
    ]


if __name__ == "__main__":
    main()
