"""The agent card: what the calling agent gets, in the seven fields of section 4.3.1, and as a prompt."""

from __future__ import annotations

import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from voice_sim.person.persona import ExtraSection
from voice_sim.person.texts import Line, Lines, Name, Paragraph, Paragraphs, Text

Language = Literal["en", "zh"]


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
