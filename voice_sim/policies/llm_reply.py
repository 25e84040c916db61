"""Turns what a language model writes into what a person says: sentence by sentence, and nothing else.

Models write more than was asked of them: a name before the words, stage directions, markdown, quotation
marks, the other side's answer, a whole dialogue. All of that is taken out or cut off here, while the text is
still coming.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from voice_sim.policies.base import EndReason
from voice_sim.policies.spoken_text import (
    asides_removed,
    begins_a_list,
    calls_itself_a_machine,
    is_numbered,
    is_open,
    shortened,
    spoken,
)
from voice_sim.policies.spoken_text import word_count as count

_WORDS = r"(?:hang(?:s|ing)?[\s_-]*up|end[\s_-]*(?:of[\s_-]*)?(?:the[\s_-]*)?call|挂断(?:电话)?|结束通话)"
_MARK = re.compile(
    rf"[\[【(<（]{{1,2}}\s*{_WORDS}\s*(?:[:：,，-]\s*(?P<reason>[^\]】)>）]{{0,40}}))?(?:[\]】)>）]{{1,2}}|\Z)"
    rf"|(?:\A|\n|(?<=[.!?。！？]))\s*{_WORDS}\s*[:：]\s*(?P<bare>satisfied|refused|g[ai]ve[\s_]up)\b",
    re.IGNORECASE,
)
_REASONS: tuple[tuple[re.Pattern[str], EndReason], ...] = (
    (re.compile(r"refus|declin|reject|拒绝|不想|不愿", re.IGNORECASE), "refused"),
    (re.compile(r"g[ai]ve[\s_-]*up|enough|放弃|受够", re.IGNORECASE), "gave_up"),
)
_THOUGHT = re.compile(r"<think(?:ing)?>.*?(?:</think(?:ing)?>|\Z)", re.DOTALL | re.IGNORECASE)

_OWN = (
    "user",
    "customer",
    "client",
    "callee",
    "recipient",
    "person",
    "me",
    "you",
    "用户",
    "客户",
    "我",
    "本人",
)
_OTHER = (
    *("agent", "caller", "assistant", "representative", "rep", "operator", "ai", "bot", "system", "them"),
    *("salesperson", "sales", "advisor", "staff", "the other side"),
    *("客服", "坐席", "来电者", "来电方", "对方", "助手", "助理", "销售", "工作人员", "系统"),
)

_SENTENCE_END = re.compile(r"[.!?]+['’)\"”*]*(?=\s)|[。！？；!?]+[”」』]?|\n+")
_NO_END = re.compile(
    r"(?:\b(?:Mr|Mrs|Ms|Dr|Prof|vs|etc|approx|e\.g|i\.e|[ap]\.m)\.|\b[A-Z]\.|\.\.|^\s*\d{1,2}[.)])$"
)
_MARK_STARTS = ("hang up", "hanging up", "end call", "end of call")
_GRACE_WORDS = 20
_HAS_WORD = re.compile(r"\w")


@dataclass(frozen=True, kw_only=True)
class Ending:
    """What was left when the model had finished.

    Attributes:
        sentences: The last of the turn; empty where everything was given out before.
        hangs_up: The model's reason, ``satisfied`` where it gave none; None: it stays on the line.
        why: For the timeline: what was cut off or left out.
    """

    sentences: tuple[str, ...]
    hangs_up: EndReason | None
    why: str


class ReplyReader:
    """Reads one turn while it is being written.

    Args:
        own_names: How the model may call the person that it plays, before its words.
        max_words: Words (a Chinese character is one) with which the turn ends, once a sentence is complete.
        max_sentences: Sentences after which it ends.
        max_chars: The most that is read at all.
    """

    def __init__(
        self,
        *,
        language: Literal["en", "zh"],
        own_names: tuple[str, ...] = (),
        max_words: int = 80,
        max_sentences: int = 6,
        max_chars: int = 4000,
    ) -> None:
        own = tuple(dict.fromkeys(name.casefold() for name in (*own_names, *_OWN) if name))
        self._labels = (*own, *_OTHER)
        self._own_label = re.compile(rf"\A\s*\**(?:{_either(own)})\**[ \t]*[:：]\**", re.IGNORECASE)
        self._any_label = re.compile(
            rf"(?:\A|\n|(?<=[.!?。！？]))[ \t]*\**(?:{_either(self._labels)})\**[ \t]*[:：]", re.IGNORECASE
        )
        self._language = language
        self._max_words = max_words
        self._max_sentences = max_sentences
        self._max_chars = max_chars
        self._raw = ""
        self._read = 0
        self._held: str | None = None
        self._words = 0
        self._said: set[str] = set()
        self._full = False
        self._notes: dict[str, None] = {}

    @property
    def over(self) -> bool:
        """Whether nothing further will be taken: the turn is long enough, or the model has hung up."""
        mark = self._mark()
        return self._full or (mark is not None and mark[0][-1] in "]】)>）")

    def feed(self, text: str) -> list[str]:
        """Takes what the model wrote next; gives the sentences that are complete, but for the newest one:
        that is held back until it is sure that more follows."""
        if self._full:
            return []
        self._raw += text
        ready = self._take(self._sentences(whole=False))
        if len(self._raw) >= self._max_chars:
            self._fill("cut: it went on and on")
        if self._held is not None and not self._full and self._is_followed():
            ready.append(self._held)
            self._held = None
        return ready

    def finish(self, *, truncated: bool = False) -> Ending:
        """The rest of the turn. ``truncated``: the model was stopped in the middle of it."""
        complete = self._take(self._sentences(whole=False, ended=True))
        if not (truncated and self._words):
            complete += self._take(self._sentences(whole=True))
        if self._held is not None:
            complete.append(self._held)
            self._held = None
        mark = self._mark()
        return Ending(
            sentences=tuple(complete),
            hangs_up=None if mark is None else _reason(mark),
            why="; ".join(self._notes),
        )

    def _take(self, sentences: list[str]) -> list[str]:
        """Sentences come in; those before the newest one go out."""
        released: list[str] = []
        for sentence in sentences:
            if self._full:
                break
            if sentence.casefold() in self._said:
                self._fill("cut: it repeated itself")
                break
            self._said.add(sentence.casefold())
            if self._held is not None:
                released.append(self._held)
            # The sentence that reaches the limit is said to its end, unless it has none.
            room = self._max_words - self._words + _GRACE_WORDS
            words = count(sentence)
            self._held = sentence if words <= room else shortened(sentence, room)
            self._words += words
            if self._words >= self._max_words:
                self._fill(f"cut after {self._max_words} words")
            elif len(self._said) >= self._max_sentences:
                self._fill(f"cut after {self._max_sentences} sentences")
        return released

    def _sentences(self, *, whole: bool, ended: bool = False) -> list[str]:
        """The spoken sentences behind what was read before; ``whole``: the last one too, that has no end.
        ``ended``: nothing will be added."""
        text = self._readable()
        listed = is_numbered(text)
        sentences: list[str] = []
        while self._read < len(text):
            end = self._sentence_end(text, ended=ended or whole)
            if end is None:
                if not whole:
                    break
                end = len(text)
            if begins_a_list(text[self._read : end]) and not (listed or whole):
                break  # "1." may be a rating or the first of several points: the second line will tell
            sentence = spoken(text[self._read : end], language=self._language, listed=listed)
            self._read = end
            if calls_itself_a_machine(sentence):
                self._notes["left out: it called itself a machine"] = None
            elif _HAS_WORD.search(sentence):
                sentences.append(sentence)
        return sentences

    def _sentence_end(self, text: str, *, ended: bool) -> int | None:
        for found in _SENTENCE_END.finditer(text, self._read):
            if found.end() == len(text) and not ended:
                return None  # the next piece may begin with the rest of "?!"
            piece = text[self._read : found.end()]
            if _HAS_WORD.search(piece) and not _NO_END.search(piece) and not is_open(piece):
                return found.end()
        return None

    def _readable(self) -> str:
        """All that was written, up to the mark or to where the model speaks for the other side."""
        text = _THOUGHT.sub("", self._raw).lstrip()
        if mark := _MARK.search(text):
            text = text[: mark.start()]
        if own := self._own_label.match(text):
            text = text[own.end() :]
        if label := self._any_label.search(text):
            self._notes["cut: it spoke for the other side"] = None
            text = text[: label.start()]
        return text

    def _is_followed(self) -> bool:
        """Whether words of this turn follow: not what may become a mark, a name or a stage direction."""
        rest = asides_removed(self._readable()[self._read :]).strip().casefold()
        if not rest or not rest[0].isalnum() or is_open(rest):
            return False
        return not any(
            label.startswith(rest) or (rest.startswith(label) and not rest[len(label) :].strip("* "))
            for label in self._labels
        ) and not any(start.startswith(rest) or rest.startswith(start) for start in _MARK_STARTS)

    def _mark(self) -> re.Match[str] | None:
        return _MARK.search(_THOUGHT.sub("", self._raw))

    def _fill(self, why: str) -> None:
        self._notes[why] = None
        self._full = True


def _reason(mark: re.Match[str]) -> EndReason:
    given = mark["reason"] or mark["bare"] or ""
    return next((reason for pattern, reason in _REASONS if pattern.search(given)), "satisfied")


def _either(words: tuple[str, ...]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
