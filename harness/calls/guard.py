"""The guard (:mod:`voice_sim.guard`) on one call or dialogue, and its verdict as it is kept beside it.

``guard.json``, in the folder of a call or dialogue, is a :class:`GuardFile`. A guilty call stays where it is;
it is only kept out of the agent's scores (:mod:`harness.scoring.guilty_aside`).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from harness._files.json_file import read_model
from harness.errors import UserError
from harness.plans.task import TaskPlan
from harness.records.call import CallRecord
from harness.records.scores import Transcript, TranscriptLine
from metrics.dialogue.task_flow import TaskFlow
from voice_sim.caller.events import HangUpReason
from voice_sim.guard.check import VERSION, check
from voice_sim.guard.misunderstanding.card import read_card, today_in
from voice_sim.guard.misunderstanding.nearness import Evidence
from voice_sim.guard.session import Ended, Finding, MustHave, Session, Turn

GUARD_FILE = "guard.json"
CLEAR_FROM_DB = 15.0
"""With more noise than that (paper, Table 15), or across a room, speech is not held against its voice."""

GuardVerdict = Literal["clean", "suspected", "guilty_turns", "guilty", "not_applicable"]

_ENDED: dict[HangUpReason, Ended] = {
    "satisfied": "satisfied",
    "declined": "declined",
    "unanswered": "unanswered",
    "refused": "refused",
    "gave_up": "gave_up",
    "agent_silent": "gave_up",
    "no_greeting": "gave_up",
    "limit": "limit",
    "agent_hangup": "agent_hung_up",
    "connection_lost": "other",
    "completed": "other",
}


class GuardFile(BaseModel):
    """``guard.json``.

    Attributes:
        verdict: ``guilty``: at least one finding is certain, and the call is kept out of the agent's scores.
            ``guilty_turns``: certain findings concern single turns; the agent's replies to them
            are kept out.
            ``suspected``: only uncertain ones; the call stays in. ``not_applicable``: nobody was simulated,
            or nothing was said.
        reason: Why it is not applicable.
        version: Of the rules.
        evidence: See :class:`voice_sim.guard.check.Guarded`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    verdict: GuardVerdict
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    version: str = VERSION
    evidence: Evidence = "words"

    def guilty_turns(self) -> tuple[Finding, ...]:
        """The certain findings that concern single turns of a call that stays in the scores."""
        if self.verdict != "guilty_turns":
            return ()
        return tuple(one for one in self.findings if one.certain and one.aside == "turn")


def guard_chat(record: CallRecord) -> GuardFile:
    """The verdict on a dialogue in text."""
    if record.plan.policy == "human":
        return GuardFile(verdict="not_applicable", reason="a person was the caller")
    if not record.status.took_place:
        return GuardFile(verdict="not_applicable", reason=f"{record.status}: {record.status_detail}")
    turns = [Turn(speaker=turn.speaker, text=turn.text) for turn in record.turns]
    return _judged(session_of(record.plan.about, turns, record.end_reason))


def guard_call(record: CallRecord, transcript: Transcript) -> GuardFile:
    """The verdict on a live call.

    The transcript gives the agent's words, and what a recogniser heard of the caller's; without one only the
    caller's own words are looked at.
    """
    if record.plan.policy == "script" or record.plan.task is None:
        return GuardFile(verdict="not_applicable", reason="the caller said fixed lines: there is no persona")
    if not record.status.took_place:
        return GuardFile(verdict="not_applicable", reason=f"{record.status}: {record.status_detail}")
    turns = _turns_of_call(record, transcript)
    # Where nothing is known of the agent's words, nobody can say whether they brought the end about.
    knows_agent = any(turn.speaker == "agent" for turn in turns)
    return _judged(session_of(record.plan.task, turns, record.end_reason if knows_agent else None))


def session_of(task: TaskPlan, turns: Sequence[Turn], end_reason: HangUpReason | None) -> Session:
    """What the guard looks at, for somebody who plays the person of a task."""
    return Session(
        persona=task.persona,
        turns=tuple(turns),
        ended=_ENDED[end_reason] if end_reason is not None else None,
        today=today_in(task.agent_prompt),
        also_known=tuple(way for value in task.key_values for way in (value.value, *value.spoken)),
        card=read_card(task.agent_prompt),
        must_have=must_have_of(task.flow),
    )


def must_have_of(flow: TaskFlow) -> tuple[MustHave, ...]:
    """The nodes without which the task fails, as the guard reads them."""
    return tuple(
        MustHave(criterion=node.criterion, evidence=node.evidence) for node in flow.nodes if node.key
    )


def read_guard(folder: Path) -> GuardFile | None:
    """The verdict beside a call or dialogue; None where there is none, or it cannot be read."""
    path = folder / GUARD_FILE
    if not path.is_file():
        return None
    try:
        return read_model(path, GuardFile)
    except UserError:
        return None


def _judged(session: Session) -> GuardFile:
    if not session.caller_turns():
        return GuardFile(verdict="not_applicable", reason="the caller said nothing")
    try:
        found = check(session)
    except Exception as error:
        # A fault in a rule of ours must cost neither the call nor the run.
        return GuardFile(
            verdict="not_applicable", reason=f"the guard failed: {type(error).__name__}: {error}"
        )
    return GuardFile(
        verdict=found.verdict, findings=found.findings, version=found.version, evidence=found.evidence
    )


def _garbled_on_purpose(record: CallRecord) -> bool:
    conditions = record.plan.conditions
    noisy = conditions.noise is not None and conditions.noise.snr_db < CLEAR_FROM_DB
    return noisy or conditions.distance_m is not None


def _turns_of_call(record: CallRecord, transcript: Transcript) -> list[Turn]:
    own = [line for line in transcript.lines if line.side == "agent" and line.source == "agent_text"]
    agent = own or [line for line in transcript.lines if line.side == "agent" and line.source == "whisper"]
    agent = [line for line in agent if line.text.strip()]
    heard: dict[int, list[TranscriptLine]] = {}
    for line in transcript.lines:
        if line.side == "caller" and line.source == "whisper" and line.utterance is not None:
            heard.setdefault(line.utterance, []).append(line)
    turns = [(line.start_s, Turn(speaker="agent", text=line.text)) for line in agent]
    for said in record.utterances:
        if said.kind == "backchannel":
            continue
        lines = heard.get(said.index, [])
        # What the end of the call cut off was not all sent, and noise of the plan garbles on purpose.
        comparable = lines and not said.cut_short and not _garbled_on_purpose(record)
        text = " ".join(line.text for line in lines) if comparable else None
        turns.append((said.start_s, Turn(speaker="caller", text=said.text, heard=text)))
    return _agent_turns_whole([turn for _, turn in sorted(turns, key=lambda placed: placed[0])])


def _agent_turns_whole(turns: Sequence[Turn]) -> list[Turn]:
    """The turns, with what the agent said before the caller spoke as one: its words come sentence by
    sentence, and "Okay." before five answers is no loop."""
    whole: list[Turn] = []
    for turn in turns:
        if turn.speaker == "agent" and whole and whole[-1].speaker == "agent":
            whole[-1] = Turn(speaker="agent", text=f"{whole[-1].text} {turn.text}")
        else:
            whole.append(turn)
    return whole
