"""Records in the formats in which they were written before: version 0.1 had one for each medium.

A call that was cut off at the terminal was ``harness_fault`` then, and told from one by its detail alone, and
what became of a turn by its latency. Here is the one place that still reads those sentences.
"""

from __future__ import annotations

import re
from typing import Any

FORMAT = 2
"""Of call.json and dialogue.json. Calls by voice had no number before, dialogues in text had 1."""

_SPOKE_ON = "spoke on without a break"
_WAITED = re.compile(r"no answer within (\d{1,6}(?:\.\d{1,3})?) s")
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


def turn_as_written_now(content: Any) -> Any:
    """A turn of ``scores.json`` with what became of it: that was not written down, only the latency.

    Whatever kept the latency from being measured, an agent that was heard to begin has answered.
    """
    if not isinstance(content, dict) or "outcome" in content:
        return content
    reason = str(content.get("reason", ""))
    latency_ms = content.get("latency_ms")
    if (isinstance(latency_ms, int | float) and latency_ms < 0) or _SPOKE_ON in reason:
        return content | {"outcome": "talked_over"}
    if str(content.get("status")) != "not_applicable":
        return content | {"outcome": "answered"}
    waited = _WAITED.search(reason)
    return content | {
        "outcome": "not_answered",
        "waited_ms": float(waited.group(1)) * 1000 if waited else None,
    }
