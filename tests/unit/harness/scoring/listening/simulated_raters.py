"""People of whom it is known what they hear, as the page would save what they say."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from harness.scoring.listening.key import KeyItem, ListeningKey
from harness.scoring.listening.order import order_of

Says = Callable[[str, KeyItem], int | None]
"""From an item and what it is to the value, of pairs as the key has them; None: not rated."""


def attentive(clip_value: Callable[[str], int]) -> Says:
    """Right wherever there is a right answer; of a clip they say ``clip_value``."""

    def says(item: str, is_: KeyItem) -> int:
        if is_.kind == "clip":
            return clip_value(item)
        if is_.kind == "anchor":
            return 4 if (is_.q_db or 0) > 20 else 2
        return is_.right[len(is_.right) // 2]

    return says


def saved(
    key: ListeningKey, name: str, says: Says, *, tones_right: int = 6, **changed: Any
) -> dict[str, Any]:
    """What the page saves. ``changed``: fields that are to be otherwise."""
    order = order_of([one.id for one in key.sheet.items], sheet=key.sheet.id, rater=name)
    answers = {}
    for item in order.items:
        value = says(item, key.items[item])
        if value is not None:
            turned = key.sheet.method == "ccr" and item in order.swapped
            answers[item] = {"value": -value if turned else value, "heard": 1}
    tones = [one if n < tones_right else one % 3 + 1 for n, one in enumerate(key.softer)]
    return {
        "format": "outboundeval-listening",
        "version": 1,
        "sheet": key.sheet.id,
        "rater": name,
        "saved_at": "2026-01-01T10:00:00.000Z",
        "order": list(order.items),
        "tones": tones,
        "answers": answers,
    } | changed


def save(folder: Path, content: dict[str, Any]) -> Path:
    path = folder / f"listening-{content['rater']}.json"
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    return path
