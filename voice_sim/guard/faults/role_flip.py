"""The caller takes the agent's part.

Sees: set phrases of a service desk ("How can I help you?", "Is there anything else I can help you with?");
introducing itself with the agent's name or company; asking for the persona's own identity or papers; doing
the agent's work ("I've processed your refund", "I can offer you a discount"); marked speech of both sides
("Agent: … Customer: …"); a long line of the agent's said back word by word.

Leaves alone: the person's own lines; "What can I do for you?" when picking up; reading an agreement back.
Cannot see: a flip in ordinary words ("And would Tuesday suit you, too?").
"""

from __future__ import annotations

import re

from voice_sim.guard.known import own_sentences
from voice_sim.guard.names import agent_names, names_given
from voice_sim.guard.session import Finding, Session
from voice_sim.guard.words import alike, sentences, words

_OFFER = (
    r"(?:discount|package|plan|refund|voucher|slot|appointment|credit|free|upgrade|membership"
    r"|trial|extension|instal"
)
_OFFER += r"ment|deal|price|rate|loan|replacement|subscription|compensation|gift|alternative)"
_PAPERS = (
    r"(?:date of birth|account|card|order|customer|policy|identity|id|ticket|booking|case"
    r"|passport|full name|surname)"
)
_HELPFUL = "asks how it can help"
_DESK = [
    (r"\bhow (?:can|may|could) i (?:help|assist|be of)\b", _HELPFUL),
    (
        r"\b(?:anything|something) else (?:that )?i (?:can|could|may) (?:help|assist|do for you)",
        "offers more help",
    ),
    (r"\b(?:i'm|we're) (?:here|happy|glad) to (?:help|assist)", "offers help"),
    (
        r"\bthank(?:s| you) for (?:calling|contacting|reaching out|choosing|being (?:a|our) )",
        "thanks for the call",
    ),
    (
        r"\bthank(?:s| you) for your (?:business|loyalty|feedback|patience and|custom)\b",
        "thanks as a company",
    ),
    (r"\bapologi[sz]e for (?:the|any|this) (?:inconvenience|delay|confusion)", "apologises for the company"),
    (r"\bsorry for (?:the|any) inconvenience", "apologises for the company"),
    (r"\bvalued customer", "speaks as the company"),
    (
        r"\b(?:i'm|i am|we're|we are) (?:calling|ringing|phoning) (?:you )?(?:about|regarding|from"
        r"|because|on behalf|to)",
        "says that it is the one who calls",
    ),
    (
        rf"\b(?:may|can|could) (?:i|you)(?: please| just)? (?:have|get|take|confirm|verify|tell me"
        rf"|give me|provide) (?:me )?"
        rf"your (?:\w+ )?{_PAPERS}\b",
        "asks for papers",
    ),
    (
        rf"\b(?:i|we)(?:'d| can| could| would| will|'ll)?(?: like to| also| happily)? offer you"
        rf" (?:\w+ ){{0,3}}{_OFFER}",
        "makes an offer",
    ),
    (
        r"\b(?:i|we)(?:'ve| have|'ll| will| can|'m going to)? (?:now |already |just )?(?:processed"
        r"|process|refunded|refund"
        r"|credited|credit|escalated|escalate|waived|waive|cancelled|reset|blocked|released"
        r"|registered|booked|scheduled|book"
        r"|schedule|register|noted) (?:you\b|your\b|this for you|that for you|it for you)",
        "does the agent's work",
    ),
    (
        r"\byour (?:\w+ )?(?:account|order|request|refund|application|complaint|claim|ticket|case"
        r"|booking|appointment"
        r"|subscription|payment) (?:has been|have been|will be|is being|is now) \w+",
        "tells the agent's news",
    ),
    (r"\bplease (?:hold|stay) (?:on )?(?:the line )?while i (?:check|pull|look)", "does the agent's work"),
    (
        r"\b(?:let me|i'll) (?:pull up|look up|check) your (?:account|order|file|details|record)",
        "does the agent's work",
    ),
    (r"\bthis call (?:is|may be|will be) (?:being )?recorded", "reads the agent's notice"),
]
_DESK_ZH = [
    (r"有什么(?:可以|能)(?:帮|为)(?:到)?您|(?:可以|能)帮您什么", _HELPFUL),
    (r"很高兴为您服务|竭诚为您|为您服务", "speaks as the company"),
    (r"感谢您(?:的)?(?:来电|致电|接听|理解|支持|配合|耐心)", "thanks as a company"),
    (r"给您(?:带来|造成)(?:了)?(?:的)?(?:不便|困扰|麻烦)", "apologises for the company"),
    (
        r"(?:我|我们|这边)(?:这边|可以|会|先|马上|已经|现在|来)*(?:给|为|帮)您(?:办理|退款|登记"
        r"|申请|处理|核实|查询|预约|安排|开通|减免|推荐)",
        "does the agent's work",
    ),
    (
        r"您的(?:订单|申请|投诉|账户|账号|退款|工单|预约|卡|款项)[^，。？！]{0,6}(?:已经|已为您"
        r"|已被|将会|会在|将在)",
        "tells the agent's news",
    ),
    (r"请(?:您)?(?:提供|报|说)(?:一下)?您的(?:身份证|卡号|姓名|订单|生日|出生|证件)", "asks for papers"),
    (r"还有(?:什么|别的|其他)?(?:问题|需要|事)?(?:是)?(?:需要)?我(?:可以|能)(?:帮|为)", "offers more help"),
    (r"我们(?:公司|银行|店|平台)?(?:可以|能够|能)(?:给|为)您(?:提供|优惠|打折|减免)", "makes an offer"),
    (r"我是[^，。]{0,12}(?:客服|专员|坐席|顾问)[^，。？]{0,6}", "introduces itself as the agent"),
    (r"(?:本次|这通)(?:通话|电话)(?:会|将|有)(?:被)?录音", "reads the agent's notice"),
]
_PATTERNS = [(re.compile(pattern, re.IGNORECASE), why) for pattern, why in _DESK + _DESK_ZH]
_LABEL = re.compile(
    r"(?:^|[\n.!?。！？] ?)\W{0,3}(agent|assistant|customer|caller|user|operator|representative"
    r"|客服|坐席|客户|用户|顾客)\W{0,3}[:：]",
    re.IGNORECASE,
)
_AGENT_ORGANISATION = re.compile(
    r"\b(?:from|of|with|at) (?:the [a-z ]+ (?:of|at) )?([A-Z][a-z]+(?: [A-Z][a-z]+)+)|(?:我是"
    r"|这里是|我这边是)([一-鿿]{4,8}?)的"
)
_SELF = re.compile(
    r"\b(?:this is|i'm|i am|here at|speaking for|on behalf of|my name is|calling from|it's)\b"
    r"|here\b|我是|这里是",
    re.I,
)
_IDENTITY = re.compile(
    r"\b(?:am i (?:speaking|talking) (?:to|with)|is (?:this|that)|have i got|do i have|may i speak"
    r" (?:to|with))"
    r" (?:mr|mrs|ms|miss|dr)?\.? ?",
    re.IGNORECASE,
)
_ECHO_WORDS = 12
_ECHO = 0.85


