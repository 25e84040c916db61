"""Coherence: does the reply fit what was said, and move on? (Table 22)

Measured:

- **Inner workings**: thinking aloud, steps of the script, placeholders, role labels, talk about prompt or
  model: 0.
- **Its own words again**: nearly the same as an earlier reply that the caller did not ask to hear again, or a
  closing formula that it has said before: 0.
- **A question of the caller passed over**: the reply shares no word with the caller's question, does not
  acknowledge or answer it in any usual form, and puts a matter of its own: 0 where the question was plain, 1
  where it was not.
- **Courtesy in the way of the task**: three and more polite formulas, or most of the reply: 1.

Blind to: answers that use the right words and say the wrong thing, contradictions, and jumps of thought.
"""

from __future__ import annotations

import re

from metrics.dialogue.evidence import words
from metrics.dialogue.rules.redundancy import ASKS_AGAIN, pairs, questions
from metrics.dialogue.rules.reply import Finding, Reply, pattern, spoken_length
from metrics.dialogue.rules.small_words import SMALL_WORDS

SAME_REPLY = 0.8
COURTESY_MANY = 3
COURTESY_SHARE = 0.6
_QUESTION_WORDS = 3
"""Shorter ones ("Hello?", "Yes?") ask for nothing in particular."""

_INNER = re.compile(
    r"<\/?(?:think|thinking|reasoning|thought|answer|response|tool)[^>]*>|\{[a-z_]+\}|"
    r"\[[A-Za-z_ ]*(?:name|date|amount|number)[A-Za-z_ ]*\]"
    r"|^\s*(?:agent|assistant|system|user|caller|customer|客服|坐席|客户|用户)\s*[:：]"
    r"|\b(?:system prompt|my (?:prompt|instructions|script|guidelines)|the (?:prompt|script|sop|"
    r"task flow|persona|scenario)|according to (?:the|my) (?:script|instructions|process|flow|step)|"
    r"as an ai|language model|(?:move|moving|proceed|go) (?:on )?to (?:the )?(?:next step|step)|"
    r"step (?:\d|one|two|three|four|five))\b"
    r"|\b(?:the (?:user|customer|caller) (?:is|seems|wants|asks|has|appears|said)|i (?:should|"
    r"need to) (?:now )?(?:respond|reply|answer|acknowledge|follow the))\b"
    r"|根据(?:流程|话术|提示|设定|脚本|剧本)|按照(?:流程|话术|脚本|提示)|提示词|系统提示|语言模型|下一步流程|(?:进入|执行)(?:下一|第[一二三四五六七八])步"
    r"|(?:用户|客户)(?:似乎|看起来|表示|表现|情绪|正在|想要)|我(?:需要|应该)(?:先)?(?:回应|安抚|回复)(?:用户|客户)|思考[:：]|\[(?:姓名|日期|金额)\]",
    re.IGNORECASE | re.MULTILINE,
)
_CLOSING = pattern(
    "good ?bye",
    "bye(?: bye)?",
    "have a (?:nice|great|good|wonderful|lovely|pleasant|blessed) (?:day|evening|weekend|week|"
    "afternoon|one|rest)",
    "take care",
    "(?:thank you|thanks) (?:again |so much |very much )?for (?:your time|your patience|"
    "your understanding|calling|choosing|taking)",
    "talk to you (?:soon|tomorrow|later|then)",
    "wish you",
    "(?:if you have|should you have) any (?:other |further |more )?questions",
    "再见",
    "拜拜",
    "祝您",
    "感谢您的(?:接听|支持|配合|时间|理解)",
    "不打扰(?:您)?了",
    "生活愉快",
)
_POLITE = pattern(
    "thank you",
    "thanks",
    "please",
    "appreciate",
    "sorry",
    "apologi[sz]e~",
    "my pleasure",
    "you're welcome",
    "pleased to",
    "happy to (?:help|assist)",
    "honou?red",
    "grateful",
    "谢谢",
    "感谢",
    "请您(?:谅解|理解|放心|见谅)",
    "抱歉",
    "对不起",
    "不好意思",
    "麻烦您",
    "辛苦您",
    "荣幸",
    "祝您",
    "打扰您",
)
_TAKES_UP = pattern(
    "yes",
    "yeah",
    "no",
    "sure",
    "of course",
    "right",
    "exactly",
    "correct",
    "certainly",
    "absolutely",
    "okay",
    "ok",
    "good (?:question|point)",
    "fair (?:question|point|enough)",
    "i (?:see|understand|hear|know|get)",
    "got it",
    "sorry",
    "thanks?",
    "thank you",
    "because",
    "it's",
    "it is",
    "that's",
    "that is",
    "that would",
    "not (?:yet|really|at all|quite)",
    "i don't (?:know|have)",
    "i can't",
    "i'm not",
    "all right",
    "alright",
    "no problem",
    "well",
    "you're",
    "here's",
    "let me",
    "don't worry",
    "if",
    "then",
    "对",
    "是的",
    "不是",
    "可以",
    "好的",
    "行",
    "没错",
    "当然",
    "明白",
    "理解",
    "知道",
    "因为",
    "不好意思",
    "抱歉",
    "谢谢",
    "没事",
    "没问题",
    "这个",
    "那",
    "您放心",
    "不会",
    "没有",
    "嗯",
)


