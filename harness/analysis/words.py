"""The words of a call: what was said, what we heard, what the agent says it heard and said.

Sources are kept apart, because they answer different questions: the agent's own transcript of the caller
against the text that was said gives **its** WER; our Whisper against the same text says how intelligible our
caller was; our Whisper against the agent's own text says how intelligible the agent's voice is.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate
from typing import Protocol

from harness.records.call import Event, Side, SpokenUtterance
from harness.records.scores import TranscriptLine, TranscriptSource, TranscriptWord
from metrics.recognition.attribution import ToldText, attributed
from metrics.spans import Span
from metrics.speech import Talk
from metrics.transcript import Transcript as Heard
from metrics.transcript import Word, join_words
from spoken_language.outside_text import one_line


class Hear(Protocol):
    """What Whisper hears of a side in some spans, in a language; None where it does not listen."""

    def __call__(
        self, side: Side, spans: Sequence[Span], language: str, /, *, wanted: bool = ...
    ) -> Heard | None: ...


_HAN = re.compile("[\u3400-\u9fff]")
_BETWEEN_CHINESE = re.compile(r"(?<=[\u3400-\u9fff])\s+(?=[\u3400-\u9fff])")
"""Whisper's words of Chinese are of one character or a few."""
FILLERS = frozenset(
    [
        "um",
        "uh",
        "er",
        "erm",
        "ah",
        "oh",
        "hmm",
        "hm",
        "mm",
        "mhm",
        "well",
        "so",
        "okay",
        "ok",
        "right",
        "sure",
        "alright",
        "yes",
        "yeah",
        "please",
        "one",
        "moment",
        "just",
        "a",
        "second",
        "let",
        "me",
        "see",
        "check",
        "hold",
        "on",
    ]
)
"""Words that an answer may begin with before it says anything (English)."""

_BEGINS_IN_CHINESE = re.compile(
    r"(?:\W|嗯|呃|额|唔|哦|啊|好的|是的|对的|ok(?:ay)?|请?您?稍等(?:一下|片刻)?|请?等一下"
    r"|让?我(?:先|帮您)?(?:看看|看一下|查一下|想想))*",
    re.IGNORECASE,
)
"""The same in Chinese, at the beginning of an answer."""

_HESITATION = re.compile("[hm]*m[hm]*|h?u+[hm]+|[aoe]+h+|e+r+m*")
_STALLING = re.compile(
    "(?:(?:just )?(?:a|one) (?:moment|second|sec|minute)|let me (?:see|check|think)|hold on)"
)
_BESIDE = frozenset(["well", "so", "please"])
_SAYS_NOTHING_IN_CHINESE = re.compile("嗯|呃|额|唔|哦|啊|请?稍等(?:一下)?")
_LEFT_OPEN = ("-", "–", "—", "…", "...")
_NEVER_LAST = frozenset(["a", "an", "and", "because", "my", "or", "our", "the", "their", "your"])
_MAX_TEXTS = 2000
_LONGEST_WITHOUT_CONTENT = 500
"""Characters of a reply that are looked at: what goes on for longer is seen to say something by then."""


def transcribe_call(
    *,
    utterances: Sequence[SpokenUtterance],
    utterances_known: bool,
    agent_talks: Sequence[Talk],
    events: Sequence[Event],
    language: str,
    hear: Hear,
    caller: bool = True,
) -> list[TranscriptLine]:
    """All lines of a call, from every source that it has.

    Args:
        caller: Listen to the caller, too; otherwise what was heard of it before is used.
    """
    lines: list[TranscriptLine] = []
    if utterances_known:
        lines += [
            _line("caller", "said", Span(start_s=one.start_s, end_s=one.end_s), one.text, utterance=one.index)
            for one in utterances
        ]
    spans = [(Span(start_s=one.start_s, end_s=one.end_s), one.index) for one in utterances]
    lines += _heard(hear, spans, side="caller", language=language, wanted=caller)
    talks = [(talk.span, None) for talk in agent_talks]
    lines += _heard(hear, talks, side="agent", language=language, wanted=True)
    lines += _agent_asr(utterances, events)
    lines += _agent_text(events)
    return lines


def first_content_word(lines: Sequence[TranscriptLine], answer: Span) -> float | None:
    """Onset of the first word of an answer that is no filler; None where the words are not known."""
    for line in lines:
        if line.side != "agent" or line.source != "whisper" or not _overlaps(line, answer):
            continue
        word = _first_with_content(line.words)
        if word is not None:
            # A recogniser's word times are coarse: no content can come before the first sound.
            return max(word.start_s, answer.start_s)
    return None


def _first_with_content(words: Sequence[TranscriptWord]) -> TranscriptWord | None:
    text = "".join(one.word for one in words)
    if _HAN.search(text):
        begins = _BEGINS_IN_CHINESE.match(text)
        assert begins is not None  # it matches no characters, too
        at = begins.end()
        # Of Chinese a recogniser's words are of one character or a few.
        ends = accumulate(len(one.word) for one in words)
        return next((word for word, end in zip(words, ends, strict=True) if end > at), None)
    # Not normalised: that would make a figure of "one moment" and an ordinal of "a second".
    plain = ((one, one.word.lower().strip(" .,!?…-–—")) for one in words)
    return next((word for word, bare in plain if bare and bare not in FILLERS), None)


