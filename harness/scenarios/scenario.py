"""Scenario = agent card + task flow + the people who may answer the phone.

A scenario is a folder (see ``docs/scenarios.md``)::

    bank_complaint/
      scenario.yaml               # Scenario without callees: what the call is for, agent card, flow
      persona-cooperative.yaml    # one Callee each: the person, and what the calling side knows about them
      persona-hesitant.yaml

The agent card and the flow may contain ``{name}`` for a value of the callee's ``record``. A pair of
scenario and person with these filled in is an :class:`Entry`: one of the benchmark's 150.
"""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from harness.scenarios.agent_card import AgentCard, Language
from harness.scenarios.catalogue import Domain, Orientation
from metrics.dialogue.task_flow import TaskFlow
from voice_sim.person.archetypes import Archetype
from voice_sim.person.persona import Persona
from voice_sim.person.texts import Examples, Line, Lines, Name, Paragraphs, Text

ScenarioId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,79}$")]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,59}$")]

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class KeyValue(_Part):
    """A value that has to be heard right: an amount, a date, a time, a number.

    In a file it may be written short, as the value alone.
    """

    value: Line
    spoken: Lines = ()
    """Other ways of saying it: "two hundred yuan" for "200 yuan"."""

    @model_validator(mode="before")
    @classmethod
    def _short_form(cls, written: Any) -> Any:
        return {"value": written} if isinstance(written, str) else written


class SourceSection(_Part):
    """A section of an imported file, as it stood there."""

    part: Literal["agent", "persona", "none"]
    heading: Text
    line: int = Field(ge=1)
    text: Text = ""


class Source(_Part):
    """Where a scenario comes from. ``imported`` ones are not held to the rules for written content.

    Attributes:
        file: Name of the imported file.
        notes: What the importer could not place, or guessed.
        sections: The imported text itself, section by section, so that everything made of it by rule can be
            checked and made again in a better way.
    """

    kind: Literal["written", "imported"] = "written"
    file: Text = ""
    notes: Paragraphs = ()
    sections: tuple[SourceSection, ...] = Field(default=(), max_length=300)


class Callee(_Part):
    """Who answers the phone, and what the calling side's records say about them.

    Attributes:
        record: Values for the placeholders of the agent card and flow: the customer file of this person.
            ``customer_name`` and ``salutation`` are always there in written content.
        known_to_agent: Added to the card's target profile.
        persona: The person.
    """

    record: dict[Name, KeyValue] = Field(default_factory=dict, max_length=30)
    known_to_agent: Paragraphs = ()
    persona: Persona


class SharedExamples(_Part):
    """What an agent may say in its own words, as far as it means the same to several people of a scenario.

    Attributes:
        facts: Key of a fact -> lines that ask for it, for every person who has it.
        nothing: Lines of such calls that mean nothing to any of them.
    """

    facts: dict[Name, Examples] = Field(default_factory=dict, max_length=100)
    nothing: Examples = Field(default_factory=dict)


