"""Steps that write: what they ask, what they take, what they send back and what they refuse."""

from __future__ import annotations

import pytest
from pydantic_ai.exceptions import UsageLimitExceeded
from pydantic_ai.messages import ModelResponse
from pydantic_ai.models.function import FunctionModel

from tests.unit.voice_sim.authoring.people import Writer, answer, nothing, persona
from tests.unit.voice_sim.authoring.test_measures import FULL
from voice_sim.authoring.enrich import enrich
from voice_sim.authoring.extract import extract
from voice_sim.authoring.generalise import Target, generalise
from voice_sim.authoring.humanise import humanise
from voice_sim.authoring.keeping import kept_problems
from voice_sim.authoring.rating import rate
from voice_sim.authoring.scale import scale
from voice_sim.authoring.writing import ROUNDS, NotWritten
from voice_sim.person.archetypes import Archetype
from voice_sim.person.persona import Persona


async def test_extract_shows_the_call_and_sets_the_language() -> None:
    writer = Writer([{**answer(persona()), "archetype": "resistant"}])
    written = await extract(writer.model, FULL, check=nothing)
    assert written.persona == persona(archetype="resistant")
    assert "Person: No. I'm worried about that" in writer.asked[0]
    assert "Language of all content: English" in writer.asked[0]
    assert writer.settings[0]["temperature"] == 0


async def test_what_the_schema_refuses_is_sent_back_with_its_place() -> None:
    broken = {**answer(persona()), "archetype": "resistant", "demographics": {"age": 7}}
    writer = Writer([broken, {**answer(persona()), "archetype": "resistant"}])
    written = await extract(writer.model, FULL, check=nothing)
    assert written.persona.demographics.age == 40
    assert "demographics.age" in writer.asked[1]


async def test_what_the_rules_find_is_sent_back_and_the_best_is_kept() -> None:
    def check(written: Persona) -> list[str]:
        return [
            f"facts.{number}: no blue" for number, fact in enumerate(written.facts) if "blue" in fact.value
        ]

    one = {**answer(persona()), "archetype": "resistant"}
    two = {**one, "facts": [{"key": "card", "value": "blue"}, {"key": "hat", "value": "blue"}]}
    writer = Writer([two, one])
    written = await extract(writer.model, FULL, check=check)
    assert len(writer.asked) == 1 + ROUNDS
    assert "facts.1: no blue" in writer.asked[1]
    assert written.problems == ("facts.0: no blue",)


@pytest.mark.parametrize("nonsense", ["I cannot do that.", "{}", "[1, 2]", '{"role": "only a role'])
async def test_no_persona_is_a_failure_not_an_empty_one(nonsense: str) -> None:
    writer = Writer([nonsense])
    with pytest.raises(NotWritten, match="the answer does not fit"):
        await extract(writer.model, FULL, check=nothing)
    assert len(writer.asked) == 1 + ROUNDS


async def test_a_spent_budget_is_not_taken_for_a_failed_persona() -> None:
    def spent(*_: object) -> ModelResponse:
        raise UsageLimitExceeded("the run has used 1 of 1 requests")

    with pytest.raises(UsageLimitExceeded, match="1 of 1 requests"):
        await extract(FunctionModel(spent), FULL, check=nothing)


async def test_generalise_names_the_target_and_keeps_the_type() -> None:
    writer = Writer([answer(persona())])
    target = Target(domain="Finance", sub_scenario="Loan collection", objective="Agree on a plan.")
    written = await generalise(writer.model, persona(), target, check=nothing)
    assert written.persona.archetype is Archetype.HESITANT
    assert "Domain: Finance\nSub-scenario: Loan collection\nPurpose: Agree on a plan." in writer.asked[0]


@pytest.mark.parametrize("step", [enrich, humanise])
async def test_a_step_that_adds_may_not_change_facts(step: object) -> None:
    changed = answer(persona(), facts=[{"key": "card", "value": "a red card"}])
    writer = Writer([changed, answer(persona(), situation="On the tram.")])
    written = await step(writer.model, persona(), check=nothing)  # type: ignore[operator]
    assert "facts: 'card' was 'a blue card' and has to stay so" in writer.asked[1]
    assert (written.persona.situation, written.problems) == ("On the tram.", ())


def test_lost_questions_names_and_facts_are_told() -> None:
    other = persona(must_ask=(), facts=(), demographics={"name": "Wang Fang", "age": 40, "gender": "male"})
    assert list(kept_problems(persona(), other)) == [
        "demographics.name: was 'Zhang Qiang' and has to stay so",
        "facts: 'card' is missing",
        "must_ask: 'refund_when' is missing",
    ]


async def test_scale_insists_on_the_name_and_sets_the_type() -> None:
    right = answer(persona(), demographics={"name": "Wang Fang"})
    writer = Writer([answer(persona()), right])
    written = await scale(writer.model, persona(), Archetype.EFFICIENT, "Wang Fang", check=nothing)
    assert "must be 'Wang Fang'" in writer.asked[1]
    assert (written.persona.archetype, written.problems) == (Archetype.EFFICIENT, ())
    assert "efficient: Goal-oriented" in writer.asked[0]


async def test_a_rating_is_brought_to_one_and_a_bad_one_is_words() -> None:
    good = Writer([{"reason": "r", "completeness": 10, "consistency": 5, "informativeness": 0}])
    assert await rate(good.model, FULL) == {"completeness": 1.0, "consistency": 0.5, "informativeness": 0.0}
    bad = Writer([{"reason": "r", "completeness": 11, "consistency": 5, "informativeness": 0}])
    told = await rate(bad.model, FULL)
    assert isinstance(told, str)
    assert "does not fit" in told
