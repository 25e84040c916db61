"""Language models: opened by name, metered, capped, and tried again where that may help.

    async with open_language_model("openai:gpt-4.1", limits=limits, price=price) as model:
        dialogue = model.for_dialogue("call-7", on_retry=tell)     # its own cap, counted for the run
        ...                                                        # use it like any pydantic-ai model
        print(dialogue.usage.tokens, model.usage.cost_text())

Whatever goes wrong while it is used is an ``AgentRunError`` of pydantic-ai: :class:`ModelCallFailed` (no
usable answer after all attempts) or :class:`CapExceeded` (a cap is reached). What a person has to mend
beforehand, a missing key, package or model, is a ``UserError`` at opening.
"""

from __future__ import annotations

from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from harness.models.language.cap_exceeded import CapExceeded
    from harness.models.language.failure import FailureKind, ModelCallFailed
    from harness.models.language.metered import Limits, MeteredModel, OnRetry, Retry
    from harness.models.language.opening import check_language_model, open_caller_model, open_language_model
    from harness.models.language.prices import Price, parse_price, read_prices
    from harness.models.language.usage import Cap, Ledger, Usage

__all__ = [
    "Cap",
    "CapExceeded",
    "FailureKind",
    "Ledger",
    "Limits",
    "MeteredModel",
    "ModelCallFailed",
    "OnRetry",
    "Price",
    "Retry",
    "Usage",
    "check_language_model",
    "open_caller_model",
    "open_language_model",
    "parse_price",
    "read_prices",
]

_WHERE = {
    "Cap": "usage",
    "CapExceeded": "cap_exceeded",
    "FailureKind": "failure",
    "Ledger": "usage",
    "Limits": "metered",
    "MeteredModel": "metered",
    "ModelCallFailed": "failure",
    "OnRetry": "metered",
    "Price": "prices",
    "Retry": "metered",
    "Usage": "usage",
    "check_language_model": "opening",
    "open_caller_model": "opening",
    "open_language_model": "opening",
    "parse_price": "prices",
    "read_prices": "prices",
}
"""In which module each stands. Imported when it is asked for: with most comes pydantic-ai, which those who
only count usage or read prices do without."""


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        return resolve_name(f"{__name__}.{_WHERE[name]}:{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
