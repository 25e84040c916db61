"""Answers to what the agent asks: who it is, facts and whether to tell them, consent, "not sure"."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from voice_sim.person.persona import Fact
from voice_sim.policies.agenda.lines import Role
from voice_sim.policies.agenda.moment import Moment
from voice_sim.policies.agenda.perception import Perception
from voice_sim.policies.agenda.steps.own_questions import ask
from voice_sim.policies.agenda.steps.willing import say_no, why_not
from voice_sim.policies.agenda.stock import StockKind
from voice_sim.understanding.acts import Sentence
from voice_sim.understanding.process_talk.lines import ProcessAct
from voice_sim.understanding.topic import content_words

SHORT_ZH = 4
"""Characters with the question mark: "行吧？"; content is not told from other words there."""
ASKED_BACK_AT_MOST = 3
"""So often in a call a person wants a question in other words."""
ASKED_BACK = "ask_back: what is asked may be known"
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
    elif (short := _SHORT_ANSWERS.get(seen.does)) and not _only_one_is_offered(seen):
        now.draft.stock(short)
    elif question.proposes or seen.does == "choice":
        _consent(now)
    elif not now.draft and _only_wants_a_yes(question):
        now.draft.stock("clear")
    elif not now.draft:
        _no_answer(now, seen)
    return True


def _only_wants_a_yes(question: Sentence) -> bool:
    """ "Is that all right?", "Are we good on that?": a question for yes or no about nothing but what stands
    before it."""
    chinese = any("\u4e00" <= character <= "\u9fff" for character in question.text)
    bare = len(question.text) <= SHORT_ZH if chinese else not content_words(question.text)
    return bare and not question.open_question


def _only_one_is_offered(seen: Perception) -> bool:
    """A choice of one is an offer: "Want it by mail too?"."""
    return seen.does == "choice" and not _EITHER.search(seen.text)


def _no_answer(now: Moment, seen: Perception) -> None:
    """To what no fact answers. Where one might, they first want it in other words; else they do not know,
    once in their own words: those fit few questions."""
    said = Counter(role.ref for role, times in now.state.lines.items() for _ in range(times))
    asks_back = seen.perhaps_a_fact and said["ask_back"] < ASKED_BACK_AT_MOST
    if asks_back and now.draft.stock("ask_back", why=ASKED_BACK):
        return
    why = "no fact answers that"
    own = not said["unsure"] and now.draft.phrase("unsure", why)
    own or now.draft.stock("unsure", why=why) or now.draft.phrase("unsure", why)


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
        proposed = any(sentence.proposes for sentence in seen.acts.sentences)
        if proposed and len(about & seen.content) >= 1:
            return now.draft.line(condition.say[:1], role)
    return False


def _consent(now: Moment) -> None:
    if now.state.mood <= SOUR:
        say_no(now, "the mood is sour")
    elif why := why_not(now):
        if now.temper.doubts_rate:
            now.draft.phrase("unsure", f"in two minds: {why}")
        elif now.temper.reasons:
            say_no(now, why)
    elif not now.state.agreed and now.happens(now.temper.doubts_rate) and not _doubted_last(now):
        now.draft.phrase("unsure", "in two minds")
    if not now.draft:
        now.draft.phrase("agree", "consents")
    if not now.draft:
        now.draft.stock("yes")


def _doubted_last(now: Moment) -> bool:
    return any(role.ref == "unsure" for role in now.state.last_roles)


def _tell_facts(now: Moment, seen: Perception) -> bool:
    """Tells a fact that was asked for: of several a new one, of those what was asked last."""
    facts = [fact for fact in _facts(now, seen.facts) if not _only_called_by_name(now, seen, fact)]
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
