"""Examples by a language model: each manner apart, nothing missing, the rest of the persona as it was."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.unit.voice_sim.authoring.people import Writer, nothing, persona
from voice_sim.authoring.exemplify import LINES_EACH, MANNERS, NOTHING_EACH, exemplify
from voice_sim.authoring.writing import ROUNDS, NotWritten
from voice_sim.person.examples import Item, items_of, without_examples
from voice_sim.person.persona import Persona


def _written(author: str, **changes: Any) -> dict[str, Any]:
    items = {
        name: [f"{author} says {name} {number}" for number in range(LINES_EACH)]
        for name in ("fact.card", "must_ask.refund_when")
    }
    return {
        "items": {**items, **changes},
        "nothing": [f"{author} hums {number}" for number in range(NOTHING_EACH)],
    }


async def test_three_authors_who_do_not_see_each_other() -> None:
    writer = Writer([_written(author) for author in MANNERS])
    before = persona(nothing={"old": ["Gone."]})
    written = await exemplify(writer.model, before, check=nothing)
    assert written.problems == ()
    lines = {one.item: one.lines for one in items_of(written.persona)}
    assert list(lines[Item("fact", "card")]) == list(MANNERS)
    assert lines[Item("fact", "card")]["chatty"] == ("chatty says fact.card 0", "chatty says fact.card 1")
    assert set(written.persona.nothing) == set(MANNERS)
    assert without_examples(written.persona) == without_examples(before)
    for manner, asked in zip(MANNERS.values(), writer.asked, strict=True):
        assert manner in asked
        assert "says fact.card" not in asked
        assert "Gone." not in asked
        assert "a blue card" in asked


async def test_what_is_missing_stands_twice_or_is_no_item_is_sent_back() -> None:
    lame = _written("formal", **{"fact.card": ["formal hums 0"], "fact.shoes": ["Which shoes?"] * 2})
    writer = Writer([lame, *(_written(author) for author in MANNERS)])
    written = await exemplify(writer.model, persona(), check=nothing)
    assert written.problems == ()
    sent_back = writer.asked[1]
    assert "items.fact.card: 1 lines, at least 2 are needed" in sent_back
    assert "items.fact.shoes: there is no such item" in sent_back
    assert "'formal hums 0' stands twice (also fact.card)" in sent_back


async def test_what_stays_wrong_is_told_with_its_author() -> None:
    def check(one: Persona) -> list[str]:
        return ["it rains"] if "chatty" in one.nothing and "indirect" not in one.nothing else []

    chatty = [_written("chatty")] * (1 + ROUNDS)
    writer = Writer([_written("formal"), *chatty, _written("indirect")])
    written = await exemplify(writer.model, persona(), check=check)
    assert written.problems == ("chatty: it rains",)


@pytest.mark.parametrize("nonsense", ["No.", json.dumps({"items": [], "nothing": []})])
async def test_no_lines_are_a_failure(nonsense: str) -> None:
    with pytest.raises(NotWritten, match="the answer does not fit"):
        await exemplify(Writer([nonsense]).model, persona(), check=nothing)
