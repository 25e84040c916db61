"""Facts: which one a question asks for, and whether it is told, told again, kept back or left."""

from __future__ import annotations

from collections.abc import Sequence

from voice_sim.person.persona import Fact
from voice_sim.policies.agenda.course.in_kind import of_the_kind
from voice_sim.policies.agenda.lines import Role, without_asking_who
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import BARE_QUESTION, Perception
from voice_sim.policies.agenda.steps.by_form import form_of_question
from voice_sim.policies.agenda.steps.own_questions import ask
from voice_sim.understanding.question_forms import QuestionForm
from voice_sim.understanding.topic import content_words

NEAR_ENOUGH = 0.3
"""Probability from which an open question, of which nothing else is made, is taken to be for the fact that
comes nearest: of eight such questions of the development set six are, and of three for yes or no one."""
AFTER_ASKING_BACK = 0.08
"""The same once the agent was asked what it means."""
CLEARLY = 1.5
"""So many times likelier than the next one it has to be."""
APART = 0.12
FAR_AHEAD = 2.5
"""Near enough as well is what is less likely, and so many times likelier than all else that is untold: in the
recorded calls that is what was asked for in 14 of 19, where the person had said "how do you mean?"."""
BARE, PROPOSED = 0.4, 0.8
"""Probability in the last sentence below which a question for yes or no, or one that proposes something, is
about what stands before it."""
HARDLY = 0.005
AHEAD = 3.0
"""So many times likelier than the next fact is what an objection stood in the way of."""


def tell_facts(now: Moment, seen: Perception) -> bool:
    """Tells a fact that was asked for: of several a new one, of those what was asked last."""
    facts = [fact for fact in _facts(now, seen.facts) if not _only_called_by_name(now, seen, fact)]
    facts = [fact for fact in facts if not _is_enough_of(now, seen, fact)]
    wanted = sorted(facts, key=lambda fact: now.state.facts[fact.key] > 0)
    if not wanted:
        return False
    fact = wanted[0]
    if fact.share == "never" or (fact.share == "trusted" and not now.state.trusted):
        return tell_kept_back(now, fact)
    if now.state.facts[fact.key]:
        return _wants_it_again(now, seen, fact) and _tell_again(now, fact)
    _lead_in(now, seen)
    return tell(now, fact)


def is_about_the_rest(now: Moment, seen: Perception, form: QuestionForm) -> bool:
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


def tell_what_it_may_be(now: Moment, seen: Perception) -> bool:
    """To a question that wants words and is not clear: what comes nearest, what was asked for before, or what
    was told and is asked for in other words."""
    asked = content_words(seen.question.text) if seen.question else frozenset[str]()
    if seen.does == "go_on" and len(asked) <= BARE_QUESTION:
        return False  # "Go on, what happened?" is about what was just said
    return (
        _tell_what_is_nearest(now, seen)
        or _tell_what_is_owed(now, seen)
        or _tell_again_what_is_asked(now, seen)
    )


def _tell_what_is_nearest(now: Moment, seen: Perception) -> bool:
    """To a question that wants words: the fact that comes nearest of those not told yet, where it is near
    enough; nearer by far is needed before they have asked what was meant."""
    asked_back = any(role.ref == "ask_back" for role in now.state.last_roles)
    untold = [(fact, near) for fact, near in _untold(now, seen) if _is_of_the_kind(fact, seen)]
    if not untold:
        return False
    near, next_ = untold[0][1], untold[1][1] if len(untold) > 1 else 0.0
    if asked_back:
        clear = near >= AFTER_ASKING_BACK
    else:
        clear = near >= NEAR_ENOUGH and near >= CLEARLY * next_
        clear = clear or (near >= APART and near >= FAR_AHEAD * next_)
    if not clear:
        return False
    fact, _ = untold[0]
    if fact.share == "trusted" and not now.state.trusted:
        return _withhold(now, fact)
    return now.draft.line(fact.say[:1], _role(fact), why=f"fact {fact.key}: nearest to the question")


