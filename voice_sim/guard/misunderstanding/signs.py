"""What may tell that a turn of the caller talks past the agent's words: signs, each a number with a name.

None of them asks what the caller understands by. They are what the agent's words want by their form
(:mod:`.wants`), which of the person's lines the caller said (:mod:`.line_book`), how near question,
reply and facts are to each other (:mod:`.nearness`), what was told before, and what the agent says
next. A sign that cannot be told is absent, which counts as 0.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from voice_sim.guard.misunderstanding.asked import references
from voice_sim.guard.misunderstanding.line_book import LineBook, Role, Said
from voice_sim.guard.misunderstanding.nearness import Evidence, nearest
from voice_sim.guard.misunderstanding.wants import Want, asking, wants_of
from voice_sim.guard.session import Session
from voice_sim.guard.words import content
from voice_sim.understanding.acts import Language

Signs = dict[str, float]

_AFTER = {
    "says it was not answered": re.compile(
        r"\b(?:didn't (?:really )?answer|not what i (?:asked|meant)|i (?:only |just )?(?:meant|asked)"
        r"|what i (?:meant|mean|was asking)"
        r"|as i asked|my question|put (?:it|that) (?:again|another way|differently)|more simply"
        r"|ask (?:more )?(?:simply|straight|again)"
        r"|don't know your|didn't you|once more|in your own words|yes or no)\b"
        r"|没回答|我问的是|我是问|我就问|刚问|不是问|我的意思是|刚才问|换个(?:问|说)法|再问一遍|先答上|有或没有",
        re.IGNORECASE,
    ),
    "soothes": re.compile(
        r"^\W*(?:\w+, )?(?:no (?:worries|problem|bother|need|matter)|that's (?:fine|alright|all right"
        r"|okay|perfectly)|don't (?:worry|stress|you worry)"
        r"|fair enough|fair\b|not to worry|i understand|i completely understand|i hear you|okay\b"
        r"|really\?)|^\W*(?:没关系|没事|不着急|不急|没问题|不知道没|行[。，])",
        re.IGNORECASE,
    ),
    "takes it down": re.compile(
        r"\b(?:noted|got (?:it|that|you)|gotcha|i(?:'ve| have) (?:put|written|noted|marked)|i'll (?:put"
        r"|note|write)|written down|down as|so you|so that's"
        r"|so it's|perfect|brilliant|lovely|great|wonderful|super|excellent|smashing)\b"
        r"|记下|记上|写上|明白|太好了",
        re.IGNORECASE,
    ),
    "answers it": re.compile(
        r"\b(?:good question|fair question|good thinking|as for|i(?:'m afraid| don't have| can't"
        r"| haven't got)|you asked|honestly)\b|您问|没有相关|不敢",
        re.IGNORECASE,
    ),
}
_NO_ANSWER: tuple[Role, ...] = ("planted", "asks", "as_said", "hello")
_ORDER: tuple[Role, ...] = (
    "unsure", "asks_back", "not_heard", "nothing_more", "either", "refuses", "objects", "leaves", ""
                                                              r"fact", "offers",
    "mood", "identity", "goes_ahead", "no", "yes", "other", "murmur", "hello", "asks", "planted", "as_said",
)  # fmt: skip
_OPENING = 2
_TAKEN_UP = 36
"""So many words of what the agent says next may take up the reply."""


def signs_of(session: Session, evidence: Evidence) -> dict[int, Signs]:
    """The signs of every turn of the caller that answers words of the agent, by its position."""
    book, told = LineBook(session.persona), set[str]()
    language = session.persona.language
    agent = [turn.text for turn in session.turns if turn.speaker == "agent"]
    questions = list(dict.fromkeys(filter(None, (asking(text, language) for text in agent))))
    found: dict[int, Signs] = {}
    for position in session.caller_turns():
        said = book.said(session.turns[position].text)
        if position and session.turns[position - 1].speaker == "agent" and said:
            found[position] = _signs(session, position, said, told, questions, evidence)
        told |= {one.fact for one in said if one.fact}
    return found


def reply_of(said: Sequence[Said]) -> tuple[Role, list[Said]]:
    """What a turn answers with, and the sentences that do; planted places and own questions are set aside."""
    left = [one for one in said if one.role not in _NO_ANSWER] or list(said)
    return min((one.role for one in left), key=_ORDER.index), left


def _signs(
    session: Session,
    position: int,
    said: Sequence[Said],
    told: Collection[str],
    questions: Sequence[str],
    evidence: Evidence,
) -> Signs:
    language = session.persona.language
    agent, after = session.turns[position - 1].text, _after(session, position)
    wants = wants_of(agent, language)
    role, answer = reply_of(said)
    facts = [one.fact for one in answer if one.fact]
    names = [f"reply {role}", f"begins {answer[0].role}", *(f"wants {want}" for want in wants)]
    names += _mismatches(role, answer, wants)
    names += [f"then {name}" for name, form in _AFTER.items() if form.search(after)]
    if not after:
        names.append("then nothing")
    elif "leave" in wants_of(after, language):
        names.append("then leaves")
    if sum(turn.speaker == "agent" for turn in session.turns[:position]) <= _OPENING:
        names.append("opening")
    if any(key in told for key in facts):
        names.append("tells a fact again")
    if any(one.role == "as_said" for one in said):
        names.append("says it has said so")
    if evidence == "meaning":
        names.append("evidence meaning")
    reply = " ".join(one.text for one in answer)
    signs = dict.fromkeys(names, 1.0) | _taken_up(reply, after, language)
    question = asking(agent, language)
    if question:
        signs |= _near(session, question, reply, asking(after, language), facts, questions, evidence)
    return signs


_BARE: tuple[Role, ...] = ("yes", "murmur", "goes_ahead")
_WORDS: frozenset[Want] = frozenset(("words", "choice", "invites"))
_CLOSED: frozenset[Want] = frozenset(("check", "yes_no", "time", "opinion", "identity", "more"))


def _mismatches(role: Role, answer: Sequence[Said], wants: frozenset[Want]) -> Iterator[str]:
    """Pairs of what is wanted and what is said that do not go together, whatever they are about."""
    asked = bool(wants - {"leave", "nothing"})
    wordy = bool(wants & _WORDS) and not wants & {"time", "identity"}
    bare = all(one.role in _BARE for one in answer)
    if wordy and bare:
        yield "a bare yes where words are wanted"
    if wordy and answer[0].role == "yes" and not bare:
        yield "begins with yes where words are wanted"
    if "more" in wants and bare:
        yield "a yes to whether there is more"
    if "invites" in wants and role == "nothing_more":
        yield "nothing more, though asked for its questions"
    if wants & _CLOSED and not wordy and role in ("offers", "identity") and "identity" not in wants:
        yield "a line of its own to a question for yes or no"
    if wants & _CLOSED and not wordy and role == "fact":
        yield "a fact to a question for yes or no"
    if asked and all(one.role == "murmur" for one in answer):
        yield "a murmur to a question"
    if asked and all(one.role == "asks" for one in answer):
        yield "only a question of its own"
    if asked and role in ("asks_back", "not_heard"):
        yield "asks back"
    if "leave" in wants and any(one.text.rstrip().endswith(("?", "？")) for one in answer):
        yield "asks on after goodbye"
    if not asked and role in ("no", "unsure", "nothing_more"):
        yield "answers where nothing was asked"


def _after(session: Session, position: int) -> str:
    """What the agent says next, before the caller speaks again."""
    after = session.turns[position + 1 : position + 2]
    return after[0].text if after and after[0].speaker == "agent" else ""


def _taken_up(reply: str, after: str, language: Language) -> Signs:
    """How much of the reply comes back in what the agent says next."""
    said = content(reply)
    if not said:
        return {}
    next_words = content(" ".join(after.split()[:_TAKEN_UP]) if language == "en" else after)
    shared = len(said & next_words) / len(said)
    return {"words taken up": shared, "nothing taken up": float(bool(after) and not shared)}


def _near(
    session: Session,
    question: str,
    reply: str,
    again: str,
    facts: Sequence[str],
    questions: Sequence[str],
    evidence: Evidence,
) -> Signs:
    """How near question, reply, facts and the agent's next question are to each other."""
    persona, signs = session.persona, Signs()
    if again:
        both = content(question) | content(again)
        signs["question again by words"] = len(content(question) & content(again)) / max(1, len(both))
    if facts:
        near = nearest([question], references(persona, session.card), evidence)
        told = max(near[at] for at, fact in enumerate(persona.facts) if fact.key in facts)
        signs |= {"told fact near": told, "told fact behind": max(near) - told}
    if evidence == "meaning":
        here, *others = nearest([reply], [[one] for one in (question, *questions) if one], "meaning")
        signs["reply near question"] = here
        signs["behind another question"] = max([0.0, *(one - here for one in others)])
        if again:
            signs["question again"] = nearest([question], [[again]], "meaning")[0]
    return signs
