"""Which sentences were read, by what the agent tells that it said, or by what was heard of it."""

from __future__ import annotations

from typing import Any

import pytest

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.probes.readings import readings
from harness.plans.probes.planted import ProbePlan
from harness.records.call import Gap, SpokenUtterance
from harness.records.scores import ProbeReading, TranscriptLine
from metrics.spans import Span
from metrics.speech import Talk

TEXTS = ("The total comes to $4.99 today.", "Your parcel leaves at 7:30 on Monday.")
PROBE = ProbePlan.model_validate(
    {
        "suite": "symbols",
        "version": "1",
        "to_read": [
            {"item": "price", "line": 0, "kind": "currency", "text": TEXTS[0], "key": "$4.99"},
            {"item": "time", "line": 1, "kind": "time", "text": TEXTS[1], "key": "7:30"},
        ],
    }
)


def _read(
    *replies: str | None, source: str = "agent_text", recognised: bool = True, **of_material: Any
) -> list[ProbeReading]:
    """A call in which each sentence is asked for every ten seconds and answered, if at all, after 3 s."""
    utterances, lines, talks = [], [], []
    for index, reply in enumerate(replies):
        start_s = 10.0 * index
        utterances.append(
            SpokenUtterance(
                index=index,
                text="Please read it.",
                kind="turn",
                start_s=start_s,
                end_s=start_s + 2,
                audio_sha256="0",
            )
        )
        if reply is None:
            continue
        span = Span(start_s=start_s + 3, end_s=start_s + 7)
        talks.append(Talk(span=span, clusters=(span,)))
        lines.append(
            TranscriptLine.model_validate(
                {
                    "side": "agent",
                    "source": source,
                    "text": reply,
                    "start_s": span.start_s,
                    "end_s": span.end_s,
                }
            )
        )
    material = CallMaterial(
        call_id="one",
        utterances=utterances,
        end_s=10.0 * len(replies),
        language="en",
        probe=PROBE,
        **of_material,
    )
    return readings(material, lines=lines, talks=talks, recognised=recognised)


def test_a_sentence_is_said_however_its_key_was() -> None:
    price, time = _read("The total comes to dollar four today.", "I'd rather not.")
    assert (price.said, price.source, price.share, price.reason) == (True, "agent_text", 1.0, "")
    assert (price.start_s, price.end_s) == (3.0, 7.0)
    assert (time.said, time.reason) == (False, "it said something else")


def test_without_its_own_words_what_was_heard_counts() -> None:
    price, _ = _read("the total comes to four ninety nine today", None, source="whisper")
    assert (price.said, price.source) == (True, "recogniser")


def test_nothing_said_and_nothing_asked_are_told_apart() -> None:
    price, time = _read(None)
    assert (price.said, price.reason) == (False, "it said nothing")
    assert (time.said, time.reason) == (None, "the call ended before it")


def test_another_sentence_of_the_call_is_not_this_one() -> None:
    price, _ = _read("Your parcel leaves at half past seven on Monday.", None)
    assert price.said is False
    # One word in common is not half of them.
    assert price.reason == "it said something else"


def test_of_two_alike_the_nearer_one_was_read() -> None:
    alike = PROBE.model_copy(
        update={
            "to_read": (
                PROBE.to_read[0],
                PROBE.to_read[1].model_copy(
                    update={"text": "The total comes to $4.99 today, plus 2 cups.", "key": "2"}
                ),
            )
        }
    )
    own = SpokenUtterance(
        index=0, text="Please read it.", kind="turn", start_s=0.0, end_s=2.0, audio_sha256="0"
    )
    span = Span(start_s=3.0, end_s=7.0)
    line = TranscriptLine.model_validate(
        {
            "side": "agent",
            "source": "agent_text",
            "text": "The total comes today, plus cups.",
            "start_s": 3.0,
            "end_s": 7.0,
        }
    )
    found = readings(
        CallMaterial(call_id="one", utterances=[own], end_s=10.0, language="en", probe=alike),
        lines=[line],
        talks=[Talk(span=span, clusters=(span,))],
        recognised=True,
    )
    assert (found[0].said, found[0].share) == (True, 0.8)
    assert found[0].reason == ""


def test_sound_without_words_is_not_known() -> None:
    price, _ = _read("x", None, source="agent_asr", recognised=False)
    assert price.said is None
    assert price.reason.startswith("its words are not known")


@pytest.mark.parametrize(("reply", "said"), [(None, None), (TEXTS[0], True)])
def test_lost_sound_is_told(reply: str | None, said: bool | None) -> None:
    price, _ = _read(reply, None, gaps=[Gap(side="agent", start_s=4.0, end_s=4.5, packets=25)])
    assert (price.said, price.reason) == (said, "audio of the agent was lost there")
