"""Answers to what the agent asks: who it is, facts and whether to tell them, consent, "not sure"."""

from __future__ import annotations

import re
from collections.abc import Sequence

from voice_sim.person.persona import Fact
from voice_sim.policies.agenda.draft import SAID_AT_MOST
from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import BARE_QUESTION, Perception
from voice_sim.policies.agenda.persuasion import proposes
from voice_sim.policies.agenda.state import OPENING
from voice_sim.policies.agenda.steps.by_form import answer_by_form, form_of_question, not_won
from voice_sim.policies.agenda.steps.own_questions import ask, ask_next
from voice_sim.policies.agenda.steps.willing import say_no, why_not
from voice_sim.policies.agenda.stock import StockKind
from voice_sim.understanding.acts import acts_of
from voice_sim.understanding.process_talk.lines import ProcessAct
from voice_sim.understanding.question_forms import QuestionForm
from voice_sim.understanding.topic import content_words

NEAR_ENOUGH = 0.3
"""Probability from which an open question, of which nothing else is made, is taken to be for the fact that
comes nearest: of eight such questions of the development set six are, and of three for yes or no one."""
AFTER_ASKING_BACK = 0.08
"""The same once the agent was asked what it means."""
CLEARLY = 1.5
"""So many times likelier than the next one it has to be."""
BARE, PROPOSED = 0.4, 0.8
"""Probability in the last sentence below which a question for yes or no, or one that proposes something, is
about what stands before it."""
HARDLY = 0.005
AHEAD = 3.0
"""So many times likelier than the next fact is what an objection stood in the way of."""
_TOLD: tuple[QuestionForm, ...] = ("open", "say_back")
"""What is not answered by a word or two."""
_ELSE = re.compile(r"\b(?:else|more|other|further|questions?|left)\b|别的|其他|还", re.IGNORECASE)
_EITHER = re.compile(r"\bor\b|[,、，].*[?？]|还是|或|哪", re.IGNORECASE)
_SHORT_ANSWERS: dict[ProcessAct | None, StockKind] = {
    "choice": "either",
    "check": "yes",
    "clear": "clear",
    "permission": "go_ahead",
}
SOUR = -1.5
"""A mood from which proposals are declined."""


def answer(now: Moment, seen: Perception) -> bool:
    """Answers what was asked; whether anything was."""
    acts, question = seen.acts, seen.question
    if question is None:
        if not now.draft and now.happens(now.temper.volunteers_rate):
            _volunteer(now, seen)
        return False
    said = acts_of(question.text, now.persona.language)
    opens = now.state.heard_turns <= OPENING
    if acts.asks_identity and (opens or said.asks_identity):
        confirm_identity(now, seen)
        return True
    if acts.asks_for_more and not seen.acts.farewell and now.state.open_questions(now.persona):
        return True
    wants_time = acts.asks_for_time and opens and (said.asks_for_time or now.state.heard_turns <= 2)
    form = form_of_question(now, seen)
    if now.state.heard_turns == 1 and not now.draft and not seen.facts and not acts.asks_for_time:
        confirm_identity(now, seen)
        return True
    if form == "invites" and ask_next(now, seen, lead_in=False, invited=True):
        return True
    if wants_time and form != "open":
        if "name" in seen.surely_asked and not now.state.facts["name"]:
            confirm_identity(now, seen)
        else:
            now.draft.stock("go_ahead", why="it is a good moment")
        return True
    if _cooperate(now, seen) or (not _is_about_the_rest(now, seen, form) and _tell_facts(now, seen)):
        return True
    if acts.asks_for_more:
        if now.state.pending is None and not now.state.open_questions(now.persona):
            no_more(now, seen)
    elif (form not in _TOLD and _give_way(now, seen)) or _what_stood_in_the_way(now, seen, form):
        pass
    elif proposes(seen) and now.temper.reasons and not_won(now) and seen.does not in ("permission", "time"):
        _consent(now, form)
    elif form in ("understood", "check") and not now.draft:
        now.draft.stock("clear" if form == "understood" else "yes", why=f"yes: {form}")
    elif form == "anything" and not now.draft and not not_won(now):
        now.draft.stock("nothing", why="nothing: to a question of the form anything")
    elif (short := _SHORT_ANSWERS.get(seen.does)) and _goes_with(form, seen):
        now.draft.stock(short)
    elif question.proposes or (seen.does == "choice" and form not in _TOLD):
        _consent(now, form)
    elif not now.draft and not (
        form == "open" and (_tell_what_is_nearest(now, seen) or _tell_what_is_owed(now))
    ):
        answer_by_form(now, seen)
    return True


