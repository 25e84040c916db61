"""Audio to timed words, by Whisper (faster-whisper).

Whisper writes words where nobody spoke. Nothing of that may reach a word error rate, so it is fed speech
spans only, and its answers are believed only where :mod:`metrics.recognition.whisper.guards` lets them
through. What a guard removed is kept in ``Transcript.rejected`` with the reason.

Several spans are heard at once where they fit into one window. Whisper's measures of doubt are of a window
as a whole, and were measured on single spans: what it writes on a noise passes them beside good speech. So
where a guard removes anything of a window, one of its spans has no words or none that Whisper is sure of, or
a word lies in two of them, each of its spans is heard by itself, and what comes of that counts.

A word lies inside its padded span, never in a pause that Whisper skipped. Decoding is without sampling and
without the text of other windows, so the same audio always gives the same words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from metrics.chinese_script import to_simplified
from metrics.recognition.whisper.guards import (
    LOW_LOG_PROBABILITY,
    invention_reason,
    silence_reason,
    word_silence_reason,
)
from metrics.recognition.whisper.packs import Pack, Piece, pack_of, packed
from metrics.recognition.whisper.short_window import WHOLE_WINDOW_FRAMES, ShortWindow
from metrics.resample import SPEECH_RATE_HZ
from metrics.spans import Span, merge_spans
from metrics.word_times import place_word

VERSION = "2"
"""1 heard each span by itself."""

PADDING_S = 0.2
"""Audio around a span that Whisper hears too; less where the next span is nearer than twice that."""

_MODEL_FILES = ("model.bin", "config.json", "tokenizer.json")
_UNSPACED = frozenset({"zh", "yue", "ja", "th"})
_PUNCTUATION = ",.!?;:"
_LETTER = "A-Za-z\u00c0-\u024f"
_LATIN_MEETS_LATIN = re.compile(f"[{_LETTER}]\0['’]?[{_LETTER}0-9]|[0-9]\0['’]?[{_LETTER}]")
"""Words with a zero between them: a letter on one side of it, a letter or a figure on the other."""

Samples = NDArray[np.float32]


class TranscriberError(RuntimeError):
    """The recogniser cannot be loaded; the message says from where and why."""


class Word(BaseModel):
    """A recognised word with its punctuation; times in seconds since sample 0 of the audio."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    word: str
    start_s: float
    end_s: float
    probability: float = Field(ge=0.0, le=1.0)


class Segment(BaseModel):
    """A stretch of words that Whisper wrote as one, with its own measures of doubt."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    text: str
    start_s: float
    end_s: float
    words: tuple[Word, ...]
    no_speech_probability: float
    mean_log_probability: float
    compression_ratio: float


class Rejected(BaseModel):
    """What a guard kept out of the transcript; ``text`` is empty where Whisper was not even asked."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    start_s: float
    end_s: float
    text: str
    reason: str


