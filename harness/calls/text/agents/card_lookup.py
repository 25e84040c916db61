"""Finds in an agent card what answers a person: the FAQ, or a branch of the procedure. By words alone."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from harness.calls.text.agents.caller_turns import hesitates, is_busy, refuses
from harness.scenarios.agent_card import AgentCard, Language, SopBranch
from voice_sim.understanding.acts import acts_of
from voice_sim.understanding.topic import content_words, stem
from voice_sim.understanding.words import spoken_words

ReplyKind = Literal["answer", "busy", "refusal", "objection", "question", "other", "statement", "unknown"]

ENOUGH_TO_ANSWER = 0.18
ENOUGH_TO_OBJECT = 0.22
ENOUGH_BESIDE_AN_ANSWER = 0.3
"""Cosine (words weighted by how rare they are in the card) from which an entry of the card is about what a
person asked, or objected to; more is needed where the agent had asked: they may just have answered."""
FEWEST_WORDS = 3
"""With fewer words ("And?", "If so.") nobody asks or objects to anything in particular."""
_IN_REPLY = frozenset({"objection", "refusal", "other", "question"})
"""Branches that meet what a person says without asking."""
LESS_CERTAIN = 0.6
"""What rests on one word, or on a question of the FAQ without its answer, counts this much."""
_FEWEST_SHARED = {"en": 2, "zh": 1}
"""Words in common below which it may be chance; in Chinese they are pairs of characters, and rarer."""
SAME_STEP = 1.35
"""An entry of the present step weighs this much more."""

_UNKNOWN = {
    "en": re.compile(
        r"not in this text|not (?:yet )?settled|no answer|not know|cannot (?:know|answer|say)"
        r"|nothing here|not stated"
        r"|not covered|not at hand|not in here|does not say",
        re.IGNORECASE,
    ),
    "zh": re.compile(r"(没有写|没写|不知道|不清楚|答不了|没有的信息|手头没有|查不到|之外|以外)"),
}
_NO_IDEA = {
    "en": (
        "I'm sorry, I don't know that, and I'd rather not guess. I don't have it at hand, I'll find out.",
        "That I don't know either, I can't say without asking.",
        "I don't have that here, I'm afraid.",
    ),
    "zh": (
        "这个我手头没有信息，说不好，不敢乱说，我得去问一下。",
        "这个我也不清楚，得问了才知道。",
        "抱歉，这个我手头没有。",
    ),
}
_SMALL = """
the a an is are am be was were been do does did have has had will would can could should may might
must i you he she it we they me him her us them my your his its our their this that these those to
of in on at for with from by and or but so if as not no yes up out then than there here just about
well oh now what say said think know see tell
"""
_SMALL_WORDS = frozenset(_SMALL.split())


@dataclass(frozen=True, kw_only=True)
class Found:
    """What the card has to say to a person's words.

    Attributes:
        key: Where it stands, unique in the card.
        lines: What to say: the first time, the second time.
    """

    key: str
    kind: ReplyKind
    lines: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class _Entry:
    found: Found
    step: int | None
    words: Counter[str]
    heading: Counter[str]
    """Of the question of the FAQ, or of the branch's condition, alone."""


