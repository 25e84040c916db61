"""The part 电话接听方 as a persona. What Table 17 asks for beyond it stays empty: nothing is made up."""

from __future__ import annotations

import re
from typing import Literal

from harness.scenarios.importing.agent_part import extra_section
from harness.scenarios.importing.blocks import blocks, items, split_label, strip_marker, unquote, without_bold
from harness.scenarios.importing.markdown import Section
from voice_sim.person.archetypes import Archetype
from voice_sim.person.persona import Background, Behaviour, Concerns, Demographics, Ending, Persona, Style

_LINE_LONGEST = 1200
_LABEL_LONGEST = 12
_SORTS_ONLY = re.compile(
    r"(?:首要|主要|次要|潜在|核心|隐性|深层)(?:的)?(?:关切|关注|问题|诉求)?点?|情绪变化|不确定性?|环境(?:因素|干扰)|"
    r"(?:关键)?经历|性格(?:画像|特征)?|(?:接电话|通话|来电)前?的?(?:即时)?情境|即时情境"
)
"""Labels that say no more than the name of the field; of any other the words are kept."""
_NAME = re.compile(
    r"^\W*(?:姓名|名字)?[:：]?\s*([一-鿿]{2,4}?)(?:先生|女士|阿姨|总|经理|主管)?(?=[，,、（(：:；。\s]|男|女)"
)
_AGE = re.compile(r"(?<!\d)(\d{2})\s*(?:周?岁)")
_WHO = ("客户", "用户", "角色", "一位", "一名", "普通", "公司", "平台", "接听")


def read_persona(
    sections: dict[str, Section],
    extra: list[Section],
    *,
    archetype: Archetype,
    language: Literal["en", "zh"],
    scenario: str,
) -> Persona:
    """The persona of a task file; a section that is missing leaves its field empty."""
    role = "\n".join(blocks(sections["role"].text)) if "role" in sections else ""
    text = {name: section.text for name, section in sections.items()}
    endings = (Ending(when=condition) for condition in blocks(text.get("termination", "")))
    return Persona(
        archetype=archetype,
        language=language,
        scenario=scenario,
        role=role,
        demographics=_demographics(role),
        background=_background(text.get("background", "")),
        concerns=_concerns(text.get("concerns", "")),
        behaviour=_behaviour(text.get("behaviour", "")),
        style=_style(text.get("style", "")),
        termination=tuple(endings),
        extra_sections=tuple(extra_section(section) for section in extra),
    )


def _demographics(role: str) -> Demographics:
    """Name, age and gender, each only where the role states it plainly."""
    start = role[:120]
    name, age = _NAME.match(start), _AGE.search(start)
    genders = {
        word
        for word in re.findall(r"(?<![一-鿿])(男|女)(?:性)?(?=[，,、。\s（(]|$)|(先生|女士)", start)
        for word in word
        if word
    }
    gender: Literal["female", "male"] | None = None
    if genders and genders <= {"男", "先生"}:
        gender = "male"
    elif genders and genders <= {"女", "女士"}:
        gender = "female"
    plain = name[1] if name and not any(word in name[1] for word in _WHO) else ""
    years = int(age[1]) if age and 16 <= int(age[1]) <= 100 else None
    return Demographics(name=plain, age=years, gender=gender)


def _background(text: str) -> Background:
    groups = _sorted_by_label(
        text,
        {
            "before_call": ("情境", "接电话前", "通话前", "来电前"),
            "experiences": ("经历",),
            "personality": ("性格",),
        },
    )
    return Background(
        experiences=tuple(groups["experiences"]),
        personality=tuple(groups["personality"]),
        before_call="\n".join(groups["before_call"]),
        notes=tuple(groups[""]),
    )


def _concerns(text: str) -> Concerns:
    groups = _sorted_by_label(
        text,
        {"primary": ("首要", "主要", "核心"), "secondary": ("次要",), "latent": ("潜在", "隐性", "深层")},
    )
    return Concerns(
        primary=tuple(groups["primary"]),
        secondary=tuple(groups["secondary"]),
        latent=tuple(groups["latent"]),
        notes=tuple(groups[""]),
    )


def _behaviour(text: str) -> Behaviour:
    groups = _sorted_by_label(
        text,
        {
            "emotional_shifts": ("情绪", "情感"),
            "uncertainty": ("不确定", "犹豫", "遗忘"),
            "environment": ("环境", "干扰", "噪"),
        },
    )
    return Behaviour(
        emotional_shifts=tuple(groups["emotional_shifts"]),
        uncertainty=tuple(groups["uncertainty"]),
        environment=tuple(groups["environment"]),
        notes=tuple(groups[""]),
    )


def _sorted_by_label(text: str, labels: dict[str, tuple[str, ...]]) -> dict[str, list[str]]:
    """The pieces of a text under the field that their label names; "" holds those that no label claims.

    A label on a line of its own claims what follows, nested or not, until the next label.
    """
    groups: dict[str, list[str]] = {"": [], **{name: [] for name in labels}}
    following = ""
    for block in blocks(text):
        head, *below = items(block)
        label, rest = split_label(head)
        if not label and len(head) <= _LABEL_LONGEST and any(w in head for ws in labels.values() for w in ws):
            label, rest = head, ""
        name = next(
            (n for n, words in labels.items() if label and any(word in label for word in words)), None
        )
        if name is None and (label and not rest):
            following = ""
        if name is None:
            groups[following].append("\n".join([head, *below]))
            continue
        if not rest and not below:
            following = name
            if not _SORTS_ONLY.fullmatch(label):
                groups[name].append(head)
            continue
        following = ""
        first = rest if _SORTS_ONLY.fullmatch(label) else head
        groups[name] += [piece for piece in (first, *below) if piece]
    return groups


def _style(text: str) -> Style:
    """Lines under 正面 are good, under 反面 bad; the rest is kept as notes."""
    found: dict[str, list[str]] = {"good": [], "bad": [], "": []}
    kind = ""
    for line in text.split("\n"):
        piece = strip_marker(line)
        if not piece or re.fullmatch(r"[-*_=\s]+", line):
            continue
        labelled = re.match(
            r"^[【\[]?.{0,8}?(正面|正例|正确|反面|负面|反例|错误)[^：:“”「」]{0,30}[:：]?\s*[】\]]?\s*[:：]?\s*(.*)$",
            piece,
        )
        if labelled and (len(labelled[2]) == 0 or "：" in piece or ":" in piece):
            kind = "good" if labelled[1][0] == "正" else "bad"
            piece = labelled[2]
        for said in re.split(r"(?<=[”」])\s*[、，,；;/|]?\s*(?=[“「])", piece) if kind else [piece]:
            if not said:
                continue
            fits = kind and len(said) <= _LINE_LONGEST and len(found[kind]) < 60
            found[kind if fits else ""].append(unquote(said))
    return Style(
        good=tuple(found["good"]), bad=tuple(found["bad"]), notes=tuple(without_bold(n) for n in found[""])
    )
