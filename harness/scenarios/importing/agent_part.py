"""The part 电话拨打方 as an agent card, and a task flow derived from its steps."""

from __future__ import annotations

import re

from harness.scenarios.agent_card import AgentCard, CallEnding, FaqEntry, SopStep
from harness.scenarios.importing.blocks import (
    blocks,
    is_marked,
    items,
    quotations,
    split_label,
    strip_marker,
    unquote,
    without_bold,
)
from harness.scenarios.importing.markdown import Section, is_rule
from metrics.dialogue.task_flow import KEY_NODES_MAX, KEY_NODES_MIN, Branch, FlowNode, TaskFlow
from voice_sim.person.persona import ExtraSection

_QUESTION = re.compile(r"^(?:Q|问题|问|客户问|用户问|客户|提问)\s*\d*\s*[:：.、]\s*", re.IGNORECASE)
_ANSWER = re.compile(r"^(?:A|答案|答|回答|回复|客服答|客服)\s*\d*\s*[:：.、]\s*", re.IGNORECASE)
_INLINE_ANSWER = re.compile(r"\s(?=(?:A|答案|答|回答)\s*\d*\s*[:：])")
_CLOSING = re.compile(
    r"^(?:通用)?(?:结束语|结束话术|收尾话术|告别语)(?:示例|参考|话术)?(?:\s*[（(][^）)]*[）)])?\s*[:：]?\s*"
)
_CONDITIONS = re.compile(r"^(?:通话)?结束条件(?:\s*[（(][^）)]*[）)])?\s*[:：]?\s*$")
_BRANCH = re.compile(
    r"^(?:若|如果|如遇|如|一?遇|当客户|应对|面对)|(?:异议|拒绝|质疑|抗拒|不耐烦?).{0,6}(?:处理|应对|收尾|解答)"
)
_KEY = re.compile(r"身份|核实|核查|确认|来意|目的|方案|告知|说明|预约|收集|采集|讲解|介绍")
_CHINESE_NUMBER = re.compile(r"^[一二三四五六七八九十]{1,3}\s*[.、．)）]\s*")
_TITLE_LONGEST = 80


def read_card(sections: dict[str, Section], extra: list[Section]) -> AgentCard:
    """The card of a task file; a section that is missing leaves its field empty."""
    steps, sop_notes = _steps(sections["sop"].text) if "sop" in sections else ([], [])
    faq, faq_notes = _faq(sections["faq"].text) if "faq" in sections else ([], [])
    return AgentCard(
        role=_prose(sections, "role"),
        core_task=_prose(sections, "core_task"),
        target_profile=tuple(blocks(sections["target_profile"].text)) if "target_profile" in sections else (),
        sop=tuple(steps),
        sop_notes=tuple(sop_notes),
        faq=tuple(faq),
        faq_notes=tuple(faq_notes),
        opening=unquote(_prose(sections, "opening")),
        termination=tuple(_endings(sections["termination"].text)) if "termination" in sections else (),
        extra_sections=tuple(extra_section(section) for section in extra),
    )


def derive_flow(card: AgentCard) -> TaskFlow:
    """One node a step, in the order of the steps; a step that handles an objection becomes a branch.

    Key are the first steps whose title speaks of identity, purpose, telling or agreeing, filled up in order
    to three. Every node is marked ``derived`` and has no evidence: it is for a language model or a person
    to refine. A card without steps gives one node for the core task.
    """
    if not card.sop:
        criterion = f"坐席完成核心任务：{card.core_task}"
        return TaskFlow(nodes=(FlowNode(id="core_task", criterion=criterion[:600], key=True, derived=True),))
    main = [step for step in card.sop if not _BRANCH.search(step.title)] or list(card.sop)
    key = [step.id for step in main if _KEY.search(step.title)][:KEY_NODES_MAX]
    for step in main:
        if len(key) < KEY_NODES_MIN and step.id not in key:
            key.append(step.id)
    nodes, before = [], ""
    for number, step in enumerate(card.sop, start=1):
        on_main_line = step in main
        nodes.append(
            FlowNode(
                id=f"node_{number}",
                criterion=f"坐席完成第{number}步：{step.title}"[:600],
                key=step.id in key,
                branch=None if on_main_line else Branch(when=step.title[:600]),
                requires=(before,) if before else (),
                steps=(step.id,),
                derived=True,
            )
        )
        before = nodes[-1].id if on_main_line else before
    return TaskFlow(nodes=tuple(nodes))


def extra_section(section: Section) -> ExtraSection:
    """A section without a field of its own."""
    return ExtraSection(heading=section.heading or "（标题之前）", text=without_bold(section.text).strip())


def _prose(sections: dict[str, Section], field: str) -> str:
    return "\n".join(blocks(sections[field].text)) if field in sections else ""


def _steps(text: str) -> tuple[list[SopStep], list[str]]:
    """Steps, and what stands before the first one."""
    lines = [line.rstrip() for line in text.split("\n") if line.strip() and not is_rule(line)]
    starts = _step_starts(lines)
    before = "\n".join(lines[: starts[0]]) if starts else text
    steps = []
    for index, start in enumerate(starts):
        end = starts[index + 1] if index + 1 < len(starts) else len(lines)
        title, rest = _title(_CHINESE_NUMBER.sub("", strip_marker(lines[start])))
        body = "\n".join(filter(None, [rest, *(without_bold(line) for line in lines[start + 1 : end])]))
        steps.append(
            SopStep(
                id=f"step_{index + 1}", title=title, text=body.strip("\n"), say=tuple(quotations(body))[:60]
            )
        )
    return steps, blocks(before)


