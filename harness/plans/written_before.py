"""Plans in the formats in which they were written before, and back: version 0.1 had a type for each medium.

A run that was begun with an earlier version is scored, reported and gone on with. So its plans are read as
they were written, and a plan's digest is taken over the form that it had then: what is new in a plan and says
nothing about calls of that time is left out of it.
"""

from __future__ import annotations

from typing import Any

_TEXT_NAMES = {"dialogue_id": "call_id", "model": "agent_model", "caller_model": "language_model"}
_TEXT_LIMITS = ("turns", "call_s", "turn_chars", "answer_s")
_OF_SOUNDS = frozenset({"sound", "under", "under_after_s", "press"})
_TEXT_ONLY = ("medium", "agent_model", "temperature")
_NEW_CONDITIONS: dict[str, object] = {
    "echo": None,
    "loss_burst": None,
    "jitter_shape": "uniform",
    "reorder": 0.0,
    "reorder_ms": 50.0,
    "duplicates": 0.0,
    "outage_ms": 300.0,
    "outage_at_s": [],
    "outages_per_minute": 0.0,
}
"""What networks could not do then, and its value where they still do not."""


_NEW_IN_TASKS: dict[str, object] = {
    "examples": {},
    "overcome_examples": {},
    "nothing": {},
    "stimuli": [],
    "willingness": {"wins": "always", "chance": 0.5, "why": "", "say": []},
    "needs_yes": False,
    "instead_when_declined": False,
    "declined": False,
    "winnable": True,
}
"""What people and flows did not have then, and its value in plans of that time."""


def plan_as_written_now(content: Any) -> Any:
    """The content of a plan in today's form; what is in it already, or is no plan at all, as it is."""
    if not isinstance(content, dict) or "dialogue_id" not in content:
        return content
    plan = {_TEXT_NAMES.get(name, name): value for name, value in content.items() if name != "competitor"}
    task = plan.get("task")
    language = task.get("language") if isinstance(task, dict) else getattr(task, "language", None)
    return plan | {
        "medium": "text",
        "language_model": plan.get("language_model") or None,
        "language": language or "en",
    }


def plan_of_first_format(plan: dict[str, Any]) -> dict[str, Any]:
    """A dumped plan as version 0.1 wrote it.

    Args:
        plan: Of ``CallPlan.model_dump(mode="json")``.
    """
    plan = {
        name: value
        for name, value in plan.items()
        if name != "words_because" and (name != "probe" or value is not None)
    }
    if plan.get("probe") is not None:
        plan["probe"] = _probe_as_before(plan["probe"])
    limits = plan["limits"]
    if plan["task"] is not None:
        plan = plan | {"task": _without_what_is_new(plan["task"])}
    if plan["medium"] == "voice":
        spoken = {
            name: value for name, value in limits.items() if name == "call_s" or name not in _TEXT_LIMITS
        }
        conditions = {
            name: value
            for name, value in plan["conditions"].items()
            if name not in _NEW_CONDITIONS or value != _NEW_CONDITIONS[name]
        }
        kept = {name: value for name, value in plan.items() if name not in _TEXT_ONLY}
        if not kept["headers"]:
            del kept["headers"]
        if kept["script"] is not None:
            kept["script"] = _with_lines_as_before(kept["script"])
        if kept["answer"] is None:
            del kept["answer"]
        if reach := {name: value for name, value in kept.pop("reach").items() if value}:
            kept["reach"] = reach
        return kept | {"limits": spoken, "conditions": conditions}
    return {
        "dialogue_id": plan["call_id"],
        "competitor": plan["agent_model"] or plan["agent"],
        "policy": plan["policy"],
        "caller_model": plan["language_model"] or "",
        "understanding": plan["understanding"],
        "agent": plan["agent"],
        "model": plan["agent_model"],
        "temperature": plan["temperature"],
        "seed": plan["seed"],
        "trial": plan["trial"],
        "limits": {name: limits[name] for name in _TEXT_LIMITS},
        "task": plan["task"],
    }


def _probe_as_before(probe: dict[str, Any]) -> dict[str, Any]:
    """Without what suites of that time did not have."""
    kept = {name: value for name, value in probe.items() if name != "attended" or value}
    planted = [
        {name: value for name, value in one.items() if name != "heard_back" or value}
        for one in probe["planted"]
    ]
    return kept | {"planted": planted}


def _with_lines_as_before(script: dict[str, Any]) -> dict[str, Any]:
    """A script whose recordings are told by what is in them, wherever they lie; most lines have none, and
    press no keys."""
    lines = []
    for line in script["lines"]:
        plain = {name: value for name, value in line.items() if name not in _OF_SOUNDS}
        if line["press"]:
            plain["press"] = line["press"]
        for field in ("sound", "under"):
            if line[field] is not None:
                plain[field] = {
                    name: value
                    for name, value in line[field].items()
                    if name != "path" and (name != "level_db" or value)
                }
        if line["under"] is not None:
            plain["under_after_s"] = line["under_after_s"]
        lines.append(plain)
    return script | {"lines": lines}


def _without_what_is_new(part: Any) -> Any:
    if isinstance(part, dict):
        return {
            name: _without_what_is_new(value)
            for name, value in part.items()
            if name not in _NEW_IN_TASKS or value != _NEW_IN_TASKS[name]
        }
    if isinstance(part, list):
        return [_without_what_is_new(one) for one in part]
    return part
