"""Every colour of the waveform is one of the page: a canvas draws what it does not know in the last one."""

from __future__ import annotations

import re
from pathlib import Path

import harness.reports
from harness import _files

SCRIPT = Path(harness.reports.__file__).parent / "templates" / "scripts" / "wave.js"
PAGE = Path(_files.__file__).parent / "page_styles" / "page.css"


def test_the_page_has_every_colour_of_the_waveform_in_each_of_its_themes() -> None:
    asked = re.findall(r"""this\.colour\(["`']([^"`']+)["`']\)""", SCRIPT.read_text(encoding="utf-8"))
    assert "${side}-soft" in asked
    wanted = {name.replace("${side}", side) for name in asked for side in ("caller", "agent")}
    blocks = re.findall(r"color-scheme: \w+;([^}]*)", PAGE.read_text(encoding="utf-8"))
    assert len(blocks) == 3
    for block in blocks:
        assert wanted | {"caller", "agent"} <= set(re.findall(r"--([a-z-]+):", block))
