"""Gates: what a figure of a run has to be, for the run to pass.

In a plan (docs/nightly.md)::

    gates:
      - response_latency_ms.p95 <= 1500           # absolute: a figure, or a percentile of it
      - calls.harness_fault.share <= 0.05         # calls of a status, or their share of all
      - wer measured                              # some value, whatever it is
      - response_rate: not worse by 0.05          # against a baseline, in the figure's own unit
      - {gate: "wer: not worse by 0.02", inconclusive: warn}
      - shipped                                   # ours, which hold by themselves where a plan has no gates

A figure without a value passes no gate.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

SHIPPED = "shipped"
CALLS = "calls"
"""Figures of how calls ended begin with it: ``calls.setup_failed``."""
PERCENTILES = ("p50", "p90", "p95")
MAX_GATES = 200

Comparison = Literal["<=", "<", ">=", ">", "=="]
_NUMBER = r"(-?\d+(?:\.\d+)?)"
_FIGURE = r"([A-Za-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)*)"
_LIMIT = re.compile(rf"{_FIGURE}\s*:?\s*(<=|>=|==|<|>)\s*{_NUMBER}")
_MARGIN = re.compile(rf"{_FIGURE}\s*:?\s*not worse by {_NUMBER}")
_MEASURED = re.compile(rf"{_FIGURE}\s*:?\s*measured")
_FORMS = (
    "a gate is 'FIGURE <= NUMBER' (also < >= > ==), 'FIGURE: not worse by NUMBER', 'FIGURE measured' "
    "or 'shipped'"
)


class Gate(BaseModel):
    """One gate, as written and taken apart.

    Attributes:
        text: As written.
        figure: A metric, or ``calls.STATUS``.
        part: ``p50``, ``p90`` or ``p95`` of a metric, ``share`` of calls; empty: the value itself.
        kind: ``limit`` has ``comparison`` and ``limit``; ``relative`` has ``margin``, in the figure's unit.
        inconclusive: What it does to the run where nobody can tell: ``fail`` or only ``warn``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str = Field(max_length=300)
    kind: Literal["limit", "relative", "measured", "shipped"]
    figure: str = ""
    part: str = ""
    comparison: Comparison | None = None
    limit: float | None = None
    margin: float = Field(default=0.0, ge=0.0)
    inconclusive: Literal["fail", "warn"] = "fail"

    @model_validator(mode="before")
    @classmethod
    def _as_written(cls, content: Any) -> Any:
        if isinstance(content, str):
            return _taken_apart(content)
        if isinstance(content, Mapping) and "kind" not in content:
            return _of_mapping(content)
        if not isinstance(content, Mapping | cls):
            raise ValueError(_FORMS)
        return content

    @property
    def name(self) -> str:
        """The figure with its part."""
        return f"{self.figure}.{self.part}" if self.part else self.figure

    def holds(self, value: float) -> bool:
        """Whether a value is within the limit."""
        assert self.limit is not None
        match self.comparison:
            case "<=":
                return value <= self.limit
            case "<":
                return value < self.limit
            case ">=":
                return value >= self.limit
            case ">":
                return value > self.limit
            case _:
                return value == self.limit


def _of_mapping(content: Mapping[Any, Any]) -> dict[str, Any]:
    written = dict(content)
    rule = written.pop("inconclusive", "fail")
    if set(written) == {"gate"}:
        return _taken_apart(str(written["gate"])) | {"inconclusive": rule}
    if len(written) != 1:
        raise ValueError(_FORMS)
    ((figure, demand),) = written.items()
    return _taken_apart(f"{figure}: {demand}") | {"inconclusive": rule}


def _taken_apart(text: str) -> dict[str, Any]:
    written = " ".join(text.split())
    if written == SHIPPED:
        return {"text": written, "kind": "shipped"}
    if found := _LIMIT.fullmatch(written):
        name, comparison, limit = found.groups()
        return _named(name) | {
            "text": written,
            "kind": "limit",
            "comparison": comparison,
            "limit": float(limit),
        }
    if found := _MARGIN.fullmatch(written):
        name, margin = found.groups()
        return _named(name) | {"text": written, "kind": "relative", "margin": float(margin)}
    if found := _MEASURED.fullmatch(written):
        return _named(found.group(1)) | {"text": written, "kind": "measured"}
    raise ValueError(f"'{written[:100]}' cannot be read: {_FORMS}")


def _named(name: str) -> dict[str, str]:
    figure, _, part = name.partition(".")
    if figure == CALLS:
        status, _, share = part.partition(".")
        if not status or share not in ("", "share"):
            raise ValueError(f"'{name}': calls are counted as calls.STATUS or calls.STATUS.share")
        return {"figure": f"{CALLS}.{status}", "part": share}
    if part and part not in PERCENTILES:
        raise ValueError(f"'{name}': a figure has the parts {', '.join(PERCENTILES)}")
    return {"figure": figure, "part": part}
