"""Ways of not knowing: the stiff ones, and what makes one natural, which is that it leads on."""

from __future__ import annotations

import re

from metrics.dialogue.rules.denying.chinese import without_harmless_han
from metrics.dialogue.rules.reply import pattern, plain

_KNOWLEDGE = (
    "(?:information|idea|knowledge|data|records?|details?|instructions?|answer|statement|comment|figures?"
    "|indications?|specifications?|basis|insight)"
)

STIFF = pattern(
    "i (?:do not|don't|did not|didn't) have (?:that|this|any|the) " + _KNOWLEDGE,
    "(?:this|that|it) i (?:do not|don't) know",
    "i (?:do not|don't) know(?! (?:how|why) you)",
    "i (?:am|'m) not (?:sure|aware|informed|familiar|authori[sz]ed|permitted|in a position|in possession)~",
    "(?:i|we) have (?:no|not any|not been given any) (?:\\w+ )?" + _KNOWLEDGE,
    "(?:there (?:is|are)|there's) no (?:\\w+ )?" + _KNOWLEDGE,
    "(?:i|we) (?:cannot|can't|can not|could not|couldn't|am unable to|'m unable to|am not able to|"
    "'m not able to|are unable to|are not able to|may not) "
    "(?:answer|provide|comment|confirm|help|state|specify|say~|tell|give|make (?:a|any))~",
    "(?:cannot|can't|can not|could not|couldn't) be (?:answered|provided|given|stated|confirmed|disclosed)",
    "(?:i am|i'm) unable to (?:answer|provide|comment|confirm|help|state|say|make|give)~",
    "(?:that|this|it) (?:is|'s) (?:outside|beyond|not (?:in|within|part of)) (?:my|our|the|of my)",
    "(?:is|are|'s) (?:not known|unknown)(?: to (?:me|us))?",
    "(?:is|are|'s|was) not (?:available|specified|stated|recorded|included|documented|provided|given|listed)",
    "no " + _KNOWLEDGE + " (?:is|are|on|about|regarding|concerning|available|was)~",
    "not (?:in|included in|part of|contained in) (?:my|the) "
    "(?:information|script|system|records?|scope|knowledge|documents?|papers)",
    "(?:这个|这|那个|那)?(?:我|我们|我这边|我方)?(?:也)?不(?:太)?(?:知道|清楚|了解|太清楚|掌握|知情|知晓|详)",
    "无法(?:回答|告知|提供|答复|确认|说明|奉告|判断|给出)",
    "没法(?:回答|答复|告诉|说)",
    "无可奉告",
    "(?:没有|没|无)(?:相关|这方面|这个|该|此)?(?:的)?(?:信息|资料|内容|记录|数据|说明|规定)",
    "(?:未|没有)(?:说明|提供|注明|告知|规定|涉及|提及|记载)",
    "不在(?:我)?(?:的)?(?:们)?(?:职责|服务|业务|了解|掌握)?(?:的)?范围",
    "(?:回答|答复|答)不了",
    "不(?:方便|便|能|予)(?:透露|回答|告知|答复)",
)
"""Says that it does not know, or cannot say."""

LEADS_ON = pattern(
    "but",
    "though",
    "let me",
    "i'll",
    "i will",
    "i can",
    "i could",
    "i'd",
    "what i can",
    "we can",
    "we'll",
    "you can",
    "you could",
    "you'll",
    "i (?:won't|don't want to|wouldn't want to|shouldn't) (?:guess|make|invent|tell you)~",
    "won't (?:guess|make|invent|pretend|tell you)~",
    "(?:only )?be (?:inventing|guessing|making)~",
    "find out",
    "check~",
    "look into",
    "look it up",
    "get back",
    "ask (?:my|our|the|a|him|her|them)",
    "colleague~",
    "a note",
    "note (?:it|that) down",
    "put (?:it|that|you)",
    "in the meantime",
    "yet",
    "at hand",
    "in front of me",
    "off the top",
    "honest~",
    "good question",
    "only",
    "不过",
    "但",
    "可(?:我|是)",
    "我(?:帮|给|替|去|先|再|让|请|记|会|可以|能|回头|马上|这就)",
    "帮您",
    "查一下",
    "查查",
    "问(?:一下|问|清楚|好)",
    "确认(?:一下|好|清楚)",
    "回头",
    "稍后",
    "手头",
    "手边",
    "手里",
    "一时",
    "准信",
    "准话",
    "不敢",
    "不(?:瞎|乱)(?:说|讲|编)",
    "瞎说",
    "乱说",
    "随口",
    "您可以",
    "记下",
    "怕",
    "真(?:不|说不)",
)
"""What makes it natural: an offer, a reason, a way on."""

HEDGES = pattern(
    "(?:ask|check|find out|look into|see) (?:about|whether|if|with|on)~",
    "whether",
    "not (?:allowed|able|up to me|something i|for me)",
    "can't (?:promise|say|tell|decide)",
    "couldn't (?:promise|say|tell|decide)",
    "问一下",
    "问问",
    "不敢(?:说|答应|保证)",
    "没权限",
    "做不了主",
    "不好说",
    "能不能",
)
"""In a sentence with one of these, nothing is promised."""

DENIES = pattern(
    "no",
    "not",
    "never",
    "nothing",
    "none",
    "nobody",
    "neither",
    "nor",
    "cannot",
    "without",
    "[a-z]+n't",
    "[不没未别勿无]",
)

CLAUSE = re.compile(r"[,;:，；：]|\s[-–—]\s|\bbut\b|但是?|不过")
"""What stands between two clauses of a sentence."""

_HARMLESS = pattern(
    "no (?:problem|doubt|matter|worries)",
    "(?:no|not) later than",
    "not (?:only|just)",
    "(?:[a-z]+n't|not|never) (?:you )?(?:worry|hesitate|forget|forgotten)",
    "why (?:not|don't (?:we|i|you))",
)


def denies(text: str) -> bool:
    """Whether a clause or sentence has a negation, formulas that only have the word for one ("no problem",
    没问题) left out."""
    return bool(DENIES.search(without_harmless_han(_HARMLESS.sub(" ", plain(text)))))


GRANTS = pattern(
    "i'll",
    "i will",
    "we'll",
    "we will",
    "you'll",
    "you will",
    "you get",
    "there's",
    "there is",
    "there are",
    "comes?",
    "(?:we|i)(?:'ve| have)? (?:offer|give|arrange|provide|waive|cover|pay)~",
    "we can (?:offer|give|arrange|do|provide)",
    "i can (?:offer|give|arrange|do|provide|promise|get)",
    "you(?:'re| are) entitled",
    "of course",
    "absolutely",
    "certainly",
    "sure",
    "yes",
    "we're (?:offering|giving)",
    "给您",
    "给你",
    "送您",
    "可以",
    "会有",
    "能给",
    "肯定",
    "一定",
    "保证",
    "没问题",
)
"""The caller's wish is granted."""