class Transcript(BaseModel):
    """The words of one side of a call, in order. Chinese is in simplified characters."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    language: str
    segments: tuple[Segment, ...] = ()
    rejected: tuple[Rejected, ...] = ()

    @property
    def words(self) -> tuple[Word, ...]:
        return tuple(word for segment in self.segments for word in segment.words)

    @property
    def text(self) -> str:
        return join_words(self.words, self.language)

    def text_within(self, span: Span) -> str:
        """The words whose middle lies in ``span``."""
        inside = [word for word in self.words if span.start_s <= (word.start_s + word.end_s) / 2 < span.end_s]
        return join_words(inside, self.language)


def join_words(words: Sequence[Word], language: str) -> str:
    """Words as a text, with spaces where the language writes them: in Chinese between Latin words only."""
    if language not in _UNSPACED:
        return " ".join(word.word for word in words)
    text = ""
    for one in words:
        apart = _LATIN_MEETS_LATIN.search(f"{text[-3:].rstrip(_PUNCTUATION)}\0{one.word}")
        text += f" {one.word}" if apart else one.word
    return text


class Transcriber:
    """A Whisper model that was loaded once. Not for use by several threads at a time."""

    def __init__(
        self,
        model_folder: Path,
        *,
        language: str | None = None,
        threads: int = 2,
        least_frames: int = WHOLE_WINDOW_FRAMES,
        together: bool = True,
    ) -> None:
        """Loads the model.

        Args:
            model_folder: Folder with faster-whisper's ``model.bin``, ``config.json``, ``tokenizer.json``.
            language: Spoken language (``en``, ``zh``) where :meth:`transcribe` is told none; None: detected.
            threads: CPU threads.
            least_frames: The shortest window of the encoder, in frames of 10 ms. Shorter than Whisper's own
                30 s it is quicker and hears some words otherwise (``python -m bench.encoder_window``).
            together: Several spans are heard at once; without it each by itself, as version 1 did
                (``python -m bench.words_together`` compares both).

        Raises:
            TranscriberError: The folder has no such model, or it does not load.
        """
        # Without its tokenizer faster-whisper would go and download another model's.
        absent = [name for name in _MODEL_FILES if not (model_folder / name).is_file()]
        if absent:
            raise TranscriberError(f"{model_folder}: no faster-whisper model, {', '.join(absent)} missing")
        try:
            self._model = ShortWindow(
                str(model_folder),
                device="cpu",
                compute_type="int8",
                cpu_threads=threads,
                local_files_only=True,
            )
        except Exception as error:  # tokenizers raise nothing more precise
            raise TranscriberError(f"{model_folder}: the Whisper model does not load: {error}") from error
        self._model.least_frames = least_frames
        self._language = language
        self._together = together

    @property
    def model(self) -> ShortWindow:
        """What is loaded, for those who ask it for other things than its own words."""
        return self._model

    def transcribe(
        self,
        audio: Samples,
        language: str | None = None,
        *,
        spans: Sequence[Span] | None = None,
        on_progress: Callable[[float], None] | None = None,
    ) -> Transcript:
        """The words of ``audio``.

        Args:
            audio: Mono, 16 kHz (see :func:`metrics.resample.to_speech_rate`), full scale at ±1.
            language: As in the constructor, for this audio.
            spans: Where somebody speaks, from a speech detector. None: all of the audio counts as one span,
                which is for short clips; long recordings with pauses need their spans.
            on_progress: Called with the share of the spans that is done, 0-1, after each window.

        Raises:
            ValueError: The audio is not mono, not floating point or not finite.
        """
        _check_audio(audio)
        length_s = len(audio) / SPEECH_RATE_HZ
        wanted = [Span(start_s=0.0, end_s=length_s)] if spans is None else merge_spans(spans)
        inside = [
            Span(start_s=max(0.0, span.start_s), end_s=min(length_s, span.end_s))
            for span in wanted
            if span.start_s < length_s and span.end_s > 0.0
        ]
        segments: list[Segment] = []
        rejected: list[Rejected] = []
        speech: list[Span] = []
        for span, padded in zip(inside, _padded(inside, length_s), strict=True):
            reason = silence_reason(_cut(audio, span))
            if reason:
                rejected.append(Rejected(start_s=span.start_s, end_s=span.end_s, text="", reason=reason))
            else:
                speech.append(padded)
        spoken = language or self._language or self._detected_language(audio, speech)
        done = 0
        packs = packed(audio, speech) if self._together else [pack_of(audio, [span]) for span in speech]
        for pack in packs:
            for found in self._heard(audio, pack, spoken):
                if isinstance(found, Rejected):
                    rejected.append(found)
                else:
                    segments.append(found)
            done += len(pack.pieces)
            if on_progress is not None:
                on_progress(done / len(speech))
        rejected.sort(key=lambda item: (item.start_s, item.end_s))
        return Transcript(language=spoken, segments=tuple(segments), rejected=tuple(rejected))

    def _heard(self, audio: Samples, pack: Pack, language: str) -> list[Segment | Rejected]:
        """What is believed of a pack, or of each of its stretches by itself."""
        found = list(self._recognized(pack, language))
        if len(pack.pieces) == 1:
            return found
        if not any(_is_doubtful(found, piece) for piece in pack.pieces):
            return found
        alone = [pack_of(audio, [piece.span]) for piece in pack.pieces]
        return [one for single in alone for one in self._recognized(single, language)]

    def _recognized(self, pack: Pack, language: str) -> Iterator[Segment | Rejected]:
        segments, _ = self._model.transcribe(
            pack.clip,
            language=language,
            beam_size=5,
            temperature=[0.0],
            condition_on_previous_text=False,
            word_timestamps=True,
            vad_filter=False,
            # The thresholds are applied below, where what they remove can be told.
            no_speech_threshold=None,
            log_prob_threshold=None,
            compression_ratio_threshold=None,
            # No one speaks twenty tokens a second; a loop on noise would take seconds to write its 448.
            max_new_tokens=min(400, round(24 + 20 * len(pack.clip) / SPEECH_RATE_HZ)),
        )
        for segment in segments:
            yield from _guarded(segment, pack, language)

    def _detected_language(self, audio: Samples, speech: Sequence[Span]) -> str:
        """The language of the first half minute of speech; "und" (undetermined) where there is none."""
        if not speech:
            return "und"
        together = np.concatenate([_cut(audio, span) for span in speech])[: 30 * SPEECH_RATE_HZ]
        return str(self._model.detect_language(together)[0])


def _is_doubtful(found: Sequence[Segment | Rejected], piece: Piece) -> bool:
    """Whether what was heard of a window is not to be believed for one of its stretches."""
    if any(isinstance(one, Rejected) for one in found):
        return True
    sure = [
        max(word.probability, 1e-6)
        for one in found
        if isinstance(one, Segment)
        for word in one.words
        if piece.span.start_s <= (word.start_s + word.end_s) / 2 <= piece.span.end_s
    ]
    return not sure or float(np.mean(np.log(sure))) < LOW_LOG_PROBABILITY


def _guarded(segment: Any, pack: Pack, language: str) -> Iterator[Segment | Rejected]:
    """A segment of faster-whisper's in our times, apart by stretches, and what of it is not believed."""
    words = list(_words(segment, pack.clip, language))
    reason = invention_reason(
        no_speech=segment.no_speech_prob,
        log_probability=segment.avg_logprob,
        compression_ratio=segment.compression_ratio,
    )
    if reason and words:
        yield _rejected([_in_call(word, pack) for word in words], reason, language)
        return
    spoken = []
    for word in words:
        # Words that were invented behind the end of the speech lie on silence.
        reason = word_silence_reason(pack.clip, word.start_s, word.end_s)
        if not reason and pack.piece_at(word.start_s) != pack.piece_at(word.end_s):
            reason = "lies in two stretches of speech"
        if reason:
            yield _rejected([_in_call(word, pack)], reason, language)
        else:
            spoken.append(word)
    for _, together in groupby(spoken, key=lambda word: _piece_of(word, pack)):
        placed = [_in_call(word, pack) for word in together]
        yield Segment(
            text=join_words(placed, language),
            start_s=placed[0].start_s,
            end_s=placed[-1].end_s,
            words=tuple(placed),
            no_speech_probability=segment.no_speech_prob,
            mean_log_probability=segment.avg_logprob,
            compression_ratio=segment.compression_ratio,
        )


