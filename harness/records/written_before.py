"""Records in the formats in which they were written before: version 0.1 had one for each medium.

A call that was cut off at the terminal was ``harness_fault`` then, and told from one by its detail alone.
Here is the one place that still reads that sentence.
"""

from __future__ import annotations

from typing import Any

FORMAT = 2
"""Of call.json and dialogue.json. Calls by voice had no number before, dialogues in text had 1."""

_WAS_INTERRUPTED = ("harness_fault", "interrupted at the terminal")


def record_as_written_now(content: Any) -> Any:
    """The content of a record in today's form."""
    if not isinstance(content, dict) or content.get("version", 1) != 1:
        return content
    record = content | {"version": FORMAT}
    if (content.get("status"), content.get("status_detail")) == _WAS_INTERRUPTED:
        record["status"] = "interrupted"
    return record


def run_as_written_now(content: Any) -> Any:
    """The content of ``run.json`` in today's form."""
    if not isinstance(content, dict) or "dialogue_ids" not in content:
        return content
    run = {name: value for name, value in content.items() if name not in ("dialogue_ids", "agent")}
    return run | {
        "call_ids": content["dialogue_ids"],
        "agents": [content["agent"]] if "agent" in content else [],
        "finished_at": content.get("finished_at") or None,
    }
