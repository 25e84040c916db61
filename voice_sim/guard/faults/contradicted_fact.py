"""The caller says something else than the persona's facts.

Sees: a number, amount, date, row of digits, email address, time, month or weekday that is not the one of
the fact that it was asked for, or that its sentence is about; the same thing counted differently ("six men"
of nine); another name for the person than their own; a yes-or-no question with one cue that is answered
with "yes" where the fact says no, or the other way round; a yes to a wrong value that the agent reads back.

Cannot see: a contradiction without a value ("my husband is at home" of a widow); one that needs arithmetic
over dates; a yes or no further back in the sentence. Those are for :mod:`voice_sim.guard.faults.model_check`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from voice_sim.guard.claims import Claim, asked_facts, fact_values, is_short_time, near_facts
from voice_sim.guard.known import knowledge_of, own_sentences, persona_texts
from voice_sim.guard.names import agent_names, names_given
from voice_sim.guard.read_back import read_back
from voice_sim.guard.session import Finding, Session
from voice_sim.guard.values.reading import values
from voice_sim.guard.words import listed, sentences, words
from voice_sim.person.persona import Fact
from voice_sim.understanding.acts import acts_of
from voice_sim.understanding.cues import says_any

_GENERIC_UNITS = frozenset(
    listed(
        "yuan dollar euro pound percent minute second hour moment day week month year time thing o"
        " point people person"
        " old 年 天 次 回 遍 个 个月 号 点 周 点钟 人 家 条 块 元 岁 分钟 小时 秒 口 个人"
    )
)
_ABOUT_IT = 2
"""So many words in common make a sentence one about a fact."""
_CONFIRMS = re.compile(
    r"^\W*(?:(?:mm|um|uh|oh|well|okay|sure)\W+)*(?:yes|yeah|yep|yup|correct|exactly|right"
    r"|that's (?:right|correct|it))\b"
    r"|^\W*(?:(?:嗯|哦|啊|呃)+\W*)?(?:对(?!不|面|方)|是(?!吗|不|谁|什么)|没错|正确)",
    re.IGNORECASE,
)
_NOT_SO = re.compile(r"\b(?:no|not|wrong|but|except)\b|n't\b|不|错了|但", re.IGNORECASE)
_YES = re.compile(
    r"^(yes|yeah|yep|yup|correct|that's right|it is|it does|i do|sure)\b|^(是的|对|是|有|有的"
    r"|嗯，?(是|对|有))",
    re.I,
)
_NO = re.compile(r"^(no|nope|not|never|none|nothing|isn't)\b|^(不|没|没有|不是|从来没)", re.I)
_FACT_YES = re.compile(r"^(yes|correct|still|unchanged)\b|^(是|有|对)(?!点)", re.I)
_FACT_NO = re.compile(r"^(?:\w+ ){0,2}(no|none|not|never|nothing|nobody)\b|^(没|不|无|从没)", re.I)


def contradicted_facts(session: Session, stated: Sequence[Claim]) -> list[Finding]:
    """Findings, in the order of the turns.

    Args:
        stated: :func:`voice_sim.guard.claims.claims` of the session.
    """
    found = []
    for claim in stated:
        fact = contradicted(session, claim)
        if fact is not None:
            found.append(
                Finding(
                    kind="contradicted_fact",
                    turn=claim.turn,
                    quote=claim.sentence,
                    detail=f"says {claim.value.text}; the persona's {fact.key} is: {fact.value}",
                )
            )
    found += _names(session) + _yes_and_no(session)
    minded = {finding.turn for finding in found}
    return found + [finding for finding in _confirmed(session) if finding.turn not in minded]


def contradicted(session: Session, claim: Claim) -> Fact | None:
    """The fact that a claim contradicts, or None."""
    value = claim.value
    facts = session.persona.facts
    asked = [fact for fact in claim.asked if fact_values(fact).same_kind(value)]
    if value.kind in ("time", "month", "weekday"):
        if claim.supported or len(asked) != 1:
            return None
        return asked[0]
    if not claim.supported:
        question = session.agent_before(claim.turn)
        for fact in (
            *asked,
            *_same_unit(facts, claim),
            *near_facts(facts, claim.sentence, in_common=_ABOUT_IT),
            *near_facts(facts, question, in_common=2),
        ):
            same = fact_values(fact).same_kind(value)
            if same and not fact_values(fact).has(value) and not _only_durations(claim, fact):
                return fact
        return None
    if claim.agent_said:
        return None
    counted = [fact for fact in _same_unit(facts, claim) if not fact_values(fact).has(value)]
    if counted and not _counted_elsewhere(session, claim):
        return counted[0]
    if len(asked) == 1 and len(claim.asked) == 1 and _digits_or_unit(asked[0], claim):
        own = fact_values(asked[0])
        others = sentences(session.turns[claim.turn].text)
        answered = any(own.has(other) for s in others for other in _values_of(s, claim))
        if not answered and not own.has(value) and not _of_another(session, claim):
            return asked[0]
    return None


def _values_of(sentence: str, claim: Claim) -> list:  # type: ignore[type-arg]
    from_sentence = fact_values(Fact(key="x", value=sentence))
    return from_sentence.same_kind(claim.value)


def _same_unit(facts: Sequence[Fact], claim: Claim) -> list[Fact]:
    """Facts that count the same particular thing ("men", "payments", 家经销商)."""
    units = claim.value.units - _GENERIC_UNITS
    if claim.value.kind != "number" or not units:
        return []
    return [fact for fact in facts if any(units & v.units for v in fact_values(fact).values)]


def _counted_elsewhere(session: Session, claim: Claim) -> bool:
    """Whether the same count of the same thing stands anywhere in the persona."""
    units = claim.value.units - _GENERIC_UNITS
    texts = persona_texts(session.persona)
    return any(
        claim.value.readings & v.readings and units & v.units
        for text in texts
        for sentence in sentences(text)
        for v in fact_values(Fact(key="x", value=sentence[:1200])).values
    )


def _of_another(session: Session, claim: Claim) -> bool:
    """Whether the sentence speaks of another fact, and rightly."""
    others = near_facts(session.persona.facts, claim.sentence)
    return any(fact_values(fact).has(claim.value) for fact in others)


def _only_durations(claim: Claim, fact: Fact) -> bool:
    return is_short_time(claim.value) and fact not in claim.asked


def _digits_or_unit(fact: Fact, claim: Claim) -> bool:
    value = claim.value
    return any(
        (value.digits and other.digits)
        or (value.kind in ("date", "email") and other.kind == value.kind)
        or bool(value.units & other.units - {"time"})
        for other in fact_values(fact).values
    )


def _names(session: Session) -> list[Finding]:
    chinese = session.persona.language == "zh"
    own = {session.persona.demographics.name} if chinese else set(words(session.persona.demographics.name))
    if not session.persona.demographics.name:
        return []
    by_heart = own_sentences(session.persona)
    found = []
    for position in session.caller_turns():
        agents = agent_names(session, position)
        for name, sentence in names_given(session.turns[position].text, session.persona.language):
            if words(sentence) in by_heart:
                continue
            given = set(words(name))
            own_here = name.startswith(tuple(own)) if chinese else bool(given & own)
            if not own_here and not given <= agents:
                detail = f"gives the name {name}; the persona is {session.persona.demographics.name}"
                found.append(Finding(kind="contradicted_fact", turn=position, quote=sentence, detail=detail))
    return found


def _yes_and_no(session: Session) -> list[Finding]:
    by_heart = own_sentences(session.persona)
    found = []
    for position in session.caller_turns():
        asked = asked_facts(session, position)
        question = session.agent_before(position)
        if len(asked) != 1 or len([s for s in sentences(question) if s.endswith(("?", "？"))]) != 1:
            continue
        (fact,) = asked
        first = sentences(session.turns[position].text)[0]
        if words(first) in by_heart or not says_any(fact.cues, question):
            continue
        if any(asking.open_question for asking in acts_of(question, session.persona.language).sentences):
            continue
        says_yes, says_no = bool(_YES.search(first)), bool(_NO.search(first))
        fact_yes, fact_no = bool(_FACT_YES.search(fact.value)), bool(_FACT_NO.search(fact.value))
        if (says_yes and fact_no) or (says_no and fact_yes):
            detail = f"answers {first!r}; the persona's {fact.key} is: {fact.value}"
            found.append(Finding(kind="contradicted_fact", turn=position, quote=first, detail=detail))
    return found


def _confirmed(session: Session) -> list[Finding]:
    """A yes to a value that the agent read back, and that the fact does not have."""
    persona = session.persona
    found: list[Finding] = []
    for position in session.caller_turns():
        text = session.turns[position].text
        if not _CONFIRMS.search(text) or _NOT_SO.search(text) or position == 0:
            continue
        if session.turns[position - 1].speaker != "agent":
            continue
        wrong = read_back(
            session.agent_before(position),
            persona.facts,
            language=persona.language,
            told=_told_before(session, position),
        )
        if wrong is None or wrong.right or knowledge_of(session).has(wrong.value):
            continue
        own = fact_values(wrong.fact)
        if any(own.has(value) for sentence in sentences(text) for value in values(sentence)):
            continue  # told again as it is
        first = sentences(text)[0]
        detail = f"says yes to {wrong.value.text}; the persona's {wrong.fact.key} is: {wrong.fact.value}"
        found.append(Finding(kind="contradicted_fact", turn=position, quote=first, detail=detail))
    return found


def _told_before(session: Session, position: int) -> list[str]:
    """The facts whose values the caller's turn before this one has."""
    before = [n for n in session.caller_turns() if n < position][-1:]
    said = [v for n in before for s in sentences(session.turns[n].text) for v in values(s)]
    return [
        fact.key
        for fact in session.persona.facts
        if any(v.readings & own.readings for v in said for own in fact_values(fact).values)
    ]
