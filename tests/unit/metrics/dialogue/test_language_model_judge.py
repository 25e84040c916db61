"""The language model judge against models that answer by script: each answer has its asserted outcome."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from metrics.dialogue.judging import judge_session
from metrics.dialogue.language_model import LanguageModelJudge, PanelJudge
from metrics.dialogue.language_model import prompts as judge_prompts
from metrics.dialogue.language_model.asking import RETRIES
from metrics.dialogue.verdict_checks import checked_nodes, checked_reply
from metrics.dialogue.verdicts import Dimension, NodeVerdict, ReplyVerdict
from tests.unit.metrics.dialogue.sessions import dialogue, flow, node

CALL = dialogue("A: Hello, is that Mr. Zhang?", "C: Yes.", "A: Sorry about the fee. It is 88 yuan.", "C: Oh.")
FLOW = flow(node("greet", key=True), node("sorry"), node("calm", branch=True))
GOOD_FLOW = {
    "verdicts": [
        {"node": "greet", "outcome": "achieved", "turn": 0, "quote": "is that Mr. Zhang", "reason": "asks"},
        {"node": "sorry", "outcome": "achieved", "turn": 2, "quote": "Sorry about the fee", "reason": "says"},
        {"node": "calm", "outcome": "not_applicable", "turn": None, "quote": "", "reason": "never came up"},
    ]
}


class Memory:
    """A store in memory that counts."""

    def __init__(self) -> None:
        self.kept: dict[str, str] = {}
        self.hits = 0

    def get(self, key: str) -> str | None:
        self.hits += key in self.kept
        return self.kept.get(key)

    def put(self, key: str, answer: str) -> None:
        self.kept[key] = answer


class Script:
    """Answers with one text after the other, the last again and again; keeps what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self.questions: list[str] = []
        self.settings: list[Any] = []
        self._answers = [one if isinstance(one, str) else json.dumps(one) for one in answers]

    def judge(self, **fields: Any) -> LanguageModelJudge:
        return LanguageModelJudge(model=FunctionModel(self._answer), name="scripted", **fields)

    def _answer(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.questions.append(str(messages[0]))
        self.settings.append(info.model_settings)
        text = self._answers[min(len(self.questions), len(self._answers)) - 1]
        return ModelResponse(parts=[TextPart(text)])


async def of_flow(script: Script, **fields: Any) -> list[NodeVerdict]:
    verdicts = await script.judge(**fields).judge_flow(CALL, FLOW, agent_prompt="Briefing.", language="en")
    return list(checked_nodes(CALL, FLOW, verdicts))


async def of_reply(
    script: Script, dimension: Dimension = Dimension.NATURALNESS, **fields: Any
) -> ReplyVerdict:
    judge = script.judge(**fields)
    verdict = await judge.judge_reply(CALL, 2, dimension, agent_prompt="Briefing.", language="en")
    return checked_reply(CALL, verdict)


async def test_a_good_flow_answer() -> None:
    verdicts = await of_flow(Script(GOOD_FLOW))
    assert [(one.outcome, one.turn) for one in verdicts] == [
        ("achieved", 0),
        ("achieved", 2),
        ("not_applicable", None),
    ]


def _changed(place: int, **fields: Any) -> dict[str, Any]:
    verdicts = [dict(one) for one in GOOD_FLOW["verdicts"]]
    verdicts[place].update(fields)
    return {"verdicts": verdicts}


@pytest.mark.parametrize(
    ("answer", "place", "why"),
    [
        (_changed(1, quote="Sorry for all the trouble"), 1, "quotes words that turn 2 does not have"),
        (_changed(1, quote=""), 1, "quotes words that turn 2 does not have: nothing"),
        (_changed(1, turn=3, quote="Oh"), 1, "which is the caller's"),
        (_changed(1, turn=17), 1, "cites turn 17"),
        (_changed(1, turn=None), 1, "no turn is cited"),
        (_changed(0, outcome="not_applicable"), 0, "always applies"),
        ({"verdicts": GOOD_FLOW["verdicts"][:2]}, 2, "no verdict"),
        ({"verdicts": [*GOOD_FLOW["verdicts"], GOOD_FLOW["verdicts"][0]]}, 0, "gave 2 verdicts"),
    ],
)
async def test_evidence_that_does_not_hold_fails_its_node_and_no_other(
    answer: dict[str, Any], place: int, why: str
) -> None:
    verdicts = await of_flow(Script(answer))
    assert verdicts[place].outcome == "failed"
    assert why in verdicts[place].reason
    assert [one.outcome for one in verdicts].count("failed") == 1


async def test_a_call_without_a_word_of_the_agent_costs_no_question() -> None:
    script = Script(GOOD_FLOW)
    silent = dialogue("C: Hello?", "C: Anybody?")
    verdicts = await script.judge().judge_flow(silent, FLOW, agent_prompt="", language="en")
    assert [one.outcome for one in verdicts] == ["not_achieved", "not_achieved", "not_applicable"]
    assert script.questions == []


@pytest.mark.parametrize(
    ("answer", "score"),
    [
        ({"applicable": True, "score": 0, "reason": "stiff", "quote": "It is 88 yuan"}, 0),
        ({"applicable": True, "score": 1, "reason": "so so", "quote": ""}, 1),
        ({"applicable": True, "score": 2, "reason": "fine", "quote": "", "confidence": 0.9}, 2),
    ],
)
async def test_a_good_reply_answer(answer: dict[str, Any], score: int) -> None:
    verdict = await of_reply(Script(answer))
    assert (verdict.outcome, verdict.score, verdict.reason) == ("scored", score, answer["reason"])


@pytest.mark.parametrize(
    "answer",
    [
        "I would rather not say.",
        "",
        {"applicable": True, "score": 3, "reason": "excellent", "quote": ""},
        {"applicable": True, "score": None, "reason": "", "quote": ""},
        {"applicable": "perhaps", "score": 1},
        {"verdict": "good"},
        '{"applicable": true, "score": 1, "reas',
    ],
    ids=["prose", "nothing", "score 3", "no score", "wrong type", "wrong schema", "cut off"],
)
async def test_an_answer_that_never_fits_is_asked_again_and_then_failed(answer: Any) -> None:
    script = Script(answer)
    verdict = await of_reply(script)
    assert (verdict.outcome, verdict.score) == ("failed", None)
    assert verdict.reason.startswith("the answer does not fit")
    assert len(script.questions) == 1 + RETRIES


async def test_an_answer_that_fits_the_second_time_counts() -> None:
    script = Script("Well ...", {"applicable": True, "score": 1, "reason": "fine", "quote": ""})
    assert (await of_reply(script)).score == 1
    assert len(script.questions) == 2


async def test_an_invented_quote_fails_the_verdict() -> None:
    verdict = await of_reply(Script({"applicable": True, "score": 0, "quote": "Dear customer"}))
    assert verdict.outcome == "failed"
    assert "Dear customer" in verdict.reason


async def test_not_applicable_only_where_the_rubric_has_a_trigger() -> None:
    answer = {"applicable": False, "score": None, "reason": "no abuse", "quote": ""}
    assert (await of_reply(Script(answer), Dimension.SAFETY)).outcome == "not_applicable"
    assert (await of_reply(Script(answer), Dimension.COHERENCE)).outcome == "failed"


async def test_judging_again_is_free_and_failures_are_asked_again() -> None:
    store, good = Memory(), {"applicable": True, "score": 2, "reason": "", "quote": ""}
    script = Script("nonsense", "nonsense", "nonsense", good)
    assert (await of_reply(script, store=store)).outcome == "failed"
    assert store.kept == {}
    assert (await of_reply(script, store=store)).score == 2
    asked = len(script.questions)
    assert (await of_reply(script, store=store)).score == 2
    assert len(script.questions) == asked
    assert store.hits == 1


async def test_a_damaged_answer_in_the_store_is_asked_again() -> None:
    store, good = Memory(), {"applicable": True, "score": 2, "reason": "", "quote": ""}
    await of_reply(Script(good), store=store)
    store.kept = dict.fromkeys(store.kept, '{"score": 9}')
    script = Script(good)
    assert (await of_reply(script, store=store)).score == 2
    assert len(script.questions) == 1


async def test_another_prompt_version_judges_its_dimension_again_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store = Memory()

    def answering(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        asked.append(str(messages[0]))
        is_flow = "- greet:" in asked[-1]
        answer = GOOD_FLOW if is_flow else {"applicable": True, "score": 2, "reason": "", "quote": ""}
        return ModelResponse(parts=[TextPart(json.dumps(answer))])

    async def session() -> float | None:
        judge = LanguageModelJudge(model=FunctionModel(answering), name="scripted", store=store)
        scores = await judge_session(judge, CALL, FLOW, agent_prompt="Briefing.", language="en")
        return scores.score("final").value

    asked: list[str] = []
    first = await session()
    # One question for the flow, and two replies on eight dimensions.
    assert (first, len(asked)) == (1.0, 1 + 2 * 8)
    asked.clear()
    assert await session() == first
    assert asked == []
    folder = tmp_path / "prompts"
    shutil.copytree(judge_prompts.FOLDER, folder)
    (folder / "safety.v1.md").rename(folder / "safety.v2.md")
    monkeypatch.setattr(judge_prompts, "FOLDER", folder)
    monkeypatch.setattr(judge_prompts, "VERSIONS", {**judge_prompts.VERSIONS, Dimension.SAFETY.value: 2})
    judge_prompts.prompt.cache_clear()
    assert await session() == first
    assert len(asked) == 2
    assert all("Dimension: safety." in question for question in asked)


async def test_first_sample_is_asked_at_temperature_0_further_ones_apart() -> None:
    store, good = Memory(), {"applicable": True, "score": 2, "reason": "", "quote": ""}
    first, second = Script(good), Script(good)
    await of_reply(first, store=store)
    await of_reply(second, store=store, sample=1)
    assert first.settings[0]["temperature"] == 0.0
    assert second.settings[0]["temperature"] > 0.0
    assert len(store.kept) == 2


def member(score: int | None) -> LanguageModelJudge:
    """A judge that gives every reply this score; None: it answers nonsense."""
    answer: Any = {"applicable": True, "score": score, "reason": f"{score}", "quote": ""}
    return Script(answer if score is not None else "nonsense").judge()


@pytest.mark.parametrize(
    ("scores", "outcome", "score"),
    [
        ((2, 2, 0), "scored", 2),
        ((2, 1, 0), "scored", 1),
        ((1, 2), "scored", 1),
        ((2, None, None), "failed", None),
        ((2, None), "scored", 2),
        ((None, None), "failed", None),
    ],
)
async def test_a_panel_takes_the_middle_and_shows_every_vote(
    scores: tuple[int | None, ...], outcome: str, score: int | None
) -> None:
    panel = PanelJudge([member(one) for one in scores])
    verdict = await panel.judge_reply(CALL, 2, Dimension.NATURALNESS, agent_prompt="", language="en")
    assert (verdict.outcome, verdict.score) == (outcome, score)
    assert verdict.votes == tuple("failed" if one is None else str(one) for one in scores)


async def test_a_panel_decides_nodes_by_majority_and_an_invented_quote_has_no_vote() -> None:
    missed = _changed(1, outcome="not_achieved", turn=None, quote="")
    invented = _changed(1, quote="never said")

    async def judged(*answers: Any) -> NodeVerdict:
        panel = PanelJudge([Script(answer).judge() for answer in answers])
        return (await panel.judge_flow(CALL, FLOW, agent_prompt="", language="en"))[1]

    assert (await judged(GOOD_FLOW, GOOD_FLOW, missed)).outcome == "achieved"
    assert (await judged(GOOD_FLOW, missed, missed)).outcome == "not_achieved"
    assert (await judged(GOOD_FLOW, missed)).reason == "no majority: at most 1 of 2 judges gave the same"
    decided = await judged(invented, invented, missed)
    assert (decided.outcome, decided.votes) == ("failed", ("failed", "failed", "not_achieved"))
    assert (await judged(invented, missed, missed)).outcome == "not_achieved"


LONG_CALL = dialogue(*["A: Sorry about the fee.", "C: Oh."] * 5)


@pytest.mark.parametrize(
    ("answers", "outcome", "turn"),
    [
        # Two of five are the most, but no majority.
        (("sorry 0", "sorry 0", "missed", "never", "unheard"), "failed", None),
        (("sorry 0", "sorry 0", "missed", "missed"), "failed", None),
        (("sorry 0", "sorry 0", "sorry 0", "missed", "never"), "achieved", 0),
        # Of three that gave a verdict, two are a majority.
        (("sorry 2", "sorry 2", "missed", "unheard"), "achieved", 2),
        # The turn goes by the same votes: 8, 8, 0 is 8; all different, the earliest.
        (("sorry 8", "sorry 8", "sorry 0"), "achieved", 8),
        (("sorry 0", "sorry 8", "sorry 8"), "achieved", 8),
        (("sorry 8", "sorry 6", "sorry 2"), "achieved", 2),
        (("sorry 8", "sorry 2", "sorry 8", "sorry 2"), "achieved", 2),
    ],
)
async def test_a_node_needs_more_than_half_and_gets_the_turn_that_most_cite(
    answers: tuple[str, ...], outcome: str, turn: int | None
) -> None:
    flow_of_one = flow(node("sorry", branch=True))

    def member_saying(what: str) -> LanguageModelJudge:
        if what == "unheard":
            return Script("nonsense").judge()
        one: dict[str, Any] = {"node": "sorry", "turn": None, "quote": "", "reason": what}
        if what.startswith("sorry"):
            quoted = {"outcome": "achieved", "turn": int(what.split()[1]), "quote": "Sorry about the fee"}
            return Script({"verdicts": [one | quoted]}).judge()
        left = {"missed": "not_achieved", "never": "not_applicable"}[what]
        return Script({"verdicts": [one | {"outcome": left}]}).judge()

    panel = PanelJudge([member_saying(one) for one in answers])
    verdict = (await panel.judge_flow(LONG_CALL, flow_of_one, agent_prompt="", language="en"))[0]
    assert (verdict.outcome, verdict.turn) == (outcome, turn)
    assert len(verdict.votes) == len(answers)


def test_a_panel_of_one_is_no_panel() -> None:
    with pytest.raises(ValueError, match="at least two"):
        PanelJudge([member(2)])
