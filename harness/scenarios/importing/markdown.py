"""Task Markdown as it is found: sections of two parts, whatever level, wording or order their headings have.

A heading is a ``#`` line of any level, or, where a part has no such line for it, a bold or plain line that is
just the name of a section. A heading that no rule knows opens a section of its own, unless it stands deeper
than the section that it is in; then it is text of that section (a step of the procedure, for instance).
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import Literal

from harness.errors import UserError

Part = Literal["agent", "persona", "none"]

PART_NAMES: dict[Part, str] = {"agent": "电话拨打方", "persona": "电话接听方"}

# Field -> (what its heading's name looks like for certain, what it may contain besides).
_FIELDS: dict[Part, dict[str, tuple[str, str]]] = {
    "agent": {
        "target_profile": (r"目标(客户|用户|对象|画像)|(客户|用户)(画像|头像)", r"画像|头像"),
        "faq": (
            r"(常见)?问答|(常见)?问题(与|和|及)?(回答|解答|答案)|常见问题|知识库|FAQ",
            r"问答|知识库|FAQ",
        ),
        "opening": (r"开场", r"开场"),
        "termination": (r"结束(条件|语|通话|标准|$)|终止条件", r"结束|终止"),
        "sop": (
            r"分步|(标准|业务|通话|沟通|对话)?流程(和|与|及|、)?(参考)?话术|话术(和|与)?流程|SOP",
            r"流程|话术|步骤",
        ),
        "core_task": (r"核心(任务|目标)|任务目标", r"任务|目标"),
        "role": (r"角色|身份设定|人设", r"角色|身份"),
    },
    "persona": {
        "concerns": (r"核心(关切|关注|诉求)|关切点|关注点", r"关切|关注|诉求"),
        "behaviour": (r"(对话中的)?(典型)?行为(模式|特征|$)", r"行为"),
        "style": (r"(回复|回答|语言|说话|对话)风格|风格示例", r"风格|语气"),
        "termination": (r"结束(条件|语|通话|$)|挂断条件|终止条件", r"结束|挂断|终止"),
        "background": (r"背景", r"背景"),
        "role": (r"角色|身份设定|人设", r"角色"),
    },
    "none": {},
}

# Names in full; a numbered heading below the procedure is a step of it unless it is one of these.
_USUAL = re.compile(
    r"角色|核心任务|目标客户(画像|头像)|分步流程(和|与)?(话术)?|问答(知识库)?|常见问题|开场白|结束条件|结束语|结束条件(与|和)结束语"
)

_HASH = re.compile(r"^\s{0,3}(#{1,6})\s*(.*?)\s*#*\s*$")
_BOLD = re.compile(
    r"^\s*(?:[-*+]\s+|[\d一二三四五六七八九十]+[.、．)]\s*)?\*\*(.{1,60}?)\*\*\s*[:：]?\s*(.*)$"
)
_PLAIN = re.compile(
    r"^\s*(?:[-*+]\s+|[\d一二三四五六七八九十]+[.、．)]\s*)?([^\s:：*“”「」。，]{2,24})\s*(?:[:：]\s*(.*))?$"
)
_INLINE = re.compile(r"^([^：:（(【]*(?:[（(【][^）)】]*[）)】])?[^：:（(【]*)[：:](.*\S.*)$")
_UNDERLINE = re.compile(r"^\s*(=+|-{2,})\s*$")
_RULE = re.compile(r"^\s*([-*_=])(?:\s*\1){2,}\s*$")
_FENCE = re.compile(r"^\s*(```|~~~)")
_BRACKETS = re.compile(r"[(\[【][^)\]】]*[)\]】]?")
_NUMBERING = re.compile(
    r"^(?:第[\d一二三四五六七八九十]{1,3}(?:部分|部|章|节|步)\s*[.、:)]?|\d{1,2}(?:\.\d{1,2})+\.?|"
    r"[\d一二三四五六七八九十]{1,3}\s*[.、:)]|[①-⑳]|\d{1,2}(?=\s)|[A-Za-z]\s*[.、:)])\s*"
)
_STEP = re.compile(
    r"^\W*(?:第\s*[\d一二三四五六七八九十]+\s*步|步骤\s*[\d一二三四五六七八九十]+|\d+\s*[.、．)）:：])"
)

_HASHED_USUALLY = 3
"""With fewer ``#`` headings that are known, a part is taken to mark its sections in another way."""
_NAME_LONGEST = 12
"""A bold or plain line that names a section has at most so many characters."""


@dataclass(kw_only=True)
class Section:
    """A heading with everything below it, verbatim.

    ``field`` names what the section holds (the agent card's or the persona's field); empty for a heading
    that is not known. ``line`` is the heading's, 1-based.
    """

    part: Part
    field: str
    heading: str
    line: int
    level: int = 0
    lines: list[str] = dataclass_field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n".join(self.lines).strip("\n")

    @property
    def blank(self) -> bool:
        """Whether there is nothing below the heading but empty lines and rules."""
        return all(not line.strip() or is_rule(line) for line in self.lines)


@dataclass(frozen=True, kw_only=True)
class _Heading:
    title: str
    level: int
    """0 for bold and plain lines."""
    bold: bool = False
    rest: str = ""
    """Text behind a colon on the same line."""


