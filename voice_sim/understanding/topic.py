"""Whether two texts are about the same thing, by the words that carry content."""

from __future__ import annotations

import itertools
from functools import lru_cache

from voice_sim.understanding.words import spoken_words

_FUNCTION = """
a about above after again all almost already also always am an and another any anybody anything are
as ask at away back be because been before being best better bit both but by call called came can
come could day did do does done down each either else enough even ever every everything few find
first for from further gave get gets give given go goes going gone good got great had has have he
hear hello help her here hers him his hold how i if in into is it its just keep kind know known last
least left less let like likely little long look lot made make many matter may maybe me mean might
mind minute minutes miss moment more most mr mrs ms much must my name need never new next no nobody
none nor not nothing now of off often oh okay on once one only or other our out over own part people
perhaps please point put question quite rather ready really right said same saw say says see seem
shall she short should since so some somebody something soon sorry speak still such sure take takes
talk tell than thank thanks that the their them then there these they thing things think this those
though thought three through time times to today together told tomorrow too two under until up upon
us use used very want wants was way we week well went were what when where whether which while who
whose why will with within without word words work would wrong yes yesterday yet you your yours
yourself
"""
_FUNCTION_WORDS = frozenset(_FUNCTION.split())
_FUNCTION_SIGNS = frozenset(
    "的了是我你您他她它们在有和就不也都这那个吗呢吧啊呀哦嗯着过得地把被给到说要会能可以一上下来去没还很"
    "好再什么怎么请问为因所但如果跟对行想让先后里多少点时候今天明天昨天现在谢谢您好电话"
)
_ENDINGS = ("ing", "ed", "es", "s", "ly")


@lru_cache(maxsize=16384)
def content_words(text: str) -> frozenset[str]:
    """The words of a text that carry content, without endings; of Chinese, the pairs of such characters."""
    words = spoken_words(text)
    content = {
        stem(word) for word in words if len(word) > 2 and word not in _FUNCTION_WORDS and not _is_sign(word)
    }
    signs = [word if _is_sign(word) and word not in _FUNCTION_SIGNS else "" for word in words]
    content |= {one + other for one, other in itertools.pairwise(signs) if one and other}
    return frozenset(content)


def shared_content(one: str, other: str) -> int:
    """How many content words two texts have in common."""
    return len(content_words(one) & content_words(other))


def _is_sign(word: str) -> bool:
    return "㐀" <= word[0] <= "鿿"


def stem(word: str) -> str:
    """The word without its commonest endings."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word.removesuffix(ending)
    return word
