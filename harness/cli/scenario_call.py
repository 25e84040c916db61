"""A call about scenarios, from what a person typed."""

from __future__ import annotations

from typing import Any

from harness.plans.understanding import Understanding


def scenario_call(
    scenarios: list[str],
    *,
    policy: str | None,
    language_model: str | None,
    understanding: Understanding | None,
    **fields: Any,
) -> dict[str, Any]:
    """A call about scenarios as a plan file has it."""
    call: dict[str, Any] = {"scenarios": scenarios, **fields}
    if understanding is not None:
        call["understanding"] = understanding
    if language_model is not None:
        call["language_model"] = language_model
    if policy is not None or language_model is not None:
        call["policy"] = policy or "llm"
    return call
