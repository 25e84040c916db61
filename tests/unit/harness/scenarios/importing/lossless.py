"""Compares a task file's text with the scenario that was made from it: nothing may be missing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from harness.scenarios.scenario import Scenario

# What only sorts text into fields and is not said again in them: "首要：", "Q:", "**结束语：**".
_SORTING_LABEL = re.compile(
    r"^\W*(?:(?:Q|A|问题|答案|回答|客户问|用户问|问|答)\d*|(?:结束|正面|反面)[^：:，。“”]{0,30}|"
    r"(?:首要|次要|潜在)(?:问题|关切|关注)?点?|情绪变化|不确定性|环境(?:因素|干扰)|(?:关键)?经历|性格(?:画像)?|(?:接电话前?的?)?即时情境)\W*",
    re.IGNORECASE,
)
_MARKER = re.compile(r"^\s*(?:#+\s*)?(?:(?:[-*+•]|\d+\s*[.、)）])\s*)*")
_STEP_WORD = re.compile(r"^\W*(?:第[一二三四五六七八九十\d]+步\s*[：:]?|[一二三四五六七八九十]+[、.])")


def missing_verbatim(text: str, scenario: Scenario) -> list[str]:
    """Lines of a file that are neither a heading nor part of a kept section, as they stand."""
    kept = "\n".join(
        f"{section.heading}\n{section.text}" for section in scenario.source.sections
    ).splitlines()
    have = {line.strip() for line in kept}
    headings = {_bare(section.heading) for section in scenario.source.sections}
    lines = re.split(r"\r\n|\r|\n", text.removeprefix("\ufeff"))
    return [
        line
        for line in lines
        if re.search(r"\w", line)
        and line.strip() not in have
        and _bare(line) not in headings
        and "电话拨打方" not in line
        and "电话接听方" not in line
    ]


def missing_in_fields(scenario: Scenario) -> list[str]:
    """Lines of the kept sections whose words are in no field of the agent card or the persona."""
    card = _squash(" ".join(_strings(scenario.agent.model_dump(mode="json"))))
    person = _squash(" ".join(_strings(scenario.personas[0].model_dump(mode="json"))))
    missing = []
    for section in scenario.source.sections:
        have = person if section.part == "persona" else card
        for line in re.split(r"\n|\s(?=A[:：])", section.text):
            content = _MARKER.sub("", line.replace("**", ""))
            shorter = _SORTING_LABEL.sub("", content)
            if not any(_squash(form) in have for form in (content, shorter, _STEP_WORD.sub("", content))):
                missing.append(f"{section.part}/{section.heading}: {line}")
    return missing


def _squash(text: str) -> str:
    return re.sub(r"[\W_]", "", text)


def _bare(line: str) -> str:
    return _squash(line)


def _strings(content: Any) -> Iterator[str]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        for value in content.values():
            yield from _strings(value)
    elif isinstance(content, list):
        for value in content:
            yield from _strings(value)
