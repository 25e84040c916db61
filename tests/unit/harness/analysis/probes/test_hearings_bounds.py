"""What stands in each line's row: what it rests on, what is not known and why, and what an agent did.

The caller says its lines at 2, 22, 42 s for 4 s each; the agent speaks from 7 to 10 s.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.probes.hearings import hearings
from harness.plans.call import NoisePlan
from harness.plans.probes.asked import Asked
from harness.plans.probes.planted import ProbePlan
from harness.records.call import Event, Gap, SpokenUtterance
from harness.records.scores import ProbeHearing, TranscriptLine
from harness.records.timeline import MESSAGES_DROPPED
from metrics.spans import Span
from metrics.speech import Talk

FIRST_S, EVERY_S = 2.0, 20.0
SENTENCE = "I want the red boat."
NO_TRANSCRIPT = "the agent does not expose its own transcript of the caller"
NOT_BACK = "it did not say it back"
MAY_BE_AMONG = "messages of the agent were dropped: its transcript of this line may have been among them"
LOST = Gap(side="agent", start_s=7.0, end_s=8.0, packets=50)


def asked(line: int = 0, **fields: Any) -> Asked:
    made = {"item": f"item-{line}", "line": line, "kind": "sentence"}
    return Asked.model_validate(made | fields)


def said(index: int, start_s: float = FIRST_S, **fields: Any) -> SpokenUtterance:
    made = {"index": index, "text": SENTENCE, "kind": "turn", "start_s": start_s, "end_s": start_s + 4.0}
    return SpokenUtterance.model_validate(made | {"audio_sha256": ""} | fields)


def line(source: str, text: str, **fields: Any) -> TranscriptLine:
    side = "caller" if source == "agent_asr" else "agent"
    made = {"side": side, "source": source, "text": text, "start_s": 7.0, "end_s": 9.0}
    return TranscriptLine.model_validate(made | fields)


def wrote(text: str, utterance: int = 0) -> TranscriptLine:
    return line("agent_asr", text, utterance=utterance)


def tells(text: str) -> TranscriptLine:
    return line("agent_text", text)


def heard(text: str, **fields: Any) -> TranscriptLine:
    return line("whisper", text, **fields)


def dropped(kind: str = MESSAGES_DROPPED, source: str = "wire") -> Event:
    return Event(t=3.0, side="agent", kind=kind, source=source, data={"too large": 1})


def found(
    lines: Sequence[TranscriptLine] = (),
    *,
    of: Sequence[Asked] = (),
    utterances: Sequence[SpokenUtterance] | None = None,
    spoke: bool = True,
    recognised: bool = True,
    **material: Any,
) -> list[ProbeHearing]:
    items = of or [asked()]
    probe = ProbePlan(suite="s", version="1", asked=tuple(items), setting="babble", against="quiet")
    made: dict[str, Any] = {"call_id": "c", "end_s": FIRST_S + EVERY_S * len(items), "probe": probe}
    whole = [said(one.line, FIRST_S + EVERY_S * n) for n, one in enumerate(items)]
    made["utterances"] = whole if utterances is None else utterances
    span = Span(start_s=7.0, end_s=10.0)
    talks = [Talk(span=span, clusters=(span,))] if spoke else []
    return hearings(CallMaterial(**(made | material)), lines=lines, talks=talks, recognised=recognised)


def one(lines: Sequence[TranscriptLine] = (), **how: Any) -> ProbeHearing:
    (only,) = found(lines, **how)
    return only


# ---- the row of a line


def test_every_field_of_a_sentence() -> None:
    plain: dict[str, Any] = {
        "suite": "s",
        "item": "item-0",
        "kind": "sentence",
        "language": "en",
        "setting": "babble",
    }
    plain |= {"against": "quiet", "said": SENTENCE, "start_s": 2.0, "end_s": 6.0}
    noise = NoisePlan(snr_db=5.0)
    # One word is missing and one is another, of five.
    assert one([wrote("I want red goat.")], noise=noise) == ProbeHearing.model_validate(
        plain | {"snr_db": 5.0, "heard": "I want red goat.", "source": "transcript", "errors": 2, "length": 5}
    )
    assert one() == ProbeHearing.model_validate(
        plain | {"length": 5, "unheard": True, "reason": NO_TRANSCRIPT}
    )
    # Where it writes of other lines, it wrote nothing of this one.
    assert one([wrote("Well.", 3)]) == ProbeHearing.model_validate(
        plain | {"heard": "", "source": "transcript", "errors": 5, "length": 5}
    )


def test_every_field_of_what_was_not_said_to_its_end() -> None:
    items = [asked(0, entity="Okafor", kind="name"), asked(1, usable="good"), asked(2)]
    utterances = [said(1, cut_short=True), said(2, 22.0)]
    noise = NoisePlan(snr_db=-5.0)
    common = {"suite": "s", "language": "en", "setting": "babble", "against": "quiet", "snr_db": -5.0}
    first, second, third = found([wrote(SENTENCE, 2)], of=items, utterances=utterances, noise=noise)
    assert first == ProbeHearing.model_validate(
        common | {"item": "item-0", "kind": "name", "entity": "Okafor", "reason": "the call ended before it"}
    )
    assert second == ProbeHearing.model_validate(
        common
        | {"item": "item-1", "kind": "sentence", "usable": "good", "reason": "the call ended in it"}
        | {"said": SENTENCE, "start_s": 2.0, "end_s": 6.0}
    )
    # What comes after it is judged.
    assert (third.errors, third.start_s) == (0, 22.0)


def test_a_call_in_which_nothing_was_said_has_a_row_for_each_line() -> None:
    items = [asked(0), asked(1, usable="good")]
    rows = found([heard("Hello?")], of=items, utterances=[])
    assert [(row.item, row.reason) for row in rows] == [
        ("item-0", "the call ended before it"),
        ("item-1", "the call ended before it"),
    ]


def test_a_call_of_no_suite_has_no_lines() -> None:
    assert found([wrote(SENTENCE)], probe=None) == []


@pytest.mark.parametrize(
    ("lines", "events", "unheard", "length"),
    [
        ([], [], True, 5),
        ([], [dropped()], False, None),
        ([], [dropped(source="rtvi")], True, 5),
        ([], [dropped(kind="connected")], True, 5),
        ([], [dropped(kind="connected"), dropped()], False, None),
        ([wrote("x", 3)], [], False, 5),
        ([wrote("x", 3)], [dropped()], False, None),
        ([wrote("x")], [dropped()], False, 5),
        ([heard("x"), tells("x")], [], True, 5),
    ],
)
def test_that_nothing_was_heard_is_known_where_no_message_was_dropped(
    lines: Sequence[TranscriptLine], events: Sequence[Event], unheard: bool, length: int | None
) -> None:
    row = one(lines, events=events)
    assert (row.unheard, row.length) == (unheard, length)
    of_a_name = one(lines, events=events, of=[asked(kind="name", entity="Okafor")])
    assert (of_a_name.unheard, of_a_name.length) == (unheard, None)
    rejected = one(lines, events=events, of=[asked(usable="sound")])
    assert (rejected.unheard, rejected.length) == (False, None)


def test_chinese_is_counted_by_characters_and_english_by_words() -> None:
    utterances = [said(0, text="我想要红色的船")]
    row = one([wrote("我想要红色船")], utterances=utterances, language="zh")
    assert (row.errors, row.length, row.language) == (1, 7, "zh")


def test_a_text_that_cannot_be_aligned_says_so() -> None:
    row = one([wrote("a" * 20_001)])
    assert row.reason.startswith("a text of 20001 characters is too long to align")
    assert (row.heard, row.errors, row.length, row.source) == (None, None, None, "")


@pytest.mark.parametrize("length", [499, 500, 501])
@pytest.mark.parametrize(
    ("source", "item"),
    [
        ("agent_asr", asked()),
        ("agent_asr", asked(kind="name", entity="Okafor")),
        ("whisper", asked(kind="name", entity="Okafor")),
        ("whisper", asked(usable="good")),
    ],
)
def test_a_text_is_told_by_its_first_500_characters(source: str, item: Asked, length: int) -> None:
    text = "a" * length
    row = one([line(source, text, utterance=0)], of=[item])
    assert row.heard == (text if length <= 500 else "a" * 499 + "…")


# ---- an entity

NAME = asked(kind="name", entity="Okafor")
DIGITS = asked(kind="digits", entity="4156")


def entity(row: ProbeHearing) -> tuple[str | None, str, bool | None, bool, str]:
    return row.heard, row.source, row.right, row.near_miss, row.reason


@pytest.mark.parametrize(
    ("text", "right", "near_miss"),
    [("It is Okafor.", True, False), ("It is Ukafur.", False, True), ("One moment.", False, False)],
)
def test_its_own_transcript_decides_whatever_it_says(text: str, right: bool, near_miss: bool) -> None:
    lines = [wrote(text), tells("Okafor"), heard("Okafor")]
    assert entity(one(lines, of=[NAME])) == (text, "transcript", right, near_miss, "")
    assert entity(one(lines, of=[NAME], spoke=False)) == (text, "transcript", right, near_miss, "")


@pytest.mark.parametrize("source", ["agent_text", "recogniser"])
@pytest.mark.parametrize(
    ("text", "right", "near_miss", "reason"),
    [
        ("It is Okafor.", True, False, ""),
        ("It is ukafur.", False, True, ""),
        ("It is Miller.", False, False, ""),
        ("One moment.", None, False, NOT_BACK),
        ("Could you repeat that, Miller?", None, False, NOT_BACK),
    ],
)
def test_without_one_what_it_said_back_decides(
    source: str, text: str, right: bool | None, near_miss: bool, reason: str
) -> None:
    # What it tells itself comes before what we heard.
    lines = [heard(text)] if source == "recogniser" else [tells(text), heard("It is Smith.")]
    assert entity(one(lines, of=[NAME])) == (text, source, right, near_miss, reason)


def test_a_number_is_said_back_by_its_own_kind_and_language() -> None:
    assert one([heard("It is 4 1 5 6.")], of=[DIGITS]).right is True
    assert one([heard("It is 4 1 5 7.")], of=[DIGITS]).right is False
    assert one([heard("It is Miller.")], of=[DIGITS]).right is None
    chinese = one([heard("是五月三号。")], of=[asked(kind="date", entity="五月四号")], language="zh")
    assert (chinese.right, chinese.reason) == (False, "")


def test_of_what_it_did_not_say_nothing_is_known() -> None:
    nothing = f"{NO_TRANSCRIPT}, and nothing was transcribed"
    assert entity(one([heard("Okafor")], of=[NAME], recognised=False)) == (None, "", None, False, nothing)
    assert entity(one(of=[NAME], spoke=False)) == ("", "recogniser", None, False, "it said nothing")
    late = [tells("Okafor")]
    assert entity(one(late, of=[NAME], spoke=False)) == (
        "Okafor",
        "agent_text",
        None,
        False,
        "it said nothing",
    )


def test_what_is_no_kind_of_entity_is_named() -> None:
    kind = "m" * 40
    row = one([wrote("Okafor")], of=[asked(kind=kind, entity="Okafor")])
    assert entity(row) == (None, "", None, False, f"'{kind}' is no kind of entity")


BANK = "Thanks, this is Meridian speaking."


@pytest.mark.parametrize(
    ("greeting", "its_own"),
    [
        (heard("Meridian Bank, hello.", start_s=0.5, end_s=1.5), True),
        (line("agent_text", "Meridian Bank, hello.", start_s=1.99, end_s=2.5), True),
        (heard("Meridian Bank, hello.", start_s=2.0, end_s=2.5), False),
        (heard("Meridian Bank, hello.", start_s=15.0, end_s=16.0), False),
        (heard("Good morning.", start_s=0.5, end_s=1.5), False),
        (heard("Meridian Bank, hello.", start_s=0.5, end_s=1.5, side="caller"), False),
    ],
)
def test_a_name_of_its_greeting_is_not_said_back(greeting: TranscriptLine, its_own: bool) -> None:
    """The greeting is what the agent said before the first line, at 2 s; another comes at 22 s."""
    reply = tells(BANK)
    row = found([greeting, reply], of=[NAME, asked(1)])[0]
    assert (row.right, row.reason) == ((None, NOT_BACK) if its_own else (False, ""))


def test_names_of_a_greeting_in_parts_are_all_its_own() -> None:
    parts = [
        heard("Good morning.", start_s=0.1, end_s=0.5),
        heard("Meridian.", start_s=0.6, end_s=0.9),
        heard("Bank.", start_s=1.0, end_s=1.5),
    ]
    assert one([*parts, heard(BANK)], of=[NAME]).right is None


# ---- a call that is over at once

ENDED = "the call ended before it could be written down"


@pytest.mark.parametrize("item", [asked(1), asked(1, kind="name", entity="Okafor")])
@pytest.mark.parametrize(("end_s", "ended"), [(27.99, True), (28.0, False), (0.0, False)])
@pytest.mark.parametrize("told", [True, False])
def test_what_could_not_be_written_before_the_end_is_not_missing(
    item: Asked, end_s: float, ended: bool, told: bool
) -> None:
    """The second line ends at 26 s, and a transcript has two seconds."""
    lines = [wrote(SENTENCE, 0)] if told else []
    first, last = found(lines, of=[asked(0), item], spoke=False, end_s=end_s)
    assert (first.reason == ENDED, last.reason == ENDED) == (False, ended)
    wrong = (None, False) if item.entity else (5, None)
    assert (last.errors, last.right) == (wrong if told and not ended else (None, None))
    # Whether it heard nothing in the whole call is asked of the others alone.
    assert last.unheard is (not told and not ended)


def test_what_was_written_at_once_is_judged_though_the_call_was_over() -> None:
    assert found([wrote(SENTENCE, 0)], end_s=6.5)[0].errors == 0
    assert found([wrote("Okafor", 0)], of=[NAME], end_s=6.5)[0].right is True


# ---- what it did


def did(row: ProbeHearing) -> tuple[str | None, str | None, str, str]:
    return row.did, row.heard, row.source, row.reason


def rejected(lines: Sequence[TranscriptLine] = (), **how: Any) -> ProbeHearing:
    return one(lines, of=[asked(usable="speech", kind="reversed", entity="Okafor")], **how)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It opens at nine.", "answered"),
        ("Sorry, could you say that again?", "asked_again"),
        ("请再说一遍。", "asked_again"),
        ("我们九点开门。", "answered"),
        ("Sorry, I lost you there for a second.", "asked_again"),
        ("我only caught half of that, sorry.", "asked_again"),
        ("Your last message came through clearly and has been answered.", "answered"),
        ("你的last message came through clearly and has been answered.", "answered"),
        ("Um.", "silent"),
        ("One moment, please.", "silent"),
    ],
)
@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_it_did_is_told_by_its_words_in_whatever_language(
    text: str, expected: str, language: str
) -> None:
    assert did(rejected([heard(text)], language=language)) == (expected, text, "recogniser", "")


def test_what_was_heard_comes_before_what_it_tells() -> None:
    both = [heard("Um."), tells("It opens at nine.")]
    assert did(rejected(both)) == ("silent", "Um.", "recogniser", "")
    told = ("answered", "It opens at nine.", "agent_text", "")
    assert did(rejected(both, recognised=False)) == told
    # Its transcript of the caller says nothing of what it did.
    assert did(rejected([wrote("Okafor"), heard("Um.")])) == ("silent", "Um.", "recogniser", "")


@pytest.mark.parametrize(("lines", "recognised"), [([], True), ([], False), ([tells("")], False)])
def test_a_sound_without_known_words_is_no_verdict(lines: Sequence[TranscriptLine], recognised: bool) -> None:
    unknown = (None, None, "", "it made a sound, and its words are not known")
    assert did(rejected(lines, recognised=recognised)) == unknown


@pytest.mark.parametrize(
    ("end_s", "gaps", "expected", "reason"),
    [
        (7.99, (), None, "the call ended before an answer could come"),
        (8.0, (), "silent", ""),
        (22.0, (), "silent", ""),
        (22.0, (LOST,), None, "audio of the agent was lost there"),
        (7.99, (LOST,), None, "audio of the agent was lost there"),
    ],
)
def test_silence_is_told_where_an_answer_could_have_come_and_been_heard(
    end_s: float, gaps: Sequence[Gap], expected: str | None, reason: str
) -> None:
    """The line ends at 6 s, and an answer has two seconds."""
    assert did(rejected(spoke=False, end_s=end_s, gaps=gaps)) == (expected, None, "", reason)


def test_a_reply_is_judged_though_some_of_it_was_lost() -> None:
    assert rejected([heard("It opens at nine.")], gaps=(LOST,)).did == "answered"


def test_what_dropped_messages_may_have_told_of_is_no_missing_word() -> None:
    """It writes of another line, and of this one nothing that reached us."""
    row = one([wrote("Well.", 3)], events=[dropped()])
    assert (row.errors, row.length, row.heard, row.source) == (None, None, None, "")
    assert row.reason == MAY_BE_AMONG
    # What did reach us counts as ever.
    row = one([wrote("I want the boat.")], events=[dropped()])
    assert (row.errors, row.length, row.reason) == (1, 5, "")


def test_an_entity_that_dropped_messages_may_have_told_of_is_read_from_what_was_said_back() -> None:
    name = asked(kind="name", entity="Okafor")
    row = one([wrote("Well.", 3), heard("It is Okafor.")], of=[name], events=[dropped()])
    assert (row.source, row.right) == ("recogniser", True)
    row = one([wrote("Well.", 3)], of=[name], events=[dropped()], recognised=False)
    assert (row.right, row.reason) == (None, f"{MAY_BE_AMONG}, and nothing was transcribed")
    # Its own words, of which it tells elsewhere, may be among them, too.
    later = line("agent_text", "Goodbye.", start_s=90.0, end_s=91.0)
    row = one([later, heard("It is Okafor.")], of=[name], events=[dropped()])
    assert (row.source, row.right) == ("recogniser", True)
    row = one([later, heard("It is Okafor.")], of=[name])
    assert (row.source, row.right) == ("agent_text", None)