def _piece_of(word: Word, pack: Pack) -> Piece:
    return pack.piece_at((word.start_s + word.end_s) / 2)


def _in_call(word: Word, pack: Pack) -> Word:
    """A word in the times of the audio."""
    piece = _piece_of(word, pack)
    times = {"start_s": piece.in_call(word.start_s), "end_s": piece.in_call(word.end_s)}
    return word.model_copy(update=times)


def _words(segment: Any, clip: Samples, language: str) -> Iterator[Word]:
    """The words of a segment, in times of the clip.

    faster-whisper cuts 3.30 into "3" and ".30"; what has no space before it belongs to the word before. In a
    language without spaces that holds for Latin words only ("North", "wind").
    """
    pieces: list[list[Any]] = []
    for found in segment.words or ():
        if pieces and _belongs(found.word, pieces[-1][-1].word, language):
            pieces[-1].append(found)
        else:
            pieces.append([found])
    for piece in pieces:
        text = to_simplified("".join(part.word for part in piece).strip())
        if not any(character.isalnum() for character in text):
            continue
        start_s, end_s = place_word(clip, float(piece[0].start), float(piece[-1].end))
        probability = min(float(part.probability) for part in piece)
        yield Word(
            word=text,
            start_s=start_s,
            end_s=end_s,
            probability=min(max(probability, 0.0), 1.0),
        )


def _belongs(piece: str, before: str, language: str) -> bool:
    """Whether a piece of faster-whisper's is of one word with the piece before it."""
    if piece.startswith(" "):
        return False
    return language not in _UNSPACED or _LATIN_MEETS_LATIN.search(f"{before}\0{piece}") is not None


def _rejected(words: Sequence[Word], reason: str, language: str) -> Rejected:
    return Rejected(
        start_s=words[0].start_s, end_s=words[-1].end_s, text=join_words(words, language), reason=reason
    )


def _padded(spans: Sequence[Span], length_s: float) -> list[Span]:
    """Each span with some of the audio around it, at most half way to its neighbours."""
    edges = [0.0, *((one.end_s + other.start_s) / 2 for one, other in pairwise(spans)), length_s]
    return [
        Span(start_s=max(before, span.start_s - PADDING_S), end_s=min(after, span.end_s + PADDING_S))
        for span, (before, after) in zip(spans, pairwise(edges), strict=False)
    ]


def _cut(audio: Samples, span: Span) -> Samples:
    return audio[round(span.start_s * SPEECH_RATE_HZ) : round(span.end_s * SPEECH_RATE_HZ)]


def _check_audio(audio: Samples) -> None:
    if audio.ndim != 1 or not np.issubdtype(audio.dtype, np.floating):
        raise ValueError(
            f"a transcript needs mono floating-point audio, not {audio.dtype} of shape {audio.shape}"
        )
    if not np.all(np.isfinite(audio)):
        raise ValueError("the audio has samples that are not finite")
