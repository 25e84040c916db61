"""Answers to what the agent asks: who it is, facts and whether to tell them, consent, "not sure"."""

from __future__ import annotations

import re

from voice_sim.policies.agenda.course.persuasion import proposes
from voice_sim.policies.agenda.course.state import OPENING
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.agenda.steps.by_form import (
    answer_by_form,
    choose,
    form_of_question,
    is_answered_by_a_no,
    not_won,
)
from voice_sim.policies.agenda.steps.consenting import SOUR, consent, cooperate, give_way
from voice_sim.policies.agenda.steps.identifying import confirm_identity, only_asks_for_time
from voice_sim.policies.agenda.steps.own_questions import ask_next
from voice_sim.policies.agenda.steps.reading_back import answer_read_back
from voice_sim.policies.agenda.steps.telling import (
    is_about_the_rest,
    tell_facts,
    tell_what_it_may_be,
    volunteer,
    what_stood_in_the_way,
)
from voice_sim.policies.agenda.steps.willing import lets_go
from voice_sim.policies.agenda.stock import StockKind
from voice_sim.understanding.acts import Acts, Sentence, acts_of
from voice_sim.understanding.process_talk.lines import ProcessAct
from voice_sim.understanding.proposals import offers_to_call_later, wants_leave_to_tell, wants_the_floor
from voice_sim.understanding.question_forms import QuestionForm
from voice_sim.understanding.questions.answers import asks_what_is_so
from voice_sim.understanding.topic import content_words

_TOLD: tuple[QuestionForm, ...] = ("open", "say_back")
"""What is not answered by a word or two."""
_ELSE = re.compile(r"\b(?:else|more|other|further|questions?|left)\b|别的|其他|还", re.IGNORECASE)
_EITHER = re.compile(r"\bor\b|[、，].*[?？]|还是|或|哪", re.IGNORECASE)
_WHO = re.compile(
    r"\b(?:speaking|talking|mr|mrs|ms|dr|miss|right person)\b"
    r"|先生|女士|小姐|老师|师傅|老板|同学|本人|是您|哪位|认错|找错|打错",
    re.IGNORECASE,
)
_WHETHER_SO = re.compile(r"没有?[？?]?$|过[吗没]")
_SHORT_ANSWERS: dict[ProcessAct | None, StockKind] = {
    "choice": "either",
    "check": "yes",
    "clear": "clear",
    "permission": "go_ahead",
}