def _step_starts(lines: list[str]) -> list[int]:
    """Indices of the lines that begin a step, by the first way of marking them that occurs at least twice."""
    hashed = [i for i, line in enumerate(lines) if re.match(r"^\s{0,3}#{1,6}", line)]
    worded = [
        i
        for i, line in enumerate(lines)
        if re.match(r"^\W*(?:第\s*[一二三四五六七八九十\d]+\s*步|步骤\s*\S{1,2}\s*[:：])", line)
    ]
    ways = [hashed, worded]
    for pattern in (
        r"^(\s*)(?:\*\*)?\s*\d+\s*[.、．)）]",
        r"^(\s*)(?:\*\*)?\s*[一二三四五六七八九十]+\s*[.、．)）]",
    ):
        matched = {i: m for i, line in enumerate(lines) if (m := re.match(pattern, line))}
        least = min((len(m[1].expandtabs(4)) for m in matched.values()), default=0)
        ways.append([i for i, m in matched.items() if len(m[1].expandtabs(4)) == least])
    ways.append(
        [
            i
            for i, line in enumerate(lines)
            if re.match(r"^\s*(?:[-*+]\s+)?(?:\*\*[^*]+\*\*|【[^】]+】)\s*[:：]?\s*$", line)
        ]
    )
    listed = {
        i: len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip())
        for i, line in enumerate(lines)
        if is_marked(line)
    }
    least = min(listed.values(), default=0)
    ways.append([i for i, depth in listed.items() if depth == least])
    ways.append(list(range(len(lines))))
    return next((way for way in ways if len(way) >= 2), ways[-1])[:60] if lines else []


def _title(line: str) -> tuple[str, str]:
    """A step's first line as title and what does not belong to it."""
    line = (
        re.sub(
            r"^(?:第\s*[一二三四五六七八九十\d]+\s*步|步骤\s*[一二三四五六七八九十\d]+)\s*[:：、.]?\s*",
            "",
            line,
        )
        or line
    )
    whole = re.fullmatch(r"【([^】]+)】", line)
    if whole:
        return whole[1].strip() or line, ""
    label, rest = split_label(line)
    if label and rest and (len(line) > _TITLE_LONGEST // 2 or quotations(rest)):
        return label, rest
    if len(line) <= _TITLE_LONGEST:
        return line.rstrip("：: ") or line, ""
    return line[: _TITLE_LONGEST - 1] + "…", line


def _faq(text: str) -> tuple[list[FaqEntry], list[str]]:
    """Questions with answers, and what is neither."""
    entries: list[tuple[list[str], list[str]]] = []
    notes: list[str] = []
    for block in _faq_blocks(text):
        lines = items(_INLINE_ANSWER.sub("\n", block) if "\n" not in block else block)
        place = next((i for i, line in enumerate(lines) if _ANSWER.match(line)), None)
        if place == 0 and entries and not entries[-1][1]:
            entries[-1][1].extend(lines)
        elif place:
            entries.append((lines[:place], lines[place:]))
        elif len(lines) > 1 and not _ANSWER.match(lines[0]):
            entries.append((lines[:1], lines[1:]))
        elif _QUESTION.match(lines[0]) or lines[0].rstrip('”"」 ').endswith(("？", "?")):
            entries.append((lines, []))
        elif entries and not entries[-1][1]:
            entries[-1][1].extend(lines)
        else:
            notes.append("\n".join(lines))
    found = []
    for question, answer in entries:
        asked = unquote(_QUESTION.sub("", " ".join(question)) or " ".join(question))
        told = unquote(_ANSWER.sub("", "\n".join(answer)) or "\n".join(answer))
        if told and len(asked) <= 1200:
            found.append(FaqEntry(question=asked, answer=told))
        else:
            notes.append("\n".join([*question, *answer]))
    return found, notes


def _faq_blocks(text: str) -> list[str]:
    """Top-level blocks; in unlisted text a question's label starts a block, other lines join the last."""
    joined: list[str] = []
    listed = any(is_marked(line) for line in text.split("\n"))
    for block in blocks(text):
        first = strip_marker(block.split("\n")[0])
        continues = _ANSWER.match(first) if listed else not _QUESTION.match(first)
        if joined and continues:
            joined[-1] += "\n" + block
        else:
            joined.append(block)
    return joined


def _endings(text: str) -> list[CallEnding]:
    """Conditions one by one, then all closing lines as one entry."""
    conditions: list[str] = []
    closings: list[str] = []
    closing = False
    for block in blocks(text):
        for position, line in enumerate(items(block)):
            if _CONDITIONS.match(line):
                closing = False
            elif found := _CLOSING.match(line):
                closing = True
                if rest := line[found.end() :].strip():
                    closings.append(unquote(rest))
            elif closing:
                closings.append(unquote(line))
            elif position and conditions:
                conditions[-1] += "\n" + line
            else:
                conditions.append(line)
    endings = [CallEnding(outcome="unspecified", when=condition) for condition in conditions]
    short, long = [c for c in closings if len(c) <= 1200], [c for c in closings if len(c) > 1200]
    if short:
        endings.append(CallEnding(outcome="unspecified", closing=tuple(short[:60])))
    endings += [CallEnding(outcome="unspecified", when=line) for line in [*long, *short[60:]]]
    return endings
