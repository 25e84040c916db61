"""Planted places in whole dialogues of shipped people with an agent that follows its card."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.unit.harness.calls.text.agenda_calls import AgendaCall, entries, sop_call
from voice_sim.person.planted import planted_in
from voice_sim.policies.agenda.lines import LineBook

SOME = (
    "sales-fitness-membership/hesitant",
    "sales-education-renewal/resistant",
    "fin-credit-card-collection-zh/analytical",
)
AT_LEAST = 0.80
"""Of the dialogues that run to their end."""


@pytest.mark.parametrize("entry", SOME)
def test_each_place_is_said_once_and_marked(entry: str) -> None:
    call = sop_call(entry)
    assert _times(call) == {0: 1, 1: 1, 2: 1}
    for text, why in zip(call.lines, call.why, strict=True):
        kinds = [place.kind for place in planted_in(text, call.entry.persona)]
        assert len(kinds) <= 1
        assert all(kind in why for kind in kinds)
        assert ("stimulus" in why) == bool(kinds)


@pytest.mark.long
def test_of_all_entries_each_place_is_said_once_in_most_dialogues_that_run_to_their_end() -> None:
    calls = [sop_call(entry.id, seed) for entry in entries() for seed in (1, 2)]
    ended = [call for call in calls if call.record.status.value == "completed"]
    said: Counter[str] = Counter()
    for call in ended:
        times = _times(call)
        assert max(times.values(), default=0) <= 1, call.text()
        for number, stimulus in enumerate(call.entry.persona.stimuli):
            said[stimulus.dimension] += times[number] == 1
    shares = {dimension: count / len(ended) for dimension, count in said.items()}
    assert set(shares) == {"intent", "noise", "safety"}
    assert min(shares.values()) >= AT_LEAST, shares


def _times(call: AgendaCall) -> Counter[int]:
    book = LineBook(call.entry.persona)
    roles = [role for line in call.lines for role in book.roles_in(line)]
    return Counter(int(role.ref) for role in roles if role.kind == "stimulus" and role.nth == 0)