def role_flips(session: Session) -> list[Finding]:
    """Findings, at most one a turn, in order."""
    by_heart = own_sentences(session.persona)
    found = []
    for position in session.caller_turns():
        text = session.turns[position].text
        if match := _LABEL.search(text):
            found.append(_finding(position, match[0].strip(), "speaks for a labelled side"))
            continue
        for sentence in sentences(text):
            if words(sentence) in by_heart:
                continue
            why = _service_desk(sentence)
            if why == _HELPFUL and session.caller_turns().index(position) < 2:
                why = ""  # Whoever picks up at a front desk says so, too.
            why = why or _as_agent(session, position, sentence) or _asks_own(session, sentence)
            if why:
                found.append(_finding(position, sentence, why))
                break
        else:
            if _echoes(session, position):
                found.append(_finding(position, text, "says a line of the agent's back word by word"))
    return found


def _service_desk(sentence: str) -> str:
    return next((why for pattern, why in _PATTERNS if pattern.search(sentence)), "")


def _as_agent(session: Session, position: int, sentence: str) -> str:
    """Gives the agent's name or company as its own."""
    own = set(words(session.persona.demographics.name))
    agents = agent_names(session, position) - own
    for name, _ in names_given(sentence, session.persona.language):
        given = set(words(name))
        if len(given) >= 2 and given <= agents:
            return f"gives the agent's name, {name}, as its own"
    if not _SELF.search(sentence) or re.search(r"[?？]\W*$", sentence):
        return ""
    persona = session.persona
    about = [
        persona.role,
        persona.situation,
        persona.demographics.occupation,
        *(f.value for f in persona.facts),
    ]
    known = "\n".join(about).casefold()
    said = " ".join(turn.text for turn in session.turns[:position] if turn.speaker == "agent")
    for match in _AGENT_ORGANISATION.finditer(said):
        company = match[1] or match[2]
        if company.casefold() in known:
            continue
        introduced = (
            rf"(?:(?:this is|i'm|i am|my name is)[^.!?]{{0,40}}\b(?:from|of|with|at)|here"
            rf" at|calling from|on behalf of|speaking for) (?:the )?{re.escape(company)}"
        )
        chinese = rf"(?:我是|这里是|我这边是|我们){re.escape(company)}"
        if re.search(introduced, sentence, re.IGNORECASE) or re.search(chinese, sentence):
            return f"introduces itself as {company}"
    return ""


def _asks_own(session: Session, sentence: str) -> str:
    """Asks whether it is speaking to the person whom it plays."""
    name = session.persona.demographics.name
    own = {word for word in words(name) if len(word) > 1} or {name}
    match = _IDENTITY.search(sentence)
    if match and words(sentence[match.end() :])[:1] and set(words(sentence[match.end() :])[:2]) & own:
        return "asks for the person whom it plays"
    if re.search(rf"(?:请问|您)(?:您)?是{re.escape(name)}(?:本人|先生|女士)?(?:吗|么|吧)", sentence):
        return "asks for the person whom it plays"
    return ""


def _echoes(session: Session, position: int) -> bool:
    text = session.turns[position].text
    if len(words(text)) < _ECHO_WORDS:
        return False
    return any(
        turn.speaker == "agent" and alike(turn.text, text) >= _ECHO for turn in session.turns[:position]
    )


def _finding(position: int, quote: str, detail: str) -> Finding:
    return Finding(kind="role_flip", turn=position, quote=quote, detail=detail)
