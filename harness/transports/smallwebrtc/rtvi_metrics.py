"""RTVI ``metrics``: how long an agent says that each of its processors took.

``{"ttfb": [{"processor": "Model#0", "value": 0.31}], "ttfa": [{..., "ttfa": 0.2}], ...}`` in seconds
(pipecat, ``processors/frameworks/rtvi/observer.py``). Kept are the times until something came out of a
processor: ``ttfb`` (first byte), ``ttfa`` (first audible sound of a voice) and ``ttfat`` (first token of the
answer of a model that thinks first). They are claims: a negative or absurd one is kept as it was made, so
that it can be held against what was measured; one that is no number is counted.
"""

from __future__ import annotations

import math
from typing import Any

from spoken_language.outside_text import one_line

KIND = "metrics"
MAX_MESSAGES = 4_000
"""Of a call; an agent sends a handful a turn. What comes beyond them is not kept, and no flood."""
MAX_CLAIMS = 20
MAX_NAME_CHARS = 100
MAX_MAGNITUDE = 1e12
_VALUE_OF = {"ttfb": "value", "ttfa": "ttfa", "ttfat": "ttfat"}


def metrics_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """What is kept of one message: ``{kind: [{processor, s}]}``, and ``unusable`` claims by number; empty
    where it holds none of these."""
    kept: dict[str, Any] = {}
    unusable = left = 0
    for kind, name in _VALUE_OF.items():
        told = fields.get(kind)
        claims: list[dict[str, Any]] = []
        for one in told if isinstance(told, list) else []:
            left += 1
            claim = _claim(one, name) if left <= MAX_CLAIMS else None
            if claim is None:
                unusable += 1
            else:
                claims.append(claim)
        if claims:
            kept[kind] = claims
    return kept | ({"unusable": unusable} if unusable else {})


def _claim(one: Any, name: str) -> dict[str, Any] | None:
    if not isinstance(one, dict):
        return None
    processor, value = one.get("processor"), one.get(name)
    if not isinstance(processor, str) or isinstance(value, bool) or not isinstance(value, int | float):
        return None
    # An integer may have more digits than a float can hold.
    if not -MAX_MAGNITUDE <= value <= MAX_MAGNITUDE or math.isnan(value):
        return None
    return {"processor": one_line(processor[:MAX_NAME_CHARS]), "s": round(float(value), 6)}
