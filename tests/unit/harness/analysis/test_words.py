"""Which words belong to which utterance and which answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from harness.analysis.words import (
    breaks_off,
    clip_lines,
    first_content_word,
    has_content,
    says_something,
    transcribe_call,
)
from harness.records.call import Event, Side, SpokenUtterance
from harness.records.scores import TranscriptLine, TranscriptWord
from metrics.spans import Span
from metrics.speech import Talk
from metrics.transcript import Segment, Transcript, Word


def _said(index: int, start_s: float, end_s: float, text: str, **more: Any) -> SpokenUtterance:
    fields: dict[str, Any] = {"kind": "turn", "audio_sha256": ""} | more
    return SpokenUtterance(index=index, text=text, start_s=start_s, end_s=end_s, **fields)


def _line(source: str, text: str, start_s: float, end_s: float, **more: Any) -> TranscriptLine:
    side = more.pop("side", "agent" if source == "agent_text" else "caller")
    return TranscriptLine(
        side=side,
        source=source,  # type: ignore[arg-type]
        start_s=start_s,
        end_s=end_s,
        text=text,
        **more,
    )


def _rtvi(t: float, kind: str, side: str = "agent", **data: Any) -> Event:
    return Event(t=t, side=side, kind=kind, source="rtvi", data=data)  # type: ignore[arg-type]


class _Whisper:
    """Stands for the recogniser: says the words that it was given, whatever the audio."""

    def __init__(self, words: list[tuple[str, float, float]]) -> None:
        self._words = words
        self.asked: list[list[Span]] = []

    def __call__(self, side: Side, spans: Sequence[Span], language: str) -> Transcript:
        self.asked.append(list(spans))
        words = tuple(Word(word=w, start_s=s, end_s=e, probability=0.9) for w, s, e in self._words)
        segment = Segment(
            text=" ".join(word.word for word in words),
            start_s=0.0,
            end_s=60.0,
            words=words,
            no_speech_probability=0.0,
            mean_log_probability=0.0,
            compression_ratio=1.0,
        )
        return Transcript(language=language, segments=(segment,))


def _no_whisper(side: Side, spans: Sequence[Span], language: str) -> None:
    return None


def _transcribe(
    *,
    said: list[SpokenUtterance],
    talks: list[tuple[float, float]] = [],  # noqa: B006 - never changed
    events: list[Event] = [],  # noqa: B006
    whisper: _Whisper | None = None,
    known: bool = True,
) -> list[TranscriptLine]:
    spans = [Span(start_s=start, end_s=end) for start, end in talks]
    return transcribe_call(
        utterances=said,
        utterances_known=known,
        agent_talks=[Talk(span=span, clusters=(span,)) for span in spans],
        events=events,
        language="en",
        hear=whisper or _no_whisper,
    )


def _by_source(lines: list[TranscriptLine], source: str, side: str) -> list[tuple[int | None, str]]:
    return [(one.utterance, one.text) for one in lines if (one.source, one.side) == (source, side)]


# --- transcripts


def test_words_go_to_the_stretch_of_speech_in_which_their_middle_lies() -> None:
    whisper = _Whisper([("hello", 1.0, 1.4), ("there", 1.5, 1.9), ("bye", 5.1, 5.5), ("lost", 8.0, 8.5)])
    said = [_said(0, 1.0, 2.0, "hello there"), _said(1, 5.0, 5.6, "bye")]
    lines = _transcribe(said=said, talks=[(1.0, 2.0)], whisper=whisper)
    assert _by_source(lines, "whisper", "caller") == [(0, "hello there"), (1, "bye")]
    assert _by_source(lines, "whisper", "agent") == [(None, "hello there")]
    assert _by_source(lines, "said", "caller") == [(0, "hello there"), (1, "bye")]
    assert whisper.asked[0] == [Span(start_s=1.0, end_s=2.0), Span(start_s=5.0, end_s=5.6)]


def test_english_in_a_chinese_call_keeps_its_spaces() -> None:
    whisper = _Whisper([("我", 1.0, 1.2), ("lost", 1.2, 1.4), ("you,", 1.4, 1.6), ("sorry.", 1.6, 1.8)])
    span = Span(start_s=1.0, end_s=2.0)
    lines = transcribe_call(
        utterances=[],
        utterances_known=True,
        agent_talks=[Talk(span=span, clusters=(span,))],
        events=[],
        language="zh",
        hear=whisper,  # type: ignore[arg-type]
    )
    assert _by_source(lines, "whisper", "agent") == [(None, "我lost you, sorry.")]


def test_speech_in_which_no_word_was_recognised_has_no_line() -> None:
    lines = _transcribe(said=[_said(0, 1.0, 2.0, "hello")], whisper=_Whisper([]))
    assert _by_source(lines, "whisper", "caller") == []


def test_nothing_is_said_to_have_been_said_where_that_is_not_known() -> None:
    lines = _transcribe(said=[_said(0, 1.0, 2.0, "")], known=False)
    assert lines == []


def test_final_transcripts_of_the_agent_belong_to_the_utterance_before_them() -> None:
    said = [_said(0, 1.0, 2.0, "one"), _said(1, 5.0, 6.0, "two")]
    events = [
        _rtvi(0.5, "user-transcription", "caller", text="ghost", final=True),
        _rtvi(1.9, "user-transcription", "caller", text="on", final=False),
        _rtvi(2.6, "user-transcription", "caller", text=" one ", final=True),
        _rtvi(6.4, "user-transcription", "caller", text="two", final=True),
        _rtvi(6.5, "user-transcription", "caller", text="  ", final=True),
        _rtvi(6.6, "user-transcription", "caller", final=True),
    ]
    lines = _transcribe(said=said, events=events)
    assert _by_source(lines, "agent_asr", "caller") == [(0, "one"), (1, "two")]


def test_one_transcript_of_two_utterances_is_shared_out_among_them() -> None:
    """As a real agent wrote it where babble kept its turn open."""
    said = [
        _said(0, 3.9, 6.0, "I would like to change the size of my curtains."),
        _said(1, 12.1, 14.4, "The blue van is parked behind the old bakery."),
    ]
    text = " I would like to change the size of my girl.  The blue band is parked behind the old bacer. "
    lines = _transcribe(
        said=said, events=[_rtvi(19.1, "user-transcription", "caller", text=text, final=True)]
    )
    assert _by_source(lines, "agent_asr", "caller") == [
        (0, "I would like to change the size of my girl."),
        (1, "The blue band is parked behind the old bacer."),
    ]
    assert [(line.start_s, line.end_s) for line in lines if line.source == "agent_asr"] == [
        (3.9, 6.0),
        (12.1, 14.4),
    ]


def test_sentences_count_as_the_agent_s_own_when_it_has_spoken_them() -> None:
    events = [
        _rtvi(3.0, "bot-output", text="Hello.", spoken=False),
        _rtvi(3.1, "bot-output", text="Never said.", spoken=False),
        _rtvi(4.5, "bot-output", text="Hello.", spoken=True),
        _rtvi(6.0, "bot-output", text="Alone.", spoken=True),
    ]
    lines = [one for one in _transcribe(said=[], events=events) if one.source == "agent_text"]
    assert [(one.text, one.start_s, one.end_s) for one in lines] == [
        ("Hello.", 3.0, 4.5),
        ("Alone.", 6.0, 6.0),
    ]


def test_a_clip_of_one_voice_is_a_line_a_segment() -> None:
    heard = _Whisper([("hi", 0.0, 0.5), ("you", 0.6, 0.9)])("agent", [], "en")
    [line] = clip_lines(heard)
    assert (line.side, line.text, [word.word for word in line.words]) == ("agent", "hi you", ["hi", "you"])


# --- the first content word


def _answer(*words: tuple[str, float]) -> list[TranscriptLine]:
    made = [TranscriptWord(word=word, start_s=at_s, end_s=at_s + 0.2) for word, at_s in words]
    return [_line("whisper", "", 10.0, 14.0, side="agent", words=made)]


ANSWER = Span(start_s=10.1, end_s=14.0)


@pytest.mark.parametrize(
    ("words", "at_s"),
    [
        ([("Your", 10.2), ("balance", 10.5)], 10.2),
        ([("Um,", 10.2), ("okay.", 10.6), ("Your", 11.4)], 11.4),
        ([("One", 10.2), ("moment,", 10.4), ("please.", 10.7), ("It's", 12.5)], 12.5),
        ([("Just", 10.2), ("a", 10.4), ("second…", 10.7), ("Hello", 12.5)], 12.5),
        ([("Hmm.", 10.2), ("-", 10.5), ("Well,", 10.9)], None),
        ([], None),
        # Recognisers put a first word a little early: nothing is said before the first sound.
        ([("Your", 9.9)], 10.1),
    ],
)
def test_fillers_are_no_content(words: list[tuple[str, float]], at_s: float | None) -> None:
    assert first_content_word(_answer(*words), ANSWER) == at_s


@pytest.mark.parametrize(
    ("words", "at_s"),
    [
        ([("嗯，", 10.2), ("您", 10.6), ("的", 10.8)], 10.6),
        ([("请稍", 10.2), ("等。", 10.5), ("余额", 13.0)], 13.0),
        ([("好的，", 10.2), ("请", 10.5), ("稍等", 10.6), ("一下，", 10.9), ("查到了", 12.0)], 12.0),
        ([("让我", 10.2), ("看看", 10.4), ("，", 10.6), ("您好", 11.0)], 11.0),
        ([("OK", 10.2), ("，", 10.3), ("没问题", 10.4)], 10.4),
        ([("好消息", 10.2)], 10.2),
        ([("嗯", 10.2), ("。", 10.3)], None),
    ],
)
def test_nor_are_those_of_chinese(words: list[tuple[str, float]], at_s: float | None) -> None:
    assert first_content_word(_answer(*words), ANSWER) == at_s


def test_only_the_answer_s_own_words_count() -> None:
    before = _line(
        "whisper", "", 1.0, 3.0, side="agent", words=[TranscriptWord(word="Hello", start_s=1.0, end_s=1.5)]
    )
    caller = _line("whisper", "", 10.2, 11.0, words=[TranscriptWord(word="Stop", start_s=10.2, end_s=10.5)])
    assert first_content_word([before, caller, *_answer(("Yes", 10.3), ("Sir", 10.9))], ANSWER) == 10.9


# ---- whether a reply says anything


@pytest.mark.parametrize(
    "text",
    [
        "MM",
        "Mm-hmm.",
        "M",
        "Um.",
        "Uh...",
        "uh-huh",
        "Er, um",
        "One moment.",
        "Just a second, please.",
        "嗯。",
        "Well, let me see...",
        "Hold on. Just a moment, let me check.",
        "Oh",
        "Ah.",
        "请稍等。",
        "m" * 5000,
    ],
)
def test_fillers_say_nothing(text: str) -> None:
    assert not has_content(text)


@pytest.mark.parametrize(
    "text",
    [
        "Yes.",
        "no",
        "Okay",
        "Friday.",
        "One.",
        "Um, Friday",
        "One moment, it is Friday.",
        "am",
        "her",
        "or",
        "a second floor",
        "So it is",
        "Mum",
        "4",
        "好的",
    ],
)
def test_an_answer_however_short_says_something(text: str) -> None:
    assert has_content(text)


def _heard(*words: tuple[str, float, float]) -> TranscriptLine:
    spoken = [TranscriptWord(word=w, start_s=s, end_s=e) for w, s, e in words]
    text = " ".join(word for word, _, _ in words)
    return _line("whisper", text, words[0][1], words[-1][2], side="agent", words=spoken)


def test_the_words_of_a_reply_are_those_that_lie_in_it() -> None:
    reply = Span(start_s=5.0, end_s=5.4)
    mm, before = _heard(("Mm.", 5.0, 5.4)), _heard(("Your", 1.0, 1.2), ("account", 1.2, 1.8))
    assert says_something([before, mm], [reply], recognised=True) is False
    assert says_something([before], [reply], recognised=True) is None
    assert says_something([before, mm], [Span(start_s=1.0, end_s=1.8), reply], recognised=True) is True
    # One line may hold the words of several replies.
    both = _heard(("account", 1.2, 1.8), ("Mm.", 5.0, 5.4))
    assert says_something([both], [reply], recognised=True) is False


def test_the_agent_s_own_text_counts_where_nobody_else_listened() -> None:
    """An agent that hums and claims to have said a sentence is heard, where there are ears."""
    reply = Span(start_s=5.0, end_s=5.4)
    claimed = _line("agent_text", "Your account is open.", 5.0, 5.5)
    assert says_something([claimed], [reply], recognised=False) is True
    assert says_something([claimed, _heard(("Mm.", 5.0, 5.4))], [reply], recognised=True) is False
    assert says_something([claimed], [reply], recognised=True) is None
    assert says_something([_line("agent_text", "Mm.", 5.0, 5.5)], [reply], recognised=False) is False
    caller = _line("agent_asr", "Hello there.", 5.0, 5.5)
    assert says_something([caller], [reply], recognised=False) is None


@pytest.mark.parametrize("last", ["can-", "and...", "so…", "the", "your", "And"])
def test_words_that_stop_short(last: str) -> None:
    assert breaks_off([_heard(("I", 5.0, 5.2), (last, 5.3, 5.6))], Span(start_s=5.0, end_s=5.7))


@pytest.mark.parametrize(
    "last", ["tomorrow.", "tomorrow", "right?", "to", "that", "the.", "before,", "正常，"]
)
def test_words_that_may_end_a_sentence(last: str) -> None:
    assert not breaks_off([_heard(("I", 5.0, 5.2), (last, 5.3, 5.6))], Span(start_s=5.0, end_s=5.7))


def test_only_the_last_words_of_the_stretch_count() -> None:
    line = _heard(("can-", 5.0, 5.4), ("Sorry.", 5.5, 5.9), ("and", 9.0, 9.3))
    assert not breaks_off([line], Span(start_s=5.0, end_s=6.0))
    assert breaks_off([line], Span(start_s=5.0, end_s=5.3))
    assert not breaks_off([], Span(start_s=5.0, end_s=6.0))
    assert not breaks_off([_line("agent_text", "can-", 5.0, 5.4)], Span(start_s=5.0, end_s=6.0))
