"""What stands in each dialogue's row: whose words are whose, what a verdict rests on, where none is.

The caller asks at 0, 30, 60 s for 4 s each; the agent speaks from 6 to 10 s of a dialogue.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from harness.analysis.analysed_call import CallMaterial, Ending
from harness.analysis.probes.attention import attention
from harness.plans.probes.attended import Attended
from harness.plans.probes.planted import Planted, ProbePlan
from harness.records.call import CallStatus, Event, Gap, SpokenUtterance
from harness.records.scores import ProbeAttention, ProbeReaction, TranscriptLine
from harness.records.timeline import MESSAGES_DROPPED
from metrics.spans import Span
from metrics.speech import Talk

EVERY_S = 30.0
ENTITY = "40 dollars"
"""An amount: what our recogniser has right of 32 of 32 in English."""
SAID = "That is 40 dollars."
LOST = Gap(side="agent", start_s=7.0, end_s=8.0, packets=50)
NOT_TAKEN = "it did not take up the request"
NOT_ANSWERED = "it did not answer the request"


def planned(line: int = 0, **fields: Any) -> Attended:
    made = {"item": f"item-{line}", "request": f"request-{line}", "line": line, "kind": "amount"}
    made |= {"entity": ENTITY, "place": "under_request", "heard": "voice", "snr_db": 5.0}
    return Attended.model_validate(made | fields)


def said(index: int, start_s: float, *, cut_short: bool = False, kind: str = "turn") -> SpokenUtterance:
    fields = {"index": index, "text": "x", "kind": kind, "start_s": start_s, "end_s": start_s + 4.0}
    return SpokenUtterance.model_validate(fields | {"audio_sha256": "", "cut_short": cut_short})


def line(source: str, text: str, *, utterance: int | None = None, start_s: float = 6.0) -> TranscriptLine:
    side = "caller" if source == "agent_asr" else "agent"
    fields = {"side": side, "source": source, "text": text, "start_s": start_s, "end_s": start_s + 2.0}
    return TranscriptLine.model_validate(fields | {"utterance": utterance})


def wrote(text: str, utterance: int = 0) -> TranscriptLine:
    return line("agent_asr", text, utterance=utterance)


def tells(text: str) -> TranscriptLine:
    return line("agent_text", text)


def heard(text: str, start_s: float = 6.0) -> TranscriptLine:
    return line("whisper", text, start_s=start_s)


def spoken(*starts_s: float) -> list[Talk]:
    spans = [Span(start_s=start_s, end_s=start_s + 4.0) for start_s in starts_s]
    return [Talk(span=span, clusters=(span,)) for span in spans]


def over(item: str = "item-0", **fields: Any) -> ProbeReaction:
    made = {"suite": "s", "item": item, "kind": "voice", "planned": "over_agent", "over_agent": True}
    return ProbeReaction.model_validate(made | {"stopped": False, "replied": False} | fields)


def found(
    lines: Sequence[TranscriptLine] = (),
    *,
    of: Sequence[Attended] = (),
    planted: Sequence[Planted] = (),
    utterances: Sequence[SpokenUtterance] | None = None,
    talks: Sequence[Talk] | None = None,
    reactions: Sequence[ProbeReaction] = (),
    recognised: bool = True,
    **material: Any,
) -> list[ProbeAttention]:
    dialogues = of or [planned()]
    spoken_by_caller = [said(one.line, EVERY_S * n) for n, one in enumerate(dialogues)]
    probe = ProbePlan(
        suite="attention", version="1", attended=tuple(dialogues), planted=tuple(planted), setting="set"
    )
    made: dict[str, Any] = {"call_id": "c", "end_s": EVERY_S * len(dialogues), "probe": probe}
    made["utterances"] = spoken_by_caller if utterances is None else utterances
    return attention(
        CallMaterial(**(made | material)),
        lines=lines,
        talks=spoken(6.0) if talks is None else talks,
        reactions=reactions,
        recognised=recognised,
    )


def one(lines: Sequence[TranscriptLine] = (), **how: Any) -> ProbeAttention:
    (only,) = found(lines, **how)
    return only


def verdict(row: ProbeAttention) -> tuple[bool | None, str]:
    return row.success, row.reason


# ---- the row of a dialogue


def test_every_field_of_a_dialogue() -> None:
    plan = planned(2, place="over_agent", words=("boat", "lamp", "tree"))
    how = {"of": [plan], "utterances": [said(2, 1.0)], "language": "en"}
    row = one([wrote(f"a lamp for {ENTITY}", 2)], reactions=[over("item-2", replied=None)], **how)
    assert row == ProbeAttention(
        suite="attention",
        item="item-2",
        request="request-2",
        place="over_agent",
        heard="voice",
        snr_db=5.0,
        kind="amount",
        entity=ENTITY,
        language="en",
        start_s=1.0,
        end_s=5.0,
        taken_up=True,
        source="transcript",
        text=f"a lamp for {ENTITY}",
        took_words=("lamp",),
        stopped=False,
        replied=None,
        success=False,
        reason="it took up the other's words: lamp",
    )
    clean = one([wrote(SAID)])
    assert verdict(clean) == (True, "")
    assert (clean.took_words, clean.stopped, clean.replied) == ((), None, None)


def test_every_field_of_a_dialogue_that_the_call_did_not_come_to() -> None:
    row = one([wrote(SAID)], utterances=[], language="zh")
    assert row == ProbeAttention(
        suite="attention",
        item="item-0",
        request="request-0",
        place="under_request",
        heard="voice",
        snr_db=5.0,
        kind="amount",
        entity=ENTITY,
        language="zh",
        reason="the call ended before it",
    )


def test_a_call_of_no_suite_has_no_dialogues() -> None:
    assert found([wrote(SAID)], probe=None) == []


@pytest.mark.parametrize(
    ("status", "expected"),
    [
        (CallStatus.AGENT_HANGUP, (False, "the agent hung up while the caller asked")),
        (CallStatus.COMPLETED, (None, "the call ended in it")),
        (None, (None, "the call ended in it")),
    ],
)
def test_a_request_that_was_cut_is_the_agent_s_fault_only_where_it_hung_up(
    status: CallStatus | None, expected: tuple[bool | None, str]
) -> None:
    dialogues = [planned(0), planned(1), planned(2)]
    cut = [said(0, 0.0), said(1, 30.0, cut_short=True)]
    ending = Ending(status=status)
    rows = found([wrote(SAID)], of=dialogues, utterances=cut, ending=ending)
    assert [verdict(row) for row in rows] == [(True, ""), expected, (None, "the call ended before it")]
    assert [(row.start_s, row.taken_up) for row in rows] == [(0.0, True), (30.0, None), (None, None)]
    # Each is judged, whatever became of the one before it.
    late = [said(1, 0.0, cut_short=True), said(2, 30.0)]
    rows = found([wrote(SAID, 2)], of=dialogues, utterances=late, talks=spoken(36.0), ending=ending)
    assert [verdict(row) for row in rows] == [(None, "the call ended before it"), expected, (True, "")]


# ---- whose words, and whose reply


def other(index: int, **fields: Any) -> Planted:
    made = {"item": "item-0", "line": index, "kind": "voice", "place": "over_agent"}
    return Planted.model_validate(made | fields)


TWO = [said(0, 0.0), said(1, 5.0, kind="backchannel")]


@pytest.mark.parametrize(
    ("lines", "planted", "utterances", "text"),
    [
        ([wrote("for"), wrote(ENTITY, 1)], [other(1)], TWO, f"for {ENTITY}"),
        ([wrote(ENTITY, 1)], [other(1)], TWO, ENTITY),
        ([wrote("for"), wrote(ENTITY, 1)], [], TWO, "for"),
        ([wrote("for"), wrote(ENTITY, 1)], [other(1, control=True)], TWO, "for"),
        ([wrote("for"), wrote(ENTITY, 1)], [other(1)], TWO[:1], "for"),
        ([wrote("for"), wrote(ENTITY, 2)], [other(2)], [*TWO, said(2, 11.0)], "for"),
        ([wrote(ENTITY, 7)], [], TWO, ""),
    ],
)
def test_what_it_wrote_of_the_other_who_came_next_may_be_of_the_request(
    lines: Sequence[TranscriptLine],
    planted: Sequence[Planted],
    utterances: Sequence[SpokenUtterance],
    text: str,
) -> None:
    row = one(lines, planted=planted, utterances=utterances)
    assert (row.text, row.source, row.taken_up) == (text, "transcript", ENTITY in text)


def test_what_it_wrote_of_the_line_before_is_not_of_the_request() -> None:
    plan = planned(1)
    row = one([wrote(ENTITY, 0)], of=[plan], planted=[other(0)], utterances=[said(0, 0), said(1, 5)])
    assert (row.text, row.taken_up) == ("", False)


@pytest.mark.parametrize(
    ("planted", "expected"),
    [
        ([other(1)], (True, "")),
        ([], (False, NOT_ANSWERED)),
        ([other(1, control=True)], (False, NOT_ANSWERED)),
        ([other(1, heard_back=True)], (False, NOT_ANSWERED)),
    ],
)
def test_only_the_other_s_line_does_not_end_the_reply(
    planted: Sequence[Planted], expected: tuple[bool, str]
) -> None:
    """The agent speaks after the line that follows the request."""
    row = one([heard(SAID, 12.0)], planted=planted, utterances=TWO, talks=spoken(12.0))
    assert verdict(row) == expected


def test_without_a_recogniser_nothing_was_heard() -> None:
    assert verdict(one([heard(SAID)])) == (True, "")
    unknown = (None, "nobody can tell whether it took up the request")
    assert verdict(one([heard(SAID)], recognised=False)) == unknown


# ---- whether the request was taken up


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([wrote(SAID), tells("no"), heard("no")], (True, "transcript", SAID)),
        ([wrote("no"), tells(SAID), heard("no")], (True, "agent_text", SAID)),
        ([wrote("no"), tells("nil"), heard(SAID)], (True, "recogniser", SAID)),
        ([wrote("no"), tells("nil"), heard("none")], (False, "transcript", "no")),
        ([tells("nil"), heard("none")], (False, "agent_text", "nil")),
        ([heard("none")], (False, "recogniser", "none")),
        ([], (False, "recogniser", "")),
    ],
)
def test_any_source_that_has_it_tells_that_it_was_taken_up_else_the_first(
    lines: Sequence[TranscriptLine], expected: tuple[bool, str, str]
) -> None:
    row = one(lines)
    assert (row.taken_up, row.source, row.text) == expected


@pytest.mark.parametrize(
    ("kind", "language", "enough"),
    [("amount", "en", True), ("date", "en", True), ("digits", "en", False), ("amount", "zh", False)],
)
def test_what_we_heard_counts_where_our_recogniser_knows_such_things(
    kind: str, language: str, enough: bool
) -> None:
    """By its measured table: 32 and 31 of 32, 29 of 32, 17 of 27; a share of 0.95 is enough."""
    row = one([heard("none")], of=[planned(kind=kind)], language=language)
    assert (row.taken_up, row.source, row.text) == (
        (False, "recogniser", "none") if enough else (None, "", None)
    )


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([wrote("no", 4)], (None, "", None)),
        ([wrote("no", 4), tells("none")], (False, "agent_text", "none")),
        ([wrote("none")], (False, "transcript", "none")),
        ([wrote(SAID)], (True, "transcript", SAID)),
    ],
)
def test_a_transcript_that_may_have_been_dropped_tells_nothing(
    lines: Sequence[TranscriptLine], expected: tuple[bool | None, str, str | None]
) -> None:
    """Nobody listened: what it heard is known by its own words alone."""
    dropped = Event(t=3.0, side="agent", kind=MESSAGES_DROPPED, source="wire", data={"too large": 1})
    row = one(lines, events=[dropped], recognised=False)
    assert (row.taken_up, row.source, row.text) == expected
    told = one([wrote("no", 4)], recognised=False)
    assert (told.taken_up, told.source, told.text) == (False, "transcript", "")


def test_of_what_is_no_kind_of_entity_nobody_can_tell() -> None:
    row = one([wrote(SAID), heard(SAID)], of=[planned(kind="mood")])
    assert (row.taken_up, row.source, row.text) == (None, "", None)
    assert verdict(row) == (None, "nobody can tell whether it took up the request")


def test_the_entity_is_looked_for_by_its_kind_and_language() -> None:
    assert one([wrote("一共四十块钱。")], of=[planned(entity="四十块")], language="zh").taken_up is True
    # Day and month may be exchanged in a date, and in nothing else.
    swapped = [wrote("on 3 May")]
    assert one(swapped, of=[planned(kind="date", entity="May 3")]).taken_up is True
    assert one(swapped, of=[planned(kind="code", entity="May 3")]).taken_up is False


@pytest.mark.parametrize(
    ("lines", "gaps", "taken_up"),
    [
        ([heard("none")], [LOST], None),
        ([heard("none")], [], False),
        ([heard(SAID)], [LOST], True),
        ([tells("none")], [LOST], False),
        ([wrote("none")], [LOST], False),
        ([wrote("none"), tells("none")], [LOST], False),
    ],
)
def test_what_was_lost_may_have_it_where_the_agent_tells_nothing_itself(
    lines: Sequence[TranscriptLine], gaps: Sequence[Gap], taken_up: bool | None
) -> None:
    row = one(lines, gaps=gaps)
    assert row.taken_up is taken_up
    assert row.success is taken_up


@pytest.mark.parametrize("length", [499, 500, 501])
def test_a_text_is_told_by_its_first_500_characters(length: int) -> None:
    text = "a" * length
    assert one([wrote(text)]).text == (text if length <= 500 else "a" * 499 + "…")


# ---- the other's words


@pytest.mark.parametrize(
    ("lines", "took"),
    [
        ([wrote("the Lamp is")], ("lamp",)),
        ([tells("a lamp")], ("lamp",)),
        ([heard("lamp, boat")], ("boat", "lamp")),
        ([wrote("boat"), tells("x"), heard("lamp")], ("boat", "lamp")),
        ([wrote("lamps and a clamp")], ()),
        ([wrote("a red house")], ("red house",)),
        ([wrote("a red big house")], ()),
        ([wrote("")], ()),
    ],
)
def test_words_are_taken_up_whole_from_any_source(
    lines: Sequence[TranscriptLine], took: tuple[str, ...]
) -> None:
    words = ("boat", "lamp", "red house")
    assert one(lines, of=[planned(words=words)]).took_words == took


def test_chinese_words_stand_within_others() -> None:
    row = one([wrote("我要买台灯吗")], of=[planned(words=("台灯", "灯台"))], language="zh")
    assert row.took_words == ("台灯",)


# ---- the verdict


def test_a_reply_that_never_arrived_is_no_failure() -> None:
    assert verdict(one([wrote(SAID)], talks=[])) == (False, NOT_ANSWERED)
    lost = one([wrote(SAID)], talks=[], gaps=[LOST])
    assert verdict(lost) == (None, "audio of the agent was lost there")
    assert (lost.taken_up, lost.source) == (True, "transcript")
    assert verdict(one([wrote(SAID)], gaps=[LOST])) == (True, "")


@pytest.mark.parametrize(
    ("end_s", "status", "expected"),
    [
        (5.99, CallStatus.TIMEOUT, (None, "the call ended before an answer could come")),
        (6.0, CallStatus.TIMEOUT, (False, NOT_ANSWERED)),
        (5.99, CallStatus.AGENT_HANGUP, (False, NOT_ANSWERED)),
    ],
)
def test_a_call_that_was_over_at_once_left_no_time_for_an_answer(
    end_s: float, status: CallStatus, expected: tuple[bool | None, str]
) -> None:
    """The request ends at 4 s, and an answer has two seconds; who hangs up instead has failed."""
    assert verdict(one(talks=[], end_s=end_s, ending=Ending(status=status))) == expected


def test_an_answer_that_came_is_judged_though_the_call_was_over_at_once() -> None:
    row = one([wrote(SAID)], talks=spoken(4.5), end_s=5.0, ending=Ending(status=CallStatus.TIMEOUT))
    assert verdict(row) == (True, "")


NOT_SPEAKING = "the agent was not speaking when the other voice came"


@pytest.mark.parametrize(
    ("reactions", "expected"),
    [
        ([], (None, NOT_SPEAKING)),
        ([over("another")], (None, NOT_SPEAKING)),
        ([over(over_agent=False)], (None, NOT_SPEAKING)),
        ([over(over_agent=None, reason="it came too late")], (None, "it came too late")),
        ([over(reason="plainly")], (True, "")),
        ([over(stopped=True)], (False, "it stopped for the other voice")),
        ([over(replied=True)], (False, "it answered the other voice")),
        ([over(stopped=None)], (None, "nobody can tell whether it stopped or replied")),
        ([over(replied=None)], (None, "nobody can tell whether it stopped or replied")),
    ],
)
def test_into_its_speech_it_is_asked_what_it_did_about_the_other(
    reactions: Sequence[ProbeReaction], expected: tuple[bool | None, str]
) -> None:
    row = one([wrote(SAID)], of=[planned(place="over_agent")], reactions=reactions)
    assert verdict(row) == expected
    its_own = [reaction for reaction in reactions if reaction.item == "item-0"]
    assert row.stopped == (its_own[0].stopped if its_own else None)
    assert row.replied == (its_own[0].replied if its_own else None)
    # Under the request it is not.
    under = one([wrote(SAID)], reactions=reactions)
    assert verdict(under) == (True, "")
    assert (under.stopped, under.replied) == (row.stopped, row.replied)


def test_who_did_not_answer_has_failed_whether_the_other_came_or_not() -> None:
    row = one([wrote(SAID)], of=[planned(place="over_agent")], talks=[])
    assert verdict(row) == (False, NOT_ANSWERED)


def test_each_verdict_rests_on_what_was_taken_up() -> None:
    assert verdict(one([wrote("no")])) == (False, NOT_TAKEN)
    assert verdict(one([wrote(f"{ENTITY} boat")], of=[planned(words=("boat",))])) == (
        False,
        "it took up the other's words: boat",
    )
