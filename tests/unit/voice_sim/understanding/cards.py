"""Lines of the agent cards that come along, with the cues of the people who hear them."""

from __future__ import annotations

from collections.abc import Iterator

from harness.scenarios.folders import load_library


def clean_lines_and_cues() -> Iterator[tuple[str, str]]:
    """(phrase, line) for one person of every scenario."""
    for number, scenario in enumerate(load_library()):
        entries = scenario.entries()
        entry = entries[number % len(entries)]
        persona = entry.persona
        phrases = [cue for fact in persona.facts for cue in fact.cues]
        phrases += [cue for question in persona.must_ask for cue in question.answered_by]
        phrases += [cue for obstacle in persona.obstacles for cue in obstacle.cues]
        for step in entry.card.sop:
            for line in step.say:
                yield from ((phrase, line) for phrase in phrases)
