"""How a caller is met who is upset: the words of formulas, and those of people."""

from __future__ import annotations

from metrics.dialogue.rules.reply import pattern

FORMULA = pattern(
    "i (?:can |do |fully |completely |totally |really )?understand(?: (?:your|how you|that you|this|"
    "you|the|completely|that))?",
    "we (?:fully |completely )?understand",
    "(?:i'm|i am|we're|we are)? ?(?:very |so |really |truly |terribly )?sorry(?: (?:for|"
    "about) (?:that|this|any|the|it|your)[^.!?]*| to hear (?:that|this|it))?",
    "(?:i |we )?(?:sincerely |deeply |truly )?apologi[sz]e",
    "(?:my|our) (?:sincere |deepest )?apologies",
    "i hear you",
    "i get (?:it|that)",
    "don't worry",
    "理解您",
    "我理解",
    "我明白",
    "能理解",
    "可以理解",
    "抱歉",
    "对不起",
    "不好意思",
    "别(?:担心|着急|生气)",
    "您(?:先)?(?:消消气|别急|放心|别着急|别担心)",
)
"""Answers to a feeling that fit any feeling."""

OWN_WORDS = pattern(
    "(?:that|it|this) (?:must|has to|must've) (?:be|have been|feel|have felt|'ve been)",
    "must (?:be|have been|feel)",
    "no wonder",
    "i(?:'d| would) (?:be|feel|have been) (?:\\w+ ){0,2}(?:too|as well|the same|angry|upset|worried|"
    "annoyed|cross|fed up|furious|nervous)",
    "so would i",
    "(?:anyone|anybody|everyone|everybody|who) (?:would|wouldn't|in your)",
    "in your (?:place|shoes|position)",
    "you(?:'re| are) (?:quite |absolutely |completely |perfectly |totally )?right(?: to)?",
    "you(?:'ve| have) (?:every|got every|a) (?:reason|right)",
    "of course you(?:'re| are)",
    "(?:that|this)(?:'s| is| was) (?:\\w+ ){0,2}(?:not (?:okay|ok|right|good|fair)|unfair|"
    "frightening|worrying|exhausting|hard|tough|a lot|awful|upsetting|maddening|annoying|"
    "frustrating|the last thing|our fault|on us|a long (?:time|wait))",
    "(?:shouldn't|should not|should never) (?:have )?(?:happen~|be~)",
    "i can (?:hear|tell|imagine|see (?:why|how))",
    "sounds? (?:like|really|very|so|awful|exhausting|hard|tough|frustrating|stressful)",
    "take your time",
    "(?:glad|good|thanks?|thank you)(?: that)? (?:you|for) (?:told|telling|said|saying|tell|being)",
    "(?:that's|it's) (?:our|my) fault",
    "i won't (?:dress|make excuses|pretend|keep you|push)",
    "makes sense (?:that )?you",
    "(?:don't|do not) blame you",
    "(?:it's|that's) (?:natural|normal|understandable|only human)",
    "hard (?:on|for) you",
    "换(?:了)?(?:谁|我)",
    "搁谁",
    "放谁",
    "谁(?:碰上|遇到|听了|摊上|都会|心里)",
    "要是我",
    "我也(?:会|得|一样)",
    "难怪",
    "怪不得",
    "您说得(?:对|是|在理|没错)",
    "您(?:生气|着急|担心|不信|不放心|有火|有气|发火|这么(?:说|想|小心)).{0,6}(?:正常|应该|对的|有道理|没错|难免)",
    "听(?:得)?出来",
    "听您(?:这么|的声音|说)",
    "确实(?:不|让|挺|很|够|太|是我们)",
    "真(?:是)?(?:不容易|难为|够(?:呛|受)|委屈|辛苦|让您|是难)",
    "太(?:折腾|委屈|不容易|不像话|折磨|耽误)",
    "是我们(?:的错|不对|没做好|做得不|没)",
    "不该(?:让您|这样|发生|由您)",
    "委屈您",
    "让您(?:受|跑|等|操心|担|窝|白|一个人|这么)",
    "心里(?:不|肯定|一定|都|多)",
    "不(?:是滋味|怪您|找借口)",
    "换成谁",
    "慢慢(?:说|讲|来)",
    "我陪您",
)
"""Answers that name the feeling or take the caller's side in their own words."""
