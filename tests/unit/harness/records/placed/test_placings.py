"""``placings.jsonl``: what was under way when a run was killed."""

from __future__ import annotations

from pathlib import Path

from harness.records.placed.placings import PLACINGS_FILE, Placing, read_placings, under_way
from harness.runs.workers.journal import Journal


def test_what_was_noted_is_read_and_a_torn_line_is_left_out(tmp_path: Path) -> None:
    with Journal(tmp_path) as journal:
        journal.note("began", at="now", detail="2 at once")
        journal.note("dialled", call="a", at="then", host="here/1", standing=1)
        journal.note("pacing", standing=1, late_p95_ms=0.5)
    with (tmp_path / PLACINGS_FILE).open("ab") as file:
        file.write(b'{"t_s": 1.0, "what": "dia')
    read = read_placings(tmp_path)
    assert [placing.what for placing in read] == ["began", "dialled", "pacing"]
    assert read[1].host == "here/1"
    assert read[2].late_p95_ms == 0.5


def test_no_file_is_no_placing(tmp_path: Path) -> None:
    assert read_placings(tmp_path) == []


def test_under_way_is_what_was_dialled_and_never_ended() -> None:
    placings = [
        Placing(t_s=0, what="dialled", call="ended"),
        Placing(t_s=0, what="dialled", call="lost"),
        Placing(t_s=0, what="dialled", call="cut", at="first"),
        Placing(t_s=1, what="ended", call="ended"),
        Placing(t_s=1, what="lost", call="lost"),
        Placing(t_s=2, what="dialled", call="cut", at="second"),
    ]
    assert {call: one.at for call, one in under_way(placings).items()} == {"cut": "second"}