def says_something(
    lines: Sequence[TranscriptLine], spans: Sequence[Span], *, recognised: bool
) -> bool | None:
    """Whether what the agent said in some stretches has any content; None where its words are not known.

    Args:
        recognised: Our own recogniser listened: the agent's text counts only where it did not, because it is
            what the agent says of itself.
    """
    source = "whisper" if recognised else "agent_text"
    said = [
        line
        for line in lines
        if line.side == "agent" and line.source == source and any(_overlaps(line, span) for span in spans)
    ]
    text = " ".join(
        " ".join(word.word for word in line.words if any(_in(word, span) for span in spans))
        if line.words
        else line.text
        for line in said
    )
    return has_content(_BETWEEN_CHINESE.sub("", text)) if text.strip() else None


def has_content(text: str) -> bool:
    """Whether words say anything: "mm", "uh", "one moment, please" do not; a yes, a no and an okay do."""
    plain = _SAYS_NOTHING_IN_CHINESE.sub(" ", text.lower()[:_LONGEST_WITHOUT_CONTENT])
    words = [word for word in re.findall(r"\w+", plain) if not _HESITATION.fullmatch(word)]
    return any(word not in _BESIDE for word in _STALLING.sub(" ", " ".join(words)).split())


def breaks_off(lines: Sequence[TranscriptLine], span: Span) -> bool:
    """Whether the words that our recogniser heard in a stretch end in the middle of a sentence.

    It writes a dash or dots where speech stops short; and no English sentence ends with "the" or "and". It
    writes a comma behind whole sentences, too, in Chinese and where it heard something behind them. A cut at
    which a sentence could have ended is none by its words.
    """
    words = [
        word.word.strip()
        for line in lines
        if line.side == "agent" and line.source == "whisper" and _overlaps(line, span)
        for word in line.words
        if _in(word, span)
    ]
    return bool(words) and (words[-1].endswith(_LEFT_OPEN) or words[-1].lower() in _NEVER_LAST)


def clip_lines(heard: Heard) -> list[TranscriptLine]:
    """A transcript of one voice, a segment a line; the voice is taken for the agent's."""
    return [
        _line(
            "agent",
            "whisper",
            Span(start_s=segment.start_s, end_s=max(segment.start_s, segment.end_s)),
            segment.text,
            words=[_word(word) for word in segment.words],
        )
        for segment in heard.segments
    ]


def _heard(
    hear: Hear, spans: Sequence[tuple[Span, int | None]], *, side: Side, language: str, wanted: bool
) -> list[TranscriptLine]:
    only_spans = [span for span, _ in spans]
    transcript = (
        hear(side, only_spans, language) if wanted else hear(side, only_spans, language, wanted=False)
    )
    if transcript is None:
        return []
    lines = []
    for span, utterance in spans:
        inside = [word for word in transcript.words if _middle_in(word.start_s, word.end_s, span)]
        if not inside:
            continue
        lines.append(
            _line(
                side,
                "whisper",
                span,
                join_words(inside, transcript.language),
                utterance=utterance,
                words=[_word(word) for word in inside],
            )
        )
    return lines


def _agent_asr(utterances: Sequence[SpokenUtterance], events: Sequence[Event]) -> list[TranscriptLine]:
    """The agent's final transcripts of the caller, each, or each part, with the utterance that it is of."""
    finals = [
        event for event in events if event.kind == "user-transcription" and event.data.get("final") is True
    ]
    told = []
    for event in finals[:_MAX_TEXTS]:
        begun = sum(one.start_s < event.t for one in utterances)
        text = one_line(str(event.data.get("text", "")).strip())
        if begun and text:
            told.append(ToldText(text=text, utterance=begun - 1))
    lines = []
    for part in attributed([one.text for one in utterances], told):
        one = utterances[part.utterance]
        span = Span(start_s=one.start_s, end_s=one.end_s)
        lines.append(_line("caller", "agent_asr", span, part.text, utterance=one.index))
    return lines


def _agent_text(events: Sequence[Event]) -> list[TranscriptLine]:
    """What the agent says it has spoken, a sentence a line (``bot-output`` with ``spoken``)."""
    lines = []
    begun: dict[str, float] = {}
    for event in [event for event in events if event.kind == "bot-output"][:_MAX_TEXTS]:
        text = str(event.data.get("text", "")).strip()
        if not text:
            continue
        if event.data.get("spoken") is True:
            start_s = min(begun.pop(text, _began_s(event)), event.t)
            lines.append(_line("agent", "agent_text", Span(start_s=start_s, end_s=event.t), text))
        else:
            begun[text] = event.t
    return lines


def _began_s(event: Event) -> float:
    """When the words began to come, where the transport tells."""
    began_s = event.data.get("began_s")
    return float(min(began_s, event.t)) if isinstance(began_s, int | float) and began_s >= 0 else event.t


def _line(
    side: Side,
    source: TranscriptSource,
    span: Span,
    text: str,
    *,
    utterance: int | None = None,
    words: Sequence[TranscriptWord] = (),
) -> TranscriptLine:
    return TranscriptLine(
        side=side,
        source=source,
        start_s=span.start_s,
        end_s=span.end_s,
        text=one_line(text),
        words=list(words),
        utterance=utterance,
    )


def _word(word: Word) -> TranscriptWord:
    return TranscriptWord(
        word=one_line(word.word), start_s=word.start_s, end_s=word.end_s, probability=word.probability
    )


def _overlaps(line: TranscriptLine, span: Span) -> bool:
    return line.start_s < span.end_s and span.start_s < line.end_s


def _in(word: TranscriptWord, span: Span) -> bool:
    return _middle_in(word.start_s, word.end_s, span)


def _middle_in(start_s: float, end_s: float, span: Span) -> bool:
    middle = (start_s + end_s) / 2
    # Word times may overshoot the padded span's edge by a little.
    return span.start_s - 0.2 <= middle < span.end_s + 0.2
