"""Naturalness: does the reply sound like a person on the phone? (Table 22)

Measured: what nobody says aloud.

- A **list, markup, a letter's formula, a stage direction** or the agent's **inner workings** (thinking aloud,
  placeholders, talk about its script) are a 0.
- **Phrases of writing** ("furthermore", "prior to", 予以, 敬请) and of machines ("your request has been
  received"), **long words** in English, **long sentences** in Chinese, and the **lack of any contraction or
  particle** each add points of stiffness. From 0.8 on it is a 1, from 3.4 on a 0.

Blind to: whether the words fit this very person and moment, intonation, and a stiffness that is all in the
order of words.
"""

from __future__ import annotations

import re

from metrics.dialogue.evidence import words
from metrics.dialogue.rules.reply import Finding, Reply, pattern

STIFF, WRITTEN = 0.8, 3.4
"""Points of stiffness from which a reply is a 1, and a 0."""
_PHRASE, _PHRASES_MAX = 0.4, 2.0
_LONG_WORD, _LONG_WORDS, _LONG_WORDS_USUAL = 8, 12.0, 0.06
"""English words of so many letters, points for their share, and the share that people have in speaking."""
_HAN_BREATH, _HAN_SENTENCE = 18.0, 0.06
"""Characters of a Chinese sentence that is said in one breath, and points for each one beyond."""
_NOTHING_SPOKEN, _FEW_WORDS = 0.5, 12

_WORD = re.compile(r"[A-Za-z]+")
_EASY_TEXT = """
    everything something anything somebody everybody anybody everyone someone somewhere anywhere everywhere
    together tomorrow yesterday afternoon afternoons mornings evenings weekends birthday yourself myself
    himself herself themselves ourselves question questions speaking sometimes whatever whenever actually
    probably
    thirteen fourteen eighteen nineteen children problems pleasure straight remember thinking happened
    answered
"""
_EASY_WORDS = frozenset(_EASY_TEXT.split())
"""Long words of everybody's; so are those that the caller has just used."""

_WRITTEN_FORM = re.compile(
    r"^\s*(?:[-*•·]|\d{1,2}[.)、]|[（(]\d{1,2}[)）]|#{1,6}\s)"  # list items and headings
    r"|\*\*|__|```|`[^`]+`|\|.+\||</?[a-z]+>|\[[^\]]*\]\(|^\s*[{\[]"
    r"|(?:^|[\s:：;；。.])(?:[1-9][)）、]|[（(][1-9一二三四五][)）]|[①-⑨])"
    r"|[(（\[*][^)）\]*]{0,40}(?:pause|smil|sigh|laugh|nod|tone|silence|停顿|微笑|叹气|语气)[^)）\]*]{0,40}[)）\]*]",
    re.IGNORECASE | re.MULTILINE,
)
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
"""Thinking aloud, steps of the script, placeholders, role labels, talk about prompt or model."""

