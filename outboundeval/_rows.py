"""What the rows of each table hold, by the names of its columns; times in seconds since the call began."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from outboundeval._conversation import Conversation

Row = dict[str, Any]

CALL_COLUMNS = {
    "call_id": "string",
    "in_text": "bool",
    "title": "string",
    "entry": "string",
    "domain": "string",
    "user_type": "string",
    "agent": "string",
    "agent_name": "string",
    "policy": "string",
    "language": "string",
    "trial": "Int64",
    "status": "string",
    "status_detail": "string",
    "end_reason": "string",
    "started_at": "time",
    "duration_s": "float64",
    "guilty": "bool",
}
"""``agent`` is its address, in text what plays it. The duration of a dialogue in text is estimated."""

TURN_COLUMNS = {
    "call_id": "string",
    "index": "Int64",
    "said": "string",
    "answer": "string",
    "latency_ms": "float64",
    "content_latency_ms": "float64",
    "resolution_ms": "float64",
    "outcome": "string",
    "outcome_reason": "string",
    "waited_ms": "float64",
    "status": "string",
    "reason": "string",
    "user_start_s": "float64",
    "user_end_s": "float64",
    "agent_start_s": "float64",
    "agent_end_s": "float64",
    "first_content_s": "float64",
    "per_packet_latency_ms": "float64",
    "noise_floor_dbfs": "float64",
}
"""``index`` is the caller's utterance in the call, ``resolution_ms`` the half width of its error bar.

``outcome`` is what became of it: answered, answered_in_part, talked_over, not_answered or not_due.
"""

INTERRUPTION_COLUMNS = {
    "call_id": "string",
    "index": "Int64",
    "said": "string",
    "outcome": "string",
    "delay_ms": "float64",
    "within_500ms": "boolean",
    "censored_after_ms": "float64",
    "resolution_ms": "float64",
    "reason": "string",
    "user_start_s": "float64",
    "agent_onset_s": "float64",
    "agent_stop_s": "float64",
    "planned_offset_s": "float64",
    "actual_offset_s": "float64",
    "stopped_in_pause": "boolean",
    "basis": "string",
}

DIMENSIONS = (
    "naturalness",
    "coherence",
    "hallucination",
    "redundancy",
    "emotional_richness",
    "intent_understanding",
    "noise_resistance",
    "safety",
)
"""Of an agent's reply, in the order of the paper's Table 5."""

REPLY_COLUMNS = {
    "call_id": "string",
    "turn": "Int64",
    "said": "string",
    "reply": "string",
    "judge": "string",
    **dict.fromkeys(DIMENSIONS, "float64"),
}
"""``turn`` is the reply's position in the dialogue, ``said`` what the caller said before it."""


def call_rows(one: Conversation) -> list[Row]:
    """One row."""
    plan, record, judged = one.plan, one.record, one.judged
    task: Mapping[str, Any] = plan.get("task") or {}
    row: Row = {
        "call_id": one.id,
        "in_text": one.in_text,
        "title": plan.get("title") or task.get("title"),
        "entry": task.get("entry"),
        "domain": task.get("domain"),
        "user_type": str(task.get("entry") or "").rpartition("/")[2] or None,
        "agent": plan.get("competitor") or plan.get("agent"),
        "language": plan.get("language") or task.get("language"),
        "guilty": one.read("guard.json").get("verdict") == "guilty",
        **{name: plan.get(name) for name in ("policy", "trial")},
        **{
            name: record.get(name)
            for name in ("agent_name", "status", "status_detail", "end_reason", "started_at", "duration_s")
        },
    }
    heard = [] if one.in_text else one.scores.get("scores") or ()
    words = (judged.get("text") or {}).get("scores") or ()
    return [row | {score["metric"]: score.get("value") for score in (*heard, *words)}]


def turn_rows(one: Conversation) -> list[Row]:
    """One row for each utterance of the caller."""
    if one.in_text:
        return [
            {"call_id": one.id, "index": number, "said": said, "answer": answer, "status": "not_applicable",
             "reason": "held in text: nobody spoke"}
            for number, (said, answer) in enumerate(_exchanges(one))
        ]  # fmt: skip
    said_by = _said(one)
    heard = [line for line in one.read("transcript.json").get("lines") or () if _is_agents_sound(line)]
    return [
        {
            "call_id": one.id,
            "said": said_by.get(turn.get("index")),
            "answer": _heard_between(heard, turn.get("agent_start_s"), turn.get("agent_end_s")),
            **{name: value for name, value in turn.items() if name != "notes"},
        }
        for turn in one.scores.get("turns") or ()
    ]


def interruption_rows(one: Conversation) -> list[Row]:
    """One row for each."""
    said_by = _said(one)
    found = () if one.in_text else one.scores.get("interruptions") or ()
    return [{"call_id": one.id, "said": said_by.get(each.get("index")), **each} for each in found]


def reply_rows(one: Conversation) -> list[Row]:
    """One row for each reply of the agent that was judged on any dimension."""
    judged = one.judged
    text: Mapping[str, Any] = judged.get("text") or {}
    turns = judged.get("turns") or ()
    rows: dict[int, Row] = {}
    for verdict in text.get("replies") or ():
        turn = verdict["turn"]
        row = rows.setdefault(
            turn,
            {
                "call_id": one.id,
                "turn": turn,
                "said": _words_before(turns, turn),
                "reply": turns[turn]["text"] if turn < len(turns) else None,
                "judge": text.get("judge"),
            },
        )
        row[verdict["dimension"]] = verdict.get("score")
    return [rows[turn] for turn in sorted(rows)]


def _said(one: Conversation) -> dict[Any, str]:
    return {each.get("index"): each.get("text", "") for each in one.record.get("utterances") or ()}


def _is_agents_sound(line: Mapping[str, Any]) -> bool:
    return line.get("side") == "agent" and line.get("source") == "whisper"


def _heard_between(lines: list[Mapping[str, Any]], start_s: float | None, end_s: float | None) -> str | None:
    """What our own transcript has of the agent in a stretch of the call."""
    if start_s is None or end_s is None:
        return None
    return " ".join(line["text"] for line in lines if line["end_s"] > start_s and line["start_s"] < end_s)


def _exchanges(one: Conversation) -> Iterator[tuple[str, str | None]]:
    """What the caller said, and the agent's words after it until the caller spoke again."""
    said: str | None = None
    answer: list[str] = []
    for turn in one.record.get("turns") or ():
        if turn["speaker"] == "caller":
            if said is not None:
                yield said, " ".join(answer) or None
            said, answer = turn["text"], []
        else:
            answer.append(turn["text"])
    if said is not None:
        yield said, " ".join(answer) or None


def _words_before(turns: Any, turn: int) -> str | None:
    return (
        turns[turn - 1]["text"] if 0 < turn <= len(turns) and turns[turn - 1]["speaker"] == "caller" else None
    )
