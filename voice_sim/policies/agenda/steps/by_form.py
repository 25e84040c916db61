"""Answers to a question of which only the form is understood: by yes or no, by asking back, by a question.

"I don't know" is no answer to "is that all right?", "any questions?" or "what would you like to know?". To a
question for something that is told in words a person who did not get it first wants it in other words; asked
once more, they tell what comes nearest of what they have not told yet.
"""

from __future__ import annotations

import re
from collections import Counter

from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.agenda.steps.willing import never, why_not
from voice_sim.policies.agenda.stock import StockKind
from voice_sim.understanding.question_forms import QuestionForm, form_of
from voice_sim.understanding.questions.answers import (
    asks_for_a_feeling,
    asks_for_the_story,
    asks_if_any,
    asks_what_is_so,
)
from voice_sim.understanding.questions.choices import (
    asks_for_a_wish,
    names_two,
    points_to_two,
    points_to_what_was_named,
)
from voice_sim.understanding.topic import content_words

ASKED_BACK_AT_MOST = 3
"""So often in a call a person wants a question in other words."""
PERHAPS = 0.05
"""Probability from which a question may be for something that they know."""
ASKED_BACK = "ask_back: what is asked may be known"
UNDECIDED = "two_minds: asked what they think of it, and not won"
WHY_ASK = "why_ask: nobody has spoken of that, and the card does not foresee it"
LONG_STORY = "long_story: asked on about something of which there is no more to tell"
_IT_IS_OFFERED = re.compile(
    r"\bhow (?:does|do|would) (?:that|this|it|these|they)\b.*\b(?:sound|look|suit|work)"
    r"|(?:您觉得|您看)(?:怎么样|怎样|如何|咋样)[？?]$",
    re.IGNORECASE,
)
_SAYS_THEY_DO_NOT_KNOW = re.compile(
    r"\b(?:know|knows|idea|sure|tell|say|can't|cannot|couldn't|no clue|check|remember|thought)\b"
    r"|不|没|哪知道|谁知道|记不|说不",
    re.IGNORECASE,
)
"""Of their own words for that, those that fit any question; others ("My son typed that in") fit few."""
_ONESELF = re.compile(
    r"^\W*(?:(?:and|so|but|okay|well|now),? )*(?:do|did|are|were|have|had|is|was) (?:you|your)\b"
    r"|^\W*(?:那|那么|还有)?[您你](?:家|平时|平常|有没有|自己|以前|结没结婚)",
    re.IGNORECASE,
)
_SHORT: dict[QuestionForm, StockKind] = {
    "understood": "clear",
    "check": "yes",
    "invites": "no_more",
    "say_back": "in_mind",
    "opinion": "fine",
    "anything": "nothing",
    "which": "either",
    "yes_no": "clear",
}


def form_of_question(now: Moment, seen: Perception) -> QuestionForm:
    """The form of the question that wants the answer; ``open`` where nothing is asked."""
    question = seen.question
    return "open" if question is None else form_of(question.text, now.persona.language)


def answer_by_form(now: Moment, seen: Perception) -> None:
    """To what no fact answers. Adds nothing beside what is already said."""
    if now.draft:
        return
    form = form_of_question(now, seen)
    if form == "yes_no" and _out_of_the_blue(now, seen) and now.draft.stock("why_ask", why=WHY_ASK):
        return
    if (
        form == "opinion"
        and _IT_IS_OFFERED.search(seen.question.text if seen.question else "")
        and not_won(now)
        and now.temper.reasons
        and now.draft.stock("two_minds", why=UNDECIDED)
    ):
        return
    if is_answered_by_a_no(seen, form) and now.draft.stock("nothing", why="nothing: knows of none"):
        return
    wanted = seen.question.text if seen.question else ""
    if form == "yes_no" and asks_for_a_feeling(wanted, seen.language) and now.draft.stock("a_little"):
        return
    if form == "which" and (asks_what_is_so(wanted, seen.language) or choose(now, seen)):
        if not now.draft:
            _in_words(now, seen)
        return
    short = None if form == "opinion" and not_won(now) else _SHORT.get(form)
    if short is None or not now.draft.stock(short, why=f"{short}: to a question of the form {form}"):
        _in_words(now, seen)


def choose(now: Moment, seen: Perception) -> bool:
    """The first of what there is to choose from, where it is named: a person picks, and does not shrug."""
    question = seen.question
    if question is None:
        return False
    named = names_two(question.text, seen.language) or points_to_two(question.text, seen.language)
    if not named and points_to_what_was_named(question.text, seen.language):
        before = [one.text for one in seen.acts.sentences if one is not question]
        named = any(names_two(one, seen.language) for one in before)
    return named and now.draft.stock("first", why="first: of what was named")


def leave_it_to_them(now: Moment, seen: Perception) -> bool:
    """To "which would you like?": what was named before it, or else whichever."""
    question = seen.question
    if question is not None and points_to_what_was_named(question.text, seen.language) and choose(now, seen):
        return True
    if question is None or not asks_for_a_wish(question.text, seen.language):
        return False
    return now.draft.stock("either", why="either: asked what they would like")


def is_answered_by_a_no(seen: Perception, form: QuestionForm) -> bool:
    question = seen.question
    return form == "yes_no" and question is not None and asks_if_any(question.text, seen.language)


def _out_of_the_blue(now: Moment, seen: Perception) -> bool:
    """Whether it asks the person about themselves what their card does not foresee and nobody has spoken of
    ("Do you own a car?"): a yes would be a fact that nobody wrote, and a person wants to know what for."""
    question = seen.question
    if question is None or not _ONESELF.search(question.text) or not seen.unforeseen:
        return False
    beside = " ".join(one.text for one in seen.acts.sentences if one is not question)
    return not content_words(question.text) & (now.state.earlier | content_words(beside))


def not_won(now: Moment) -> bool:
    """Who has yet to be won does not say that it sounds fine."""
    return never(now) or bool(why_not(now))


def _in_words(now: Moment, seen: Perception) -> None:
    """What wants words: first in other ones; then they do not know, once in their own words, which fit few
    questions."""
    if leave_it_to_them(now, seen):
        return
    if asks_for_the_story(seen.question.text if seen.question else "", seen.language) and now.draft.stock(
        "long_story", why=LONG_STORY
    ):
        return
    said = Counter(role.ref for role, times in now.state.lines.items() for _ in range(times))
    just_asked_back = any(role.ref == "ask_back" for role in now.state.last_roles)
    perhaps = any(near >= PERHAPS for _, near in seen.nearest_facts)
    asks_back = perhaps and not just_asked_back and said["ask_back"] < ASKED_BACK_AT_MOST
    if asks_back and now.draft.stock("ask_back", why=ASKED_BACK):
        return
    why = "no fact answers that"
    plain = [line for line in now.persona.phrases.unsure if _SAYS_THEY_DO_NOT_KNOW.search(line)]
    own = bool(plain) and not said["unsure"] and now.draft.phrase("unsure", why, of=plain)
    own or now.draft.stock("unsure", why=why) or now.draft.phrase("unsure", why)
