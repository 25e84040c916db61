"""One task file of our own, field by field, and the other shapes in which its sections are found."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.scenarios.agent_card import FaqEntry
from harness.scenarios.catalogue import Domain
from harness.scenarios.importing.official_format import read_task
from harness.scenarios.scenario import Scenario
from tests.unit.harness.scenarios.importing.lossless import missing_in_fields, missing_verbatim
from tests.unit.harness.scenarios.importing.task_file import AGENT, PERSONA, task_text
from voice_sim.person.archetypes import Archetype


def _import(tmp_path: Path, text: str, name: str = "task-1-4-7-4.md") -> Scenario:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    scenario = read_task(path)
    assert missing_verbatim(text, scenario) == []
    assert missing_in_fields(scenario) == []
    return scenario


def _with(part: dict[str, str], start: str, text: str) -> dict[str, str]:
    """The sections with the text of the one whose heading begins so replaced."""
    assert any(heading.startswith(start) for heading in part)
    return {heading: text if heading.startswith(start) else old for heading, old in part.items()}


def test_the_agent_card(tmp_path: Path) -> None:
    scenario = _import(tmp_path, task_text())
    card = scenario.agent
    assert card.role == "洞庭家电售后专员李明，说话干脆，懂维修，不推销。"
    assert card.core_task == "联系报修客户，确认故障并约好上门时间。"
    assert card.target_profile == (
        "周敏，四十二岁，冰箱用了六年",
        "昨晚在网页上报修，留言“冷藏室结冰”",
    )
    assert [step.title for step in card.sop] == ["核实身份", "问清故障", "说明费用", "约定上门时间"]
    assert card.sop[0].say == ("您好，请问是周敏女士吗？我是洞庭家电的李明。", "那我一小时后再打给您。")
    assert card.sop[2].say == ("上门费三十元，修不好不收。",)
    assert card.faq == (
        FaqEntry(question="过保了还修吗？", answer="修，配件按目录价收。"),
        FaqEntry(question="师傅会不会乱收费？", answer="先报价，您点头才动手。"),
    )
    assert card.opening == "您好，我是洞庭家电售后的李明，您昨晚报修了冰箱，对吗？"
    assert [(ending.when, ending.closing) for ending in card.termination] == [
        ("时间约好了", ()),
        ("客户不想修了", ()),
        ("", ("那周五见，师傅到之前会先打电话。",)),
    ]


def test_the_persona(tmp_path: Path) -> None:
    persona = _import(tmp_path, task_text()).personas[0]
    assert persona.archetype is Archetype.RESISTANT
    assert (persona.demographics.name, persona.demographics.age, persona.demographics.gender) == (
        "周敏",
        42,
        "female",
    )
    assert persona.background.experiences == ("去年空调维修被多收过八十块",)
    assert persona.background.personality == ("嘴快心软",)
    assert persona.background.before_call == "手上沾着泥，用肩膀夹着手机"
    assert persona.background.notes == ("身份：菜店老板娘，冰箱里存着明天的货",)
    assert persona.concerns.primary == ("今天能不能来人",)
    assert persona.concerns.secondary == ("要花多少钱",)
    assert persona.concerns.latent == ("怕再被坑一次",)
    assert persona.behaviour.emotional_shifts == ("听到报价先叫一声，说清楚就好",)
    assert persona.behaviour.environment == ("不时有人问菜价",)
    assert persona.behaviour.notes == ("记不清冰箱型号",)
    assert persona.style.bad == ("请您详细说明收费标准。",)
    assert persona.style.good == ("哎你等下，三块五一斤！好，你说。", "别又跟上回似的啊。")
    assert [ending.when for ending in persona.termination] == [
        "时间定了，说“行，等你们”",
        "听出要多收钱，直接挂",
    ]
    assert persona.facts == persona.must_ask == ()  # the format has none, and none is made up


def test_the_place_in_the_benchmark_and_the_derived_flow(tmp_path: Path) -> None:
    scenario = _import(tmp_path, task_text())
    assert scenario.domain is Domain.CUSTOMER_SERVICE
    assert scenario.sub_scenario == "appliance_repair"
    assert scenario.language == "zh"
    assert scenario.source.kind == "imported"
    nodes = scenario.flow.nodes
    assert [node.criterion for node in nodes] == [
        "坐席完成第1步：核实身份",
        "坐席完成第2步：问清故障",
        "坐席完成第3步：说明费用",
        "坐席完成第4步：约定上门时间",
    ]
    assert all(node.derived and not node.evidence for node in nodes)
    assert [node.steps for node in nodes] == [("step_1",), ("step_2",), ("step_3",), ("step_4",)]
    assert [node.requires for node in nodes] == [(), ("node_1",), ("node_2",), ("node_3",)]
    assert sum(node.key for node in nodes) == 3


@pytest.mark.parametrize(
    "steps",
    [
        "#### 第一步：核实身份\n- “您好！”\n#### 第二步：问清故障\n- “哪里坏了？”\n#### 第三步：道别\n再见。",
        "##### 1. 核实身份\n“您好！”\n\n##### 2. 问清故障\n“哪里坏了？”\n\n##### 3. 道别\n“再见。”",
        "1、核实身份\n“您好！”\n2、问清故障\n“哪里坏了？”\n3、道别\n“再见。”",
        "1) **核实身份**\n\n    - “您好！”\n\n2) **问清故障**\n\n    - “哪里坏了？”\n\n3) **道别**\n\n再见。",
        "一、核实身份\n- “您好！”\n二、问清故障\n- “哪里坏了？”\n三、道别\n- “再见。”",
        "**核实身份**\n- “您好！”\n\n**问清故障**\n- “哪里坏了？”\n\n**道别**\n- “再见。”",
        "【核实身份】\n“您好！”\n【问清故障】\n“哪里坏了？”\n【道别】\n“再见。”",
        "- 核实身份\n  - “您好！”\n- 问清故障\n  - “哪里坏了？”\n- 道别\n  - “再见。”",
        "* **核实身份**：\n  “您好！”\n* **问清故障**：\n  “哪里坏了？”\n* **道别**：\n  “再见。”",
        "第一步：核实身份\n“您好！”\n第二步：问清故障\n“哪里坏了？”\n第三步：道别\n“再见。”",
    ],
)
def test_steps_in_every_way_they_are_marked(tmp_path: Path, steps: str) -> None:
    card = _import(tmp_path, task_text(_with(AGENT, "分步流程", steps))).agent
    assert [step.title for step in card.sop] == ["核实身份", "问清故障", "道别"]
    assert "哪里坏了？" in card.sop[1].text


@pytest.mark.parametrize(
    "faq",
    [
        "- 问：过保修吗？\n- 答：修。\n- 问：贵吗？\n- 答：不贵。",
        "- 问：过保修吗？\n  - 答：修。\n- 问：贵吗？\n  - 答：不贵。",
        "- **问：过保修吗？**\n  答：修。\n- **问：贵吗？**\n  答：不贵。",
        "**问题1**：过保修吗？\n**答案**：修。\n\n**问题2**：贵吗？\n**答案**：不贵。",
        "**问题1：过保修吗？**\n答案：修。\n**问题2：贵吗？**\n答案：不贵。",
        "Q1：过保修吗？\nA1：修。\nQ2：贵吗？\nA2：不贵。",
        "1. **过保修吗？**\n   - “修。”\n2. **贵吗？**\n   - “不贵。”",
        "- “过保修吗？”\n  答：“修。”\n- “贵吗？”\n  答：“不贵。”",
        "- 客户问：“过保修吗？”\n  - 回答：“修。”\n- 客户问：“贵吗？”\n  - 回答：“不贵。”",
        "Q: 过保修吗？ A: 修。\n\nQ: 贵吗？ A: 不贵。",
    ],
)
def test_questions_in_every_way_they_are_marked(tmp_path: Path, faq: str) -> None:
    card = _import(tmp_path, task_text(_with(AGENT, "问答", faq))).agent
    assert card.faq == (
        FaqEntry(question="过保修吗？", answer="修。"),
        FaqEntry(question="贵吗？", answer="不贵。"),
    )
    assert card.faq_notes == ()


@pytest.mark.parametrize(
    "ends",
    [
        "- 约好了\n- 不修了\n\n结束语示例：\n“再见。”",
        "#### 结束条件\n- 约好了\n- 不修了\n#### 结束语\n“再见。”",
        "**结束条件**\n1. 约好了\n2. 不修了\n\n**结束语**\n- “再见。”",
        "结束条件：\n- 约好了\n- 不修了\n结束语：再见。",
        "**结束语：**\n- “再见。”\n\n**结束条件：**\n- 约好了\n- 不修了",
    ],
)
def test_endings_in_every_way_they_are_marked(tmp_path: Path, ends: str) -> None:
    card = _import(tmp_path, task_text(_with(AGENT, "结束", ends))).agent
    assert [ending.when for ending in card.termination if ending.when] == ["约好了", "不修了"]
    assert [line for ending in card.termination for line in ending.closing] == ["再见。"]


@pytest.mark.parametrize(
    "concerns",
    [
        "- **首要**：快\n- **次要**：钱\n- **潜在**：面子",
        "首要：快\n次要：钱\n潜在：面子",
        "- **首要问题**：\n  - 快\n- **次要问题**：\n  - 钱\n- **潜在问题**：\n  - 面子",
        "**首要问题**\n- 快\n\n**次要问题**\n- 钱\n\n**潜在问题**\n- 面子",
        "- 首要问题\n  - 快\n- 次要问题\n  - 钱\n- 潜在问题\n  - 面子",
        "#### 首要\n快\n#### 次要\n钱\n#### 潜在\n面子",
        "1. 首要问题：快\n2. 次要问题：钱\n3. 潜在问题：面子",
    ],
)
def test_concerns_in_every_way_they_are_marked(tmp_path: Path, concerns: str) -> None:
    found = _import(tmp_path, task_text(persona=_with(PERSONA, "核心关切", concerns))).personas[0].concerns
    assert (found.primary, found.secondary, found.latent) == (("快",), ("钱",), ("面子",))


def test_a_step_for_objections_becomes_a_branch(tmp_path: Path) -> None:
    steps = "1. 核实身份\n2. 说明费用\n3. 遇到拒绝时礼貌退出\n4. 约定时间\n5. 道别"
    nodes = _import(tmp_path, task_text(_with(AGENT, "分步流程", steps))).flow.nodes
    assert [node.branch is not None for node in nodes] == [False, False, True, False, False]
    assert nodes[3].requires == ("node_2",)  # the main line does not wait for a branch


def test_missing_and_unknown_sections_leave_the_rest_intact(tmp_path: Path) -> None:
    agent = {k: v for k, v in AGENT.items() if not k.startswith(("开场白", "问答"))}
    agent["天气提示"] = "- 下雨天路滑\n- 师傅可能晚到"
    scenario = _import(tmp_path, "先读我。\n" + task_text(agent))
    assert scenario.agent.opening == ""
    assert scenario.agent.faq == ()
    extra = {section.heading: section.text for section in scenario.agent.extra_sections}
    assert extra["天气提示"] == "- 下雨天路滑\n- 师傅可能晚到"
    assert extra["（标题之前）"] == "先读我。"
    assert any("天气提示" in note for note in scenario.source.notes)
    assert any("before the first heading" in note for note in scenario.source.notes)
    assert "师傅可能晚到" in scenario.entries()[0].prompt()


def test_a_section_twice_is_kept_and_reported(tmp_path: Path) -> None:
    pairs = [*AGENT.items(), ("角色（补充）", "李明的同事王红也会接电话。")]
    scenario = _import(tmp_path, task_text(pairs))
    assert scenario.agent.role.startswith("洞庭家电")
    assert [section.heading for section in scenario.agent.extra_sections] == ["角色（补充）"]
    assert any("'role' is there twice" in note for note in scenario.source.notes)


def test_conditions_and_closing_lines_in_two_sections_are_joined(tmp_path: Path) -> None:
    agent = {k: v for k, v in AGENT.items() if not k.startswith("结束")}
    agent |= {"结束条件": "- 约好了", "结束语": "“再见。”"}
    card = _import(tmp_path, task_text(agent)).agent
    assert [(ending.when, ending.closing) for ending in card.termination] == [
        ("约好了", ()),
        ("", ("再见。",)),
    ]


def test_without_steps_the_core_task_is_the_only_node(tmp_path: Path) -> None:
    agent = {k: v for k, v in AGENT.items() if not k.startswith("分步")}
    scenario = _import(tmp_path, task_text(agent))
    assert [node.criterion for node in scenario.flow.nodes] == [
        "坐席完成核心任务：联系报修客户，确认故障并约好上门时间。"
    ]


@pytest.mark.parametrize(
    "name", ["task-1-4-7-4.md", "TASK_1_4_7_4.txt", "task-1-4-7-4 (copy).md", "xbench-task-1-4-7-4.md"]
)
def test_the_name_may_carry_more_than_the_numbers(tmp_path: Path, name: str) -> None:
    assert _import(tmp_path, task_text(), name).id == "task-1-4-7-4"