def no_more(now: Moment, seen: Perception) -> None:
    """To "anything else?", and to what only sounds like it."""
    else_ = seen.question is None or _ELSE.search(seen.question.text)
    now.draft.stock("no_more" if else_ else "nothing")


def _goes_with(form: QuestionForm, seen: Perception) -> bool:
    """Whether what the question does goes with its form: nobody says yes to "this one or that?"."""
    if form in _TOLD or (form == "which" and seen.does in ("check", "clear")):
        return False
    return not _only_one_is_offered(seen)


def _is_about_the_rest(now: Moment, seen: Perception, form: QuestionForm) -> bool:
    """ "Does that suit you so far?", "How does that sound?": about what stands before it, and no question for
    a fact that something else in the turn may ask for."""
    question = seen.question
    if question is None or not (question.proposes or form in ("opinion", "understood")) or form == "open":
        return False
    asked = _in_the_question(seen)
    return bool(asked) and max(asked) < (PROPOSED if question.proposes else BARE)


def _in_the_question(seen: Perception) -> list[float]:
    """The probability that the question by itself is for a fact, of each that the turn is taken to ask for;
    empty where only cues are known."""
    last = dict(seen.nearest_facts)
    return [last.get(key, 0.0) for key in seen.facts if key != "name"] if last else []


def _tell_what_is_nearest(now: Moment, seen: Perception) -> bool:
    """To a question that wants words: the fact that comes nearest of those not told yet, where it is near
    enough; nearer by far is needed before they have asked what was meant."""
    asked_back = any(role.ref == "ask_back" for role in now.state.last_roles)
    untold = _untold(now, seen)
    near = [near for _, near in untold[:2]]
    if not near or near[0] < (AFTER_ASKING_BACK if asked_back else NEAR_ENOUGH):
        return False
    if not asked_back and len(near) == 2 and near[0] < CLEARLY * near[1]:
        return False
    fact, _ = untold[0]
    if fact.share == "trusted" and not now.state.trusted:
        return _withhold(now, fact)
    return now.draft.line(fact.say[:1], _role(fact), why=f"fact {fact.key}: nearest to the question")


def _tell_what_is_owed(now: Moment) -> bool:
    """Asked on after an answer with something else: what was asked for then is told now."""
    for fact in _facts(now, now.state.owed):
        if fact.share in ("freely", "asked") and not now.state.facts[fact.key]:
            return now.draft.line(fact.say[:1], _role(fact), why=f"fact {fact.key}: asked for before")
    return False


def _untold(now: Moment, seen: Perception) -> list[tuple[Fact, float]]:
    known = {fact.key: fact for fact in now.persona.facts}
    return [
        (known[key], near)
        for key, near in seen.nearest_facts
        if key in known and key != "name" and known[key].share != "never" and not now.state.facts[key]
    ]


def _what_stood_in_the_way(now: Moment, seen: Perception, form: QuestionForm) -> bool:
    """Asked for what an objection was about: what was objected to may be told once that is met; while it
    stands they keep to it."""
    about = [obstacle for obstacle in seen.obstacles if now.state.voiced[obstacle]]
    if not about or form != "open" or now.draft:
        return False
    if any(obstacle not in now.state.overcome for obstacle in about):
        return _decline(now, f"obstacle {about[0]} stands")
    untold = _untold(now, seen)
    nearest = [near for _, near in untold[:2]]
    if not untold or nearest[0] < HARDLY or (len(nearest) == 2 and nearest[0] < AHEAD * nearest[1]):
        return False
    return _tell(now, untold[0][0])


