"""An entity that is right is said back, however it is written."""

from __future__ import annotations

import pytest

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.probes.hearings import hearings
from harness.plans.probes.asked import Asked
from harness.plans.probes.planted import ProbePlan
from harness.records.call import SpokenUtterance
from harness.records.scores import TranscriptLine
from metrics.spans import Span
from metrics.speech import Talk


@pytest.mark.parametrize("source", ["agent_text", "whisper"])
@pytest.mark.parametrize(
    ("reply", "right", "reason"),
    [
        # Nothing in these is written as a name.
        ("it is okafor.", True, ""),
        ("it is miller.", None, "it did not say it back"),
    ],
)
def test_a_name_in_small_letters_is_right_where_it_is_the_one(
    source: str, reply: str, right: bool | None, reason: str
) -> None:
    asked = Asked.model_validate({"item": "i", "line": 0, "kind": "name", "entity": "Okafor"})
    said = SpokenUtterance(index=0, text="Okafor.", kind="turn", start_s=2.0, end_s=6.0, audio_sha256="")
    span = Span(start_s=7.0, end_s=10.0)
    line = {"side": "agent", "source": source, "text": reply, "start_s": 7.0, "end_s": 9.0}
    (found,) = hearings(
        CallMaterial(
            call_id="c",
            utterances=[said],
            end_s=22.0,
            probe=ProbePlan(suite="s", version="1", asked=(asked,), setting="babble"),
        ),
        lines=[TranscriptLine.model_validate(line)],
        talks=[Talk(span=span, clusters=(span,))],
        recognised=True,
    )
    assert (found.right, found.near_miss, found.reason) == (right, False, reason)