def _tell_what_is_owed(now: Moment, seen: Perception) -> bool:
    """Asked on after an answer with something else: what was asked for then is told now."""
    for fact in _facts(now, now.state.owed):
        told = now.state.facts[fact.key] or fact.share not in ("freely", "asked")
        if not told and _is_of_the_kind(fact, seen) and _touches(fact, seen):
            return now.draft.line(fact.say[:1], _role(fact), why=f"fact {fact.key}: asked for before")
    return False


def _touches(fact: Fact, seen: Perception) -> bool:
    """Whether the question may be for a fact that was asked for before: it is near to it, has a word of it,
    or has no words of its own ("And when was that?")."""
    if seen.question is None or dict(seen.nearest_facts).get(fact.key, 0.0) >= AFTER_ASKING_BACK:
        return True
    asked = content_words(seen.question.text)
    about = content_words(" ".join((fact.value, *fact.say, *fact.cues)))
    return len(asked) <= BARE_QUESTION or bool(asked & about)


def _tell_again_what_is_asked(now: Moment, seen: Perception) -> bool:
    """To a question that wants words, and that is understood to be for what was told: better the same once
    more than "what do you mean?"."""
    for fact in _facts(now, seen.facts):
        if now.state.facts[fact.key] and fact.key != "name" and _is_of_the_kind(fact, seen):
            return _tell_again(now, fact)
    return False


def _is_of_the_kind(fact: Fact, seen: Perception) -> bool:
    """Whether a fact that is only guessed at has what the question wants: an amount is no answer without a
    number in it."""
    question = seen.question
    if not fact.say:
        return False  # there are no words for it
    return question is None or of_the_kind(fact.say[0], question.text, seen.language)


def _untold(now: Moment, seen: Perception) -> list[tuple[Fact, float]]:
    known = {fact.key: fact for fact in now.persona.facts}
    return [
        (known[key], near)
        for key, near in seen.nearest_facts
        if key in known and key != "name" and known[key].share != "never" and not now.state.facts[key]
    ]


def what_stood_in_the_way(now: Moment, seen: Perception, form: QuestionForm) -> bool:
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
    return tell(now, untold[0][0])


def _only_called_by_name(now: Moment, seen: Perception, fact: Fact) -> bool:
    """ "Shall I book it, Mr. He?", "Would that be all right now, Mr. He?" ask for no name."""
    if fact.key != "name" or seen.question is None or seen.acts.asks_identity:
        return False
    if form_of_question(now, seen) == "open":
        return False
    return seen.question.proposes or seen.does not in (None, "identity")


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
    sure = fact.key in seen.surely_asked and fact.key != "name" and not wants_a_yes
    return sure and _is_of_the_kind(fact, seen)


def _tell_again(now: Moment, fact: Fact) -> bool:
    if not now.draft.line(fact.say[:1], _role(fact)):
        return False
    told = now.draft.pieces.pop()
    now.draft.stock("as_said")
    now.draft.pieces.append(told)
    return True


def tell(now: Moment, fact: Fact) -> bool:
    """Drafts the person's line of a fact; who knows already who is calling does not ask beside their name."""
    lines = fact.say[:1]
    if fact.key == "name" and now.state.introduced:
        lines = tuple(without_asking_who(line) or line for line in lines)
    return now.draft.line(lines, _role(fact))


def tell_kept_back(now: Moment, fact: Fact) -> bool:
    """What is said instead of a fact that is not told, or not yet."""
    if fact.share == "trusted":
        return _withhold(now, fact)
    return now.draft.line(fact.say[:1], _role(fact)) or _decline(now, f"{fact.key} is not told")


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


def volunteer(now: Moment, seen: Perception) -> None:
    """Tells a fact that was spoken of and not asked for."""
    for fact in _facts(now, seen.mentioned):
        if fact.share == "freely" and not now.state.facts[fact.key] and fact.key != "name":
            tell(now, fact)
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