def _only_one_is_offered(seen: Perception) -> bool:
    """A choice of one is an offer: "Want it by mail too?"."""
    return seen.does == "choice" and not _EITHER.search(seen.text)


def confirm_identity(now: Moment, seen: Perception) -> None:
    """Says who it is; the second time by name, or with a plain yes."""
    if not now.state.lines[Role(kind="phrase", ref="confirm_identity")]:
        now.draft.phrase("confirm_identity", "who it is")
        return
    name = next((fact for fact in _facts(now, seen.facts) if fact.key == "name"), None)
    if name is None or now.state.facts["name"] or not _tell(now, name):
        now.draft.stock("yes")


def _give_way(now: Moment, seen: Perception) -> bool:
    """Asked once more for what an obstacle stood against: a yes where it was met, a no where it stands."""
    for obstacle in now.persona.obstacles:
        voiced_just_now = any(r.kind == "obstacle" and r.ref == obstacle.id for r in now.state.last_roles)
        if not voiced_just_now or obstacle.id not in seen.obstacles:
            continue
        if obstacle.id in now.state.overcome:
            return now.draft.phrase("agree", f"obstacle {obstacle.id} is met")
        return say_no(now, f"obstacle {obstacle.id} stands")
    return False


def _cooperate(now: Moment, seen: Perception) -> bool:
    """The persona's own yes, once its conditions hold and the talk is of what it is a yes to."""
    done = now.state.settled | now.state.told
    for number, condition in enumerate(now.persona.cooperation):
        role = Role(kind="cooperation", ref=str(number))
        unmet = not set(condition.needs) <= done or why_not(now)
        if not condition.say or now.state.lines[role] or unmet:
            continue
        about = content_words(condition.say[0]) | content_words(condition.gives)
        if about & _proposed(seen):
            return now.draft.line(condition.say[:1], role)
    return False


def _proposed(seen: Perception) -> frozenset[str]:
    """The content words of what is proposed: of the proposals themselves, and of the whole turn where those
    only point to it ("Shall we do that?")."""
    proposals = [sentence.text for sentence in seen.acts.sentences if sentence.proposes]
    words = content_words(" ".join(proposals))
    return seen.content if proposals and len(words) <= BARE_QUESTION else words


def _consent(now: Moment, form: QuestionForm) -> None:
    if now.state.mood <= SOUR:
        say_no(now, "the mood is sour")
    elif (why := why_not(now)) and now.temper.reasons:
        _not_yet(now, why)
        return
    elif not now.state.agreed and now.happens(now.temper.doubts_rate) and not _doubted_last(now):
        now.draft.stock("two_minds", why="two_minds: wants to be sure")
    if not now.draft and form == "which":
        now.draft.stock("either", why="either: consents")
    if not now.draft:
        now.draft.phrase("agree", "consents")
    if not now.draft:
        now.draft.stock("yes")


def _not_yet(now: Moment, why: str) -> None:
    """No yes yet: who is quick to say no says so where nothing has been said for it since the last no."""
    state = now.state
    if _object_again(now):
        return
    reasoned = any(turn > state.last_no for turn in state.reasons)
    if not now.temper.doubts_rate and not reasoned and say_no(now, why):
        return
    now.draft.stock("two_minds", why=f"two_minds: {why}") or say_no(now, why)


def _object_again(now: Moment) -> bool:
    """What stands in the way of the yes, in its other words: who asks for the yes may have forgotten it."""
    for obstacle in now.persona.obstacles:
        times = now.state.voiced[obstacle.id]
        if obstacle.id in now.state.standing() and times < min(SAID_AT_MOST, len(obstacle.say)):
            role = Role(kind="obstacle", ref=obstacle.id, nth=times)
            if now.draft.line(obstacle.say[times : times + 1], role):
                return True
    return False


