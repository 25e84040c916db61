"""Which words belong where, to the last tenth of a second; floods of messages; what a word keeps."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from harness.analysis import words
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


def _heard(*times: tuple[str, float, float], language: str = "en") -> Transcript:
    made = tuple(Word(word=word, start_s=start, end_s=end, probability=0.25) for word, start, end in times)
    segment = Segment(
        text="all of it",
        start_s=3.0,
        end_s=4.5,
        words=made,
        no_speech_probability=0.0,
        mean_log_probability=0.0,
        compression_ratio=1.0,
    )
    return Transcript(language=language, segments=(segment,))


def _said(index: int, start_s: float, end_s: float) -> SpokenUtterance:
    return SpokenUtterance(index=index, text="x", kind="turn", start_s=start_s, end_s=end_s, audio_sha256="")


def _lines(
    *,
    said: Sequence[SpokenUtterance] = (),
    talks: Sequence[tuple[float, float]] = (),
    events: Sequence[Event] = (),
    heard: Transcript | None = None,
) -> list[TranscriptLine]:
    def hear(side: Side, spans: Sequence[Span], language: str) -> Transcript | None:
        return heard if side == "agent" else None

    spans = [Span(start_s=start, end_s=end) for start, end in talks]
    return transcribe_call(
        utterances=said,
        utterances_known=False,
        agent_talks=[Talk(span=span, clusters=(span,)) for span in spans],
        events=events,
        language="en",
        hear=hear,
    )


def _event(t: float, kind: str, **data: object) -> Event:
    return Event(t=t, side="agent", kind=kind, source="rtvi", data=data)


@pytest.mark.parametrize(
    ("middle_s", "inside"),
    [
        (9.79, False),
        (9.795, False),
        (9.81, True),
        (14.19, True),
        (14.205, False),
        (14.21, False),
        (12.0, True),
    ],
)
def test_a_word_belongs_to_a_stretch_up_to_0_2_s_beyond_it(middle_s: float, inside: bool) -> None:
    found = _lines(talks=[(10.0, 14.0)], heard=_heard(("so", middle_s - 0.5, middle_s + 0.5)))
    assert bool(found) == inside


def test_the_bounds_of_a_stretch_are_half_open() -> None:
    """0.2 + 0.2 and 0.6 + 0.2 are what they are to a computer too."""
    at_the_start = _lines(talks=[(0.2, 0.6)], heard=_heard(("so", 0.0, 0.0)))
    assert [line.text for line in at_the_start] == ["so"]
    at_the_end = _lines(talks=[(0.2, 0.6)], heard=_heard(("so", 0.6 + 0.2, 0.6 + 0.2)))
    assert at_the_end == []


def test_a_line_keeps_its_words_with_their_times_and_doubts() -> None:
    [line] = _lines(talks=[(10.0, 14.0)], heard=_heard(("so", 10.0, 10.5), ("it", 11.0, 11.5)))
    assert (line.text, line.start_s, line.end_s) == ("so it", 10.0, 14.0)
    assert line.words == [
        TranscriptWord(word="so", start_s=10.0, end_s=10.5, probability=0.25),
        TranscriptWord(word="it", start_s=11.0, end_s=11.5, probability=0.25),
    ]


def test_a_clip_s_line_lasts_as_long_as_its_segment() -> None:
    [line] = clip_lines(_heard(("so", 3.0, 3.5)))
    assert (line.start_s, line.end_s, line.text, line.words[0].probability) == (3.0, 4.5, "all of it", 0.25)


def test_only_what_is_a_transcript_of_the_caller_is_taken_for_one() -> None:
    events = [
        _event(2.5, "user-transcription", text="yes", final=True),
        _event(2.6, "bot-transcription", text="no", final=True),
        _event(2.7, "bot-output", text="spoken", spoken=True),
        _event(2.8, "bot-tts-text", text="other", spoken=True),
        _event(2.9, "bot-output", text=" ", spoken=True),
    ]
    found = _lines(said=[_said(0, 1.0, 2.0)], events=events)
    assert [(line.source, line.text) for line in found] == [("agent_asr", "yes"), ("agent_text", "spoken")]


def test_a_transcript_that_comes_as_an_utterance_begins_is_of_the_one_before() -> None:
    said = [_said(0, 1.0, 2.0), _said(1, 5.0, 6.0)]
    events = [_event(5.0, "user-transcription", text="yes", final=True)]
    assert [line.utterance for line in _lines(said=said, events=events)] == [0]


@pytest.mark.parametrize(("kind", "more"), [("user-transcription", "final"), ("bot-output", "spoken")])
def test_of_a_flood_of_messages_2000_are_kept(kind: str, more: str) -> None:
    events = [_event(2.0 + n / 1000, kind, text=f"t{n}", **{more: True}) for n in range(2001)]
    found = _lines(said=[_said(0, 1.0, 2.0)], events=events)
    assert len(found) == 2000
    assert found[-1].text == "t1999"
    assert words._MAX_TEXTS == 2000


def _line(source: str, start_s: float, end_s: float, word: str) -> TranscriptLine:
    return TranscriptLine(
        side="agent",
        source=source,  # type: ignore[arg-type]
        start_s=start_s,
        end_s=end_s,
        text=word,
        words=[TranscriptWord(word=word, start_s=start_s, end_s=start_s + 0.1)],
    )


def test_content_is_what_we_heard_within_the_answer() -> None:
    """Lines that only touch it are none of it, and what the agent says of itself is no sound."""
    answer = Span(start_s=10.0, end_s=14.0)
    before = _line("whisper", 8.0, 10.0, "before")
    told = _line("agent_text", 10.5, 11.0, "told")
    mine = _line("whisper", 10.7, 11.0, "mine")
    after = _line("whisper", 14.0, 15.0, "after")
    assert first_content_word([before, after, told, mine], answer) == 10.7
    assert first_content_word([before, told, after], answer) is None


# --- what was said, and whether it broke off


def _by(side: str, source: str, text: str, start_s: float = 10.0, *, words: bool = True) -> TranscriptLine:
    made = [
        TranscriptWord(word=word, start_s=start_s + n, end_s=start_s + n + 0.5)
        for n, word in enumerate(text.split())
    ]
    return TranscriptLine(
        side=side,  # type: ignore[arg-type]
        source=source,  # type: ignore[arg-type]
        start_s=start_s,
        end_s=start_s + len(made),
        text=text,
        words=made if words else [],
    )


ANSWER = Span(start_s=10.0, end_s=14.0)


def test_what_the_agent_said_is_what_we_heard_of_it_there() -> None:
    mine = _by("agent", "whisper", "um tuesday")
    hers = _by("caller", "whisper", "tuesday")
    told = _by("agent", "agent_text", "tuesday", words=False)
    assert says_something([mine], [ANSWER], recognised=True) is True
    assert says_something([hers, told], [ANSWER], recognised=True) is None
    assert says_something([hers, told], [ANSWER], recognised=False) is True
    assert says_something([mine], [ANSWER], recognised=False) is None
    # Its second word begins a second later, beyond a stretch that ends before.
    assert says_something([mine], [Span(start_s=10.0, end_s=10.6)], recognised=True) is False
    later = Span(start_s=30.0, end_s=31.0)
    assert says_something([mine], [later], recognised=True) is None
    assert says_something([mine], [later, ANSWER], recognised=True) is True
    # Chinese words are of one character or a few, and the phrases of more.
    wait = _by("agent", "whisper", "请 稍 等。")
    assert says_something([wait], [ANSWER], recognised=True) is False
    assert says_something([_by("agent", "whisper", "周 二")], [ANSWER], recognised=True) is True
    # In each stretch something: of the first only the hesitation.
    two = [Span(start_s=10.0, end_s=10.6), Span(start_s=11.0, end_s=11.6)]
    assert says_something([mine], two, recognised=True) is True


def test_500_characters_are_looked_at() -> None:
    assert has_content("um " * 165 + "    a cat")
    assert words._LONGEST_WITHOUT_CONTENT == 500
    # The 500th character is the last one.
    assert has_content("um " * 166 + " c")
    assert not has_content("um " * 166 + "  c")
    assert not has_content("um " * 167 + "cat")


def test_what_breaks_off_are_the_agent_s_words_as_we_heard_them() -> None:
    whole = _by("agent", "whisper", "on tuesday")
    assert breaks_off([_by("agent", "whisper", "on the")], ANSWER)
    assert not breaks_off([whole], ANSWER)
    assert not breaks_off([whole, _by("caller", "whisper", "and the")], ANSWER)
    assert not breaks_off([whole, _by("agent", "agent_text", "and the")], ANSWER)
    assert not breaks_off([whole, _by("agent", "whisper", "and the", 30.0)], ANSWER)
    assert not breaks_off([], ANSWER)
    # Its last word within the stretch.
    assert breaks_off([_by("agent", "whisper", "the cat")], Span(start_s=10.0, end_s=10.6))


def test_a_word_of_a_line_that_only_touches_the_stretch_is_none_of_it() -> None:
    """Its middle lies 0.1 s beyond the stretch, where one of a line of the stretch would belong to it."""

    def beside(word: str) -> TranscriptLine:
        heard = [TranscriptWord(word=word, start_s=14.0, end_s=14.2)]
        return TranscriptLine(
            side="agent", source="whisper", start_s=14.0, end_s=15.0, text=word, words=heard
        )

    assert not breaks_off([_by("agent", "whisper", "on tuesday"), beside("the")], ANSWER)
    assert says_something([beside("cat")], [ANSWER], recognised=True) is None
    told = _by("agent", "agent_text", "tuesday", words=False)
    assert says_something([told], [Span(start_s=30.0, end_s=31.0)], recognised=False) is None


# --- who is listened to, and when words began to come


@pytest.mark.parametrize("wanted", [True, False])
def test_the_caller_is_listened_to_where_that_is_wanted_and_the_agent_in_any_case(wanted: bool) -> None:
    asked: list[tuple[Side, list[Span], str, bool]] = []

    def hear(side: Side, spans: Sequence[Span], language: str, /, *, wanted: bool = True) -> None:
        asked.append((side, list(spans), language, wanted))

    talk = Span(start_s=3.0, end_s=4.0)
    transcribe_call(
        utterances=[_said(0, 1.0, 2.0)],
        utterances_known=False,
        agent_talks=[Talk(span=talk, clusters=(talk,))],
        events=[],
        language="zh",
        hear=hear,
        caller=wanted,
    )
    assert asked == [
        ("caller", [Span(start_s=1.0, end_s=2.0)], "zh", wanted),
        ("agent", [talk], "zh", True),
    ]


@pytest.mark.parametrize(
    ("began_s", "start_s"),
    [
        (0, 0.0),
        (0.5, 0.5),
        (3.0, 3.0),
        # No time before they were all there.
        (-0.5, 3.0),
        (3.5, 3.0),
        (10**400, 3.0),
        (float("nan"), 3.0),
        ("0.5", 3.0),
        (None, 3.0),
    ],
)
def test_words_of_the_agent_s_began_when_its_transport_tells(began_s: object, start_s: float) -> None:
    [line] = _lines(events=[_event(3.0, "bot-output", text="hello", spoken=True, began_s=began_s)])
    assert (line.start_s, line.end_s, line.text) == (start_s, 3.0, "hello")