class CardLookup:
    """Looks things up in one card."""

    def __init__(self, card: AgentCard, language: Language) -> None:
        self._language = language
        self._entries = list(_entries(card, language))
        documents = len(self._entries) + 1
        seen = Counter(word for entry in self._entries for word in entry.words)
        self._rarity = {word: math.log(documents / (1 + count)) + 1.0 for word, count in seen.items()}
        self._unseen = math.log(documents) + 1.0
        self._unknown = next(
            (
                entry.found
                for entry in self._entries
                if entry.found.kind in ("question", "other", "objection")
                and _UNKNOWN[language].search(entry.found.key)
            ),
            Found(key="unknown", kind="unknown", lines=_NO_IDEA[language]),
        )

    def find(self, words: str, *, step: int, was_asked: bool, before: str = "") -> Found | None:
        """What to say to ``words``, spoken in step number ``step``; None where nothing has to be.

        ``was_asked``: the agent had asked something just before. ``before``: a question of the person's that
        is not answered yet; what is asked now may be the same in other words.
        """
        language = self._language
        if len(spoken_words(words)) < FEWEST_WORDS:
            return None
        asked = _asked(words, language)
        if asked:
            queries = [asked, words, *([f"{before} {asked}"] if before else [])]
            score, best = max((self._best(query, step) for query in queries), key=lambda one: one[0])
            if best is not None and score >= ENOUGH_TO_ANSWER:
                return best
        score, best = self._best(words, step, kinds=_IN_REPLY)
        objects = hesitates(words, language)
        if best is not None and score >= (
            ENOUGH_TO_OBJECT if objects or not was_asked else ENOUGH_BESIDE_AN_ANSWER
        ):
            return best
        if is_busy(words, language):
            return self._of_kind("busy", step)
        if refuses(words, language) and not asked:
            return self._of_kind("refusal", step)
        return self.unknown() if asked else None

    def unknown(self) -> Found:
        """What to say to a question that the card holds no answer for, where the card has words for that."""
        return self._unknown

    def no_idea(self) -> Found:
        """The same in words of no card."""
        return Found(key="unknown", kind="unknown", lines=_NO_IDEA[self._language])

    def _best(
        self, words: str, step: int, *, kinds: frozenset[str] = frozenset()
    ) -> tuple[float, Found | None]:
        query = _words([words], self._language)
        scored = [
            (self._nearness(query, entry) * (SAME_STEP if entry.step == step else 1.0), -number)
            for number, entry in enumerate(self._entries)
            if entry.found.kind != "busy" and (not kinds or entry.found.kind in kinds)
        ]
        if not scored:
            return 0.0, None
        score, number = max(scored)
        return score, self._entries[-number].found

    def _of_kind(self, kind: ReplyKind, step: int) -> Found | None:
        places = [entry for entry in self._entries if entry.found.kind == kind]
        places.sort(key=lambda entry: abs((entry.step or 0) - step))
        return places[0].found if places else None

    def _nearness(self, query: Counter[str], entry: _Entry) -> float:
        fewest = _FEWEST_SHARED[self._language]
        by_all = self._cosine(query, entry.words)
        if sum(word in entry.words for word in query) < fewest:
            by_all *= LESS_CERTAIN
        if sum(word in entry.heading for word in query) < fewest:
            return by_all
        return max(by_all, LESS_CERTAIN * self._cosine(query, entry.heading))

    def _cosine(self, one: Counter[str], other: Counter[str]) -> float:
        shared = sum(self._weight(word) ** 2 for word in one if word in other)
        norm = math.sqrt(self._norm(one) * self._norm(other))
        return shared / norm if norm else 0.0

    def _norm(self, words: Iterable[str]) -> float:
        return sum(self._weight(word) ** 2 for word in words)

    def _weight(self, word: str) -> float:
        return self._rarity.get(word, self._unseen)


def _entries(card: AgentCard, language: Language) -> Iterable[_Entry]:
    for number, entry in enumerate(card.faq):
        found = Found(key=f"faq {number}", kind="answer", lines=(entry.answer,))
        yield _Entry(
            found=found,
            step=None,
            words=_words([entry.question, entry.answer], language),
            heading=_words([entry.question], language),
        )
    for place, step in enumerate(card.sop):
        for number, line in enumerate(step.say):
            if not acts_of(line, language).asks:
                found = Found(key=f"{place} says {number}", kind="statement", lines=(line,))
                yield _Entry(found=found, step=None, words=_words([line], language), heading=Counter())
        for branch in step.branches:
            if branch.kind == "wrong_person" or not branch.say:
                continue
            yield _Entry(
                found=_branch(place, branch),
                step=place,
                words=_words([branch.when, *branch.say], language),
                heading=Counter(),
            )


def _asked(words: str, language: Language) -> str:
    """The sentences that want an answer, with nothing around them."""
    return " ".join(sentence.text for sentence in acts_of(words, language).sentences if sentence.asks)


def _branch(place: int, branch: SopBranch) -> Found:
    kind: ReplyKind = "other" if branch.kind == "wrong_person" else branch.kind
    return Found(key=f"{place} {branch.kind}: {branch.when}", kind=kind, lines=branch.say)


def _words(texts: Sequence[str], language: Language) -> Counter[str]:
    """The words that tell one question from another: here also "when", "who" and "how", unlike in a topic."""
    if language == "zh":
        return Counter(word for text in texts for word in content_words(text))
    return Counter({stem(word) for text in texts for word in spoken_words(text) if word not in _SMALL_WORDS})
