"""An agent that does what its card says, word for word: the yardstick for callers, and for judges.

Deterministic and without a language model. It opens, goes through the steps line by line, one question at a
time, and closes. In between it hears four kinds of turns: somebody asks (answered from FAQ, steps and
branches as far as it recognises it by words; else it says that it does not know), wants it again (the last
sentence), objects or hesitates (the branch for it, then the open proposal once more), or cannot talk or is
somebody else (the branch for it, then it takes its leave). It knows the card alone, never the person.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from harness.calls.text.agents.base import AgentReply
from harness.calls.text.agents.caller_turns import (
    hands_over,
    hesitates,
    is_somebody_else,
    names_a_time,
    wants_it_again,
)
from harness.calls.text.agents.card_lookup import CardLookup, Found
from harness.scenarios.agent_card import AgentCard, Language
from harness.scenarios.scenario import Entry
from spoken_language.dialogue import DialogueTurn
from voice_sim.understanding.acts import acts_of, split_sentences

LONGEST_TURN = 420
"""Characters after which the next line of the procedure waits for the next turn."""
SAID_TWICE = 2

_WORDS = {
    "en": {
        "again": "Of course.",
        "see": "I understand, take the time you need.",
        "instead": "I'm sorry, then I'll try again another time.",
    },
    "zh": {"again": "好的。", "see": "我理解，您不着急。", "instead": "不好意思，那我改个时间再打。"},
}


@dataclass(frozen=True, kw_only=True)
class _Piece:
    """Lines of the procedure that are said together, up to a question."""

    text: str
    step: int


@dataclass
class _Progress:
    """How far the agent has come in its procedure."""

    next_piece: int = 0
    last_piece: _Piece | None = None
    given: Counter[str] = field(default_factory=Counter)
    asked_again: set[str] = field(default_factory=set)
    proposed_again: set[str] = field(default_factory=set)
    unanswered: str = ""
    not_heard: int = 0
    deferring: bool = False
    somebody_else: bool = False
    closing: bool = False


class SopAgent:
    """Follows the card of one entry; see :class:`harness.calls.text.agents.base.TextAgent`.

    Attributes:
        finished: Whether it has said all of its procedure, and its closing.
    """

    def __init__(self, entry: Entry) -> None:
        self._card: AgentCard = entry.card
        self._language: Language = entry.scenario.language
        self._pieces = _pieces(entry.card, self._language)
        self._lookup = CardLookup(entry.card, self._language)
        self._progress = _Progress()

    @property
    def name(self) -> str:
        return "sop"

    @property
    def finished(self) -> bool:
        return self._progress.closing

    @property
    def steps_said(self) -> int:
        """How many steps of the card it has come to say, all lines of the last one included."""
        said = self._pieces[: self._progress.next_piece]
        waiting = {piece.step for piece in self._pieces[self._progress.next_piece :]}
        return len({piece.step for piece in said} - waiting)

    async def reply(self, turns: Sequence[DialogueTurn]) -> AgentReply:
        progress = self._progress
        if not any(turn.speaker == "agent" for turn in turns):
            return AgentReply(text=self._card.opening)
        said = turns[-1].text if turns and turns[-1].speaker == "caller" else ""
        if progress.closing:
            return AgentReply(text=self._closing("success"), hangs_up=True)
        if not said or wants_it_again(said, self._language):
            progress.not_heard += 1
            if progress.not_heard <= (1 if said else SAID_TWICE):
                return AgentReply(text=self._again(turns, asked=bool(said)))
        lost = progress.not_heard > 0
        progress.not_heard = 0
        another_time = self._another_time(said)
        if another_time is not None:
            return another_time
        parts = [] if lost else self._respond(said)
        if not (parts and parts[-1].rstrip().endswith(("?", "？"))):
            parts += self._go_on(
                room=LONGEST_TURN - sum(map(len, parts)),
                answered=bool(parts),
                unanswered=self._is_no_answer(said) or self._puts_off(said),
            )
        if parts:
            return AgentReply(text=self._join(parts))
        progress.closing = True
        return AgentReply(text=self._closing("success"), hangs_up=True)

    def _again(self, turns: Sequence[DialogueTurn], *, asked: bool) -> str:
        """The end of what was said last, for whoever lost it; all of it into a silence."""
        last = next((turn.text for turn in reversed(turns) if turn.speaker == "agent"), self._card.opening)
        if not asked:
            return last
        again = _WORDS[self._language]["again"]
        sentences = split_sentences(last.removeprefix(again).strip(), self._language)
        return self._join([again, sentences[-1]]) if sentences else last

    def _another_time(self, said: str) -> AgentReply | None:
        """What the person is told who is busy or the wrong one; then a close."""
        progress = self._progress
        if progress.somebody_else:
            progress.somebody_else = False
            if hands_over(said, self._language):
                return AgentReply(text=self._card.opening)
            return self._close("deferred")
        if progress.deferring:
            progress.deferring = False
            if names_a_time(said, self._language) and not acts_of(said, self._language).asks:
                return self._close("deferred")
        if progress.next_piece <= 1 and is_somebody_else(said, self._language):
            progress.somebody_else = True
            branches = (branch for step in self._card.sop for branch in step.branches)
            lines = (line for branch in branches if branch.kind == "wrong_person" for line in branch.say)
            return AgentReply(text=next(lines, _WORDS[self._language]["instead"]))
        return None

    def _close(self, outcome: str) -> AgentReply:
        self._progress.closing = True
        return AgentReply(text=self._closing(outcome), hangs_up=True)

    def _puts_off(self, said: str) -> bool:
        """Whether the person hesitates at a proposal that was not put again yet."""
        last = self._progress.last_piece
        if last is None or last.text in self._progress.proposed_again:
            return False
        proposes = any(sentence.proposes for sentence in acts_of(last.text, self._language).sentences)
        return proposes and hesitates(said, self._language)

    def _respond(self, said: str) -> list[str]:
        """What the card has to say to the person's words."""
        progress = self._progress
        step = progress.last_piece.step if progress.last_piece else 0
        was_asked = bool(progress.last_piece and acts_of(progress.last_piece.text, self._language).asks)
        found = self._lookup.find(said, step=step, was_asked=was_asked, before=progress.unanswered)
        asks = acts_of(said, self._language).asks
        if found is None and hesitates(said, self._language) and was_asked:
            return self._once(_WORDS[self._language]["see"])
        if found is None or (found == self._lookup.unknown() and progress.last_piece is None):
            return []  # what it is about is said next anyway
        if found.kind == "statement" and any(found.lines[0] in one.text for one in self._said()):
            if not asks:
                return []
            found = self._lookup.unknown()  # said already, and asked all the same
        progress.unanswered = said if found == self._lookup.unknown() else ""
        progress.deferring = found.kind == "busy"
        line = self._line_of(found)
        if line is None and asks:
            line = self._line_of(self._lookup.unknown()) or self._line_of(self._lookup.no_idea())
        return [line] if line else []

    def _said(self) -> list[_Piece]:
        return self._pieces[: self._progress.next_piece]

    def _once(self, line: str) -> list[str]:
        self._progress.given[line] += 1
        return [line] if self._progress.given[line] == 1 else []

    def _line_of(self, found: Found) -> str | None:
        times = self._progress.given[found.key]
        if times >= max(len(found.lines), SAID_TWICE):
            return None
        self._progress.given[found.key] += 1
        return found.lines[min(times, len(found.lines) - 1)]

    def _is_no_answer(self, said: str) -> bool:
        """Whether the person only asked back."""
        sentences = acts_of(said, self._language).sentences
        return bool(sentences) and all(sentence.asks for sentence in sentences)

    def _go_on(self, *, room: int, answered: bool, unanswered: bool) -> list[str]:
        """The question that was not answered, once more, or the next lines of the procedure."""
        progress = self._progress
        last = progress.last_piece
        if answered and unanswered and last is not None and last.text not in progress.asked_again:
            progress.asked_again.add(last.text)
            progress.proposed_again.add(last.text)
            question = _last_question(last.text, self._language)
            if question:
                return [question]
        if progress.next_piece >= len(self._pieces):
            return []
        piece = self._pieces[progress.next_piece]
        if answered and len(piece.text) > room:
            return []
        progress.next_piece += 1
        progress.last_piece = piece
        return [piece.text]

    def _closing(self, outcome: str) -> str:
        for ending in self._card.termination:
            if ending.outcome == outcome and ending.closing:
                return ending.closing[0]
        return next((line for ending in self._card.termination for line in ending.closing), "")

    def _join(self, parts: list[str]) -> str:
        return (" " if self._language == "en" else "").join(parts)


def _pieces(card: AgentCard, language: Language) -> list[_Piece]:
    """The procedure as turns: statements run on until something is asked."""
    opening_identifies = acts_of(card.opening, language).asks_identity
    pieces: list[_Piece] = []
    for number, step in enumerate(card.sop):
        waiting: list[str] = []
        for line in step.say:
            only_identity = (
                acts_of(line, language).asks_identity and len(split_sentences(line, language)) == 1
            )
            if opening_identifies and only_identity:
                continue
            waiting.append(line)
            if line.rstrip().endswith(("?", "？")) or sum(map(len, waiting)) > LONGEST_TURN // 2:
                pieces.append(_Piece(text=(" " if language == "en" else "").join(waiting), step=number))
                waiting = []
        if waiting:
            pieces.append(_Piece(text=(" " if language == "en" else "").join(waiting), step=number))
    return pieces


def _last_question(text: str, language: Language) -> str:
    sentences = [sentence for sentence in acts_of(text, language).sentences if sentence.asks]
    return sentences[-1].text if sentences else ""
