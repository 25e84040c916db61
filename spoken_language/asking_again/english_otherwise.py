"""English words about understanding and repeating that ask for nothing: taken out of a reply first."""

from __future__ import annotations

from spoken_language.asking_again.pattern import pattern

ABOUT_SOMETHING_ELSE = pattern(
    r"""
    \b(?:i(?:'ll| will| can| could)|let me|allow me to|we(?:'ll| will
    | can)) (?:just |gladly |quickly |now )*(?:repeat|rephrase|say|clarify|explain)\b
    |\b(?:would you (?:like|want|prefer|rather have)|do you (?:want|need)|did you want|if you(?:'d| would)?
    (?: (?:like|want|need))|shall|should|can(?= i\b)|could(?= i\b)|may)
    (?: (?:(?:me|us) to|i|we)) (?:just |please |quickly )*
    (?:repeat|rephrase|restate|say|clarify|explain|tell you|go over|go through|run through|spell)\b
    (?: (?:that|it|this|them|everything|all of (?:it|that)))?(?: for you)?(?: again| once more
    | one more time| another way| more slowly| slower| slowly| differently)*
    |\b(?:feel free|don't hesitate|if you (?:need|want|would like)|whenever you|happy
    |glad) (?:(?!\b(?:please|(?:could|can|would|will) you|you (?:to|could|can|would|will))\b)[^.!?]){0,30}
    \b(?:repeat|clarify|explain|ask again)\b
    """
)
NEED_NOT = pattern(
    r"""
    \b(?:(?:there(?:'s| is) )?(?:no|not any) (?:need|reason)|(?:it(?:'s| is) )?not (?:necessary|needed)
    |unnecessary|needn't|need not|(?:do not|don't|won't|will not|wouldn't|did not|didn't|never)
    (?:(?: ever| even| really)? (?:need|have|want|wish|like))|(?:won't|will not|am not going to
    |'m not going to|wouldn't|needn't|need not) (?:ask|make|trouble|bother|get)
    |without(?= (?:you |me )?(?:having|asking|needing))
    |(?<!heard )(?<!got )(?<!hear )(?<!caught )nothing(?: (?:here|there|left|else|more))?)\b
    (?! (?:i|we) (?:could|can)\b)
    (?:(?!\b(?:so|but|please|unless|until|(?:could|can|would|will|might) (?:you|i|we))\b)[^.!?;,]){0,25}?
    \b(?:repeat(?:ing|ed|s)?|rephras(?:e|ing)|restat(?:e|ing)
    |say(?:ing)?|tell(?:ing)?|ask(?:ing)?|explain(?:ing)?|clarify(?:ing)?|speak(?:ing)?
    |go(?:ing)? (?:over|through)|spell(?:ing)?|try(?:ing)?|do(?:ing)?|unclear|garbled|muffled)\b
    (?:(?!\b(?:but|though|because|since|and then|please|so (?:i|just)|(?:could|can|would|will) you)\b)
    [^.!?;,]){0,60}
    """
)
"""That nothing has to be said again, to the end of the clause."""
WAS_HEARD = pattern(
    r"""
    (?<!if )(?<!whether )(?<!that )(?<!sure )(?<!certain )(?<!think )\b(?:i|we)(?:'ve| have)?
    (?: (?:can|could|did|do|have|just|now|already|definitely|certainly|also|really|fully|clearly|perfectly))*
    (?: (?:hear|heard|got|caught|catch|understood|understand|received|follow|followed|noted|took down))
    (?!(?: (?:you|the|an?|your|only|just|say|saying|speak|speaking|talk|talking))*
    (?: (?:(?:first|last|second|other|opening) (?:part|half|bits?|words?|few|couple|thing|of)|part|half|bits?
    |pieces|some|something|someone|somebody|beginning|start|end|middle|rest|noise|static|nothing|few))\b)
    (?: (?:you|that|it|this|everything|every (?:word|bit|single word|part)|all|each|your|what|the|of
    |message|words?|question|request|order|sentence|you've|you're|said|asked|say|saying))+
    (?: (?:now|again|very|quite|perfectly|loud|loudly|and|just|all|clear|clearly|fine|well|right|okay|ok
    |properly|completely|entirely|correctly|(?:the )?first time|without (?:any )?(?:trouble|problems?
    |difficulty|issues?|static|noise)))*(?! but\b)
    |(?<!\bis )(?<!\bare )(?<!\bwas )\b(?:the|your|this|my|our) (?:last |first |whole )?
    (?:line|audio|sound|connection|signal|voice|call
    |message|words?|question|request|speech|recording|microphone)
    (?:'s| is| was| are| were| has been| seems?(?: to be)?| sounds?| comes?| came| got| gets| went| made it
    | is coming| was coming)?(?: (?:through|across|in|over))*(?: to me| to us)?
    (?: (?:now|again|very|quite|perfectly|absolutely|totally|all|loud|and|just|completely|pretty|crystal
    |nice))*
    (?: (?:fine|clear|clearly|good|great|perfect|perfectly|excellent|well|loud|okay|ok|right|working))
    (?: (?:now|again|enough|and clear))*
    |\b(?:no|without(?: any)?|(?:reduc|filter|cancel|block|remov|suppress)(?:e|s|es|ing)?(?: out)?(?: the
    | any| all)?)(?: (?:more|longer|real|such))? (?:background )?(?:noise|static|echo|trouble|problems?
    |difficulty|issues?)(?: (?:hearing|understanding|following|with))?(?: (?:you|that|it|at all))*
    """
)
"""That it was heard: what is left of the reply may still ask for something."""
ANOTHER_ACT = pattern(
    r"""
    \brepeat (?:prescriptions?|orders|customers?|visits?|business|purchases?|appointments?|bookings?)\b
    |\b(?:repeat(?:ing)?|try(?:ing)?|tak(?:e|ing)|do(?:ing)?) (?:the|this|that|your|these|those|each|an?|any)
    (?: \w+)? ?(?:exercises?|tests?|doses?|treatments?|prescriptions?|courses?|payments?|process|steps?
    |procedures?|x-rays?|scans?|stretch(?:es)?|experiments?|password|pin|card|login|download|class(?:es)?
    |journey|visit|cycle|app|link)\b
    (?: again| once more)?
    """
)
"""That something other than words is to be done again."""
ANOTHER_ONE = pattern(
    r"""
    \b(?:the|this|these|our|his|her|their) (?!line|audio|sound|connection|signal|voice|last|call|recording
    |message|question|words?)\w+ (?:is|are|was|were)(?: \w+)? (?:hard|difficult|tough|impossible)
    (?: to) (?:hear|understand|follow|make out)\b
    |\b(?:he|she|they)(?: (?:also|still|just))* (?:did not|didn't|do not|don't|does not|doesn't|could not
    |couldn't|can't|cannot) (?:quite |really )*(?:hear|understand|catch|follow|get|make out)\b
    """
)
"""That somebody else, or something else than what was said, was not understood."""
OTHERWISE = (NEED_NOT, WAS_HEARD, ABOUT_SOMETHING_ELSE, ANOTHER_ACT, ANOTHER_ONE)