def split_sections(text: str) -> list[Section]:
    """All sections of a task file in file order; text before the first heading is a section without a
    heading.

    Raises:
        UserError: A part is missing or there twice; the message is ``LINE: reason``.
    """
    lines = re.split(r"\r\n|\r|\n", text)
    bounds = _parts(lines)
    sections: list[Section] = []
    for index, (part, start) in enumerate(bounds):
        end = bounds[index + 1][1] - 1 if index + 1 < len(bounds) else len(lines)
        sections += _split_part(part, lines, start, end)
    return [section for section in sections if section.heading or not section.blank]


def plain_title(heading: str) -> str:
    """A heading without markup, numbering, brackets and punctuation: its name."""
    title = unicodedata.normalize("NFKC", heading)
    title = re.sub(r"[*_`#]|^[^\w(\[【①-⑳]+", "", title.strip()).strip()
    bare = _BRACKETS.sub("", title).strip(" :;。.-—\t") or title.strip("()【】[] :")
    return _NUMBERING.sub("", bare).strip(" :;。.-—\t")


def is_rule(line: str) -> bool:
    """Whether a line is a horizontal rule, so no text."""
    return bool(_RULE.match(line))


def is_step(title: str) -> bool:
    """Whether a heading is numbered like a step: ``第三步``, ``步骤 3``, ``3.``"""
    return bool(_STEP.match(title))


def _parts(lines: list[str]) -> list[tuple[Part, int]]:
    """Where each part begins, as the index of the first line below its heading."""
    found: list[tuple[Part, int]] = [("none", 0)]
    first: dict[Part, int] = {}
    for number, line in enumerate(lines):
        if "方" not in line or len(line) > 120:
            continue
        name = plain_title(line)
        headed = bool(_HASH.match(line)) or (
            number + 1 < len(lines) and bool(_UNDERLINE.match(lines[number + 1]))
        )
        for part, title in PART_NAMES.items():
            if name in (title, title[2:]) or (headed and name.startswith((title, title[2:]))):
                if part in first:
                    raise UserError(
                        f"{number + 1}: a second part '{title}'; the first is in line {first[part]}"
                    )
                first[part] = number + 1
                found.append((part, number + 1))
    for part, title in PART_NAMES.items():
        if part not in first:
            raise UserError(f"1: no heading '{title}': this is no task file of the official format")
    return found


def _split_part(part: Part, lines: list[str], start: int, end: int) -> list[Section]:
    if start < end and _UNDERLINE.match(lines[start]):
        start += 1
    headings = dict(_headings(lines, start, end))
    hashed = {_certain(part, heading.title) for heading in headings.values() if heading.level} - {""}
    sections = [Section(part=part, field="", heading="", line=max(start, 1))]
    opened: set[str] = set()
    for number in range(start, end):
        heading, current = headings.get(number), sections[-1]
        name = _field_opened(part, heading, current, hashed, opened) if heading else None
        if heading is None or name is None:
            current.lines.append(lines[number])
            continue
        opened.add(name)
        rest = [heading.rest] if heading.rest else []
        level = heading.level or 6
        sections.append(
            Section(part=part, field=name, heading=heading.title, line=number + 1, level=level, lines=rest)
        )
    return sections


def _headings(lines: list[str], start: int, end: int) -> list[tuple[int, _Heading]]:
    """Every line that could be a heading, with its index."""
    found: list[tuple[int, _Heading]] = []
    fenced = False
    for number in range(start, end):
        line = lines[number].replace("＃", "#")
        if _FENCE.match(line):
            fenced = not fenced
        if fenced:
            continue
        if hashed := _HASH.match(line):
            title, rest = _split_title(hashed[2])
            found.append((number, _Heading(title=title, level=len(hashed[1]), rest=rest)))
        elif match := _BOLD.match(line) or _PLAIN.match(line):
            bold, rest = match.re is _BOLD, (match[2] or "").strip()
            found.append((number, _Heading(title=match[1], level=0, bold=bold, rest=rest)))
    return found


def _split_title(title: str) -> tuple[str, str]:
    """``角色：李明，…`` as its name and the text behind the colon, where the name is that of a section."""
    found = _INLINE.match(title)
    known = found and not is_step(title) and any(_certain(part, found[1]) for part in PART_NAMES)
    return (found[1], found[2].strip(" *")) if found and known else (title, "")


def _field_opened(
    part: Part, heading: _Heading, current: Section, hashed: set[str], opened: set[str]
) -> str | None:
    """The field of the section that a heading opens ("" for an unknown one), None when it opens none."""
    certain = _certain(part, heading.title)
    if certain == "termination" and current.field == "termination":
        return None  # its own sub-headings: conditions, closing lines
    if not heading.level:
        few = len(hashed) < _HASHED_USUALLY
        likely = few or (heading.bold and current.field != "sop")
        exact = certain and len(plain_title(heading.title)) <= _NAME_LONGEST
        return certain if likely and exact and certain not in hashed | opened else None
    step = is_step(heading.title)
    if step and current.field == "sop" and not _USUAL.fullmatch(plain_title(heading.title)):
        return None
    if certain:
        return certain
    if current.level and heading.level > current.level:
        return None
    return "" if step else _possible(part, heading.title, hashed | opened)


def _certain(part: Part, title: str) -> str:
    name = plain_title(title)
    return next((f for f, (sure, _) in _FIELDS[part].items() if re.match(sure, name, re.IGNORECASE)), "")


def _possible(part: Part, title: str, taken: set[str]) -> str:
    name = plain_title(title)
    fields = _FIELDS[part].items()
    return next((f for f, (_, hint) in fields if f not in taken and re.search(hint, name, re.IGNORECASE)), "")
