"""The caller stops being a person: it speaks of models and prompts, or says what cannot be spoken.

Sees: "as an AI", "my prompt", "the simulation", "stay in character"; stage directions (*sighs*, [hangs
up]), marks of a list or heading, code, end markers ([END], <eot>), a label of its own side, emoji.

Leaves alone: asking the agent whether it is a machine; speaking about machines in general.
Cannot see: a person who suddenly speaks like an encyclopaedia.
"""

from __future__ import annotations

import re

from voice_sim.guard.known import own_sentences
from voice_sim.guard.session import Finding, Session
from voice_sim.guard.words import words

_MODEL = (
    r"(?:ai|a\.i\.|artificial intelligence|language model|llm|chatbot|bot|virtual assistant|ai"
    r" assistant|simulated \w+)"
)
_SIGNS = [
    (
        rf"\b(?:i am|i'm|as|i was) (?:just |only |actually |really )?an? (?:\w+ )?{_MODEL}\b(?!\?)",
        "says that it is a model",
    ),
    (
        r"\b(?:my|the|this) (?:system )?prompt\b|\bmy (?:instructions|guidelines|training data"
        r"|programming)\b",
        "speaks of its prompt",
    ),
    (
        r"\b(?:my|this|the|given) persona\b|\bstay(?:ing)? in character\b|\bbreak(?:ing)?"
        r" character\b|\brole-?play",
        "speaks of its persona",
    ),
    (
        r"\b(?:simulated|simulating) (?:call|caller|customer|user|conversation|dialogue)|\b(?:this"
        r"|the) simulation\b",
        "speaks of a simulation",
    ),
    (
        r"\bas the (?:caller|user|customer|callee),? (?:i|my)\b|\bmy (?:must-ask|hang-?up condition"
        r"|archetype)\b",
        "speaks of its part",
    ),
    (r"我(?:只)?是(?:一个|一名|个)?(?:AI|人工智能|语言模型|机器人|虚拟)", "says that it is a model"),
    (r"作为(?:一个|一名)?(?:AI|人工智能|语言模型|虚拟|模拟)", "says that it is a model"),
    (
        r"提示词|系统提示|我的人设|角色扮演|扮演的(?:角色|客户|用户)|模拟(?:对话|通话|用户|客户)|根据设定",
        "speaks of its part",
    ),
    (r"\*[^*\n]{2,60}\*|\*\*|__\w", "stage direction or markup"),
    (r"[\[【<{][^\]】>}\n]{1,60}[\]】>}]", "stage direction or marker"),
    (
        r"[(（](?:\w+ ){0,3}(?:sigh|laugh|pause|hang|chuckl|nod|smil|silen|cough|whisper|angr|annoy"
        r"|nervous|hesita|end)\w*[^)）]{0,40}[)）]",
        "stage direction",
    ),
    (
        r"[(（][^)）]{0,6}(?:叹气|笑|沉默|停顿|挂断|挂电话|犹豫|皱眉|点头|生气|无奈|小声"
        r"|结束)[^)）]{0,8}[)）]",
        "stage direction",
    ),
    (r"(?:^|\n)\s*(?:#{1,4} |[-*•] |\d+[.)] .*\n\s*\d+[.)] )|```|</?\w+>", "markup"),
    (r"\b(?:END_CALL|END_OF_CALL|HANG_UP|HANGUP|END_OF_DIALOGUE|TERMINATE|EOT)\b|<\|", "end marker"),
    (r"\"(?:text|reply|say|role|content|action)\"\s*:", "code"),
    ("[\U0001f300-\U0001faff☀-➿]", "cannot be spoken"),
]
_PATTERNS = [
    (re.compile(pattern, 0 if "END_CALL" in pattern else re.IGNORECASE), why) for pattern, why in _SIGNS
]


def broke_character(session: Session) -> list[Finding]:
    """Findings, at most one a turn, in order."""
    by_heart = own_sentences(session.persona)
    found = []
    for position in session.caller_turns():
        text = session.turns[position].text
        if words(text) in by_heart:
            continue
        for pattern, why in _PATTERNS:
            if match := pattern.search(text):
                quote = text[max(0, match.start() - 30) : match.end() + 30].strip()
                found.append(Finding(kind="broke_character", turn=position, quote=quote, detail=why))
                break
    return found
