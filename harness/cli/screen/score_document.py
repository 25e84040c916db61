"""What ``score --json`` prints: one document of one form, whatever was scored.

``source``, ``kind``
    What was scored, and what it is: a run of ``calls``, a run of dialogues (``chat``), a ``transcript``, a
    stereo ``recording`` or a ``clip`` of one voice.
``metrics``, ``not_measured``
    Every figure by its name, and the reasons of those without a value.
``calls``, ``interruptions``, ``calibrations``, ``guard``
    Of a run of calls, as in its ``summary.json``; empty for everything else.
``text``, ``judge``
    Text scores as in ``summary.json``, and how far their judge can be trusted; null without judged words.
``dialogues``
    Everything about each dialogue of a transcript. Those of a run lie beside it, one ``scores.json`` each.
``recording``
    Turns, interruptions, clips and words of a recording or clip; null for everything else.
``kept``
    How much of the work was found from before: what was heard (``audio``) and what judges answered
    (``judgements``); null where nothing is ever kept.
``cut_off``
    Sound files that hold less than their headers promise, each with what of it was scored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from harness.judging.checking.standing import judge_standing
from harness.judging.judges import JudgeChoice
from harness.records.scores import DialogueScores, Summary, TextSummary
from harness.records.scores.figures import figures_json
from harness.runs.store import AUDIO_FILE
from harness.scoring.recording import RecordingScores
from harness.scoring.reused_work import AudioReuse, judgements_as_json
from metrics.score import Status

Kind = Literal["calls", "chat", "transcript", "recording", "clip"]


def of_calls(
    source: str,
    summary: Summary,
    *,
    audio: AudioReuse,
    judge: JudgeChoice,
    cut: Mapping[str, str],
) -> dict[str, Any]:
    """Of a run of calls. ``cut``: recordings that hold less than they promise, by call."""
    return _document(
        source,
        "calls",
        summary.model_dump(mode="json", exclude={"run", "text"}),
        text=summary.text,
        kept={"audio": audio.as_json(), "judgements": judgements_as_json(judge)},
        cut_off=[{"file": f"calls/{call_id}/{AUDIO_FILE}", "what": what} for call_id, what in cut.items()],
    )


def of_dialogues(
    source: str,
    kind: Kind,
    summary: TextSummary,
    dialogues: Sequence[DialogueScores] = (),
    *,
    judge: JudgeChoice,
) -> dict[str, Any]:
    """Of dialogues in text: a run of them, or transcripts, of which ``dialogues`` are shown whole."""
    return _document(
        source,
        kind,
        {"metrics": figures_json(summary.metrics)},
        text=summary,
        dialogues=[_dialogue_json(one) for one in dialogues],
        kept={"audio": None, "judgements": judgements_as_json(judge)},
    )


def of_recording(result: RecordingScores) -> dict[str, Any]:
    """Of a sound file."""
    return _document(
        result.source,
        "recording" if result.kind == "stereo" else "clip",
        {"metrics": figures_json(result.metrics)},
        recording={
            "turns": [turn.model_dump(mode="json") for turn in result.scores.turns],
            "interruptions": [one.model_dump(mode="json") for one in result.scores.interruptions],
            "clips": [clip.model_dump(mode="json") for clip in result.scores.clips],
            "transcript": [line.model_dump(mode="json") for line in result.transcript.lines],
        },
        cut_off=[{"file": result.source, "what": result.cut}] if result.cut else [],
    )


def _document(
    source: str,
    kind: Kind,
    figures: dict[str, Any],
    *,
    text: TextSummary | None = None,
    dialogues: Sequence[dict[str, Any]] = (),
    recording: dict[str, Any] | None = None,
    kept: dict[str, Any] | None = None,
    cut_off: Sequence[dict[str, str]] = (),
) -> dict[str, Any]:
    empty: dict[str, Any] = {"calls": {}, "interruptions": {}, "calibrations": [], "guard": None}
    document = {"source": source, "kind": kind, **empty, **figures}
    if "not_measured" not in document:
        document["not_measured"] = [
            {"metric": name, "reason": one["reason"]}
            for name, one in figures["metrics"].items()
            if one["status"] != Status.MEASURED
        ]
    return document | {
        "text": None if text is None else text.model_dump(mode="json"),
        "judge": None if text is None else _judge(text),
        "dialogues": list(dialogues),
        "recording": recording,
        "cut_off": list(cut_off),
        "kept": kept or {"audio": None, "judgements": None},
    }


def _judge(summary: TextSummary) -> dict[str, Any]:
    standing = judge_standing(summary.judge, summary.judge_version)
    return {
        "name": summary.judge,
        "version": summary.judge_version,
        "not_comparable": summary.comparable,
        "standing": standing.heading,
        "checked": standing.lines() if summary.judge else [],
    }


def _dialogue_json(one: DialogueScores) -> dict[str, Any]:
    document = one.model_dump(mode="json", exclude={"version", "text", "turns"})
    text = one.text
    if text is None:
        return document
    return document | {
        "partial": text.partial,
        "not_judged_dimensions": list(text.not_judged),
        "no_occasion_dimensions": list(text.no_occasion),
        "scores": {
            score.metric: score.model_dump(
                mode="json", include={"value", "status", "reason", "n", "unit", "version"}
            )
            for score in text.scores
        },
        "nodes": [node.model_dump(mode="json") for node in text.nodes],
        "order": [order.model_dump(mode="json") for order in text.order],
        "replies": [reply.model_dump(mode="json") for reply in text.replies],
        "turns": [turn.model_dump(mode="json") for turn in one.turns],
    }


# ---- one dialogue
