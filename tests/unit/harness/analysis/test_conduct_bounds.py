"""What stands in each turn's row: every field by hand, which words and messages are its own, what hides it.

The caller's turn lasts from 0 to 5 s with a pause from the second to the third second; its next begins at
20 s. What became of each turn is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from harness.analysis.analysed_call import CallMaterial, Ending
from harness.analysis.conduct import conducted
from harness.analysis.timing import CallTiming
from harness.records.call import CallStatus, Event, Gap, SpokenUtterance
from harness.records.scores import TranscriptLine, TranscriptWord, TurnConduct, TurnTiming
from metrics.detection.line_echo import EchoPath, LineEcho
from metrics.interaction.conduct import HIDES_AN_ENTRY
from metrics.interaction.entry import Entry
from metrics.interaction.outcome import TurnOutcome
from metrics.score import Status
from metrics.spans import Span
from metrics.speech import SpeechActivity, Talk

EVERY_S = 20.0
FEW = "under 4 words were heard"
UNKNOWN = "what the caller said is not known"
AGAIN = "the caller asked for it again, or the same again"
LINE_ECHO = EchoPath(delay_s=0.1, gain_db=-20.0, talks=1, seconds=2.0)
ANSWERED, IN_PART = TurnOutcome.ANSWERED, TurnOutcome.IN_PART
Part = tuple[float, float]


def talk(start_s: float, end_s: float, *, soft: bool = True, hidden: Sequence[Part] = ()) -> Talk:
    span = Span(start_s=start_s, end_s=end_s)
    places = tuple(Span(start_s=start, end_s=end) for start, end in hidden)
    return Talk(span=span, clusters=(span,), soft_end=soft, hidden=places, echo=LINE_ECHO if places else None)


def activity(talks: Sequence[Talk], echo: LineEcho | None = None) -> SpeechActivity:
    return SpeechActivity(
        talks=tuple(talks),
        energy=tuple(one.span for one in talks),
        silero=(),
        webrtcvad=(),
        noise_floor_dbfs=None,
        threshold_dbfs=-48.0,
        echo=echo,
    )


def conduct_of(
    talks: Sequence[Talk],
    outcomes: Sequence[TurnOutcome] = (ANSWERED,),
    *,
    texts: Sequence[str] = (),
    lines: Sequence[TranscriptLine] = (),
    recognised: bool = True,
    echo: LineEcho | None = None,
    besides: Sequence[SpokenUtterance] = (),
    **material: Any,
) -> list[TurnConduct]:
    """A call with one turn for each outcome, and one more at its end that was not due an answer."""
    count = len(outcomes) + 1
    places = [(number * EVERY_S, number * EVERY_S + 5) for number in range(count)]
    said = [
        SpokenUtterance(
            index=number,
            text=texts[number] if number < len(texts) else f"My order number {number} is late.",
            kind="turn",
            start_s=start_s,
            end_s=end_s,
            audio_sha256="",
        )
        for number, (start_s, end_s) in enumerate(places)
    ]
    rows = [
        TurnTiming(
            index=number,
            user_start_s=start_s,
            user_end_s=end_s,
            status=Status.NOT_APPLICABLE,
            reason="not looked for",
            outcome=outcome,
        )
        for number, ((start_s, end_s), outcome) in enumerate(
            zip(places, [*outcomes, TurnOutcome.NOT_DUE], strict=True)
        )
    ]
    caller = activity([talk(start + a, start + b) for start, _ in places for a, b in ((0, 2), (3, 5))])
    made: dict[str, Any] = {
        "call_id": "c",
        "utterances": [*said, *besides],
        "end_s": count * EVERY_S,
        "ending": Ending(status=CallStatus.CALLER_HANGUP, reason="agent_silent"),
    }
    return conducted(
        rows,
        timing=CallTiming(agent=activity(talks, echo), latencies=[], on_wire=[], interruptions=[]),
        material=CallMaterial(**(made | material)),
        lines=lines,
        caller=caller,
        recognised=recognised,
    )


def words(
    *placed: tuple[float, str], side: str = "agent", source: str = "whisper", **more: Any
) -> TranscriptLine:
    """A line of words, each at its time."""
    made = [TranscriptWord(word=word, start_s=t, end_s=t + 0.01) for t, word in placed]
    fields = {"start_s": placed[0][0], "end_s": placed[-1][0], "text": " ".join(word for _, word in placed)}
    return TranscriptLine.model_validate({"side": side, "source": source, "words": made} | fields | more)


def at(t: float, text: str) -> TranscriptLine:
    return words(*((t, word) for word in text.split()))


# ---- the row of a turn


def test_every_field_of_an_answered_turn() -> None:
    agent = [talk(2.6, 3.5, soft=False), talk(5.5, 7.0), talk(8.25, 9.5)]
    assert conduct_of(agent, lines=[at(6.0, "It will come on Monday.")]) == [
        TurnConduct(
            index=0,
            start_s=0.0,
            end_s=5.0,
            entry=Entry.SPLIT,
            entry_at_s=2.6,
            entry_reason="the agent began 0.60 s into a pause of 1.00 s",
            double_talk_s=0.5,
            pauses=1,
            told=None,
            replied=True,
            answered=True,
            cut="",
            empty=False,
            reply_at_s=5.5,
            reply_end_s=9.5,
            silence_s=1.25,
            silence_at_s=7.0,
            repeats=False,
            repeats_reason="",
        )
    ]


@pytest.mark.parametrize(
    ("outcome", "answered"), [(TurnOutcome.TALKED_OVER, None), (TurnOutcome.NOT_ANSWERED, False)]
)
def test_every_field_of_a_turn_without_a_reply(outcome: TurnOutcome, answered: bool | None) -> None:
    """Whatever is heard after it."""
    heard = [at(6.0, "It will come on Monday.")]
    bare = TurnConduct(index=0, start_s=0.0, end_s=5.0, pauses=1, replied=False, answered=answered)
    assert conduct_of([talk(5.5, 9.5, soft=False)], [outcome], lines=heard) == [bare]
    assert conduct_of([], [outcome]) == [bare]


@pytest.mark.parametrize("outcome", [ANSWERED, IN_PART])
def test_a_reply_of_which_no_speech_was_found_has_no_times(outcome: TurnOutcome) -> None:
    assert conduct_of([], [outcome], recognised=False) == [
        TurnConduct(index=0, start_s=0.0, end_s=5.0, pauses=1, replied=True, answered=True)
    ]


def test_a_reply_in_part_broke_off_or_is_empty() -> None:
    def of(outcome: TurnOutcome, *, soft: bool) -> tuple[str, bool]:
        (one,) = conduct_of([talk(5.5, 6.25, soft=soft)], [outcome])
        return one.cut, one.empty

    broke = "the reply broke off at full level at 6.2 s, while the caller was silent"
    assert of(IN_PART, soft=False) == (broke, False)
    assert of(IN_PART, soft=True) == ("", True)
    assert of(ANSWERED, soft=True) == ("", False)


def test_lost_audio_hides_the_longest_silence() -> None:
    lost = Gap(side="agent", start_s=5.0, end_s=7.5, packets=125)
    (one,) = conduct_of([talk(8.0, 9.5)], gaps=[lost])
    assert (one.silence_s, one.silence_at_s) == (None, None)
    assert (one.reply_at_s, one.reply_end_s) == (8.0, 9.5)


def test_a_sound_of_the_caller_s_side_ends_a_silence() -> None:
    """The agent falls silent for what a probe planted, and goes on when that is over."""
    agent = [talk(5.5, 7.0), talk(12.0, 14.0)]
    (one,) = conduct_of(agent)
    assert (one.silence_s, one.silence_at_s) == (5.0, 7.0)
    planted = SpokenUtterance(
        index=9, text="(tv)", kind="backchannel", start_s=6.5, end_s=10.0, audio_sha256=""
    )
    (one,) = conduct_of(agent, besides=[planted])
    assert (one.silence_s, one.silence_at_s) == (0.5, 5.0)


@pytest.mark.parametrize(
    ("known", "text", "pauses"),
    [(True, "My order is late.", 1), (False, "My order is late.", None), (True, "", None), (False, "", None)],
)
def test_pauses_are_counted_where_the_caller_s_words_are_known(
    known: bool, text: str, pauses: int | None
) -> None:
    (one,) = conduct_of([], [TurnOutcome.NOT_ANSWERED], texts=[text], utterances_known=known)
    assert one.pauses == pauses


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("Are you open? I work.", Entry.NOT_COUNTED),
        ("开门吗？我要工作。", Entry.NOT_COUNTED),
        ("I work. Are you open?", Entry.SPLIT),
        ("I work. Are you open? ", Entry.SPLIT),
    ],
)
def test_only_a_question_with_more_behind_it_was_asked_earlier(text: str, entry: Entry) -> None:
    (one,) = conduct_of([talk(2.6, 3.5, soft=False), talk(5.5, 9.5)], texts=[text])
    assert one.entry is entry


def test_turns_that_are_due_no_answer_have_no_row() -> None:
    outcomes = [TurnOutcome.NOT_DUE, ANSWERED, TurnOutcome.NOT_DUE, ANSWERED]
    found = conduct_of([talk(25.5, 29), talk(65.5, 69)], outcomes)
    assert [(one.index, one.start_s, one.reply_at_s) for one in found] == [(1, 20.0, 25.5), (3, 60.0, 65.5)]


# ---- what the agent told


def told(*messages: tuple[float, str, str]) -> bool | None:
    kinds = {"end": "user-stopped-speaking", "start": "bot-started-speaking"}
    events = [
        Event(t=t, side="agent", kind=kinds.get(kind, kind), source=source) for t, kind, source in messages
    ]
    return conduct_of([], [TurnOutcome.NOT_ANSWERED] * 2, events=events)[1].told


@pytest.mark.parametrize(
    ("end", "start", "expected"),
    [
        (20.0, 22.0, False),
        (20.01, 22.0, True),
        (22.0, 22.0, True),
        (22.01, 22.0, False),
        (22.0, 24.899, True),
        (22.0, 25 - 0.1, False),
        (22.0, 24.901, False),
        (22.0, 26.0, False),
        (19.0, 22.0, False),
    ],
)
def test_the_agent_told_early_that_the_turn_was_over(end: float, start: float, expected: bool) -> None:
    """The turn lasts from 20 to 25 s; what is told from 24.9 s on may be about its end."""
    assert told((end, "end", "rtvi"), (start, "start", "rtvi")) is expected


def test_any_two_of_its_messages_tell_it() -> None:
    both = ((22.0, "end", "livekit"), (22.5, "start", "rtvi"))
    assert told(*both) is True
    assert told((1.0, "end", "rtvi"), (45.0, "end", "rtvi"), *both, (46.0, "start", "rtvi")) is True


@pytest.mark.parametrize(
    "messages",
    [
        (),
        ((22.0, "end", "rtvi"),),
        ((22.0, "start", "rtvi"),),
        ((22.0, "end", "vad"), (22.5, "start", "rtvi")),
        ((22.0, "end", "rtvi"), (22.5, "start", "vad")),
        ((22.0, "end", "rtvi"), (22.5, "metrics", "rtvi")),
        ((22.0, "metrics", "rtvi"), (22.5, "start", "rtvi")),
    ],
)
def test_without_both_messages_of_the_agent_s_own_nothing_is_told(
    messages: Sequence[tuple[float, str, str]],
) -> None:
    assert told(*messages) is None


# ---- which words are the reply's


def repeats(*lines: TranscriptLine, **how: Any) -> tuple[bool | None, str]:
    (one,) = conduct_of([talk(5.5, 9.5)], lines=lines, **how)
    return one.repeats, one.repeats_reason


THREE = ((6.0, "one"), (6.2, "two"), (6.4, "three"))


@pytest.mark.parametrize(("t", "counts"), [(4.99, False), (5.0, True), (19.99, True), (20.0, False)])
def test_the_reply_s_words_begin_from_the_end_of_the_turn_to_the_next(t: float, counts: bool) -> None:
    assert repeats(words(*THREE, (t, "four"))) == ((False, "") if counts else (None, FEW))


@pytest.mark.parametrize("more", [{"side": "caller"}, {"source": "agent_text"}])
def test_only_what_we_heard_of_the_agent_is_its_words(more: dict[str, str]) -> None:
    four = (6.6, "four")
    assert repeats(words(*THREE), words(four)) == (False, "")
    assert repeats(words(*THREE), words(four, **more)) == (None, FEW)


@pytest.mark.parametrize(
    ("text", "enough"),
    [
        ("It's not here yet", True),
        ("It's not here", False),
        ("It is _ here", False),
        ("我的订单", True),
        ("的订单", False),
        ("订单 12 了", True),
        ("well , yes . no", False),
    ],
)
def test_what_a_word_is(text: str, enough: bool) -> None:
    assert repeats(at(6.0, text)) == ((False, "") if enough else (None, FEW))


def test_without_a_recogniser_nothing_is_said_of_its_words() -> None:
    assert repeats(at(6.0, "one two three four"), recognised=False) == (None, "")


def test_of_a_caller_whose_words_are_not_known_nothing_is_said_to_be_repeated() -> None:
    assert repeats(at(6.0, "one two three four"), texts=[""]) == (None, UNKNOWN)
    assert repeats(at(6.0, "one two three"), texts=[""]) == (None, FEW)


# ---- what is said again


def all_repeats(
    replies: Sequence[str], texts: Sequence[str] = (), outcomes: Sequence[TurnOutcome] = ()
) -> list[tuple[bool | None, str]]:
    """A call in which each turn is answered with some words."""
    agent = [talk(number * EVERY_S + 5.5, number * EVERY_S + 9.5) for number in range(len(replies))]
    lines = [at(number * EVERY_S + 6, reply) for number, reply in enumerate(replies) if reply]
    found = conduct_of(agent, outcomes or [ANSWERED] * len(replies), texts=texts, lines=lines)
    return [(one.repeats, one.repeats_reason) for one in found]


def test_a_reply_is_held_to_every_one_before_it() -> None:
    first, second, third = "one two three four", "five six seven eight", "nine ten eleven twelve"
    same = "One two, THREE four!"
    assert all_repeats([first, second, third, same]) == [(False, "")] * 3 + [(True, "one two three four")]
    assert all_repeats([first, second, second]) == [(False, "")] * 2 + [(True, "five six seven eight")]


def test_what_is_said_again_is_told_by_its_first_80_characters() -> None:
    long = "abcde " * 20
    assert all_repeats([long, long])[1] == (True, "abcde " * 13 + "ab")
    # 79 and 80 characters are told whole.
    for last in ("a" * 19, "a" * 20):
        just = f"{'b' * 19} {'c' * 19} {'d' * 19} {last}"
        assert all_repeats([just, just])[1] == (True, just)


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, what?",
        "Sorry?",
        "Could you REPEAT it?",
        "I didn't catch it.",
        "Wait, I did not hear that.",
        "Hello?",
        "Hello, hello?",
        "喂？",
        "再说一遍。",
        "没听清。",
    ],
)
def test_a_caller_that_asks_again_may_hear_the_same(text: str) -> None:
    four = "one two three four"
    assert all_repeats([four, four], ["My order.", text]) == [(False, ""), (None, AGAIN)]


@pytest.mark.parametrize(
    "text",
    [
        "Hello, I would like to book a double room for two nights, please.",
        "Sorry, can I ask you something else, please?",
        "Sorry but can you tell me the time please.",
        "喂，我想订一间房。",
    ],
)
def test_a_caller_that_begins_so_asks_for_something_else(text: str) -> None:
    four = "one two three four"
    assert all_repeats([four, four], ["My order.", text]) == [(False, ""), (True, four)]


def test_a_caller_that_says_the_same_again_may_hear_the_same() -> None:
    four = "one two three four"
    texts = ["My order is late.", "It is red.", " my ORDER is late. "]
    assert all_repeats([four] * 3, texts) == [(False, ""), (True, four), (None, AGAIN)]
    # Also where nothing was replied to it the first time, but not what was due no reply.
    unanswered = [TurnOutcome.NOT_ANSWERED, ANSWERED, ANSWERED]
    assert all_repeats([four] * 3, texts, unanswered) == [(None, ""), (False, ""), (None, AGAIN)]
    not_due = [TurnOutcome.NOT_DUE, ANSWERED, ANSWERED]
    assert all_repeats([four] * 3, texts, not_due) == [(False, ""), (True, four)]


def test_what_is_asked_for_again_is_a_reply_like_another_to_those_after_it() -> None:
    four, other = "one two three four", "five six seven eight"
    texts = ["My order.", "Please repeat.", "It is red."]
    assert all_repeats([four, other, other], texts) == [(False, ""), (None, AGAIN), (True, other)]


# ---- what the caller's own voice hides


SPLITS = [talk(2.6, 3.5, soft=False), talk(5.5, 9.5), talk(18.0, 21.0), talk(25.5, 29.5)]


def entries(found: Sequence[TurnConduct]) -> list[tuple[Entry, float | None, str, float]]:
    return [(one.entry, one.entry_at_s, one.entry_reason, one.double_talk_s) for one in found]


PLAIN = [
    (Entry.SPLIT, 2.6, "the agent began 0.60 s into a pause of 1.00 s", 0.5),
    (Entry.NOT_COUNTED, None, "the agent was speaking when the turn began", 0.0),
]


def test_an_echo_as_loud_as_the_agent_hides_every_entry() -> None:
    both = [ANSWERED, ANSWERED]
    assert entries(conduct_of(SPLITS, both)) == PLAIN
    masks = LineEcho(path=LINE_ECHO, masks=True)
    hidden = conduct_of(SPLITS, both, echo=masks)
    assert entries(hidden) == [(Entry.NOT_COUNTED, None, HIDES_AN_ENTRY, 0.0), PLAIN[1]]
    # Everything else stays.
    gone = {"entry", "entry_at_s", "entry_reason", "double_talk_s"}
    assert hidden[0].model_dump(exclude=gone) == conduct_of(SPLITS, both)[0].model_dump(exclude=gone)
    assert hidden[0].reply_at_s == 5.5


def test_an_echo_that_hides_nothing_of_the_agent_takes_no_entry() -> None:
    quiet = LineEcho(path=LINE_ECHO)
    assert entries(conduct_of(SPLITS, [ANSWERED, ANSWERED], echo=quiet)) == PLAIN


def test_an_echo_over_one_turn_takes_the_entries_of_all_also_where_that_turn_was_due_nothing() -> None:
    """The agent is heard at 43 s, in the last turn, where the caller's own voice comes back."""
    unsure = [*SPLITS, talk(43.0, 44.0, hidden=[(42.5, 43.5)])]
    quiet = LineEcho(path=LINE_ECHO)
    found = conduct_of(unsure, [ANSWERED, ANSWERED], echo=quiet)
    assert entries(found) == [(Entry.NOT_COUNTED, None, HIDES_AN_ENTRY, 0.0), PLAIN[1]]
    # After that turn it hides no entry.
    beyond = [*SPLITS, talk(46.0, 47.0, hidden=[(45.5, 46.5)])]
    assert entries(conduct_of(beyond, [ANSWERED, ANSWERED], echo=quiet)) == PLAIN
