"""The same file with sections shuffled, headings at other levels, other spacing: the same scenario."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.errors import UserError
from harness.scenarios.importing.markdown import split_sections
from harness.scenarios.importing.official_format import read_task
from harness.scenarios.scenario import Scenario
from tests.unit.harness.scenarios.importing.lossless import missing_in_fields, missing_verbatim
from tests.unit.harness.scenarios.importing.task_file import AGENT, PERSONA, task_text


def _import(text: str, *, encoding: str = "utf-8") -> Scenario:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "task-1-4-7-4.md"
        path.write_bytes(text.encode(encoding))
        return read_task(path)


def _essence(scenario: Scenario) -> Scenario:
    """The scenario without where its text stood."""
    return scenario.model_copy(update={"source": None})


PLAIN = _essence(_import(task_text()))

_HEADINGS = st.sampled_from(
    [
        *("# {}", "## {}", "### {}", "#### {}", "##### {}", "###### {}", "###{}", "###  {}  "),
        *("### **{}**", "### {} ###", "### {}：", "### 3. {}", "### 三、{}", "＃＃＃ {}"),
    ]
)


def _assert_same(text: str) -> None:
    scenario = _import(text)
    assert missing_verbatim(text, scenario) == []
    assert missing_in_fields(scenario) == []
    assert _essence(scenario) == PLAIN


@settings(max_examples=40, deadline=None)
@given(agent=st.permutations(list(AGENT.items())), persona=st.permutations(list(PERSONA.items())))
def test_the_order_of_sections_does_not_matter(
    agent: list[tuple[str, str]], persona: list[tuple[str, str]]
) -> None:
    _assert_same(task_text(agent, persona))


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_the_level_and_dress_of_headings_does_not_matter(data: st.DataObject) -> None:
    def dressed(name: str) -> str:
        return data.draw(_HEADINGS).format(name)

    def section(name: str, text: str) -> str:
        return f"{dressed(name)}\n{text}"

    pieces = [dressed("电话拨打方"), *(section(*item) for item in AGENT.items())]
    pieces += [dressed("电话接听方"), *(section(*item) for item in PERSONA.items())]
    _assert_same("\n\n".join(pieces))


@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_spacing_rules_and_line_ends_do_not_matter(data: st.DataObject) -> None:
    lines = []
    for line in task_text().split("\n"):
        lines.append(line + data.draw(st.sampled_from(["", " ", "  ", "\t"])))
        if line.startswith("##") or not line:
            lines += [""] * data.draw(st.integers(0, 2))
        if not line and data.draw(st.booleans()):
            lines += ["---", ""]
    text = data.draw(st.sampled_from(["\n", "\r\n"])).join(lines)
    _assert_same(data.draw(st.sampled_from(["", "\ufeff", "\n\n"])) + text)


@settings(max_examples=30, deadline=None)
@given(
    bare=st.booleans(),
    brackets=st.sampled_from(["（{}）", "({})", "【{}】", ""]),
    swap=st.booleans(),
)
def test_brackets_behind_headings_and_the_order_of_parts_do_not_matter(
    bare: bool, brackets: str, swap: bool
) -> None:
    def renamed(part: dict[str, str]) -> dict[str, str]:
        names = {heading: heading.partition("（")[0] for heading in part}
        return {
            names[heading] + ("" if bare else brackets.format("说明：见下")): text
            for heading, text in part.items()
        }

    text = task_text(renamed(AGENT), renamed(PERSONA))
    if swap:
        first, second = text.split("## 电话接听方")
        text = f"## 电话接听方{second}\n{first}"
    _assert_same(text)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "gb18030"])
def test_other_encodings_are_read(encoding: str) -> None:
    assert _essence(_import(task_text(), encoding=encoding)) == PLAIN


@pytest.mark.parametrize("dress", ["**{}**", "**{}：**", "- **{}**", "{}：", "{}"])
def test_headings_without_hashes_are_found_when_there_are_no_others(dress: str) -> None:
    def plain(part: dict[str, str]) -> list[tuple[str, str]]:
        return [(dress.format(heading.partition("（")[0]), text) for heading, text in part.items()]

    _assert_same(task_text(plain(AGENT), plain(PERSONA), mark=""))


def test_underlined_headings_of_the_parts_are_found() -> None:
    text = task_text().replace("## 电话拨打方\n", "电话拨打方\n=====\n")
    _assert_same(text.replace("## 电话接听方\n", "电话接听方\n---\n"))


def test_hashes_in_a_fence_are_no_headings() -> None:
    text = task_text().replace("### 开场白\n", "### 开场白\n```\n### 角色\n```\n")
    sections = [s.heading for s in split_sections(text) if s.part == "agent"]
    assert sections.count("角色") == 1


@settings(max_examples=150, deadline=None)
@given(st.text(st.sampled_from([*"#-*1.：: \n“”（）角色电话拨打方接听结束条件流程问答QA"]), max_size=300))
def test_any_text_imports_or_is_refused_with_a_reason(text: str) -> None:
    whole = task_text().replace("“周五上午九点到十一点，您在家吗？”", text)
    refusal, scenario = "", None
    try:
        scenario = _import(whole)
    except UserError as error:
        refusal = str(error)
    assert "task-1-4-7-4.md:" in refusal if scenario is None else missing_verbatim(whole, scenario) == []
