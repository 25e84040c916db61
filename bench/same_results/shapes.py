"""The files of every version in one shape, without what may differ between two runs of the same code."""

from __future__ import annotations

from typing import Any

MAY_DIFFER = frozenset(
    {
        # Times of day, and real time that something took.
        "date", "started_at", "finished_at", "wall_s", "model_s", "judging", "usage",
        # Of the code and the files, not of what they say.
        "digest", "set_digest", "versions", "kept", "run", "run_id", "path", "machine",
    }
)  # fmt: skip
TEXT_NAMES = {"dialogue_id": "call_id", "model": "agent_model", "caller_model": "language_model"}
"""Plans of dialogues in text, before they were those of calls."""
TEXT_LIMITS = ("turns", "call_s", "turn_chars", "answer_s")
VOICE_LIMITS = ("connect_s", "first_speech_s", "silence_s", "prompt_s", "call_s")
VOICE_PLAN = (
    "call_id", "digest", "title", "agent", "policy", "script", "task", "language_model", "understanding",
    "voice", "conditions", "request_data", "language", "trial", "seed",
)  # fmt: skip
TEXT_PLAN = (
    "call_id", "agent", "agent_model", "temperature", "policy", "task", "understanding", "trial", "seed",
)  # fmt: skip


def scrubbed(content: Any) -> Any:
    """A document without what may differ; numbers of a file's format are left out as well. Scores are found
    by their metrics, whatever their order."""
    if isinstance(content, dict):
        return {
            name: scrubbed(value)
            for name, value in content.items()
            if name not in MAY_DIFFER and not (name == "version" and isinstance(value, int))
        }
    if isinstance(content, list):
        if content and all(isinstance(value, dict) and "metric" in value for value in content):
            return {value["metric"]: scrubbed(value) for value in content}
        return [scrubbed(value) for value in content]
    return content


def judged_shape(document: dict[str, Any]) -> dict[str, Any]:
    """What ``score`` says of all dialogues of a file together, in its document of either form."""
    about = document.get("text") or document
    return scrubbed(
        {name: about[name] for name in ("judgements", "failed", "not_judged", "metrics", "competitors")}
    )


def plan_shape(plan: dict[str, Any]) -> dict[str, Any]:
    """The plan of a call by voice."""
    limits = {name: plan["limits"][name] for name in VOICE_LIMITS}
    return {name: plan[name] for name in VOICE_PLAN} | {"limits": limits}


def dialogue_shape(record: dict[str, Any], events: list[dict[str, Any]]) -> dict[str, Any]:
    """A dialogue in text: its plan, how it ended, who said what when and why, and its timeline.

    The times are those of the virtual clock, so that they are results; ``wall_s`` is none.
    """
    plan = {TEXT_NAMES.get(name, name): value for name, value in record["plan"].items()}
    limits = {name: plan["limits"][name] for name in TEXT_LIMITS}
    shape = {name: record[name] for name in ("status", "status_detail", "duration_s", "agent_name")}
    return shape | {
        "end_reason": record["end_reason"] or None,
        "plan": {name: plan[name] for name in TEXT_PLAN}
        | {"limits": limits, "language_model": plan["language_model"] or None},
        "turns": scrubbed(list(record["turns"])),
        "events": scrubbed(events),
    }
