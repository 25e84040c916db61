"""``python -m bench.dialogues [--files 'third-*'] [--all] [--unsure]``: what the present caller says instead.

Prints each turn of the kept calls that the present caller would say otherwise, with what two readers said
of the recorded one; ``--same`` also those past the agent's words that it would say again; ``--unsure`` all in
which it says that it does not know. At the end: how many of the turns past the agent's words are said again,
word for word. Words that differ may be no better: read them.
"""

from __future__ import annotations

import argparse
from collections import Counter

from bench.dialogues.kept import kept_dialogues
from bench.dialogues.replay import Replayed, replayed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", default="*", help="of these files alone")
    parser.add_argument("--same", action="store_true", help="also what was past the agent's words and stays")
    parser.add_argument("--unsure", action="store_true", help="only where it says now that it does not know")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    turns = replayed(kept_dialogues(files=arguments.files), jobs=arguments.jobs)
    for turn in turns:
        shown = turn.differs or (arguments.same and turn.kept.past)
        if arguments.unsure:
            shown = "unsure" in turn.why or "no fact answers" in turn.why
        if shown:
            print("\n".join(_told(turn)))
    print("\n".join(_counts(turns)))


def _told(turn: Replayed) -> list[str]:
    dialogue = turn.dialogue
    before = next((t.text for t in reversed(dialogue.turns[: turn.at]) if t.speaker == "caller"), "")
    after = dialogue.turns[turn.at + 1].text if turn.at + 1 < len(dialogue.turns) else ""
    return [
        f"## {dialogue.file} {dialogue.name} {turn.at} {dialogue.entry} {'; '.join(turn.kept.readers)}",
        f"  before: {before}",
        f"  agent:  {turn.agent}",
        f"  kept:   {turn.kept.text}",
        f"  now:    {turn.now}  [{turn.why}]" if turn.differs else f"  the same [{turn.why}]",
        f"  heard:  {turn.heard}",
        f"  after:  {after}",
        "",
    ]


def _counts(turns: list[Replayed]) -> list[str]:
    kinds = Counter(
        (
            "past the agent's words" if turn.kept.past else "in order",
            "differs" if turn.differs else "the same",
        )
        for turn in turns
    )
    return [f"{len(turns)} turns"] + [
        f"  {label}, {what}: {count}" for (label, what), count in sorted(kinds.items())
    ]


if __name__ == "__main__":
    main()
