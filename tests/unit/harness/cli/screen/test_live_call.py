"""The live view of calls: what it prints of one has nothing to do with the one before."""

from __future__ import annotations

import io
import re
from typing import Any

from rich.console import Console

from harness.cli.screen.live_call import CallPrinter
from harness.records.call import Event


def _event(t: float, kind: str, /, **data: Any) -> Event:
    return Event(t=t, side="caller", kind=kind, source="policy", data=data)


CALL = (
    _event(0.1, "connected"),
    _event(0.2, "speak", index=0, text="Hello.", kind="turn"),
    _event(0.2, "utterance-began", index=0, start_s=0.2),
    _event(1.0, "utterance-ended", index=0, end_s=1.0),
    _event(1.5, "speech-started", at_s=1.25),
    _event(2.0, "speech-ended", at_s=2.0),
    _event(2.1, "utterance-began", index=1, start_s=2.1),
    _event(7.5, "utterance-ended", index=1, end_s=7.5),
)
"""The agent answers the first line after 250 ms, and the second not at all."""
GREETED = (_event(0.1, "connected"), _event(0.9, "speech-started", at_s=0.87), *CALL[1:])
"""The agent speaks first."""


def _answers(*calls: tuple[Event, ...], begin: bool = True) -> list[int]:
    out = io.StringIO()
    shown = CallPrinter(Console(file=out, width=200))
    for call in calls:
        if begin:
            shown.begin()
        for event in call:
            shown.show(event)
    return [int(ms) for ms in re.findall(r"answers after ≈ (-?\d+) ms", out.getvalue())]


def test_a_call_that_ended_without_an_answer_is_not_answered_in_the_next() -> None:
    assert _answers(CALL) == [250]
    assert _answers(CALL, CALL, CALL) == [250, 250, 250]
    once = _answers(GREETED)
    assert _answers(CALL, GREETED) == [250, *once]
    assert min(_answers(CALL, GREETED, begin=False)) < -6000, "what was printed before calls began anew"


def test_what_the_agent_of_one_call_tells_of_its_words_is_not_expected_of_the_next() -> None:
    out = io.StringIO()
    shown = CallPrinter(Console(file=out, width=200))
    tells = Event(t=1.0, side="agent", kind="bot-output", source="rtvi", data={"spoken": True, "text": "Hi."})
    shown.show(tells)
    shown.begin()
    for event in CALL:
        shown.show(event)
    assert "(speaks for 0.8 s)" in out.getvalue()


def test_a_lost_connection_under_a_call_that_goes_on_is_not_shown_as_its_end() -> None:
    out = io.StringIO()
    shown = CallPrinter(Console(file=out, width=200))
    shown.show(_event(3.0, "signalling-lost", why="it closed the connection"))
    shown.show(_event(4.0, "connection-lost", how="the way to the agent is lost: nothing answers there"))
    assert "signalling lost, and the call goes on (it closed the connection)" in out.getvalue()
    assert out.getvalue().count("connection lost") == 1
