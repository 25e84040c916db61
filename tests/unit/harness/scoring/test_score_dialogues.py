"""Dialogues from chats, calls and files to scores on disk and the figures of a run."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from harness._files.atomic_file import write_model
from harness._files.json_file import read_model
from harness.calls.conversation import Held
from harness.cli.main import app
from harness.errors import UserError
from harness.judging.judges import JudgeChoice
from harness.judging.material import DialogueMaterial, of_call, of_chat
from harness.plans.benchmark import text_units
from harness.plans.call import CallPlan
from harness.plans.task import task_of
from harness.records.call import CallRecord, CallStatus, SpokenUtterance, TextTurn
from harness.records.run import RunInfo
from harness.records.scores import CallScores, DialogueScores, TextSummary, Transcript, TranscriptLine
from harness.runs.store import RunStore
from harness.scoring.figures_over_texts import pooled_texts, text_measures
from harness.scoring.score_dialogues import score_call_texts, score_chat_run, score_dialogues
from harness.scoring.summary import summarize
from metrics.dialogue.flow_compliance import flow_compliance
from metrics.dialogue.rules.judge import RulesJudge
from metrics.dialogue.task_flow import FlowNode, TaskFlow
from metrics.dialogue.text_scores import TextScores, final_score
from metrics.dialogue.verdicts import Dimension, NodeVerdict, ReplyVerdict
from metrics.score import Score, Status, not_measured
from spoken_language.dialogue import Dialogue, DialogueTurn, Speaker
from tests.unit.harness.stand_ins.chatting import ENTRY, entry

SPOKEN: list[tuple[Speaker, str]] = [
    ("agent", "Hello, is that Mrs. Sun? This is Li Ming from Changjiang Bank."),
    ("caller", "Yes, speaking."),
    ("agent", "I'm sorry. This is my case now. How did you notice it?"),
]


def chat(status: CallStatus = CallStatus.COMPLETED, *, model: str = "a") -> CallRecord:
    plan = text_units([entry()], policy="agenda", agent="llm", models=[model])[0].plan
    turns = [TextTurn(speaker=who, text=text, start_s=0.0, end_s=1.0) for who, text in SPOKEN]
    return CallRecord(
        plan=plan, status=status, status_detail="so it was", started_at="", duration_s=9.0, turns=tuple(turns)
    )


def call(status: CallStatus = CallStatus.COMPLETED, *, task: bool = True) -> CallRecord:
    plan = (
        CallPlan(call_id="one", agent="http://x:1", policy="agenda", task=task_of(entry()) if task else None)
        if task
        else CallPlan.model_validate(
            {"call_id": "one", "agent": "http://x:1", "script": {"lines": [{"say": "hi"}]}}
        )
    )
    utterances = [
        SpokenUtterance(index=0, text="Yes, speaking.", kind="turn", start_s=5, end_s=6, audio_sha256=""),
        SpokenUtterance(index=1, text="Mm-hm.", kind="backchannel", start_s=8, end_s=8.4, audio_sha256=""),
    ]
    return CallRecord(
        plan=plan,
        status=status,
        status_detail="so it was",
        started_at="",
        duration_s=20,
        utterances=utterances,
    )


def line(side: Any, source: Any, start_s: float, text: str) -> TranscriptLine:
    return TranscriptLine(side=side, source=source, start_s=start_s, end_s=start_s + 1, text=text)


HEARD = [
    line("agent", "whisper", 1, "Hello, is that Mrs. Son? This is Lee Ming from Changjiang Bank."),
    line("caller", "whisper", 5, "Yes speaking"),
    line("agent", "whisper", 7, "I'm sorry."),
    line("agent", "whisper", 9, "This is my case now. How did you notice it?"),
]
TOLD = [
    line("agent", "agent_text", 1, SPOKEN[0][1]),
    line("agent", "agent_text", 7, "I'm sorry."),
    line("agent", "agent_text", 9, "This is my case now. How did you notice it?"),
]


def said(material: DialogueMaterial | None) -> list[tuple[str, str]]:
    assert material is not None
    return [(turn.speaker, turn.text) for turn in material.dialogue.turns]


# ---- where dialogues come from


def test_a_chat_is_judged_as_it_was_written() -> None:
    material = of_chat(chat())
    assert said(material) == SPOKEN
    assert (material.entry, material.archetype, material.competitor) == (ENTRY, "hesitant", "a")
    assert material.not_judged == ""
    broken = of_chat(chat(CallStatus.AGENT_FAILED))
    assert broken.not_judged == "agent_failed: so it was"
    assert (
        broken.digest
        == material.digest
        != of_chat(chat()).__class__(id="x", flow=material.flow, dialogue=Dialogue()).digest
    )


def test_a_call_is_judged_by_what_the_agent_tells_and_without_the_listeners_noises() -> None:
    told = of_call(call(), Transcript(lines=[*HEARD, *TOLD]))
    assert said(told) == SPOKEN
    assert told is not None
    assert told.notes == ()
    heard = of_call(call(), Transcript(lines=HEARD))
    assert heard is not None
    assert said(heard)[0][1] == HEARD[0].text
    assert "misheard" in heard.notes[0]


def test_a_call_without_words_or_task_is_not_judged() -> None:
    silent = of_call(call(), Transcript(lines=[HEARD[1]]))
    assert said(silent) == [SPOKEN[1]]
    assert silent is not None
    assert silent.not_judged == ""
    unknown = of_call(call(), Transcript())
    assert unknown is not None
    assert "not known" in unknown.not_judged
    lost = of_call(call(CallStatus.CONNECTION_LOST), Transcript(lines=HEARD))
    assert lost is not None
    assert lost.not_judged.startswith("connection_lost: ")
    faulty = of_call(call(CallStatus.HARNESS_FAULT), Transcript(lines=HEARD))
    assert faulty is not None
    assert faulty.not_judged == "harness_fault: so it was"
    assert of_call(call(task=False), Transcript(lines=HEARD)) is None


# ---- judging many


class SlowJudge(RulesJudge):
    """Keeps how many questions were open at a time; may raise on one dialogue."""

    def __init__(self) -> None:
        self.open = self.most = 0

    async def judge_reply(
        self, dialogue: Dialogue, turn: int, dimension: Dimension, *, agent_prompt: str, language: str
    ) -> ReplyVerdict:
        self.open += 1
        self.most = max(self.most, self.open)
        await asyncio.sleep(0)
        self.open -= 1
        return await super().judge_reply(
            dialogue, turn, dimension, agent_prompt=agent_prompt, language=language
        )


def test_no_more_questions_are_open_than_allowed_and_each_dialogue_is_kept_at_once() -> None:
    judge = SlowJudge()
    kept: list[str] = []
    told: list[tuple[int, int]] = []
    materials = [of_chat(chat(model=name)) for name in "abcdef"] + [of_chat(chat(CallStatus.SETUP_FAILED))]
    found = asyncio.run(
        score_dialogues(
            materials,
            judge,
            parallel=3,
            on_scored=lambda one: kept.append(one.competitor),
            on_progress=lambda name, done, total: told.append((done, total)),
        )
    )
    assert judge.most == 3
    assert sorted(kept) == ["a", "a", "b", "c", "d", "e", "f"]
    assert told == [(done, 7) for done in range(1, 8)]
    assert [one.competitor for one in found] == ["a", "b", "c", "d", "e", "f", "a"]
    assert found[-1].text is None
    assert found[0].text is not None
    assert all(one.text and one.text.replies == found[0].text.replies for one in found[:-1])


def store_of(folder: Path, *records: CallRecord) -> RunStore:
    store = RunStore(folder)
    store.write_info(
        RunInfo(
            name="bench",
            started_at="",
            outboundeval="0",
            plan_digest="",
            kind="chat",
            agents=["llm"],
            competitors=("a", "b"),
            policy="agenda",
            trials=1,
            seed=0,
            call_ids=[record.plan.call_id for record in records],
        )
    )
    for record in records:
        store.write(Held(record=record, events=[]))
    return store


def test_a_chat_run_gets_scores_beside_its_dialogues_and_a_summary(tmp_path: Path) -> None:
    store = store_of(tmp_path, chat(model="a"), chat(CallStatus.AGENT_FAILED, model="b"))
    summary = score_chat_run(store, JudgeChoice(), on_progress=lambda name, done, total: None)
    assert read_model(tmp_path / "summary.json", TextSummary) == summary
    assert (summary.judge, summary.dialogues) == ("rules", 1)
    assert summary.comparable == "rules judge: not comparable with published figures"
    assert summary.not_judged == {"agent_failed: so it was": 1}
    kept = read_model(store.call_folder("a.cs-bank-complaint.hesitant") / "scores.json", DialogueScores)
    assert kept.text is not None
    # greet, apologise and ask: of 14 nodes four are branches; 3 of 10 and 2 of 6 keys, in order.
    # Cov = 0.7 x 2/6 + 0.3 x 3/10 = 0.32333; TFC = 0.7 x 0.32333 + 0.3 = 0.52633.
    assert kept.text.score("tfc").value == pytest.approx(0.526333, abs=1e-6)
    assert summary.metrics["tfc"].value == kept.text.score("tfc").value
    failed = read_model(store.call_folder("b.cs-bank-complaint.hesitant") / "scores.json", DialogueScores)
    assert failed.text is None


def test_an_empty_chat_run_says_so(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="nothing to score"):
        score_chat_run(store_of(tmp_path), JudgeChoice(), on_progress=lambda name, done, total: None)


def test_a_call_keeps_its_text_scores_with_the_others_and_the_run_pools_them(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    write_model(store.call_folder("one") / "call.json", call())
    write_model(store.call_folder("one") / "transcript.json", Transcript(lines=TOLD))
    scored = score_call_texts(
        store, [CallScores(call_id="one")], JudgeChoice(), on_progress=lambda name, done, total: None
    )
    kept = store.read_scores("one")
    assert kept == scored[0]
    assert kept is not None
    assert kept.text is not None
    assert kept.text.entry == ENTRY
    summary = summarize([call()], scored)
    assert summary.metrics["tfc"].value == pytest.approx(0.526333, abs=1e-6)
    assert summary.text is not None
    assert summary.text.competitors[0].name == "http://x:1"
    assert summarize([call()], [CallScores(call_id="one")]).text is None


# ---- pooling


def text_of(**values: float | Status) -> TextScores:
    """Scores as given; a status stands for a score without a value."""
    scores: list[Score] = []
    for name in (measure.entry.name for measure in text_measures()):
        value = values.get(name, Status.NOT_APPLICABLE)
        if isinstance(value, Status):
            scores.append(not_measured(name, "ratio", f"{value} here", status=value))
        else:
            scores.append(Score(metric=name, unit="ratio", value=value, status=Status.MEASURED, n=1))
    return TextScores(judge="rules", judge_version="1", nodes=(), replies=(), scores=tuple(scores))


def judged(number: int, entry_id: str = "", **values: float | Status) -> DialogueScores:
    return DialogueScores(id=f"d{number}", entry=entry_id or f"e{number}", text=text_of(**values))


def test_every_score_of_a_dialogue_has_its_measure() -> None:
    known = {measure.entry.name for measure in text_measures()}
    assert {f"gic_{dimension}" for dimension in Dimension} <= known
    scored = flow_compliance(
        Dialogue(turns=(DialogueTurn(speaker="agent", text="Hi"),)),
        TaskFlow(nodes=(FlowNode(id="a", criterion="b"),)),
        [NodeVerdict(node="a", outcome="not_achieved")],
        version="1",
    )
    assert {score.metric for score in scored.scores} <= known
    assert final_score(None, None, version="1").metric in known


def test_means_leave_out_what_has_no_value_and_count_it() -> None:
    found = pooled_texts(
        [
            judged(1, tfc=0.2),
            judged(2, tfc=0.6),
            judged(3, tfc=Status.INDETERMINATE),
            judged(4, tfc=Status.FAILED),
        ]
    )["tfc"]
    assert found.value == pytest.approx(0.4)
    assert found.n == 2
    assert "1 of 4 dialogues left out: the judgement failed" in found.reason
    assert "1 of 4 dialogues left out: failed judgements leave it open" in found.reason
    assert found.ci_low is not None
    assert found.ci_high is not None
    assert 0.0 <= found.ci_low < 0.4 < found.ci_high <= 1.0


def test_a_failure_is_never_hidden_behind_not_applicable() -> None:
    found = pooled_texts([judged(1), judged(2, tfc=Status.FAILED)])["tfc"]
    assert (found.status, found.value) == (Status.FAILED, None)
    assert pooled_texts([judged(1)])["tfc"].status is Status.NOT_APPLICABLE


def test_equal_values_claim_no_certainty() -> None:
    found = pooled_texts([judged(number, tfc=0.5) for number in range(8)])["tfc"]
    assert (found.ci_low, found.ci_high) == (None, None)
    assert "same value" in found.interval_method


def test_trials_of_one_entry_are_not_taken_for_several() -> None:
    many = pooled_texts([judged(number, tfc=number / 10) for number in range(10)])["tfc"]
    trials = pooled_texts([judged(number, f"e{number // 5}", tfc=number / 10) for number in range(10)])["tfc"]
    assert many.value == trials.value
    assert many.ci_low is not None
    assert many.ci_high is not None
    assert trials.ci_low is not None
    assert trials.ci_high is not None
    assert trials.ci_high - trials.ci_low > many.ci_high - many.ci_low


# ---- the command


def run(*arguments: str | Path, text: str | None = None) -> Any:
    return CliRunner().invoke(
        app, ["score", *map(str, arguments)], env={"COLUMNS": "160", "TERM": "dumb"}, input=text
    )


def test_score_reads_a_transcript_and_prints_what_the_scores_rest_on(tmp_path: Path) -> None:
    path = tmp_path / "call.txt"
    path.write_text("\n".join(f"{who.title()}: {text}" for who, text in SPOKEN))
    result = run(path, "--scenario", ENTRY)
    assert result.exit_code == 0
    for words in (
        "Task flow compliance",
        "0.5263",
        "“sorry … my case”",
        "collect_details",
        "partial: rules cannot judge naturalness, coherence",
        "rules judge: not comparable with published figures",
    ):
        assert words in result.stdout


def test_score_prints_one_json_document(tmp_path: Path) -> None:
    lines = "\n".join(f"{who.title()}: {text}" for who, text in SPOKEN)
    document = json.loads(run("-", "--scenario", ENTRY, "--json", text=lines).stdout)
    assert document["metrics"]["tfc"]["value"] == pytest.approx(0.526333, abs=1e-6)
    assert document["judge"]["name"] == "rules"
    dialogue = document["dialogues"][0]
    assert dialogue["scores"]["final"]["value"] == document["metrics"]["final"]["value"]
    assert {node["node"]: node["turn"] for node in dialogue["nodes"]}["apologise_and_own"] == 2
    assert len(dialogue["replies"]) == 2 * len(RulesJudge().dimensions)
    assert dialogue["partial"] is True


def test_score_takes_a_folder_of_dialogues(tmp_path: Path) -> None:
    store_of(tmp_path, chat(model="a"), chat(model="b"))
    result = run(tmp_path)
    assert result.exit_code == 0
    assert "2 dialogues judged by rules" in result.stdout
    assert "by competitor" in result.stdout
    document = json.loads(run(tmp_path, "--json").stdout)
    assert [one["name"] for one in document["text"]["competitors"]] == ["a", "b"]


def test_markup_in_a_transcript_stays_text(tmp_path: Path) -> None:
    path = tmp_path / "call.txt"
    path.write_text("Agent: [red]Hello[/] Changjiang Bank, is that you? [/nothing]\nCaller: [bold]yes")
    result = run(path, "--scenario", ENTRY)
    assert result.exit_code == 0


def test_wrong_use_of_score(tmp_path: Path) -> None:
    result = run(tmp_path / "call.txt", "--judge", "nobody")
    assert isinstance(result.exception, UserError)
    assert "no judge 'nobody'" in str(result.exception)
    sound = tmp_path / "call.wav"
    sound.write_text("x")
    result = run(sound, "--scenario", ENTRY)
    assert isinstance(result.exception, UserError)
    assert "--scenario is for transcripts" in str(result.exception)