def _doubted_last(now: Moment) -> bool:
    return any(role.ref == "two_minds" for role in now.state.last_roles)


def _tell_facts(now: Moment, seen: Perception) -> bool:
    """Tells a fact that was asked for: of several a new one, of those what was asked last."""
    facts = [fact for fact in _facts(now, seen.facts) if not _only_called_by_name(now, seen, fact)]
    facts = [fact for fact in facts if not _is_enough_of(now, seen, fact)]
    wanted = sorted(facts, key=lambda fact: now.state.facts[fact.key] > 0)
    if not wanted:
        return False
    fact = wanted[0]
    if fact.share == "trusted" and not now.state.trusted:
        return _withhold(now, fact)
    if fact.share == "never":
        return now.draft.line(fact.say[:1], _role(fact)) or _decline(now, f"{fact.key} is not told")
    if now.state.facts[fact.key]:
        return _wants_it_again(now, seen, fact) and _tell_again(now, fact)
    _lead_in(now, seen)
    return _tell(now, fact)


def _only_called_by_name(now: Moment, seen: Perception, fact: Fact) -> bool:
    """ "Shall I book it, Mr. He?" asks for no name."""
    known = now.state.lines[Role(kind="phrase", ref="confirm_identity")] or now.state.facts[fact.key]
    wants_a_yes = seen.question is not None and seen.question.proposes
    return fact.key == "name" and bool(known) and (wants_a_yes or seen.does not in (None, "identity"))


def _is_enough_of(now: Moment, seen: Perception, fact: Fact) -> bool:
    """What was told is not told again to "anything else, besides that?" and the like: they want no or yes."""
    if not now.state.facts[fact.key] or now.state.asked_again:
        return False
    return form_of_question(now, seen) in ("anything", "yes_no", "understood", "check")


def _wants_it_again(now: Moment, seen: Perception, fact: Fact) -> bool:
    """What was told is asked for again, in the same words or in clear ones."""
    if now.state.asked_again:
        return True
    wants_a_yes = seen.does is not None or (seen.question is not None and seen.question.proposes)
    return fact.key in seen.surely_asked and fact.key != "name" and not wants_a_yes


def _tell_again(now: Moment, fact: Fact) -> bool:
    if not now.draft.line(fact.say[:1], _role(fact)):
        return False
    told = now.draft.pieces.pop()
    now.draft.stock("as_said")
    now.draft.pieces.append(told)
    return True


def _tell(now: Moment, fact: Fact) -> bool:
    return now.draft.line(fact.say[:1], _role(fact))


def _withhold(now: Moment, fact: Fact) -> bool:
    """Not yet: ask for what would win the trust, or decline."""
    needs = [need for condition in now.persona.cooperation for need in condition.needs]
    for question in now.persona.must_ask:
        answered = now.state.asked[question.id] or question.id in now.state.told
        if question.id in needs and not answered:
            return ask(now, question, why=f"{fact.key} not told before")
    return _decline(now, f"{fact.key} is told in trust only")


def _decline(now: Moment, why: str) -> bool:
    return now.draft.phrase("decline", why) or now.draft.stock("decline", why=f"decline: {why}")


def _volunteer(now: Moment, seen: Perception) -> None:
    for fact in _facts(now, seen.mentioned):
        if fact.share == "freely" and not now.state.facts[fact.key] and fact.key != "name":
            _tell(now, fact)
            return


def _lead_in(now: Moment, seen: Perception) -> None:
    """Not before the answer to a yes-or-no question: "Sure." would be one."""
    open_question = seen.question is not None and seen.question.open_question
    if open_question and not now.draft and now.happens(now.temper.lead_in_rate):
        now.draft.stock("lead_in")


def _facts(now: Moment, keys: Sequence[str]) -> list[Fact]:
    known = {fact.key: fact for fact in now.persona.facts}
    return [known[key] for key in keys]


def _role(fact: Fact) -> Role:
    return Role(kind="fact", ref=fact.key)
