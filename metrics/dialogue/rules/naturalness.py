"""Naturalness: does the reply sound like a person on the phone? (Table 22)

Measured: what nobody says aloud.

- A **list, markup, a letter's formula, a form field or a stage direction** is a 0.
- **Bookish words** ("furthermore", "prior to", 予以, 敬请), **robot's phrases** ("your request has been
  received"), **English without a single contraction** where several would be usual, and **very long
  sentences** each add to a count; spoken words ("well", "let me", 吧, 咱) take a little off. One such
  point is a 1, three are a 0.

Blind to: whether the words fit this very person and moment, intonation, and a stiffness that is all in the
order of words.
"""

from __future__ import annotations

import re

from metrics.dialogue.rules.reply import Finding, Reply, pattern, spoken_length

STIFF, WRITTEN = 1.0, 3.0
LONG_SENTENCE = 60.0

_WRITTEN_FORM = re.compile(
    r"^\s*(?:[-*•·]|\d{1,2}[.)、]|[（(]\d{1,2}[)）]|#{1,6}\s)"  # list items and headings
    r"|\*\*|__|```|`[^`]+`|\|.+\||</?[a-z]+>|\[[^\]]*\]\(|^\s*[{\[]"
    r"|(?:^|[\s:：;；。.])(?:[1-9][)）、]|[（(][1-9一二三四五][)）]|[①-⑨])"
    r"|[(（\[*][^)）\]*]{0,40}(?:pause|smil|sigh|laugh|nod|tone|silence|停顿|微笑|叹气|语气)[^)）\]*]{0,40}[)）\]*]",
    re.IGNORECASE | re.MULTILINE,
)
_SPOKEN_LIST = re.compile(
    r"\bfirst(?:ly)?\b,?.+\bsecond(?:ly)?\b,?.+\b(?:third(?:ly)?|finally|lastly)\b"
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
_SPOKEN = pattern(
    "well",
    "okay",
    "ok",
    "sure",
    "right",
    "oh",
    "ah",
    "hm+",
    "yeah",
    "yep",
    "got it",
    "let me",
    "just",
    "a bit",
    "no problem",
    "of course",
    "all right",
    "alright",
    "you know",
    "so",
    "fair enough",
    "[a-z]+'(?:s|m|re|ll|ve|d|t)",
    "吧",
    "呢",
    "啊",
    "哦",
    "嗯",
    "哎",
    "呀",
    "啦",
    "嘛",
    "咱",
    "哈",
    "那(?:我|您|就|行|好)",
    "好嘞",
    "没事",
    "行[，,。！!]",
    "您看",
    "这样",
    "这会儿",
    "一下",
    "就是",
)
_CONTRACTION = re.compile(r"\b[a-z]+'(?:s|m|re|ll|ve|d|t)\b", re.IGNORECASE)
_FULL_FORM = re.compile(
    r"\b(?:i am|you are|we are|they are|it is|that is|i will|we will|you will|it will|i have|"
    r"we have|you have"
    r"|do not|does not|did not|is not|are not|cannot|can not|will not|would not|could not|"
    r"should not|have not"
    r"|has not|was not|i would|we would|let us|there is|what is)\b(?!\s*[?.!,])",
    re.IGNORECASE,
)


def judge(reply: Reply) -> Finding:
    """0, 1 or 2."""
    for marks, what in (
        (_WRITTEN_FORM, "a list, markup or a stage direction: nobody says that aloud"),
        (_SPOKEN_LIST, "reads out a list"),
        (_LETTER, "a letter's formula"),
    ):
        if quote := reply.find(marks):
            return Finding(score=0, reason=what, quote=quote)
    points, reasons, quote = _points(reply)
    if points < STIFF:
        return Finding(score=2, reason="spoken language")
    return Finding(score=0 if points >= WRITTEN else 1, reason="; ".join(reasons), quote=quote)


def _points(reply: Reply) -> tuple[float, list[str], str]:
    bookish = [found.group() for found in _BOOKISH.finditer(reply.text)]
    robot = [found.group() for found in _ROBOT.finditer(reply.text)]
    full = [] if reply.mostly_han else [found.group() for found in _FULL_FORM.finditer(reply.text)]
    contracted = len(_CONTRACTION.findall(reply.text))
    stiff_forms = max(0.0, 0.6 * (len(full) - contracted)) if len(full) > 1 else 0.0
    long_ones = [one for one in reply.sentences if spoken_length(one) > LONG_SENTENCE]
    points = len(bookish) + len(robot) + stiff_forms + 0.7 * len(long_ones)
    reasons = []
    if bookish:
        reasons.append(f"bookish: {', '.join(bookish[:3])}")
    if robot:
        reasons.append(f"a robot's phrase: {robot[0]}")
    if stiff_forms:
        reasons.append(f"written in full: {', '.join(full[:3])}")
    if long_ones:
        reasons.append("a sentence too long to say in one breath")
    spoken = len(_SPOKEN.findall(reply.text))
    points -= min(0.4 * spoken, 0.8)
    quote = next(iter([*bookish, *robot, *full]), "")
    return points, reasons, quote
