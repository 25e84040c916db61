"""The listening page as one HTML file: every sound inside, no network."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from pathlib import Path

from harness._files.self_contained_page import render
from harness.scoring.listening.sheet import ASKED, SCALES, Sheet


def listening_page(sheet: Sheet, sounds: Mapping[str, bytes]) -> str:
    """The page.

    Args:
        sounds: Id -> WAV file, of every sound of the sheet.
    """
    content = {
        "id": sheet.id,
        **sheet.model_dump(mode="json"),
        "asked": ASKED[sheet.method],
        "scale": [{"value": value, "label": label} for value, label in SCALES[sheet.method].items()],
        "sounds": {name: base64.b64encode(sounds[name]).decode("ascii") for name in sheet.sounds},
    }
    return render(
        "listen.html.j2",
        folder=Path(__file__).parent / "listening_page",
        styles=["page.css", "listen.css"],
        scripts=["order.js", "player.js", "listen.js"],
        sheet=content,
    )
