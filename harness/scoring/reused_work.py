"""How much of a scoring was kept from before: what the instruments heard, and what a judge answered."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from harness.analysis.cache import AnalysisCache
from harness.analysis.listener import Listener
from harness.judging.judges import JudgeChoice
from harness.scoring.beside import Heard

_MAX_NAMES = 4


@dataclass(kw_only=True)
class AudioReuse:
    """Over the calls of a run.

    Attributes:
        calls: That have a recording.
        reused: Of which no instrument had to listen to anything.
        in_part: Of which some answers were kept, and some not.
        answers, answers_reused: Of the instruments, a side and an instrument each.
        changed: What is another than when it was kept -> calls.
        problems: Kept files that could not be used.
    """

    calls: int = 0
    reused: int = 0
    in_part: int = 0
    answers: int = 0
    answers_reused: int = 0
    changed: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)

    def add(self, listener: Listener, cache: AnalysisCache, heard: Heard | None = None) -> None:
        """Counts a call that has been analysed.

        Args:
            heard: What another process had heard of it just before.
        """
        asked = listener.asked if heard is None else heard.asked
        measured = listener.measured if heard is None else heard.measured
        found = asked - measured
        self.calls += 1
        self.reused += measured == 0
        self.in_part += 0 < found < asked
        self.answers += asked
        self.answers_reused += found
        self.changed.update(cache.changed if heard is None else heard.changed)
        self.problems += [*(() if heard is None else heard.problems), *cache.problems]

    def told(self) -> str:
        """For a person, in one line."""
        if not self.calls:
            return "audio: no call has a recording"
        # 100 % is all of it: 999 of 1000 must not be rounded up to that.
        share = 100 * self.reused // self.calls
        text = f"audio: {self.reused} of {self.calls} calls kept from before ({share} %)"
        if self.in_part:
            text += f", {self.in_part} in part"
        if self.changed:
            named = [f"{name} ({count})" for name, count in self.changed.most_common(_MAX_NAMES)]
            more = len(self.changed) - len(named)
            text += f"; changed: {', '.join(named)}" + (f" and {more} more" if more > 0 else "")
        return text

    def as_json(self) -> dict[str, Any]:
        """As ``score --json`` has it."""
        return {
            "calls": self.calls,
            "kept": self.reused,
            "in_part": self.in_part,
            "answers": self.answers,
            "answers_kept": self.answers_reused,
            "changed": dict(self.changed),
            "problems": self.problems,
        }


def judgements_as_json(judge: JudgeChoice) -> dict[str, int] | None:
    """Of a language model's answers, as ``score --json`` has it; None where none are ever kept.

    ``looked_up`` are those that were wanted; what was not ``kept`` was asked for.
    """
    if not judge.models or judge.store is None:
        return None
    return {"looked_up": judge.store.hits + judge.store.misses, "kept": judge.store.hits}
