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

from harness.catalogue import Domain, Orientation
from metrics.dialogue.task_flow import TaskFlow
from voice_sim.archetypes import Archetype
from voice_sim.persona import ExtraSection, Line, Lines, Name, Paragraph, Paragraphs, Persona, Text

Language = Literal["en", "zh"]
ScenarioId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,79}$")]
Slug = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,59}$")]

PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9_]*)\}")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class SopBranch(_Part):
    """What the agent does when a call leaves the main line."""

    kind: Literal["busy", "wrong_person", "refusal", "objection", "question", "other"]
    when: Paragraph
    say: Lines = ()
    then: Text = ""
    """Where the call goes from there."""


class SopStep(_Part):
    """One step of the standard operating procedure."""

    id: Name
    title: Line
    say: Lines = ()
    """Recommended lines, as spoken."""
    guidance: Paragraphs = ()
    """What to find out, to record or to avoid; not spoken."""
    branches: tuple[SopBranch, ...] = Field(default=(), max_length=20)
    text: Text = ""
    """The step as an imported file has it; ``say`` are then the quotations found in it."""


class FaqEntry(_Part):
    question: Line
    answer: Paragraph


class CallEnding(_Part):
    """A termination condition with its closing statements."""

    outcome: Literal["success", "failure", "deferred", "unspecified"]
    when: Text = ""
    closing: Lines = ()


class AgentCard(_Part):
    """What the calling agent gets: the seven fields of section 4.3.1.

    ``prompt()`` renders the system prompt of a language-model agent; everything that such an agent says
    beyond it counts as hallucination (Table 22).
    """

    role: Text
    core_task: Text
    target_profile: Paragraphs = ()
    sop: tuple[SopStep, ...] = Field(max_length=60)
    sop_notes: Paragraphs = ()
    faq: tuple[FaqEntry, ...] = Field(default=(), max_length=100)
    faq_notes: Paragraphs = ()
    opening: Text
    termination: tuple[CallEnding, ...] = Field(max_length=100)
    extra_sections: tuple[ExtraSection, ...] = Field(default=(), max_length=100)

    def prompt(self, *, language: Language = "en", reference_date: datetime.date | None = None) -> str:
        """The card as a system prompt, in the card's language."""
        return _render(self, _HEADINGS[language], language, reference_date)

    def spoken_lines(self) -> list[tuple[str, str]]:
        """Every line that the card proposes to say, with its field path."""
        lines = [("opening", self.opening)]
        for number, step in enumerate(self.sop):
            lines += [(f"sop.{number}.say.{index}", line) for index, line in enumerate(step.say)]
            for place, branch in enumerate(step.branches):
                path = f"sop.{number}.branches.{place}.say"
                lines += [(f"{path}.{index}", line) for index, line in enumerate(branch.say)]
        lines += [(f"faq.{number}.answer", entry.answer) for number, entry in enumerate(self.faq)]
        for number, ending in enumerate(self.termination):
            path = f"termination.{number}.closing"
            lines += [(f"{path}.{index}", line) for index, line in enumerate(ending.closing)]
        return lines


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


