"""What the guard's verdict does to a run: the file beside each call, the figures, and the repeated calls."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness._files.atomic_file import write_model
from harness._files.json_file import read_model
from harness.calls.guard import GUARD_FILE, GuardFile, guard_call, guard_chat, read_guard
from harness.plans.call import CallPlan
from harness.plans.task import task_of
from harness.records.call import CallRecord, CallStatus, SpokenUtterance
from harness.records.scores import (
    CallScores,
    DialogueScores,
    JudgingUse,
    Transcript,
    TranscriptLine,
    TurnTiming,
)
from harness.records.usage import SideUsage
from harness.reports.parts.guard_lines import guard_lines
from harness.reports.parts.judging_cost import judging_cost, judging_counts
from harness.runs.guard import guard_run
from harness.runs.store import RunStore
from harness.scoring.figures_over_texts import text_measures
from harness.scoring.guilty_aside import set_guilty_aside, summarize_guarded, summarize_guarded_texts
from metrics.dialogue.text_scores import TextScores
from metrics.score import Score, Status, not_measured
from tests.unit.harness.stand_ins.chatting import ScriptedAgent, ScriptedCaller, entry, hold
from voice_sim.guard.session import Finding
from voice_sim.policies.base import Line

FINDING = Finding(kind="role_flip", turn=1, quote="How can I help you?", detail="asks how it can help")
GUILTY = GuardFile(verdict="guilty", findings=(FINDING,))
CLEAN = GuardFile(verdict="clean")


def _record(call_id: str, *said: str, end_reason: str | None = None) -> CallRecord:
    plan = CallPlan(call_id=call_id, agent="http://127.0.0.1:1", policy="agenda", task=task_of(entry()))
    utterances = [
        SpokenUtterance(
            index=n, text=text, kind="turn", start_s=10.0 * n + 5, end_s=10.0 * n + 8, audio_sha256="0"
        )
        for n, text in enumerate(said)
    ]
    return CallRecord(
        plan=plan,
        status=CallStatus.COMPLETED,
        status_detail="",
        end_reason=end_reason,  # type: ignore[arg-type]
        started_at="2025-01-08T10:00:00+00:00",
        duration_s=60.0,
        utterances=utterances,
    )


def _scores(call_id: str, latency_ms: float) -> CallScores:
    turn = TurnTiming(
        index=0,
        user_start_s=1.0,
        user_end_s=2.0,
        latency_ms=latency_ms,
        status=Status.MEASURED,
        agent_start_s=3.0,
    )
    return CallScores(call_id=call_id, turns=[turn])


def _text(tfc: float) -> TextScores:
    scores = [
        Score(metric=name, unit="ratio", value=tfc, status=Status.MEASURED, n=1)
        if name == "tfc"
        else not_measured(name, "ratio", "not asked")
        for name in (measure.entry.name for measure in text_measures())
    ]
    return TextScores(judge="rules", judge_version="1", nodes=(), replies=(), scores=tuple(scores))


def _agent(start_s: float, text: str) -> TranscriptLine:
    return TranscriptLine(side="agent", source="agent_text", start_s=start_s, end_s=start_s + 2, text=text)


def _run(folder: Path, **verdicts: GuardFile) -> tuple[RunStore, list[CallRecord]]:
    store = RunStore(folder)
    records = []
    for call_id, guard in verdicts.items():
        records.append(_record(call_id, "Hello?"))
        write_model(store.call_folder(call_id) / "call.json", records[-1])
        write_model(store.call_folder(call_id) / GUARD_FILE, guard)
    return store, records


def test_a_guilty_call_is_left_out_and_its_figures_stand_beside(tmp_path: Path) -> None:
    store, records = _run(tmp_path, good=CLEAN, bad=GUILTY)
    summary = summarize_guarded(store, records, [_scores("good", 800), _scores("bad", 2000)], run="r")
    assert summary.metrics["response_latency_ms"].value == 800
    assert summary.calls == {CallStatus.COMPLETED: 2}
    assert summary.guard is not None
    assert summary.guard.guilty == ("bad",)
    assert summary.guard.kinds == {"role_flip": 1}
    assert summary.guard.first_attempts["response_latency_ms"].value == 1400  # median of 800 and 2000
    told = " ".join(guard_lines(summary))
    assert "1 call of 2 checked left out" in told
    assert "role flip 1" in told
    assert "First-attempt figures" in told


def test_suspicions_stay_in(tmp_path: Path) -> None:
    doubt = GuardFile(verdict="suspected", findings=(FINDING.model_copy(update={"certain": False}),))
    store, records = _run(tmp_path, good=CLEAN, odd=doubt)
    summary = summarize_guarded(store, records, [_scores("good", 800), _scores("odd", 1000)], run="r")
    assert summary.metrics["response_latency_ms"].value == 900
    assert summary.guard is not None
    assert (summary.guard.guilty, summary.guard.suspected) == ((), 1)


def test_a_run_of_nothing_but_faults_says_so(tmp_path: Path) -> None:
    store, records = _run(tmp_path, bad=GUILTY)
    summary = summarize_guarded(store, records, [_scores("bad", 800)], run="r")
    latency = summary.metrics["response_latency_ms"]
    assert latency.value is None
    assert "simulator's fault" in latency.reason


def test_runs_without_persons_have_no_guard(tmp_path: Path) -> None:
    script = GuardFile(verdict="not_applicable", reason="fixed lines")
    store, records = _run(tmp_path, one=script)
    assert summarize_guarded(store, records, [_scores("one", 800)], run="r").guard is None


def test_repeated_calls_keep_their_first_attempt(tmp_path: Path) -> None:
    store, records = _run(tmp_path, good=CLEAN, bad=GUILTY)
    write_model(store.call_folder("bad") / "scores.json", _scores("bad", 2000))
    assert set_guilty_aside(store, ["good", "bad"], attempts=0) == []
    assert set_guilty_aside(store, ["good", "bad"], attempts=1) == ["bad"]
    assert store.read_record("bad") is None  # so the run places it again
    assert (store.call_folder("bad") / "attempt-1" / "call.json").is_file()
    write_model(store.call_folder("bad") / "call.json", records[1])
    write_model(store.call_folder("bad") / GUARD_FILE, CLEAN)
    summary = summarize_guarded(store, records, [_scores("good", 800), _scores("bad", 600)], run="r")
    assert summary.metrics["response_latency_ms"].value == 700
    assert summary.guard is not None
    assert summary.guard.repeated == 1
    assert summary.guard.first_attempts["response_latency_ms"].value == 1400
    write_model(store.call_folder("bad") / GUARD_FILE, GUILTY)
    assert set_guilty_aside(store, ["bad"], attempts=1) == []  # its only second chance is used up


def test_guilty_dialogues_are_counted_and_not_pooled(tmp_path: Path) -> None:
    scored = [
        DialogueScores(id=name, entry=name, text=_text(tfc)) for name, tfc in (("good", 0.9), ("bad", 0.3))
    ]
    folders = {name: tmp_path / name for name in ("good", "bad")}
    write_model(folders["bad"] / GUARD_FILE, GUILTY)
    summary = summarize_guarded_texts(scored, folders)
    assert summary is not None
    assert summary.dialogues == 1
    assert summary.not_judged == {"left out: the simulator's fault (role_flip)": 1}
    assert summary.metrics["tfc"].value == 0.9
    assert summary.with_guilty["tfc"].value == pytest.approx(0.6)


def test_what_judging_a_guilty_dialogue_took_is_not_forgotten_where_nobody_counted_it(tmp_path: Path) -> None:
    counted = JudgingUse(asked=SideUsage(requests=9, cost=0.5), answers=9)
    text = _text(0.9).model_copy(update={"judge": "openai:some-model"})
    scored = [
        DialogueScores(id="good", entry="a", text=text, judging=counted),
        DialogueScores(id="bad", entry="b", text=text),
    ]
    folders = {name: tmp_path / name for name in ("good", "bad")}
    write_model(folders["bad"] / GUARD_FILE, GUILTY)
    summary = summarize_guarded_texts(scored, folders)
    assert summary is not None
    assert summary.judging is not None
    assert judging_cost(summary.judging) == "at least 0.5000 USD"
    assert "1 dialogue not counted" in judging_counts(summary.judging)


def test_a_live_call_is_checked_by_what_was_said_and_what_was_sent() -> None:
    lines = [_agent(1, "Hello, is that Mrs. Sun?"), _agent(12, "It's about the 88 yuan."), _agent(22, "Yes.")]
    said = ("Hello?", "I'm an AI language model.", "Is that so, then, my dear young man?")
    record = _record("one", *said)
    guard = guard_call(record, Transcript(lines=lines))
    assert [(finding.kind, finding.turn) for finding in guard.findings] == [("broke_character", 3)]
    heard = TranscriptLine(
        side="caller", source="whisper", start_s=25, end_s=28, text="thank you for watching", utterance=2
    )
    guard = guard_call(_record("one", "Hello?", "Hm.", said[2]), Transcript(lines=[*lines, heard]))
    assert [finding.kind for finding in guard.findings] == ["garbled_speech"]
    script = record.model_copy(update={"plan": record.plan.model_copy(update={"policy": "script"})})
    assert guard_call(script, Transcript(lines=lines)).verdict == "not_applicable"


def test_sentences_of_the_agent_are_one_turn_until_the_caller_speaks() -> None:
    # "Okay." before each of five answers is no agent that says the same five times.
    told = ("The office opens at nine.", "The form is green.", "A colleague wrote it.", "The line is good.")
    lines = [_agent(1, "Hello, is that Mrs. Sun?")]
    for number, sentence in enumerate((*told, "The bridge is closed."), start=1):
        lines += [_agent(10 * number + 1, "Okay."), _agent(10 * number + 2, sentence)]
    record = _record("one", "Hello?", "Yes.", "I see.", "Hm.", "Go on.", "Fine.", "Right.")
    assert guard_call(record, Transcript(lines=lines)).findings == ()
    # And what it did not catch is said again, whatever it says behind that.
    line = "I just want to see the rule in writing."
    again = [lines[0], _agent(11, "Sorry, I didn't catch that."), _agent(12, "The line is bad.")]
    assert guard_call(_record("two", line, line), Transcript(lines=again)).findings == ()
    unasked = guard_call(_record("two", line, line), Transcript(lines=[*lines[:1], *lines[2:3]]))
    assert [(finding.kind, finding.turn) for finding in unasked.findings] == [("repeated_itself", 3)]


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        # The scenario's day is 8 January 2025, and the person is 67; nothing else names these.
        ("Yes, on January 11.", []),
        ("Yes, on January 29.", ["invented_fact"]),
        ("I was born in 1958.", []),
        ("I was born in 1955.", ["invented_fact"]),
    ],
)
def test_who_knows_what_day_it_is_has_near_dates_and_a_year_of_birth(line: str, kinds: list[str]) -> None:
    lines = [_agent(1, "Hello, is that Mrs. Sun?"), _agent(12, "Shall I ring again?")]
    guard = guard_call(_record("one", "Hello?", line), Transcript(lines=lines))
    assert [finding.kind for finding in guard.findings] == kinds


def test_dialogues_in_text_are_checked_and_kept(tmp_path: Path) -> None:
    agent = ScriptedAgent("Hello, this is Li Ming from Changjiang Bank.", "I see.", "Goodbye.")
    caller = ScriptedCaller(
        "Well, hello.", Line(text="How can I help you today? Is there anything else I can help you with?")
    )
    held = hold(caller, agent)
    guard = guard_chat(held.record)
    assert guard.verdict == "guilty"
    assert "role_flip" in {finding.kind for finding in guard.findings}
    person = held.record.model_copy(update={"plan": held.record.plan.model_copy(update={"policy": "human"})})
    assert guard_chat(person).verdict == "not_applicable"
    path = tmp_path / GUARD_FILE
    write_model(path, guard)
    assert read_guard(tmp_path) == guard == read_model(path, GuardFile)
    path.write_text("{broken")
    assert read_guard(tmp_path) is None
    assert RunStore(tmp_path).read_info() is None


def test_a_run_folder_gets_a_verdict_beside_each_call(tmp_path: Path) -> None:
    store = RunStore(tmp_path)
    for call_id, said in (("fine", "Hello?"), ("odd", "As an AI I cannot say.")):
        write_model(store.call_folder(call_id) / "call.json", _record(call_id, said))
    verdicts = {call.id: call.guard.verdict for call in guard_run(tmp_path)}
    assert verdicts == {"fine": "clean", "odd": "guilty"}
    kept = read_guard(store.call_folder("odd"))
    assert kept is not None
    assert kept.findings[0].kind == "broke_character"
