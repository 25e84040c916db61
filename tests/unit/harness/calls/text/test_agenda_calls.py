"""The agenda caller in whole calls: all entries with an agent that does its job, some with others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from statistics import mean

import pytest

from harness.calls.guard import session_of
from harness.calls.text.agents.faulty import FAULTS, FaultyAgent
from harness.calls.text.agents.sop import SopAgent
from tests.unit.harness.calls.text.agenda_calls import AgendaCall, entries, hold, sop_call
from voice_sim.guard.faults.repeated_itself import repeated_itself
from voice_sim.guard.session import Turn
from voice_sim.person.archetypes import Archetype
from voice_sim.policies.agenda.lines import LineBook
from voice_sim.policies.agenda.temper import TEMPERS
from voice_sim.understanding.acts import acts_of

OWN_ENDS = ("gave_up", "refused", "declined", "unanswered", "satisfied", "agent_silent")
"""How a call ends by the caller's own decision; the last is its patience in silence."""

COLUMNS: dict[str, Callable[[AgendaCall], float]] = {
    "turns": lambda call: len(call.lines),
    "words/turn": lambda call: call.words_per_turn,
    "asked": lambda call: call.asked,
    "asked|told": lambda call: call.asked_or_told,
    "refusals": lambda call: call.state.refusals,
    "mood": lambda call: call.state.mood,
}


def calls(language: str) -> list[AgendaCall]:
    return [sop_call(entry.id) for entry in entries() if entry.persona.language == language]


def table(language: str) -> dict[Archetype, dict[str, float]]:
    found: dict[Archetype, dict[str, float]] = {}
    for archetype in Archetype:
        own = [call for call in calls(language) if call.entry.persona.archetype is archetype]
        found[archetype] = {name: mean(map(column, own)) for name, column in COLUMNS.items()}
    return found


@pytest.mark.long
@pytest.mark.parametrize(("language", "count"), [("en", 150), ("zh", 50)])
def test_every_entry_reaches_the_end_of_the_flow(language: str, count: int) -> None:
    assert len(calls(language)) == count
    unfinished = []
    for call in calls(language):
        assert isinstance(call.agent, SopAgent)
        if not call.winnable or call.record.end_reason == "refused":
            continue  # who cannot be won closes before, and so does who was pressed
        over = call.agent.finished or call.state.took_leave
        if not (over and call.agent.steps_said == len(call.entry.card.sop)):
            unfinished.append(call.text())
    assert unfinished == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_table_of_user_types(language: str) -> None:
    print(f"\n{language:13}" + "".join(f"{name:>11}" for name in COLUMNS) + "  end")
    for archetype, row in table(language).items():
        own = [call for call in calls(language) if call.entry.persona.archetype is archetype]
        ends = Counter(call.record.end_reason for call in own)
        figures = "".join(f"{value:11.2f}" for value in row.values())
        print(f"{archetype:13}{figures}  " + ", ".join(f"{end} {n}" for end, n in ends.items()))
        could_be_won = [call for call in own if call.winnable]
        assert mean(call.asked for call in could_be_won) >= 0.65
        assert mean(call.asked_or_told for call in could_be_won) >= 0.85