class Scenario(_Part):
    """One sub-scenario of the benchmark; see the module's docstring.

    Attributes:
        id: For instance ``cs-bank-complaint``; Chinese ones end in ``-zh``.
        domain, sub_scenario: Of ``catalogue`` (Tables 8-13); other sub-scenarios are allowed.
        language: Of the card and of all personas.
        core_objective, main_challenge: As in Tables 8-13, for this call.
        orientation: The domain's, section 3.
        reference_date: "Today" in the call; every date in the content refers to it.
        record_fields: Placeholder name -> what it is. Each callee's ``record`` fills them.
        proper_nouns: Names that have to be recognised and pronounced right (without the callee's own).
        key_values: Values, shared by all callees, that have to be right.
        examples: What means the same to several callees, in an agent's own words.
    """

    id: ScenarioId
    domain: Domain
    sub_scenario: Slug
    language: Language
    title: Line
    core_objective: Text
    main_challenge: Text = ""
    orientation: Orientation
    reference_date: datetime.date
    record_fields: dict[Name, Line] = Field(default_factory=dict, max_length=30)
    proper_nouns: Lines = ()
    key_values: tuple[KeyValue, ...] = Field(default=(), max_length=60)
    agent: AgentCard
    flow: TaskFlow
    examples: SharedExamples = SharedExamples()
    source: Source = Source()
    callees: tuple[Callee, ...] = Field(default=(), max_length=50)

    @property
    def personas(self) -> tuple[Persona, ...]:
        return tuple(callee.persona for callee in self.callees)

    def entries(self) -> list[Entry]:
        """One entry per callee, in the order of the archetypes."""
        order = list(Archetype)
        callees = sorted(self.callees, key=lambda callee: order.index(callee.persona.archetype))
        return [self._entry(callee) for callee in callees]

    def entry(self, archetype: Archetype) -> Entry:
        """The entry with this user type.

        Raises:
            KeyError: The scenario has no such person.
            ValidationError: The values of its record do not fit in: no file with such a person is loaded.
        """
        for callee in self.callees:
            if callee.persona.archetype is archetype:
                return self._entry(callee)
        raise KeyError(archetype.value)

    def _entry(self, callee: Callee) -> Entry:
        card = AgentCard.model_validate(fill(self.agent.model_dump(), callee.record))
        profile = (*card.target_profile, *callee.known_to_agent)
        flow = fill(self.flow.model_dump(), callee.record)
        for node, original in zip(flow["nodes"], self.flow.nodes, strict=True):
            node["evidence"] = [fill_phrase(phrase, callee.record) for phrase in original.evidence]
            if original.branch:
                node["branch"]["cues"] = [fill_phrase(cue, callee.record) for cue in original.branch.cues]
        name = callee.record.get("customer_name")
        return Entry(
            id=f"{self.id}/{callee.persona.archetype.value}",
            scenario=self,
            callee=callee,
            card=card.model_copy(update={"target_profile": profile}),
            flow=TaskFlow.model_validate(flow),
            proper_nouns=tuple(dict.fromkeys([*self.proper_nouns, *([name.value] if name else [])])),
            key_values=(*self.key_values, *_without_names(callee.record)),
        )


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One scenario with one person: what a call is made from. All placeholders are filled in."""

    id: str
    scenario: Scenario
    callee: Callee
    card: AgentCard
    flow: TaskFlow
    proper_nouns: tuple[str, ...]
    key_values: tuple[KeyValue, ...]

    @property
    def persona(self) -> Persona:
        return self.callee.persona

    def prompt(self) -> str:
        """What the agent gets: :meth:`AgentCard.prompt` with the scenario's language and date."""
        return self.card.prompt(language=self.scenario.language, reference_date=self.scenario.reference_date)


def placeholders(content: Any) -> set[str]:
    """Names of all ``{placeholders}`` in the strings of some content."""
    if isinstance(content, str):
        return set(PLACEHOLDER.findall(content))
    if isinstance(content, dict):
        return set().union(*map(placeholders, content.values()))
    if isinstance(content, list | tuple):
        return set().union(*map(placeholders, content))
    return set()


def fill(content: Any, record: dict[str, KeyValue]) -> Any:
    """The content with every placeholder that the record knows replaced by its value."""
    if isinstance(content, str):
        return PLACEHOLDER.sub(lambda m: record[m[1]].value if m[1] in record else m[0], content)
    if isinstance(content, dict):
        return {key: fill(value, record) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [fill(value, record) for value in content]
    return content


def fill_phrase(phrase: str, record: dict[str, KeyValue]) -> str:
    """An evidence phrase with every placeholder replaced by all ways of saying its value."""

    def ways(found: re.Match[str]) -> str:
        known = record.get(found[1])
        return " | ".join([known.value, *known.spoken]) if known else found[0]

    return PLACEHOLDER.sub(ways, phrase)


def _without_names(record: dict[str, KeyValue]) -> list[KeyValue]:
    return [value for key, value in record.items() if key not in ("customer_name", "salutation")]
