"""Whether a question wants a yes to something that is going to be done, by its grammar, English and Chinese.

Its words are anybody's; how it is put is not: willingness asked for ("will you", "are you in"), the speaker's
own next step ("shall I", "do I note it"), something offered that is to suit ("would Tuesday be all right"), a
yes by name ("do I have your go-ahead"), a statement of what is going to happen with a question mark behind.
"""

from __future__ import annotations

import re
from typing import Literal

_TELLS = (
    r"(?:please |kindly |be able to |like to |mind )?(?:tell|say(?! yes)|describe|explain|name"
    r"|spell|rate|know"
    r"|remember|recall|guess|estimate|consider|call|put it|happen to|share|give me (?:an?|the|some|your)"
    r"|walk|confirm|repeat|read)"
)
"""What one is asked to tell, or how one sees something: no consent."""
_FINE = r"(?:al(?:l )?right|okay|ok|fine|good)"
_EN = (
    # the speaker's own next step
    r"\b(?:shall|should) (?:i|we)\b|\blet's\b|\bwhy (?:don't we|not)\b|\bmind if (?:i|we)\b",
    r"\b(?:may|can|could) (?:i|we) (?!ask (?:you )?(?:wh|how|if|for|about|roughly)|speak|talk"
    r"|hear|have your|know)",
    r"\bdo (?:i|we) (?:have (?:your|a)|note|put|book|take|leave|do|send|say|go|start|keep|make|meet)\b",
    r"\b(?:i|we)(?:'ll|'d| will| would) (?:see|put|book|note|pencil|sign|send|expect|ring|call|meet)"
    r" (?:you|it|that|him|her)\b.*\?",
    r"^\W*(?:(?:so|then|and|okay|well),? )*(?:make it|call it|say|leave it|you(?:'ll| will)) [\w' ]+.*\?",
    # willingness
    rf"\b(?:will|would|won't|wouldn't) you (?!{_TELLS}\b)",
    r"\b(?:can|could) you (?:live|agree|commit|manage|make it|come|accept|spare|see yourself|do|bring"
    r"|be there|start|stop by|drop|pay|sign|send|switch)\b|\bdo you think (?:you|we) (?:could|can|might)\b",
    r"\bdo you (?:want (?:in\b|me|us|it|that|this|to)|agree|accept|fancy)|\bwant (?:me|us) to\b",
    r"\bare you (?:willing|happy|prepared|ready|comfortable|game|agreed|on board|up for|in for|open to"
    rf"|interested in|{_FINE} (?:with|to)|in\W*$)|, are you in\b",
    r"\bwe(?:'re| are) (?:agreed|on|settled|all set)\b|\bare we (?:on|agreed|all set|settled|doing)\b",
    r"^\W*(?:(?:so|then|and|okay),? )*(?:ready|happy|willing|fancy|up for)\b",
    # a yes by name
    r"\b(?:a|your) (?:clear )?(?:yes|go-?ahead|okay|consent|agreement|blessing|deal)\b|\bsay yes\b"
    r"|\b(?:worth a (?:try|go|look)|worth trying)\b"
    r"|\b(?:some|any)thing (?:you(?:'d| could| would| might| can)|for you)\b",
    # what is to suit
    r"(?:does|do|would|will) (?:that|this|it)\b.*\b(?:suit|work|fit|help|do|sound)|\bsounds? "
    rf"{_FINE}\b",
    r"\b(?:is|are|would) (?:that|this|it|you|everything)\b.*\b(?:al(?:l )?right|okay|ok|fine|acceptable"
    r"|agreed|happy)",
    r"\b(?:would|is|are|does|do|will|could) (?:[\w'-]+ ){1,8}(?:work|suit|fit"
    rf"|(?:be )?(?:{_FINE}|easier|better|convenient)),? (?:for|with|by) you\b",
    r"(?<!hear me )(?:al(?:l )?right|okay|agreed|deal|fine)(?: (?:with|for|by) you)?\?",
    r"\b(?:suit you|sound)\?",
)
_EN_OPEN = (
    r"\b(?:how|what) about\b|\bwhat would you say to\b|\bwhat do you say\b|\bwhat'?(?:ll| will) it be\b",
    r"\bwhich (?:one\b|(?:of \w+ (?:\w+ )?)?(?:would (?:you|suit)|suits|shall|should)"
    r"|(?:\w+ )?(?:would|will) (?:suit|work)\b)",
    r"\bwhat(?:'s| is) your (?:decision|choice|answer)\b",
    r"\bwhat (?:would you like|shall|should) (?:me|us|i|we)\b|\bwhy (?:don't we|not)\b",
)
"""Of those that cannot be answered by yes or no, those that offer something to choose from."""
_ZH = (
    r"可以[吗吧么]|[行好成中][吗吧么嘛]|[行好成中]不(?:[行好成中]|[？?]?$)|可不可以|怎么样[？?]?$|您看|愿意|乐意|同意|方便[吗吧]",
    r"合适[吗吧]|要不要|没问题吧|能接受|答应|反对|没意见|(?:这么|就)[定办着]|定下来|给(?:我)?(?:一)?句话|点个头|给不给",
    r"您(?:来)?[定挑选]|[来去试要办约留肯]不[来去试要办约留肯]|试试|考虑考虑|考虑一下",
    r"(?:我|咱们?|那)(?:就|先|现在|给您|帮您|替您|把)(?!.{0,3}(?:问|核|了解))[^，,]{1,18}[吧吗么]?[？?]$",
)
_PATTERNS = {
    "en": re.compile("|".join(_EN), re.IGNORECASE),
    "zh": re.compile("|".join(_ZH)),
}
_FLOOR = {
    "en": re.compile(
        r"\b(?:(?:may|can|could|shall|should) i|if i|let me|would you like me to|want me to)"
        r" (?:just |quickly |briefly |first )*(?:tell|explain|ask|say|describe|read|go (?:on|over|through)"
        r"|walk you|(?:run|talk) (?:you )?through|put a question)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"(?<![给跟])我(?:把[^，,]{1,8}?)?(?:也|都|一次|先|再|就|简单|跟|给|和|向|把|您|你|一下|几句){0,4}(?:讲|说|介绍|解释|念|问).{0,16}"
        r"(?:行吗|可以吗|好吗|成吗|行不|成不|方便吗|好不好|行不行|可以吧|好吧)\W*$"
    ),
}
"""Of what is proposed, what is only more words: leave to speak, and no yes to anything."""
_LEAVE_TO_TELL = re.compile(
    r"^\W*(?:(?:and|so|but|okay|well|now|then),? )*(?:(?:may|can|could|shall|should) i|let me)"
    r" (?:just |quickly |briefly |first )*(?:tell you|explain|describe|go (?:on|over|through)|walk you"
    r"|(?:run|talk) (?:you )?through)\b",
    re.IGNORECASE,
)
"""Of that, what is told in words of its own ("Could I explain how it works?"): a "how" in it asks nothing."""
_CALLS_LATER = {
    "en": re.compile(
        r"\w.{8,}\bor (?:shall|should|would you (?:rather|like|prefer)|do you want|may)\b"
        r".{0,16}\b(?:i|me|we|us)\b.{0,8}\b(?:call|called|ring|rang|phone|try)\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r".{4,}(?:还是|要不)我?(?:待会|等会|晚点|回头|改天|过会|[上下]午|晚上|明天).{0,6}(?:打|联系)"
    ),
}
_LETS_GO = {
    "en": re.compile(
        r"\b(?:declined|no is (?:a )?no|no means no|your (?:good )?right|take you off|off (?:the|our|my) list"
        r"|leave (?:you in peace|it (?:there|at that))|won't (?:call|ring|contact|bother|trouble)"
        r"|(?:nobody|no one)\b.{0,24}\b(?:calls?|rings?|contacts?|bothers?)"
        r"|(?:respect|accept) (?:that|it|your|this))\b",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        r"不(?:再|会再)(?:打|联系|来电)|不(?:再)?打扰|尊重您|不勉强|那就算了|(?:登记|记)(?:成|为|上)?不参加|名单.{0,6}(?:去掉|删|划)"
    ),
}
_ZH_WORDS = re.compile(r"多少|什么(?!意见)|啥|上次|上回")
"""Of what Chinese asks to be told."""
_OPENLY = re.compile("|".join(_EN_OPEN), re.IGNORECASE)