def judge(reply: Reply) -> Finding:
    """0, 1 or 2."""
    if quote := reply.find(_INNER):
        return Finding(score=0, reason="shows its inner workings", quote=quote)
    repeats = _repeated_reply(reply)
    if repeats and not ASKS_AGAIN.search(reply.caller):
        return Finding(score=0, reason="says an earlier reply of its own again", quote=reply.sentences[0])
    if quote := _repeated_closing(reply):
        return Finding(score=0, reason="the same closing formula again", quote=quote)
    if _passes_over(reply):
        return Finding(score=0, reason="takes up nothing of what the caller asked", quote=reply.sentences[0])
    polite = [found.group() for found in _POLITE.finditer(reply.text)]
    courteous = sum(spoken_length(one) for one in reply.sentences if _POLITE.search(one))
    mostly = len(polite) >= 2 and courteous > COURTESY_SHARE * reply.length and not questions(reply.text)
    if len(polite) >= COURTESY_MANY or (mostly and not _CLOSING.search(reply.text)):
        reason = "courtesy in the way of the task"
        return Finding(score=1, reason=reason, quote=polite[0])
    return Finding(score=2, reason="no inner workings, no repetition, takes up what was said")


def _repeated_reply(reply: Reply) -> bool:
    mine = pairs(reply.text)
    if len(mine) < 4:
        return False
    return any(
        len(mine & other) >= SAME_REPLY * max(len(mine), len(other)) for other in map(pairs, reply.own_before)
    )


def _repeated_closing(reply: Reply) -> str:
    """A closing formula that an earlier reply had; a short goodbye in answer to the caller's is none."""
    if spoken_length(reply.text) < 10 and _CLOSING.search(reply.caller):
        return ""
    earlier = {found.group().casefold() for text in reply.own_before for found in _CLOSING.finditer(text)}
    mine = [found.group() for found in _CLOSING.finditer(reply.text)]
    return next((one for one in mine if one.casefold() in earlier), "")


def _passes_over(reply: Reply) -> bool:
    asked = [one for one in questions(reply.caller) if len(words(one)) >= _QUESTION_WORDS]
    if not asked or not reply.words or ASKS_AGAIN.search(reply.caller):
        return False
    if _TAKES_UP.search(reply.sentences[0] if reply.sentences else reply.text):
        return False
    content = {word for one in asked for word in words(one)} - SMALL_WORDS
    return bool(content) and not any(_same(word, other) for word in content for other in reply.words)


def _same(word: str, other: str) -> bool:
    return word == other or (len(word) >= 5 and len(other) >= 5 and word[:5] == other[:5])