_SPOKEN_LIST = re.compile(
    r"\bfirst(?:ly)?\b,?.+\bsecond(?:ly)?\b,?.+\b(?:third(?:ly)?|finally|lastly)\b"
    r"|\bnumber one\b.+\bnumber two\b|\b(?:item|point) (?:one|1)\b.+\b(?:item|point) (?:two|2)\b"
    r"|第一[，,、是].+第二[，,、是].+第三|首先.+其次.+(?:最后|再次)|其一.+其二",
    re.IGNORECASE | re.DOTALL,
)
_LETTER = pattern(
    "dear (?:sir|madam|customer|valued|mr|mrs|ms|user|client)~",
    "(?:yours )?sincerely",
    "(?:best|kind|warm) regards",
    "to whom it may concern",
    "please be (?:advised|informed|notified|reminded) that",
    "(?:this is to|we hereby|i hereby|hereby) ?(?:inform|notify|confirm|advise)?",
    "we (?:are writing|wish) to (?:inform|advise|notify)",
    "herein~",
    "pursuant to",
    "the undersigned",
    "尊敬的(?:客户|用户|先生|女士|会员|业主|家长)",
    "特此(?:通知|告知|函告)?",
    "此致",
    "敬礼",
    "兹(?:因|有|定)",
    "现将",
    "如下[:：]",
    "贵(?:方|司|行)",
    "敬启",
)
_BOOKISH = pattern(
    "furthermore",
    "concern(?:s|ing)",
    "the following",
    "as follows",
    "indication of",
    "availability of",
    "at present",
    "reason (?:to be|for) (?:concern|alarm)~",
    "thank you for (?:that|this|the|your) (?:information|clarification|confirmation|response|feedback"
    "|answer)",
    "as per",
    "in case of",
    "should you (?:have|wish|require|need|experience|decide)",
    "in this (?:regard|matter|respect)",
    "in (?:this|that) context",
    "for your (?:reference|information|convenience)",
    "on behalf of",
    "be present",
    "take part",
    "i will also",
    "we will also",
    "no \\w+ (?:is|are|will be) \\w+ed",
    "(?:is|are) also requested",
    "(?:is|are) (?:provided|charged|conducted|scheduled|arranged|permitted|processed|located|intended"
    "|advised)",
    "must be \\w+ed",
    "will be \\w+ed",
    "to be \\w+ed",
    "moreover",
    "in addition(?: to)?",
    "additionally",
    "consequently",
    "therefore",
    "thus",
    "hence",
    "nevertheless",
    "nonetheless",
    "subsequent~",
    "prior to",
    "in accordance with",
    "in order to",
    "in the event (?:of|that)",
    "with (?:regards?|respect|reference) to",
    "regarding the aforementioned",
    "aforementioned",
    "pertaining to",
    "pertains? to",
    "in relation to",
    "utili[sz]e~",
    "commenc~",
    "facilitat~",
    "endeavou?r~",
    "ascertain~",
    "expedit~",
    "remuneration",
    "remit~",
    "rectif~",
    "procure~",
    "inquir~",
    "assistance",
    "at your earliest convenience",
    "it is (?:important|imperative|essential|necessary|advisable|recommended) (?:to|that)",
    "please (?:note|ensure|kindly|refer|provide|proceed)",
    "kindly",
    "shall be",
    "upon (?:receipt|completion|request|verification)",
    "we (?:would like|wish) to (?:inform|advise|express|extend)",
    "i (?:would like|wish) to (?:inform|advise|express|extend)",
    "express (?:our|my) (?:sincere|deepest)",
    "(?:sincere|deepest|utmost) (?:apolog|regret|gratitude)~",
    "be assured that",
    "(?:has|have) been (?:duly )?(?:received|recorded|registered|logged|processed|escalated|noted|"
    "submitted|initiated)",
    "(?:will|shall) be (?:processed|escalated|forwarded|initiated|executed|conducted|notified|"
    "contacted|credited)",
    "(?:is|are) (?:required|requested|obliged) to",
    "the (?:customer|user|client) (?:is|has|must|shall|may)",
    "respective~",
    "comprehensive~",
    "dissatisfaction",
    "the relevant",
    "此外",
    "关于.{1,12}(?:方面|问题|事宜|情况)",
    "即可",
    "方面[，,]",
    "非常理解",
    "致歉",
    "为(?:减轻|了方便|确保|保障|避免|了更好|您带来)",
    "是否(?:可以|能够?|可行)",
    "请您(?:提供|配合|注意|务必|予以|尽快)",
    "已(?:经)?为您",
    "为您(?:办理|登记|安排|处理|核实|查询|申请|预留|服务)",
    "后续",
    "建议您",
    "温馨提示",
    "期间",
    "对此",
    "事宜",
    "情况(?:我|我们)(?:已|非常)",
    "及时(?:回复|处理|告知|联系|反馈|关注)",
    "可以(?:正常|选择|享受|提供)",
    "适当",
    "(?:请|望)(?:您)?(?:谅解|理解|见谅|周知)",
    "另外请",
    "综上",
    "鉴于",
    "基于",
    "因此",
    "故而",
    "予以",
    "进行(?:了)?(?:核实|处理|确认|沟通|查询|操作|反馈|登记|调查|核查|回访|说明)",
    "给予",
    "针对",
    "关于您(?:所|提出|反映|咨询)",
    "上述",
    "该(?:笔|项|款|产品|业务|服务|问题|订单|费用|账户)",
    "您所(?:反映|提出|咨询|提供|购买)",
    "将(?:于|由|会?为您)",
    "以便",
    "以及",
    "若您",
    "如您",
    "如需",
    "是否(?:需要|方便|同意|愿意)",
    "请您知悉",
    "请知悉",
    "敬请",
    "谨",
    "致以",
    "深表",
    "表示(?:诚挚|衷心|歉意|感谢)",
    "诚挚",
    "届时",
    "尽快予以",
    "为您提供(?:优质|专业|更)",
    "竭诚",
    "务必",
    "相关(?:部门|人员|规定|条款|政策|流程|信息|工作)",
    "(?:按照|依据|根据)(?:规定|相关|我司|我行|公司|流程|条款|您的(?:描述|反馈|情况))",
    "我司",
    "我行将",
    "工作人员将",
    "给您带来(?:的)?不便",
    "倘若",
    "均(?:可|为|已|需)",
    "亦",
    "并(?:将|请|会)(?:为您|您|及时)",
    "之(?:前|后|内)(?:予|将|请)",
)
_ROBOT = pattern(
    "as an? (?:ai|artificial|language model|automated|virtual)~",
    "i am an? (?:ai|automated|virtual)~",
    "your (?:request|inquiry|feedback|call|complaint|response) (?:has been|is) (?:received|"
    "important|recorded|valuable|noted|registered)~",
    "how may i (?:assist|help|be of)",
    "is there anything else (?:that )?i (?:can|may) (?:assist|help)",
    "thank you for (?:contacting|reaching out|choosing|providing)",
    "i understand your (?:concern|frustration|inquiry|request|position|feelings)~",
    "to proceed",
    "processing",
    "作为(?:一个|一名)?(?:人工智能|AI|智能|客服)",
    "我是(?:智能|人工智能|AI)",
    "您的(?:请求|反馈|问题|来电|诉求|意见)(?:已|将|对我们)",
    "请问还有(?:什么|其他)可以帮(?:助|到)?您",
    "很高兴为您服务",
    "感谢您的(?:来电|反馈|咨询|接听)",
)
_HAN_SPOKEN = pattern(*"吧呢啊哦嗯哎呀啦嘛咱哈嘞呗", "那", "就", "这儿", "那儿", "一下")
_CONTRACTION = re.compile(r"\b[a-z]+'(?:s|m|re|ll|ve|d|t)\b", re.IGNORECASE)


