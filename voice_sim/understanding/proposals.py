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
_EN = (
    r"\b(?:shall|should) (?:i|we)\b|\blet's\b|\b(?:may|can|could) (?:i|we) (?!ask (?:you )?(?:wh"
    r"|how|if|for|about|roughly)"
    r"|speak|talk|hear|have your|know)",
    r"\bdo (?:i|we) (?:have (?:your|a)|note|put|book|take|leave|do|send|say|go|start|keep|make|meet)\b",
    rf"\b(?:will|would|won't|wouldn't) you (?!{_TELLS}\b)",
    r"\b(?:can|could) you (?:live|agree|commit|manage|make it|come|accept|spare|see yourself)\b",
    r"\bdo you (?:want (?:in\b|me|us|it|that|this|to)|agree|accept|fancy)",
    r"\bare you (?:willing|happy|prepared|ready|comfortable|game|agreed|on board|up for|in for"
    r"|(?:okay|ok|fine"
    r"|all right) with|in\W*$)|, are you in\b|\bare we (?:on|agreed|all set|settled|doing)\b",
    r"\b(?:a|your) (?:clear )?(?:yes|go-?ahead|okay|consent|agreement|blessing)\b|\bsay yes\b",
    r"(?:does|do|would|will) (?:that|this|it)\b.*\b(?:suit|work|fit|help|do|sound)",
    r"\b(?:is|are|would) (?:that|this|it|you|everything)\b.*\b(?:al(?:l )?right|okay|ok|fine"
    r"|acceptable|agreed"
    r"|happy)",
    r"\b(?:would|is|are|does|do|will|could) (?:[\w'-]+ ){1,8}(?:work|suit|fit"
    r"|(?:be )?(?:al(?:l )?right|okay|ok"
    r"|fine|good|easier|better|convenient)),? (?:for|with|by) you\b",
    r"(?<!hear me )(?:al(?:l )?right|okay|agreed|deal|fine)(?: (?:with|for|by) you)?\?"
    r"|\b(?:suit you|sound)\?",
    r"\b(?:i|we)(?:'ll|'d| will| would) (?:see|put|book|note|pencil|sign|send|expect|ring|call"
    r"|meet) (?:you|it"
    r"|that|him|her)\b.*\?",
)
_EN_OPEN = (
    r"\bhow about\b|\bwhat about\b|\bwhat do you say\b|\bwhat'?(?:ll| will) it be\b",
    r"\bwhich (?:one\b|(?:of \w+ (?:\w+ )?)?(?:would (?:you|suit)|suits|shall|should)"
    r"|(?:\w+ )?(?:would|will)"
    r" (?:suit|work)\b)",
    r"\bwhat(?:'s| is) your (?:decision|choice|answer)\b|\bwhat (?:would you like|shall"
    r"|should) (?:me|us|i|we)\b",
)
"""Of those that cannot be answered by yes or no, those that offer something to choose from."""
_ZH = (
    r"可以[吗吧么]|[行好成中][吗吧么嘛]|[行好成中]不(?:[行好成中]|[？?]?$)|可不可以|怎么样[？?]?$|您看|愿意|同意|方便[吗吧]"
    r"|合适[吗吧]|要不要|没问题吧|能接受|答应|反对|没意见|(?:这么|就)定|定下来|给(?:我)?(?:一)?句话|给不给|您(?:来)?[定挑选]"
    r"|[来去试要办约留]不[来去试要办约留]",
    r"(?:我|咱们?|那)(?:就|先|现在|给您|帮您|替您|把)(?!.{0,3}[问核了])[^，,]{1,18}[吧吗么]?[？?]$",
)
_PATTERNS = {
    "en": re.compile("|".join(_EN), re.IGNORECASE),
    "zh": re.compile("|".join(_ZH)),
}
_OPENLY = re.compile("|".join(_EN_OPEN), re.IGNORECASE)


def wants_a_yes(question: str, language: Literal["en", "zh"], *, open_question: bool) -> bool:
    """Whether one sentence that wants an answer wants consent.

    Args:
        open_question: It cannot be answered by yes or no.
    """
    if language == "en" and open_question:
        return bool(_OPENLY.search(question))
    return bool(_PATTERNS[language].search(question))
