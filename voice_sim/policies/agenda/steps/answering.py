"""Answers to what the agent asks: who it is, facts and whether to tell them, consent, "not sure"."""

from __future__ import annotations

from collections.abc import Sequence

from voice_sim.person.persona import Fact
from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.agenda.steps.own_questions import ask
from voice_sim.understanding.topic import content_words

SOUR = -1.5
"""A mood from which proposals are declined."""


def answer(now: Moment, seen: Perception) -> bool:
    """Answers what was asked; whether anything was."""
    acts, question = seen.acts, seen.question
    if question is None:
        if not now.draft and now.happens(now.temper.volunteers_rate):
            _volunteer(now, seen)
        return False
    if acts.asks_identity:
        confirm_identity(now, seen)
        return True
    if acts.asks_for_more and not seen.acts.farewell and now.state.open_questions(now.persona):
        return True
    if _cooperate(now, seen) or _tell_facts(now, seen):
        return True
    if acts.asks_for_time:
        now.draft.phrase("agree", "it is a good moment")
    elif acts.asks_for_more:
        if now.state.pending is None and not now.state.open_questions(now.persona):
            now.draft.stock("no_more")
    elif _give_way(now, seen):
        pass
    elif question.proposes:
        _consent(now)
    elif not now.draft:
        now.draft.phrase("unsure", "no fact answers that") or now.draft.stock("unsure")
    return True


def confirm_identity(now: Moment, seen: Perception) -> None:
    """Says who it is; the second time by name, or with a plain yes."""
    if not now.state.lines[Role(kind="phrase", ref="confirm_identity")]:
        now.draft.phrase("confirm_identity", "who it is")
        return
    name = next((fact for fact in _facts(now, seen.facts) if fact.key == "name"), None)
    if name is None or now.state.facts["name"] or not _tell(now, name):
        now.draft.stock("yes")


def _give_way(now: Moment, seen: Perception) -> bool:
    """Asked once more for what an obstacle stood against, and it is overcome: its second line."""
    for obstacle in now.persona.obstacles:
        voiced_just_now = Role(kind="obstacle", ref=obstacle.id) in now.state.last_roles
        if voiced_just_now and obstacle.id in seen.obstacles and len(obstacle.say) > 1:
            return now.draft.line(obstacle.say[1:2], Role(kind="obstacle", ref=obstacle.id, nth=1))
    return False


def _cooperate(now: Moment, seen: Perception) -> bool:
    """The persona's own yes, once its conditions hold and the talk is of what it is a yes to."""
    done = now.state.settled | now.state.told
    for number, condition in enumerate(now.persona.cooperation):
        role = Role(kind="cooperation", ref=str(number))
        if not condition.say or now.state.lines[role] or not set(condition.needs) <= done:
            continue
        about = content_words(condition.say[0]) | content_words(condition.gives)
        proposed = any(sentence.proposes for sentence in seen.acts.sentences)
        if proposed and len(about & seen.content) >= 1:
            return now.draft.line(condition.say[:1], role)
    return False


def _consent(now: Moment) -> None:
    if now.state.mood <= SOUR:
        _decline(now, "the mood is sour")
    elif now.happens(now.temper.doubts_rate) and not _doubted_last(now):
        now.draft.phrase("unsure", "in two minds")
    if not now.draft:
        now.draft.phrase("agree", "consents")
    if not now.draft:
        now.draft.stock("yes")


def _doubted_last(now: Moment) -> bool:
    return any(role.ref == "unsure" for role in now.state.last_roles)


def _tell_facts(now: Moment, seen: Perception) -> bool:
    """Tells a fact that was asked for: of several a new one, of those what was asked last."""
    wanted = sorted(_facts(now, seen.facts), key=lambda fact: now.state.facts[fact.key] > 0)
    if not wanted:
        return False
    fact = wanted[0]
    if fact.share == "trusted" and not now.state.trusted:
        return _withhold(now, fact)
    if fact.share == "never":
        return now.draft.line(fact.say[:1], _role(fact)) or _decline(now, f"{fact.key} is not told")
    if now.state.facts[fact.key]:
        if not now.state.asked_again:
            return False
        now.draft.stock("as_said")
        return _tell(now, fact) or bool(now.draft.pieces)
    _lead_in(now, seen)
    return _tell(now, fact)


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