class Scenario(_Part):
    """One sub-scenario of the benchmark; see the module's docstring.

    Attributes:
        id: For instance ``cs-bank-complaint``; Chinese ones end in ``-zh``.
        domain, sub_scenario: Of ``harness.catalogue`` (Tables 8-13); other sub-scenarios are allowed.
        language: Of the card and of all personas.
        core_objective, main_challenge: As in Tables 8-13, for this call.
        orientation: The domain's, section 3.
        reference_date: "Today" in the call; every date in the content refers to it.
        record_fields: Placeholder name -> what it is. Each callee's ``record`` fills them.
        proper_nouns: Names that have to be recognised and pronounced right (without the callee's own).
        key_values: Values, shared by all callees, that have to be right.
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


_HEADINGS = {
    "en": {
        "role": "Who you are",
        "core_task": "Your task on this call",
        "target_profile": "What you know about the person you are calling",
        "opening": "How you open",
        "sop": "Steps and recommended wording",
        "faq": "Questions you may be asked",
        "termination": "When and how the call ends",
        "success": "Task done",
        "failure": "Task not done",
        "deferred": "To be continued",
        "unspecified": "End",
        "if": "If",
        "then": "Then",
        "today": "Today is",
        "rules": "How you speak",
        "rule_text": "You are on the phone: short, spoken sentences, one question at a time, no lists and no "
        "symbols. React to what the person says and how they feel before you go on. Everything you state "
        "must be in this text; if something is not, say naturally that you do not have it at hand.",
    },
    "zh": {
        "role": "你的身份",
        "core_task": "这通电话的任务",
        "target_profile": "你已知的对方信息",
        "opening": "开场白",
        "sop": "流程与参考话术",
        "faq": "对方可能会问",
        "termination": "什么时候结束、怎么结束",
        "success": "任务完成",
        "failure": "任务未完成",
        "deferred": "稍后继续",
        "unspecified": "结束",
        "if": "如果",
        "then": "接下来",
        "today": "今天是",
        "rules": "怎么说话",
        "rule_text": "你是在打电话：说短句、口语，一次只问一个问题，不念条目和符号。"
        "先回应对方说的话和情绪，再往下推进。你说的每件事都要出自上面的内容；没有写到的，就自然地说手头没有这个信息。",
    },
}


def _render(
    card: AgentCard, heading: dict[str, str], language: Language, reference_date: datetime.date | None
) -> str:
    blocks = [f"# {heading['role']}\n{card.role}", f"# {heading['core_task']}\n{card.core_task}"]
    if card.target_profile:
        blocks.append(f"# {heading['target_profile']}\n" + _items(card.target_profile))
    blocks.append(f"# {heading['opening']}\n{card.opening}")
    steps = [_render_step(number, step, heading) for number, step in enumerate(card.sop, start=1)]
    blocks.append(f"# {heading['sop']}\n" + "\n\n".join([*steps, *card.sop_notes]))
    if card.faq or card.faq_notes:
        answers = [f"Q: {entry.question}\nA: {entry.answer}" for entry in card.faq]
        blocks.append(f"# {heading['faq']}\n" + "\n\n".join([*answers, *card.faq_notes]))
    endings = [_render_ending(ending, heading) for ending in card.termination]
    blocks.append(f"# {heading['termination']}\n" + "\n".join(endings))
    blocks += [f"# {section.heading}\n{section.text}".rstrip() for section in card.extra_sections]
    rules = [heading["rule_text"]]
    if reference_date:
        day = (
            f"{reference_date:%A}, {reference_date:%Y-%m-%d}"
            if language == "en"
            else _chinese(reference_date)
        )
        rules.append(f"{heading['today']} {day}{'.' if language == 'en' else '。'}")
    blocks.append(f"# {heading['rules']}\n" + "\n".join(rules))
    return "\n\n".join(blocks) + "\n"


def _render_step(number: int, step: SopStep, heading: dict[str, str]) -> str:
    lines = [f"{number}. {step.title}"]
    lines += [step.text] if step.text else [f'   "{line}"' for line in step.say]
    lines += [f"   - {note}" for note in step.guidance]
    for branch in step.branches:
        lines.append(f"   - {heading['if']}: {branch.when}")
        lines += [f'     "{line}"' for line in branch.say]
        if branch.then:
            lines.append(f"     {heading['then']}: {branch.then}")
    return "\n".join(lines)


def _render_ending(ending: CallEnding, heading: dict[str, str]) -> str:
    lines = [f"- {heading[ending.outcome]}" + (f": {ending.when}" if ending.when else "")]
    return "\n".join([*lines, *(f'  "{line}"' for line in ending.closing)])


def _items(entries: tuple[str, ...]) -> str:
    return "\n".join(f"- {entry}" for entry in entries)


def _chinese(day: datetime.date) -> str:
    return f"{day.year}年{day.month}月{day.day}日，星期{'一二三四五六日'[day.weekday()]}"
