"""The transcript as the page shows it: who said what when, and beside it what was heard.

A transcript file holds several sources for the same speech: the text that the caller meant to say, the
agent's own transcript of it, our recogniser's. Here they become one entry a stretch of speech, with the
differences between sources marked word by word (character by character in Chinese). Spellings that error
rates count as the same ("200", "two hundred") are not marked. The marks are for the eye; the rates themselves
are computed by ``metrics.recognition``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import jiwer

from harness.records.call import Side
from harness.records.scores import Transcript, TranscriptLine
from metrics.recognition.normalize import Language, normalize

UNSURE_BELOW = 0.5
"""Word probability under which the recogniser is called unsure."""

MAX_ALIGNED_WORDS = 2_000
"""Of one entry: aligning takes time by the product of both lengths, and nobody reads further."""

Mark = Literal["", "missing", "added"]

_TOKEN = re.compile(
    r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]|[^\s\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+"
)


@dataclass(frozen=True, kw_only=True)
class Word:
    """One word on the page.

    Attributes:
        start_s: When it is spoken; None where no recogniser timed it.
        unsure: The recogniser gave it a low probability.
        mark: "missing" was said but not heard, "added" was heard but not said.
        space: A blank follows it.
    """

    text: str
    start_s: float | None = None
    unsure: bool = False
    mark: Mark = ""
    space: bool = True


@dataclass(frozen=True, kw_only=True)
class Hearing:
    """Another source's version of an entry, with what differs marked."""

    label: str
    words: tuple[Word, ...]


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One stretch of speech: ``hearings`` that differ, and in words which sources ``agreed``."""

    side: Side
    start_s: float
    end_s: float
    words: tuple[Word, ...]
    hearings: tuple[Hearing, ...]
    agreed: str


def dialogue(transcript: Transcript, *, language: Language = "en") -> list[Entry]:
    """The entries of a call, in order of time."""
    caller = _by_utterance([line for line in transcript.lines if line.side == "caller"])
    starts = sorted(min(line.start_s for line in lines) for lines in caller)
    agent = _between(starts, [line for line in transcript.lines if line.side == "agent"])
    entries = [_caller_entry(lines, language) for lines in caller]
    entries += [_agent_entry(lines, language) for lines in agent]
    return sorted(entries, key=lambda entry: entry.start_s)


def compared(
    reference: Sequence[Word], heard: Sequence[Word], *, language: Language = "en"
) -> tuple[Word, ...]:
    """``heard`` with its additions marked, and the words of ``reference`` that it lacks put in."""
    merged: list[Word] = []
    for same, said, got in _aligned(reference, heard):
        if same or _sounds(reference[said], language) == _sounds(heard[got], language):
            merged += heard[got]
        else:
            merged += [replace(word, mark="missing", unsure=False) for word in reference[said]]
            merged += [replace(word, mark="added") for word in heard[got]]
    return tuple(merged)


def _caller_entry(lines: list[TranscriptLine], language: Language) -> Entry:
    said, own, whisper = (_words(lines, source) for source in ("said", "agent_asr", "whisper"))
    main = _timed_like(said, whisper) if said else whisper or own
    others = [("Agent heard", own)] if main is not own else []
    if said:
        others.append(("Recogniser heard", whisper))
    return _entry("caller", lines, main, [(label, main, words) for label, words in others], language)


def _agent_entry(lines: list[TranscriptLine], language: Language) -> Entry:
    text, whisper = _words(lines, "agent_text"), _words(lines, "whisper")
    # What was audible comes first: an agent's own text may never have been spoken.
    others = [("Against its own text", text, whisper)] if whisper and text else []
    return _entry("agent", lines, whisper or text, others, language)


def _entry(
    side: Side,
    lines: list[TranscriptLine],
    words: list[Word],
    others: list[tuple[str, list[Word], list[Word]]],
    language: Language,
) -> Entry:
    hearings, agreed = [], []
    for label, reference, heard in others:
        if not heard:
            continue
        shown = compared(reference, heard, language=language)
        if any(word.mark for word in shown):
            hearings.append(Hearing(label=label, words=shown))
        else:
            agreed.append(label)
    return Entry(
        side=side,
        start_s=round(min(line.start_s for line in lines), 3),
        end_s=round(max(line.end_s for line in lines), 3),
        words=tuple(words),
        hearings=tuple(hearings),
        agreed=_agreement(agreed),
    )


def _agreement(labels: list[str]) -> str:
    if not labels:
        return ""
    if labels == ["Against its own text"]:
        return "as in the agent's own text"
    who = " and ".join(label.removesuffix(" heard").lower() for label in labels)
    return f"{who} heard the same"


def _by_utterance(lines: list[TranscriptLine]) -> list[list[TranscriptLine]]:
    """Lines of the caller that speak of the same utterance: by its index, else by the overlap in time."""
    groups: dict[int, list[TranscriptLine]] = {}
    for line in sorted(lines, key=lambda line: (line.source != "said", line.start_s)):
        key = line.utterance
        if key is None and line.source != "said":
            key = max(groups, key=lambda key: _closeness(line, groups[key][0]), default=None)
        groups.setdefault(-len(groups) - 1 if key is None else key, []).append(line)
    return list(groups.values())


def _closeness(one: TranscriptLine, other: TranscriptLine) -> float:
    """Seconds of overlap; negative is the distance between two that do not touch."""
    return min(one.end_s, other.end_s) - max(one.start_s, other.start_s)


def _between(starts: list[float], lines: list[TranscriptLine]) -> list[list[TranscriptLine]]:
    """Lines of the agent, split where the caller begins to speak."""
    groups: dict[int, list[TranscriptLine]] = {}
    for line in sorted(lines, key=lambda line: line.start_s):
        groups.setdefault(sum(start <= line.start_s for start in starts), []).append(line)
    return list(groups.values())


def _words(lines: Iterable[TranscriptLine], source: str) -> list[Word]:
    words: list[Word] = []
    for line in sorted(lines, key=lambda line: line.start_s):
        if line.source != source:
            continue
        for timed in line.words:
            unsure = timed.probability is not None and timed.probability < UNSURE_BELOW
            words += _tokens(timed.word, start_s=timed.start_s, unsure=unsure)
        if not line.words:
            words += _tokens(line.text)
    return words


def _tokens(text: str, *, start_s: float | None = None, unsure: bool = False) -> list[Word]:
    found = list(_TOKEN.finditer(text))
    return [
        Word(
            text=match.group(),
            start_s=None if start_s is None else round(start_s, 2),
            unsure=unsure,
            space=not _is_cjk(match.group()) or text[match.end() : match.end() + 1].isspace(),
        )
        for match in found
    ]


def _timed_like(words: list[Word], timed: list[Word]) -> list[Word]:
    """``words`` with the times of those in ``timed`` that they are aligned with, where that is one to one."""
    result = list(words)
    for same, said, got in _aligned(words, timed):
        for position, word in zip(range(said.start, said.stop), timed[got], strict=False):
            if same or said.stop - said.start == got.stop - got.start:
                result[position] = replace(words[position], start_s=word.start_s)
    return result


def _aligned(reference: Sequence[Word], heard: Sequence[Word]) -> list[tuple[bool, slice, slice]]:
    """Chunks, same or not, that cover both sequences; punctuation goes with the word before it."""
    said = [index for index, word in enumerate(reference) if _plain(word.text)]
    got = [index for index, word in enumerate(heard) if _plain(word.text)]
    if not said or not got or max(len(said), len(got)) > MAX_ALIGNED_WORDS:
        return [(False, slice(0, len(reference)), slice(0, len(heard)))]
    alignment = jiwer.process_words(
        " ".join(_plain(reference[index].text) for index in said),
        " ".join(_plain(heard[index].text) for index in got),
    ).alignments[0]
    chunks: list[tuple[bool, slice, slice]] = []
    ref_from = heard_from = 0
    for number, chunk in enumerate(alignment):
        same = chunk.type == "equal"
        if number + 1 < len(alignment) and not same and alignment[number + 1].type != "equal":
            continue
        last = number == len(alignment) - 1
        ref_to = _end(said, chunk.ref_end_idx, len(reference), last)
        heard_to = _end(got, chunk.hyp_end_idx, len(heard), last)
        chunks.append((same, slice(ref_from, ref_to), slice(heard_from, heard_to)))
        ref_from, heard_from = ref_to, heard_to
    return chunks


def _sounds(words: Sequence[Word], language: Language) -> str:
    return normalize(" ".join(word.text for word in words), language)


def _end(positions: list[int], count: int, length: int, last: bool) -> int:
    """Where a chunk ends that covers the first ``count`` of the words at ``positions``."""
    return length if last or count >= len(positions) else positions[count]


def _plain(word: str) -> str:
    """Without case, punctuation and width: what two spellings must share to count as the same word."""
    folded = unicodedata.normalize("NFKC", word).casefold()
    return "".join(char for char in folded if char.isalnum())


def _is_cjk(token: str) -> bool:
    return len(token) == 1 and bool(re.match(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]", token))
