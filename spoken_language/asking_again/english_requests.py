"""English requests that something be said again, in whatever words: what such a sentence is made of."""

from __future__ import annotations

from spoken_language.asking_again.pattern import pattern

AGAIN = pattern(
    r"""
    \b(?:again|once more|once again|one more time|another time|another go|a second time
    |from the (?:top|start|beginning)
    |slower|slowly|louder|clearer|clearly|another way|differently|in (?:other|different) words
    |repeat(?:ing)?|rephras(?:e|ing)|restat(?:e|ing)|reword(?:ing)?|clarify(?:ing)?)\b
    """
)
REQUEST = pattern(
    r"""
    \b(?:could|can|would|will|might|may) (?:you|i|we)\b|\bmind\b|\bplease\b|\bneed you to\b
    |\bask you to\b|\byou(?:'ll| will)? (?:have|need) to\b|\b(?:like|want) you to\b
    |\b(?:appreciate it|help|be (?:great|nice|good)) if you\b
    |\bhave you\b.{0,15}\b(?:say|repeat)|\blet(?:'s| us) (?:try|go|do|start)|\btry\b.{0,20}\b(?:again
    |once more)
    |^\W*(?:sorry\W+|okay\W+)?(?:say|tell me|repeat|rephrase|try|go)\b
    """
)
SPOKEN = pattern(
    r"""
    \b(?:say|saying|said|tell(?:ing)? (?:me|us|that|it)|repeat(?:ing)?|rephras(?:e|ing)|restat(?:e|ing)
    |reword(?:ing)?|clarify(?:ing)?
    |ask(?:ing)?(?! (?:him|her|them|your (?!questions?\b)|(?:the|our|an?) (?!(?:last )?questions?\b)))
    |explain(?:ing)?|(?:speak|talk)(?:ing)?(?! (?:to|with) (?!me\b|us\b))|go(?:ing)? (?:over|through)
    |run(?:ning)? (?:through|over|that|it)
    |giv(?:e|ing) (?:me |it |that )+|have (?:that|it|your)|finish(?:ing)?
    |put(?:ting)? (?:that|it)|phrase
    |try(?:ing)?(?= ?(?:[.,!?;]|$)| (?:that|it|this|again|once|one|saying|asking|repeating|rephrasing
    |rewording|speaking|talking|putting|telling|wording|explaining|to (?:say|speak|ask|repeat|explain)
    |(?:saying )?your (?:question|request|name|answer|message)|another way|a different way)\b)
    |word|start(?= (?:over|again|from))|spell|describ(?:e|ing))\b
    """
)
NO_ANSWER_TO_THAT = pattern(
    r"""
    \b(?:later|tomorrow|next (?:week|time|month)
    |in (?:a|an|a few|a couple of|\w+) (?:moments?|minutes?|hours?|days?)
    |call (?:us |me |back )?again|try(?:ing)? again (?:on|at|when|after|if|once|tonight|by|via|from
    |with (?:the|your|an?other) \w+)
    |try(?:ing)? (?!saying|asking|repeating|rephrasing|rewording|speaking|talking|putting|telling|wording
    |explaining)\w+ing\b
    |(?:if|whenever|in case|unless|when(?= (?:it|this|they)\b)) (?!you (?:could|can|would|don't|wouldn't|said
    |repeated|spoke|told|say|repeat|tell)|you'd|(?:i|we) (?:could|can|ask|have|get))
    (?:(?!\b(?:so|but|and|could|can|would|please)\b)[^.!?;,]){0,40}\b(?:again|once more|another time)
    |come again (?:on|at|to)|password|log ?in|sign ?in|the (?:test|order|payment|process|application
    |card|form|other))\b
    """
)