def answer(now: Moment, seen: Perception) -> bool:
    """Answers what was asked; whether anything was."""
    acts, question = seen.acts, seen.question
    if question is None:
        if not now.draft and now.happens(now.temper.volunteers_rate):
            volunteer(now, seen)
        return False
    said = acts_of(question.text, now.persona.language)
    opens = now.state.heard_turns <= OPENING
    if acts.asks_identity and (opens or (said.asks_identity and _asks_who(now, question.text))):
        confirm_identity(now, seen)
        return True
    if answer_read_back(now, seen):
        return True
    more = acts.asks_for_more and not _is_about_a_fact(seen, question, said)
    if more and not seen.acts.farewell and now.state.open_questions(now.persona):
        return True
    wants_time = acts.asks_for_time and opens and (said.asks_for_time or now.state.heard_turns <= 2)
    form = form_of_question(now, seen)
    if now.state.heard_turns == 1 and not now.draft and not seen.facts and not acts.asks_for_time:
        if form != "open" and only_asks_for_time(seen):
            now.draft.stock("go_ahead", why="go_ahead: it has said who it is and asks for leave")
        else:
            confirm_identity(now, seen)
        return True
    if form == "invites" and ask_next(now, seen, lead_in=False, invited=True):
        return True
    if wants_time and form != "open":
        if acts.asks_identity and not now.state.facts["name"]:
            confirm_identity(now, seen)
        else:
            now.draft.stock("go_ahead", why="it is a good moment")
        return True
    if cooperate(now, seen) or (not is_about_the_rest(now, seen, form) and tell_facts(now, seen)):
        return True
    if more:
        if now.state.pending is None and not now.state.open_questions(now.persona):
            no_more(now, seen)
    elif not now.draft and _takes_the_no(now, seen, form):
        now.draft.stock("clear", why="yes: their no is taken")
    elif not now.draft and wants_leave_to_tell(question.text, seen.language):
        now.draft.stock("go_ahead", why="go_ahead: it wants to tell something")
    elif not now.draft and offers_to_call_later(question.text, seen.language):
        now.draft.stock("go_ahead", why="go_ahead: now, rather than another call")
    elif (form not in _TOLD and give_way(now, seen)) or what_stood_in_the_way(now, seen, form):
        pass
    elif proposes(seen) and now.temper.reasons and not_won(now) and seen.does not in ("permission", "time"):
        consent(now, seen, form)
    elif form in ("understood", "check") and not now.draft:
        now.draft.stock("clear" if form == "understood" else "yes", why=f"yes: {form}")
    elif form == "anything" and not now.draft and not not_won(now):
        now.draft.stock("nothing", why="nothing: to a question of the form anything")
    elif wants_the_floor(question.text, seen.language) and form != "open" and not now.draft:
        now.draft.stock("go_ahead", why="go_ahead: it wants to say more")
    elif proposes(seen) and now.temper.reasons and not now.state.agreed and not not_won(now):
        consent(now, seen, form)
    elif seen.does == "clear" and is_answered_by_a_no(seen, form) and not now.draft:
        now.draft.stock("nothing", why="nothing: does not know")
    elif (short := _SHORT_ANSWERS.get(seen.does)) and _goes_with(form, seen):
        if short != "either" or not choose(now, seen):
            now.draft.stock(short)
    elif (question.proposes and not _asks_what_is_so(question, said)) or (
        seen.does == "choice" and form not in _TOLD
    ):
        consent(now, seen, form)
    elif not now.draft and not (form == "open" and tell_what_it_may_be(now, seen)):
        answer_by_form(now, seen)
    return True


def _takes_the_no(now: Moment, seen: Perception, form: QuestionForm) -> bool:
    """Whether it lets go of what they have refused, and only asks whether that is all right."""
    state = now.state
    refused = state.last_no >= 0 or bool(state.standing()) or state.mood <= SOUR
    return refused and form not in (*_TOLD, "which") and lets_go(seen)


def _asks_what_is_so(question: Sentence, said: Acts) -> bool:
    """Whether what is taken for an offer by its nearness alone asks whether something is or was so."""
    by_grammar = any(one.proposes for one in said.sentences)
    return not by_grammar and bool(_WHETHER_SO.search(question.text))


def _asks_who(now: Moment, question: str) -> bool:
    """Whether a question late in the call is for who they are, and not for what they do or think
    ("您是惦记摊子吧？"): it has a word of their name, or says so."""
    names = content_words(
        " ".join(text for fact in now.persona.facts if fact.key == "name" for text in (fact.value, *fact.say))
    )
    return bool(names & content_words(question)) or bool(_WHO.search(question))


def _is_about_a_fact(seen: Perception, question: Sentence, said: Acts) -> bool:
    """ "Did that change anything on your side?", "What do you mostly do?": only near to "anything else?"."""
    if _ELSE.search(question.text):
        return False
    return bool(seen.surely_asked) or (question.open_question and not said.asks_for_more)


def no_more(now: Moment, seen: Perception) -> None:
    """To "anything else?", and to what only sounds like it."""
    else_ = seen.question is None or _ELSE.search(seen.question.text)
    now.draft.stock("no_more" if else_ else "nothing")


def _goes_with(form: QuestionForm, seen: Perception) -> bool:
    """Whether what the question does goes with its form: nobody says yes to "this one or that?"."""
    if form in _TOLD or (form == "which" and seen.does in ("check", "clear")):
        return False
    if form == "which" and seen.question is not None and asks_what_is_so(seen.question.text, seen.language):
        return False
    return not _only_one_is_offered(seen)


def _only_one_is_offered(seen: Perception) -> bool:
    """A choice of one is an offer: "Want it by mail too?"."""
    return seen.does == "choice" and not _EITHER.search(seen.text)