def test_user_types_differ_as_they_are_named() -> None:
    rows = table("en")
    talkative = [
        rows[a]["words/turn"] for a in (Archetype.COOPERATIVE, Archetype.HESITANT, Archetype.ANALYTICAL)
    ]
    terse = [rows[a]["words/turn"] for a in (Archetype.RESISTANT, Archetype.EFFICIENT)]
    assert min(talkative) > max(terse)
    assert rows[Archetype.HESITANT]["turns"] == max(row["turns"] for row in rows.values())
    assert rows[Archetype.HESITANT]["turns"] - rows[Archetype.EFFICIENT]["turns"] > 0.7
    assert rows[Archetype.RESISTANT]["refusals"] == max(row["refusals"] for row in rows.values())
    assert rows[Archetype.RESISTANT]["refusals"] - rows[Archetype.COOPERATIVE]["refusals"] > 0.7
    assert rows[Archetype.RESISTANT]["mood"] == min(row["mood"] for row in rows.values())
    assert rows[Archetype.COOPERATIVE]["mood"] - rows[Archetype.RESISTANT]["mood"] > 1.0
    assert rows[Archetype.ANALYTICAL]["asked"] > rows[Archetype.RESISTANT]["asked"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_nearly_always_understands_an_agent_that_keeps_to_the_matter(language: str) -> None:
    turns = [why for call in calls(language) for why in call.why]
    lost = sum("not understood" in why or why == "misheard" for why in turns)
    print(f"{language}: {lost} of {len(turns)} turns not understood")
    assert lost < 0.03 * len(turns)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_said_more_than_twice(language: str) -> None:
    assert [call.text() for call in calls(language) if call.most_often > 2] == []


@pytest.mark.parametrize("seed", [pytest.param(1, marks=pytest.mark.long), 2])
def test_nothing_is_said_twice_running_or_in_one_turn(seed: int) -> None:
    """Neither by the lines that were meant nor to one who only sees the words."""
    repeated = []
    for entry in entries()[:: 1 if seed == 1 else 5]:
        call = sop_call(entry.id, seed)
        book, before, wanted_again, asked = LineBook(entry.persona), (), False, []
        for turn in call.record.turns:
            if turn.speaker == "agent":
                acts = acts_of(turn.text, entry.persona.language)
                questions = [sentence.text for sentence in acts.sentences if sentence.asks][-1:]
                wanted_again = acts.asks_to_repeat or (questions in asked and questions != [])
                asked.append(questions)
                continue
            roles = book.roles_in(turn.text)
            if len(set(roles)) < len(roles) or (set(roles) & set(before) and not wanted_again):
                repeated.append((call.text(), turn.text))
            before = roles
        turns = [Turn(speaker=turn.speaker, text=turn.text) for turn in call.record.turns]
        session = session_of(call.record.plan.task, turns, call.record.end_reason)
        repeated += [(call.text(), finding.quote) for finding in repeated_itself(session)]
    assert repeated == []


def test_same_seed_same_words_another_seed_differs() -> None:
    different = 0
    sample = entries()[::5]
    for entry in sample:
        first, again, other = sop_call(entry.id), hold(entry, SopAgent(entry)), sop_call(entry.id, 2)
        for one, two in zip(again.record.turns, first.record.turns, strict=True):
            assert one.model_copy(update={"wall_s": 0.0}) == two.model_copy(update={"wall_s": 0.0})
        different += other.lines != first.lines
    assert different >= 0.9 * len(sample)


def faulty_calls(fault: str) -> Iterator[AgendaCall]:
    """Every fifth entry, from another user type on for each fault, and all types in turn."""
    start = list(FAULTS).index(fault)
    for entry in entries()[start::6]:
        yield hold(entry, FaultyAgent(entry=entry, fault=fault))


@pytest.mark.parametrize("fault", list(FAULTS))
def test_the_caller_gets_out_of_a_bad_call(fault: str) -> None:
    found = list(faulty_calls(fault))
    assert {call.entry.persona.archetype for call in found} == set(Archetype)
    for call in found:
        temper = TEMPERS[call.entry.persona.archetype]
        assert call.record.end_reason in OWN_ENDS, call.text()
        assert len(call.lines) <= min(temper.turns, 22), call.text()
        assert call.most_often <= 2, call.text()
    ends = Counter(call.record.end_reason for call in found)
    print(f"{fault}: {mean(len(call.lines) for call in found):.1f} turns, {dict(ends)}")
    if fault != "ignores_questions":  # such an agent reads out its goodbye as well
        assert "satisfied" not in ends


def test_insults_are_not_borne() -> None:
    for call in faulty_calls("insults"):
        assert call.record.end_reason == "refused"
        assert len(call.lines) <= 5


def test_an_unknown_fault_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="digresses"):
        FaultyAgent(entry=entries()[0], fault="yodels")