def judge(reply: Reply) -> Finding:
    """0, 1 or 2."""
    for marks, what in (
        (_WRITTEN_FORM, "a list, markup or a stage direction: nobody says that aloud"),
        (_SPOKEN_LIST, "reads out a list"),
        (_LETTER, "a letter's formula"),
        (_INNER, "shows its inner workings"),
    ):
        if quote := reply.find(marks):
            return Finding(score=0, reason=what, quote=quote)
    points, reasons, quote = _points(reply)
    if points < STIFF:
        return Finding(score=2, reason="spoken language")
    return Finding(score=0 if points >= WRITTEN else 1, reason="; ".join(reasons), quote=quote)


def _points(reply: Reply) -> tuple[float, list[str], str]:
    """Stiffness, the reasons for it, and the words that show it best."""
    formal = [found.group() for found in (*_BOOKISH.finditer(reply.text), *_ROBOT.finditer(reply.text))]
    points = min(_PHRASE * len(formal), _PHRASES_MAX)
    reasons = [f"phrases of writing: {', '.join(formal[:3])}"] if formal else []
    if reply.mostly_han:
        sentence = reply.length / max(len(reply.sentences), 1)
        points += _HAN_SENTENCE * max(0.0, sentence - _HAN_BREATH)
        if sentence > 2 * _HAN_BREATH:
            reasons.append(f"sentences of {sentence:.0f} characters")
        spoken = bool(_HAN_SPOKEN.search(reply.text))
    else:
        # Names and what opens a sentence are capitalised: they are not chosen, so they do not count.
        latin = [word for word in _WORD.findall(reply.text) if word.islower()]
        easy = _EASY_WORDS | set(words(reply.caller))
        long_words = [word for word in latin if len(word) >= _LONG_WORD and word not in easy]
        if len(long_words) > 1:
            points += _LONG_WORDS * max(0.0, len(long_words) / len(latin) - _LONG_WORDS_USUAL)
            reasons.append(f"long words: {', '.join(long_words[:3])}")
        spoken = len(reply.words) < _FEW_WORDS or bool(_CONTRACTION.search(reply.text))
    if not spoken:
        points += _NOTHING_SPOKEN
        reasons.append("no particle" if reply.mostly_han else "no contraction")
    return points, reasons, formal[0] if formal else ""
