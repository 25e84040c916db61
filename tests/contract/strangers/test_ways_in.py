"""No text of a stranger acts on its reader, whichever way it comes in."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console

from harness.cli.screen.console import Screen
from tests.contract.strangers import (  # noqa: F401 (register their ways)
    agents,
    files,
    models,
    telephone,
    told_by_webhook,
)
from tests.contract.strangers.attack import ATTACK, FORGED, acts
from tests.contract.strangers.ways_in import LINES, WAYS


def test_the_attack_is_one() -> None:
    assert len(set(acts(ATTACK, lines=True))) > 20
    assert any("a line" in one for one in acts(f"x\n{FORGED}", lines=True))
    assert "U+000A" in acts("a\nb", lines=False)


@pytest.mark.parametrize("name", WAYS)
def test_a_text_that_came_in_acts_on_nobody(name: str, tmp_path: Path) -> None:
    came_in = WAYS[name](ATTACK, tmp_path)
    assert came_in
    assert len("".join(came_in)) > 20, "nothing came in, so nothing was looked at"
    for text in came_in:
        found = acts(text, lines=name in LINES)
        if name in LINES:  # a turn of a chat may have lines; whoever prints it says whose they are
            found = [one for one in found if not one.startswith("a line")]
        assert found == [], text


def test_nothing_that_is_printed_acts_on_the_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    for text in (ATTACK.replace("\ud800", ""), "a\x1b[2Jb"):
        Screen().print(text, markup=False, highlight=False)
        Screen(stderr=True).print(f"[/] {text}", markup=False)
    told = capsys.readouterr()
    assert acts(told.out, lines=False) == [] or set(acts(told.out, lines=False)) == {"U+000A"}
    assert set(acts(told.err, lines=False)) == {"U+000A"}
    assert ":red_heart:" in told.out
    Console(emoji=False).print("a\x1b[2Jb", markup=False, highlight=False)
    assert "\x1b" in capsys.readouterr().out, "rich itself lets it through, or the test proves nothing"
