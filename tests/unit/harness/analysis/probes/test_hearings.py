"""What an agent made of each line of made calls: by its transcript, by what it said back, by what it did."""

from __future__ import annotations

from typing import Any

import pytest

from harness.records.call import Event, Gap
from harness.records.scores import ProbeHearing
from harness.records.timeline import MESSAGES_DROPPED
from tests.unit.harness.analysis.probes.spoken_calls import hearings_of, plans_of


def no_transcript(*_: Any) -> None:
    return None


def of_kind(found: list[ProbeHearing], kind: str) -> ProbeHearing:
    return next(one for one in found if one.kind == kind)


def test_a_sentence_is_aligned_with_the_agents_transcript() -> None:
    plan = next(one for one in plans_of("noise") if "babble-5-db" in one.call_id)
    found = hearings_of(plan, understands=lambda _, item: item.say.replace("the ", "a ", 1))
    assert [one.item for one in found] == [one.item for one in plan.probe.asked]  # type: ignore[union-attr]
    assert {one.setting for one in found} == {"babble 5 dB"}
    assert {one.snr_db for one in found} == {5.0}
    wrong = [one for one in found if "the " in one.said]
    assert wrong
    assert all(one.errors == 1 and one.source == "transcript" for one in wrong)
    assert all(one.length == len(one.said.rstrip(".?").split()) for one in wrong)


def test_what_the_agent_wrote_nothing_of_is_missing_and_not_unknown() -> None:
    plan = plans_of("noise")[0]
    first = plan.probe.asked[0].item  # type: ignore[union-attr]
    found = hearings_of(plan, understands=lambda _, item: None if item.id == first else item.say)
    assert (found[0].errors, found[0].heard) == (found[0].length, "")
    none_told = hearings_of(plan, understands=no_transcript)
    assert {one.errors for one in none_told} == {None}
    assert {one.reason for one in none_told} == {"the agent does not expose its own transcript of the caller"}


def test_lines_that_were_not_said_say_so() -> None:
    found = hearings_of(plans_of("noise")[0], lines_said=3)
    assert [one.reason for one in found[:3]] == [""] * 3
    assert {one.reason for one in found[3:]} == {"the call ended before it"}


def test_chinese_is_counted_by_characters() -> None:
    plan = next(one for one in plans_of("noise") if one.language == "zh")
    found = hearings_of(plan, understands=lambda _, item: item.say[1:])
    assert all(one.errors == 1 and one.length == len(one.said) - 1 for one in found)


@pytest.mark.parametrize(
    ("understands", "tells", "reply", "source", "right"),
    [
        (lambda _, item: item.say, False, "Okay.", "transcript", True),
        (lambda _, item: "something else", True, "{}", "transcript", False),
        (no_transcript, True, "You said {}.", "agent_text", True),
        (no_transcript, False, "You said {}.", "recogniser", True),
        (no_transcript, False, "It is 7 7 7 9 1.", "recogniser", False),
        (no_transcript, False, "I cannot do that.", "recogniser", None),
        (no_transcript, False, "Sorry, could you repeat the 4 numbers?", "recogniser", None),
    ],
)
def test_where_an_entity_is_read_from(
    understands: Any, tells: bool, reply: str, source: str, right: bool | None
) -> None:
    found = [
        one
        for plan in plans_of("entities")[:13]
        for one in hearings_of(
            plan,
            understands=understands,
            replies=lambda _, item: reply.format(item.entity),
            tells_its_text=tells,
        )
        if one.kind == "digits"
    ]
    assert len(found) == 16
    assert {(one.source, one.right) for one in found} == {(source, right)}
    if right is None:
        assert {one.reason for one in found} == {"it did not say it back"}


def test_a_name_that_sounds_alike_is_wrong_and_told() -> None:
    found = [
        one
        for plan in plans_of("entities")[:13]
        for one in hearings_of(
            plan, understands=no_transcript, replies=lambda _, item: f"Yes, {item.entity.replace('o', 'u')}."
        )
        if one.item == "name-en-2"
    ]
    assert (found[0].entity, found[0].right, found[0].near_miss) == ("Okafor", False, True)


def rejecting(plan_number: int = 0, **how: Any) -> list[ProbeHearing]:
    return hearings_of(plans_of("rejection")[plan_number], **how)


@pytest.mark.parametrize(
    ("reply", "did"),
    [
        ("Sorry, could you say that again?", "asked_again"),
        ("It opens at nine.", "answered"),
        ("Um.", "silent"),
    ],
)
def test_what_it_did(reply: str, did: str) -> None:
    found = rejecting(replies=lambda *_: reply)
    assert {one.did for one in found} == {did}
    assert {one.source for one in found} == {"recogniser"}


def test_silence_is_told_where_there_was_time_for_an_answer() -> None:
    found = rejecting(replies=no_transcript)
    assert {one.did for one in found} == {"silent"}
    lost = Gap(side="agent", start_s=3.5, end_s=4.0, packets=25)
    with_gap = rejecting(replies=no_transcript, gaps=(lost,))
    assert (with_gap[0].did, with_gap[0].reason) == (None, "audio of the agent was lost there")
    cut = rejecting(replies=no_transcript, end_s=94.0)
    assert (cut[-1].did, cut[-1].reason) == (None, "the call ended before an answer could come")


def test_a_sound_without_words_is_no_verdict() -> None:
    found = rejecting(replies=lambda *_: "Yes.", recognised=False)
    assert {(one.did, one.reason) for one in found} == {
        (None, "it made a sound, and its words are not known")
    }


def test_only_what_can_be_understood_asks_for_an_answer() -> None:
    from harness.analysis.probes.places import asides_apart
    from harness.records.call import SpokenUtterance

    plan = plans_of("rejection")[0]
    assert plan.probe is not None
    said = [
        SpokenUtterance(
            index=one.line, text="x", kind="turn", start_s=one.line, end_s=one.line + 0.5, audio_sha256="0"
        )
        for one in plan.probe.asked
    ]
    kinds = {one.index: one.kind for one in asides_apart(said, plan.probe)}
    assert {kinds[one.line] for one in plan.probe.asked if one.usable == "good"} == {"turn"}
    assert {kinds[one.line] for one in plan.probe.asked if one.usable != "good"} == {"backchannel"}


def test_whether_a_line_was_heard_is_unknown_where_messages_were_dropped() -> None:
    dropped = Event(t=9.0, side="agent", kind=MESSAGES_DROPPED, source="wire", data={"too large": 1})
    plan = plans_of("noise")[0]
    plain, lost = (hearings_of(plan, understands=no_transcript, events=events) for events in ((), (dropped,)))
    assert {(one.unheard, one.length is None) for one in plain} == {(True, False)}
    assert {(one.unheard, one.length is None) for one in lost} == {(False, True)}
    assert not any(one.unheard for one in hearings_of(plan))
