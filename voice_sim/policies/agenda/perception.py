"""What the persona notices in one turn of the agent: which of its own concerns the words touch."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from voice_sim.guard.read_back import read_back
from voice_sim.person.examples import Item, ItemKind
from voice_sim.person.persona import Persona
from voice_sim.understanding.acts import Acts, Language, Sentence, acts_of
from voice_sim.understanding.cues import Found, find_any
from voice_sim.understanding.examples.turn import taken
from voice_sim.understanding.examples.understander import Understander
from voice_sim.understanding.farewells import only_courtesy
from voice_sim.understanding.process_talk.acts import plausible, with_last_act
from voice_sim.understanding.process_talk.lines import ProcessAct
from voice_sim.understanding.proposals import wants_the_floor
from voice_sim.understanding.question_forms import QuestionForm, form_of
from voice_sim.understanding.topic import content_words

BARE_QUESTION = 1
"""A question with no more content words than this ("When was that?") means what stands before it."""

OF_THE_TALK: tuple[QuestionForm, ...] = ("understood", "invites", "anything")
"""Forms of questions that are about the talk itself."""
FAMILIAR_WORDS = 2
FAMILIAR_SHARE = 0.3
"""An utterance that touches no cue is still about the call when it shares this many content words, or this
share of its content words, with what the persona knows, wants and can say."""


@dataclass(frozen=True, kw_only=True)
class Perception:
    """One turn of the agent as the persona takes it in. Ids and positions are those of the persona.

    Attributes:
        text: What was heard; "" when nothing was.
        facts: Facts that were asked for, the last question first.
        mentioned: Facts that something was said about without a question.
        obstacles, overcome: Obstacles that the turn brings up, and those that it helps over.
        answered: Must-asks that it answers.
        positive, negative, hang_up, termination: Positions whose cues it contains.
        about_the_call: False for words that have nothing to do with anything in the persona.
        does: What its last sentence does, whatever it is about; None where that is not known.
        surely_asked: Of the facts, those of which there is hardly a doubt; by cues none.
        doubtful: Of all items, those of which there is a doubt; by cues none.
        perhaps_a_fact: It may ask for something that the person knows, but that is not clear enough.
        nearest_facts: What its last question may ask for, with the probability, the likeliest first.
        unforeseen: Its last question has words for something, and none that the card has.
        language: In which it was understood.
        soothes: One of its sentences says sorry or feels with the listener; by cues never.
    """

    text: str
    acts: Acts
    facts: tuple[str, ...] = ()
    mentioned: tuple[str, ...] = ()
    obstacles: tuple[str, ...] = ()
    overcome: frozenset[str] = frozenset()
    answered: frozenset[str] = frozenset()
    positive: tuple[int, ...] = ()
    negative: tuple[int, ...] = ()
    hang_up: tuple[int, ...] = ()
    termination: tuple[int, ...] = ()
    about_the_call: bool = False
    does: ProcessAct | None = None
    perhaps_a_fact: bool = False
    surely_asked: frozenset[str] = frozenset()
    doubtful: frozenset[Item] = frozenset()
    nearest_facts: tuple[tuple[str, float], ...] = ()
    soothes: bool = False
    unforeseen: bool = False
    language: Language = "en"

    def items(self) -> Iterator[Item]:
        """What it is taken to mean."""
        kinds: tuple[tuple[ItemKind, Collection[str | int]], ...] = (
            ("fact", self.facts),
            ("must_ask", sorted(self.answered)),
            ("obstacle", self.obstacles),
            ("overcome", sorted(self.overcome)),
            ("positive", self.positive),
            ("negative", self.negative),
            ("hang_up", self.hang_up),
        )
        return (Item(kind, str(ref)) for kind, refs in kinds for ref in refs)

    def without_doubts(self) -> Perception:
        """With nothing that is doubtful: of an opening, which is about nothing yet, too much is taken."""

        def sure(kind: ItemKind, refs: tuple[str, ...]) -> tuple[str, ...]:
            return tuple(ref for ref in refs if Item(kind, ref) not in self.doubtful)

        return replace(
            self,
            facts=tuple(key for key in self.facts if key == "name" or key in sure("fact", self.facts)),
            obstacles=sure("obstacle", self.obstacles),
            negative=tuple(map(int, sure("negative", tuple(map(str, self.negative))))),
            hang_up=tuple(map(int, sure("hang_up", tuple(map(str, self.hang_up))))),
        )

    @property
    def touches_a_concern(self) -> bool:
        """Whether any cue of the persona is in it."""
        return bool(
            self.facts
            or self.mentioned
            or self.obstacles
            or self.overcome
            or self.answered
            or self.positive
            or self.negative
            or self.termination
        )

    @property
    def empty(self) -> bool:
        return not self.text

    @cached_property
    def content(self) -> frozenset[str]:
        return content_words(self.text)

    @property
    def question(self) -> Sentence | None:
        """The last sentence that wants an answer."""
        return next((sentence for sentence in reversed(self.acts.sentences) if sentence.asks), None)


class Perceiver:
    """Perceives for one persona.

    Args:
        persona: Whose concerns.
        understander: Tells what is meant by the examples of the persona; None, and where it does not know a
            text: by their cues.
    """

    def __init__(self, persona: Persona, *, understander: Understander | None = None) -> None:
        self._persona = persona
        self._understander = understander
        self._familiar = _familiar_words(persona)
        self._seen: dict[tuple[str, frozenset[Item]], Perception] = {}

    def perceive(self, text: str, *, expected: Collection[Item] = ()) -> Perception:
        """What is noticed in ``text``; the same text is always perceived alike.

        Args:
            expected: What the course of the call makes likely.
        """
        text = text.strip()
        key = text, frozenset(expected)
        if key not in self._seen:
            by_examples = self._by_examples(text, key[1])
            if by_examples is None and self._understander is not None:
                return self._by_cues(text)  # not kept: it may be known later
            self._seen[key] = by_examples or self._by_cues(text)
        return self._seen[key]

    def _by_examples(self, text: str, expected: frozenset[Item]) -> Perception | None:
        if self._understander is None:
            return None
        found = taken(self._understander, text, self._persona.language, expected=expected)
        if found is None:
            return None

        def refs(kind: ItemKind) -> tuple[str, ...]:
            return tuple(item.ref for item in found.items if item.kind == kind)

        seen = self._perceived(
            text,
            facts=refs("fact"),
            obstacles=refs("obstacle"),
            overcome=frozenset(refs("overcome")),
            answered=frozenset(refs("must_ask")),
            positive=tuple(map(int, refs("positive"))),
            negative=tuple(map(int, refs("negative"))),
            hang_up=tuple(map(int, refs("hang_up"))),
        )
        does = plausible(seen.acts, found.does)
        return replace(
            seen,
            acts=with_last_act(seen.acts, does, possible=found.possible),
            does=does,
            about_the_call=seen.about_the_call or does is not None,
            perhaps_a_fact=found.perhaps_a_fact,
            surely_asked=frozenset(item.ref for item in found.surely if item.kind == "fact"),
            nearest_facts=found.nearest_facts,
            soothes="feeling" in found.possible,
            doubtful=frozenset(found.items) - found.surely,
        )

    def _by_cues(self, text: str) -> Perception:
        persona = self._persona
        return self._perceived(
            text,
            facts=self._asked_facts(text, acts_of(text, persona.language)),
            obstacles=tuple(o.id for o in persona.obstacles if find_any(o.cues, text)),
            overcome=frozenset(o.id for o in persona.obstacles if find_any(o.overcome_cues, text)),
            answered=frozenset(m.id for m in persona.must_ask if find_any(m.answered_by, text)),
            positive=_matching([trigger.cues for trigger in persona.triggers.positive], text, Found.EXACTLY),
            negative=_matching([trigger.cues for trigger in persona.triggers.negative], text, Found.EXACTLY),
            hang_up=_matching([ending.cues for ending in persona.hang_up], text, Found.EXACTLY),
        )

    def _perceived(self, text: str, *, facts: tuple[str, ...], **meant: Any) -> Perception:
        """With what cues alone tell, whoever understood the rest: what is just mentioned, and endings."""
        persona, acts = self._persona, acts_of(text, self._persona.language)
        if not any(character.isalnum() for character in text):
            return Perception(text="", acts=acts, language=persona.language)
        found = Perception(
            text=text,
            acts=acts,
            language=persona.language,
            facts=facts,
            mentioned=tuple(
                fact.key for fact in persona.facts if fact.key not in facts and find_any(fact.cues, text)
            ),
            termination=_matching([ending.cues for ending in persona.termination], text),
            **meant,
        )
        asked = content_words(found.question.text) if found.question is not None else frozenset[str]()
        unforeseen = bool(asked) and not asked & self._familiar
        return replace(found, about_the_call=self._is_about_the_call(found), unforeseen=unforeseen)

    def _asked_facts(self, text: str, acts: Acts) -> tuple[str, ...]:
        """Sentence by sentence from the end; the whole turn where a bare question refers to it."""
        asked: dict[str, None] = {}
        questions = [sentence.text for sentence in reversed(acts.sentences) if sentence.asks]
        for least in (Found.EXACTLY, Found.NEARLY):
            for question in questions:
                for fact in self._persona.facts:
                    if find_any(fact.cues, question) >= least:
                        asked.setdefault(fact.key)
            if asked:
                return tuple(asked)
        if questions and len(content_words(questions[0])) <= BARE_QUESTION:
            for fact in self._persona.facts:
                if find_any(fact.cues, text) is Found.EXACTLY:
                    asked.setdefault(fact.key)
        return tuple(asked)

    def _is_told_by_its_form(self, seen: Perception) -> bool:
        """Whether it asks about the talk itself, whatever its words: whether that was clear, for their
        questions, for leave to go on."""
        question = seen.question
        if question is None:
            return False
        form = form_of(question.text, seen.language)
        return form in OF_THE_TALK or wants_the_floor(question.text, seen.language)

    def _is_about_the_call(self, seen: Perception) -> bool:
        acts = seen.acts
        if (
            seen.touches_a_concern
            or acts.greets
            or acts.asks_identity
            or acts.asks_for_time
            or acts.asks_for_more
            or acts.asks_to_wait
            or acts.farewell
            or acts.admits_ignorance
            or only_courtesy(seen.text, seen.language)
            or (any(one.proposes for one in acts.sentences) and len(seen.content) <= BARE_QUESTION)
            or self._is_told_by_its_form(seen)
            or read_back(seen.text, self._persona.facts, language=seen.language) is not None
        ):
            return True
        familiar = len(seen.content & self._familiar)
        return familiar >= FAMILIAR_WORDS or familiar >= FAMILIAR_SHARE * max(1, len(seen.content))


def _matching(cues: Sequence[tuple[str, ...]], text: str, least: Found = Found.NEARLY) -> tuple[int, ...]:
    return tuple(number for number, phrases in enumerate(cues) if find_any(phrases, text) >= least)


def _familiar_words(persona: Persona) -> frozenset[str]:
    texts = [persona.scenario, persona.situation, persona.knowledge, *persona.concerns.primary]
    texts += [*persona.concerns.secondary, *persona.motivation]
    for fact in persona.facts:
        texts += [fact.value, *fact.say, *fact.cues]
    for question in persona.must_ask:
        texts += [*question.ask, *question.answered_by]
    for obstacle in persona.obstacles:
        texts += [*obstacle.cues, *obstacle.say, *obstacle.overcome_cues, obstacle.overcome_by]
    for trigger in (*persona.triggers.positive, *persona.triggers.negative):
        texts += trigger.cues
    return frozenset().union(*map(content_words, texts))