def wants_a_yes(question: str, language: Literal["en", "zh"], *, open_question: bool) -> bool:
    """Whether one sentence that wants an answer wants consent.

    Args:
        open_question: It cannot be answered by yes or no.
    """
    if language == "en" and open_question:
        return bool(_OPENLY.search(question))
    if language == "zh" and _ZH_WORDS.search(question):
        return False
    return bool(_PATTERNS[language].search(question))


def wants_the_floor(question: str, language: Literal["en", "zh"]) -> bool:
    """Whether a sentence that wants consent wants it only to go on speaking ("Shall I explain that?")."""
    return bool(_FLOOR[language].search(question))


def wants_leave_to_tell(question: str, language: Literal["en", "zh"]) -> bool:
    """Whether it wants leave to tell something itself, whatever question word is in it; English alone."""
    return language == "en" and bool(_LEAVE_TO_TELL.search(question))


def offers_to_call_later(question: str, language: Literal["en", "zh"]) -> bool:
    """Whether it asks for this moment or a later one ("Are you alone, or shall I call later?")."""
    return bool(_CALLS_LATER[language].search(question))


def takes_a_no(text: str, language: Literal["en", "zh"]) -> bool:
    """Whether a no is taken for one: it is noted, nobody will call again."""
    return bool(_LETS_GO[language].search(text))
