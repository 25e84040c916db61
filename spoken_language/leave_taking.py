"""Whether what somebody says is a goodbye and no more, in English and Chinese.

A goodbye beside something that is asked is no mere goodbye: "Please cancel my order and send me the receipt,
bye." wants an answer. What is asked is told by its words alone, so an order in unusual ones passes for a
remark.
"""

from __future__ import annotations

import re

MAX_WORDS = 14
"""Who says more says something else too. A Chinese character is taken for two thirds of a word."""
WORDS_AFTER = 2
"""In its clause a goodbye is followed by no more words than this ("bye for now"), or begins it."""

_GOODBYE = re.compile(
    r"(?<!say )(?<!said )(?<!saying )\b(?:good[\s-]?(?:bye|night)|bye(?:[\s-]bye)?|farewell)\b"
    r"|再见|拜拜|再会",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[,.;:!?，。；：！？、…—]+|\s[-–]\s")
_TOKEN = re.compile(r"[㐀-鿿]|[^\W_㐀-鿿]+(?:['’][^\W_]+)?")
_HAN = re.compile(r"[㐀-鿿]")
_COURTESY = re.compile(
    r"^\W*(?:(?:and|so|well|then|ok|okay)\s+)*"
    r"(?:thank|cheers|have an?\b|you too|the same to you|take care|see you|talk to you|speak soon"
    r"|all the best|until|till)"
    r"|谢|多谢|感谢|辛苦|麻烦[你您]了|保重|慢走|祝|晚安|回头见|下次|改天",
    re.IGNORECASE,
)
_ASKS = re.compile(
    r"\bplease\b|\b(?:can|could|would|will|do|did|are|have) you\b"
    r"|\b(?:can|could|may|shall|should) i\b"
    r"|(?<!all )(?<!everything )(?<!what )\bi (?:want|need|would like)\b(?! to (?:thank|say))"
    r"|\bi['’]d like\b(?! to (?:thank|say))"
    r"|\blet me\b(?! (?:think|sleep|get back|go|discuss)\b)"
    r"|\b(?:tell|give|send|help|show|email|text|remind|connect|transfer) me\b"
    r"|(?<!to )\bcall me\b|\bmake sure\b"
    r"|(?:^|\band |\bthen |\bjust |\bso |\balso |\bok |\bokay )"
    r"(?:what(?! an? )|when|where|why|how|who|which)\b"
    r"|(?<!邀)请(?!慢走|保重|多保重)|麻烦(?![你您]了|[你您]帮我.{1,8}了\W*$)"
    r"|(?<!谢谢)(?<!谢谢你)(?<!谢谢您)(?<!麻烦你)(?<!麻烦您)帮我"
    r"|(?<!等[你您])(?<!等[你您].)(?<!等[你您]..)(?<!等[你您]...)给我|告诉|转接|取消"
    r"|查一下|确认一下|能不能|可不可以|是不是|有没有|我想(?:要|请|问|订|改|知道|了解|预约)"
    r"|我要(?!的|走|挂)|我需要(?!的)|[吗呢]\W*$|(?<!没)(?<!没有)(?<!(?<![不想])知道)什么"
    r"|(?<!(?<![不想])知道)(?:怎么|哪)|多少|几点",
    re.IGNORECASE,
)
_ORDERED = (
    "(?:ask(?! you)|book|call(?! you)|cancel|change|check|close|confirm|connect|deliver|email|explain|give"
    "|hold|move|add|refund|remove|renew|repeat|reserve|schedule|send|stop|tell|transfer|update)"
)
_ORDERS = re.compile(
    rf"(?:^|\b(?:(?P<beside>(?:(?:and|so) )?(?:then|just|also)|and)|so|ok|okay) ){_ORDERED}\b"
    rf"|\byou (?:should|ought to|had better|better) (?:just |then |also )?{_ORDERED}\b",
    re.IGNORECASE,
)
_OTHERS = r"\b(?:i|we|he|she|they|someone|somebody|my \w+)"
_WILL = r"(?:will|shall|can|could|would|should|might|may|must)(?!['’]t|\w)"
_IS_TO = r"(?:going to|about to|gonna)"
_HAS_TO = r"(?:(?:need|needs|have|has|want|wants|try|plan|hope|promise|got) to|gotta)"
_OWN = re.compile(
    rf"(?:(?P<who>{_OTHERS})(?:['’](?:ll|d)|['’](?:m|re|s) {_IS_TO}|['’](?:ve|s) {_HAS_TO}"
    rf"|(?: \w+ly| also| just| then)? (?:{_WILL}|{_HAS_TO}|(?:am |are |is )?{_IS_TO}))"
    r"|\blet(?: (?P<let>me|us)|['’]s))\b(?! not\b| never\b)",
    re.IGNORECASE,
)
"""What somebody other than the hearer does next: behind it, "and" and a verb are no order ("I'll do that and
call back"), as they are behind "I don't care"."""
_TO_ITSELF = {"i": "me", "let me": "me", "we": "us", "he": "him", "she": "her"}
"""Nobody who acts for himself books "me" after "I": that is asked of the hearer."""
_OF_A_SERVICE = re.compile(r"^(?:deliver|refund)\b(?!.*\b(?:myself|ourselves)\b)", re.IGNORECASE)
"""Whoever says "I" to it does none of that."""
_HEARERS = re.compile(
    rf"\b(?:so (?=just|then|also|please|you\b|{_ORDERED})|(?:but(?! {_WILL})|because|please"
    r"|you(?:['’](?:d|ll|re))? (?:to|should|must|can|could|would|will|may|might|ought|need|have|had|better"
    rf"|just|then|also|please|go|{_ORDERED}))\b)",
    re.IGNORECASE,
)
"""After it the verb is the hearer's: "I'd say you should check and cancel it"."""
_AT_ONCE = re.compile(r"\b(?:i|we|they)\s*$", re.IGNORECASE)
"""Before "just", "also" and "then" alone: "I just call to thank you"."""
_ACCEPTS = re.compile(
    r"\b(yes|yeah|yep|no)\W{1,2}please\b(?=\W*$|\s?[.;!]|,?\s(?:and\s)?(?:thank|bye|good))", re.IGNORECASE
)
"""An answer to an offer; nothing is asked."""


def says_goodbye(text: str) -> bool:
    """Whether a turn takes leave and calls for no answer: it is short, its goodbye is its end but for
    courtesies, and nothing is asked in it."""
    if re.search(r"[?？]", text) or not _GOODBYE.search(text) or _length(text) > MAX_WORDS:
        return False
    clauses = [clause.strip() for clause in _CLAUSE.split(_ACCEPTS.sub(r"\1", text)) if clause.strip()]
    leaves = [place for place, clause in enumerate(clauses) if _takes_leave(clause)]
    if not leaves:
        return False
    after = clauses[leaves[-1] + 1 :]
    courteous = all(
        _COURTESY.search(clause) or len(_TOKEN.findall(clause)) <= WORDS_AFTER for clause in after
    )
    return courteous and not any(_ASKS.search(clause) or _orders(clause) for clause in clauses)


def _orders(clause: str) -> bool:
    return any(
        not (
            found["beside"]
            and _goes_on(
                clause[: found.end("beside")], found["beside"], clause[found.end("beside") :].strip()
            )
        )
        for found in _ORDERS.finditer(clause)
    )


def _goes_on(told: str, beside: str, does: str) -> bool:
    """Whether the verb ``does`` begins with, behind ``told``, which ends in ``beside``, is another's than the
    hearer's."""
    before = told.removesuffix(beside)
    if beside.lower() in ("just", "then", "also") and _AT_ONCE.search(before):
        return True
    own = [*_OWN.finditer(before)]
    return bool(own) and not _HEARERS.search(told, own[-1].end()) and not _asked_of_another(own[-1], does)


def _asked_of_another(own: re.Match[str], does: str) -> bool:
    """Whether what is done is nothing that the one who acts in ``own`` does."""
    who = (own["who"] or f"let {own['let'] or 'us'}").lower()
    itself = _TO_ITSELF.get(who)
    if itself and re.match(rf"\w+ {itself}\b(?! \w+self\b)", does, re.IGNORECASE):
        return True
    return who == "i" and bool(_OF_A_SERVICE.match(does))


def _takes_leave(clause: str) -> bool:
    found = list(_GOODBYE.finditer(clause))
    if not found:
        return False
    before, after = clause[: found[0].start()], clause[found[-1].end() :]
    return len(_TOKEN.findall(after)) <= WORDS_AFTER or len(_TOKEN.findall(before)) <= 1


def _length(text: str) -> float:
    tokens = _TOKEN.findall(text)
    han = sum(bool(_HAN.match(token)) for token in tokens)
    return len(tokens) - han + han * 2 / 3
