"""Whether a reply asks for what was said to be said again, in whatever words: English and Chinese.

Somebody who has not understood says so ("I didn't catch that"), asks for it again ("could you repeat that?"),
asks whether the other is there ("hello? can you hear me?"), or begins anew as if nothing had been said ("how
can I help you?", and nothing else). Somebody who has understood may use some of these words about something
else ("I'll repeat your order", "I didn't get an answer from the bank"): what they are about decides.

How they do with replies that they were not written from stands in ``docs/spoken-probes.md``.
"""

from __future__ import annotations

import re
from typing import Literal

Language = Literal["en", "zh"]
OWN_ERROR = "31 of 36 unseen replies that ask again were known, and 27 of 30 that do not"
"""How right it was when it last met replies that its rules were not written from; they were mended since."""
MAX_CHARS = 2000
"""Of a reply that are looked at: whoever asks again does not do so after a page."""


def _pattern(lines: str) -> re.Pattern[str]:
    """A pattern that is written over several lines: line ends and indents do not count."""
    return re.compile(re.sub(r"\n *", "", lines.strip()), re.IGNORECASE)


_ENGLISH = _pattern(
    r"""
    \b(?:i|we)(?: |')?(?:'m |am )?(?:so )?(?:sorry,? )?(?:did not|didn't|do not|don't|could not
    |couldn't|can not|cannot|can't|am not able to|'m not able to|was not able to|wasn't able to
    |was unable to|am unable to|'m unable to|am having trouble|'m having trouble|have trouble
    |had trouble|'m struggling to|am struggling to) (?:(?:quite|really|fully|clearly|properly|entirely
    |completely|exactly|seem to|quite seem to) )*(?:catch(?:ing)?|hear(?:ing)?|get|getting
    |understand(?:ing)?|follow(?:ing)?|make out|making out|pick(?:ing)? up|recogni[sz]e|recogni[sz]ing
    |make sense of|making sense of|comprehend)(?: to)?(?: (?:that|it|this|you|what you(?:'ve
    | have)?(?: just)? (?:said|say|mean|meant|were saying)|your \w+(?: \w+)?)\b|[.!?,;]|$| a word| any
    | anything| everything| the (?:first|last|end|beginning|rest|question|request))
    |\b(?:did not|didn't|do not|don't|could not|couldn't|can not|cannot|can't|am not able to
    |'m not able to|was not able to|wasn't able to|was unable to|am unable to|'m unable to
    |am having trouble|'m having trouble|have trouble|had trouble|'m struggling to
    |am struggling to) (?:(?:quite|really|fully|clearly|properly|entirely|completely|exactly|seem to
    |quite seem to) )*(?:catch|make out|make sense of) (?:(?:that|it|this|you|what you(?:'ve
    | have)?(?: just)? (?:said|say|mean|meant|were saying)|your \w+(?: \w+)?)|the |any)
    |\b(?:could|can|would|will|might|may) (?:you|i ask you to|i have you|we|i get you to)(?: just
    | please| maybe| possibly| kindly| try to| mind)* ?(?:repeat(?:ing)?|rephras(?:e|ing)|restat(?:e
    |ing)|say(?:ing)? (?:that|it|this|what you said)? ?(?:again|once more|one more|more (?:slowly
    |clearly)|in (?:other|different|another)|a (?:little|bit)|differently|louder|slower)
    |try(?:ing)?(?: (?:that|it|asking|saying)\b.{0,20})?(?: again| once more)|speak(?:ing)? (?:up
    |louder|(?:a (?:little|bit) )?(?:more|louder|slower|clearer))|clarify(?:ing)?(?: what| that|[.?!]
    |$)|clarify your|elaborate[.?!]|be more (?:specific|clear))
    |\bwould you mind (?:repeating|saying (?:that|it)|rephrasing|speaking up|trying again)
    |\bplease (?:repeat|rephrase|say (?:that|it|your|what)\b.{0,30}\b(?:again|once more)|try again
    |speak (?:up|more|louder|slower|clearly)|ask (?:that |it )?again|clarify)
    |\b(?:say|repeat|rephrase|restate|tell me|phrase|put|try|ask|explain) (?:that|it|this
    |your (?:question|request|name|answer|message))(?: to me| for me| please)? (?:again|once more
    |one more time|another time|differently|another way|in (?:other|different|another) \w+|more slowly
    |more clearly|a (?:little|bit) (?:slower|louder|clearer))
    |\b(?:come again|say again|run that by me|what was that
    |beg (?:your )?pardon|i missed (?:that|what|it)|missed (?:that|what you)|didn't come through
    |did not come through|not coming through|come through clearly)\b
    |^\W*(?:i'm |i am )?(?:sorry|pardon(?: me)?|excuse me|what|huh|hm+|eh)\s*(?:,? (?:what|again
    |come again|pardon))?\s*\?
    |\b(?:you(?:'re| are)|you were|it(?:'s| is)|the (?:line|audio|sound|connection|signal)(?:'s| is
    | was| seems)?)(?: a (?:bit|little))?(?: very| really| kind of| sort of)* ?(?:breaking up
    |cutting (?:out|in and out)|muffled|garbled|distorted|unclear|not (?:very |quite |really )?clear
    |choppy|noisy|bad|poor)\b
    |\b(?:bad|poor|noisy) (?:line|connection)\b
    |\b(?:background noise|a lot of noise|trouble (?:hearing|understanding)
    |hard (?:time )?(?:to |for me to )?(?:hear|hearing|understand|understanding))\b
    |\b(?:i'm |i am |i was )?not (?:quite |really |entirely |exactly |totally |completely )*(?:sure
    |certain|clear) (?:(?:i|if i|that i|whether i) (?:understand|understood|follow|followed|caught|got
    |heard)|what (?:you|that|it)(?:'re|'s| are| is| were| was)? ?(?:mean|meant|saying|said|asking|asked
    |was|looking for|trying|referring|need|want)?)
    |\b(?:what (?:do|did) you (?:mean|say)|what are you (?:saying|trying to say|asking)
    |what (?:exactly )?(?:were|are) you (?:asking|saying)|did you (?:say|mean) something)\b
    |\b(?:are you (?:still )?(?:there|with me|on the (?:line|call|phone))|can you hear me|is (?:anyone|anybody
    |someone|somebody) there|do you hear me|you still there|still with me|hello\?)
    |\b(?:doesn't|does not|didn't|did not|don't) (?:seem to )?make (?:any |much )?sense(?: to me)?\b
    |\bthat (?:didn't|did not|doesn't|does not) (?:sound|seem) like\b
    |\b(?:lost you|i(?:'m| am) (?:not|lost)(?: quite| really)? following|not following|i(?:'m
    | am) lost\b(?! the))
    |\b(?:scrambled|garbled|muffled|jumbled|unintelligible|inaudible|all (?:static|noise)|a (?:bit
    |lot) of (?:static|echo)
    |bit of static|hear(?:ing)? (?:static|an echo|echo)|(?:dropped|cut|broke|faded|went) (?:out|off
    |halfway|for a (?:second|moment))
    |you cut off|cutting off|you faded)\b
    |\b(?:i|we) (?:only|just|mainly) (?:speak|understand|support|handle) (?:english|one language)
    |\bwhat language\b
    |\b(?:switch|continue|speak|talk|stick|say (?:that|it)|try)(?: (?:back|over|with|that
    |again))*(?: to| in| with) english\b|\b(?:do|can|could) you speak english\b
    |\b(?:couldn't|could not|can't|cannot|didn't|did not|unable to|hard to|trouble
    |time) (?:quite |really )*
    (?:tell what|work(?:ing)? out|figur(?:e|ing) out|mak(?:e|ing) (?:you|that|it|any of that|out)
    |decipher(?:ing)?|place what)\b
    |\bheard? (?:some|a|something|you|only)\b.{0,25}\bbut\b.{0,30}\b(?:words?|not|no|couldn't|can't
    |what)\b
    |\b(?:your|the) (?:microphone|mic|audio|voice|line|signal)(?: is| was| seems| keeps| sounds
    | might)?(?: to be)?.{0,12}
    (?:off|muted|working|problem|issue|trouble|cut|break|drop|fad|quiet|faint|low)
    |\btrouble with (?:your|the) (?:microphone|mic|audio|line)
    |\bwhat (?:was|is|were) (?:the|your|that)(?: last)? (?:question|request|again|thing|part)\b
    |\bwhat did you (?:just )?say\b
    |\b(?:made|make|makes|making|got|get|came|come) (?:it )?(?:through|across)(?: to me| clearly
    | properly| right| well| on my end)*\b(?! (?:the|customs))
    |\b(?:didn't|did not|doesn't) register\b|\bget (?:all|any|much|most) of that\b|\bgot (?:all|any
    |much) of that\b
    |\b(?:only|just) (?:hear|heard|caught|got|hearing) (?:part|noise|static|some|bits|a (?:few|bit
    |noise)|half|silence)\b
    """
)
_NOT_UNDERSTOOD = _pattern(
    r"""
    (?<!they )(?<!he )(?<!you )\b(?:could not|couldn't|can not|cannot|can't|did not|didn't|do not|don't
    |unable to|not able to|failed to) (?:(?:quite|really|fully|clearly|properly|entirely|completely) )*
    (?:understand|hear|make out|recogni[sz]e|process|decode|transcribe) (?:the |this |that |any of the |your )
    (?:last |whole |audio |voice )?
    (?:audio|message|recording|speech|caller|sound|voice|words?|sentence|utterance|input)
    (?: (?:you (?:sent|said)|just now|clearly|properly|at all|well enough))?\W*(?:$|[.!?,;])
    |\b(?:what(?:'s| is| was| were) (?:your (?:\w+ ){1,3}
    |the (?:(?:first |last |full |order |phone |booking |customer |account )?
    (?:name|number|address|code|date|question|spelling|amount) ))
    |who am i (?:speaking|talking) (?:to|with) |how do you spell (?:that|it|your (?:\w+ ){1,2}))again\b
    """
)
_AGAIN = _pattern(
    r"""
    \b(?:again|once more|once again|one more time|another time|another go|a second time
    |from the (?:top|start|beginning)
    |slower|slowly|louder|clearer|clearly|another way|differently|in (?:other|different) words
    |repeat(?:ing)?|rephras(?:e|ing)|restat(?:e|ing)|reword(?:ing)?|clarify(?:ing)?)\b
    """
)
_REQUEST = _pattern(
    r"""
    \b(?:could|can|would|will|might|may) (?:you|i|we)\b|\bmind\b|\bplease\b|\bneed you to\b
    |\bask you to\b
    |\bhave you\b.{0,15}\b(?:say|repeat)|\blet(?:'s| us) (?:try|go|do|start)|\btry\b.{0,20}\b(?:again
    |once more)
    |^\W*(?:sorry\W+|okay\W+)?(?:say|tell me|repeat|rephrase|try|go)\b
    """
)
_SPOKEN = _pattern(
    r"""
    \b(?:say|saying|said|tell|telling|repeat(?:ing)?|rephras(?:e|ing)|restat(?:e|ing)|reword(?:ing)?
    |clarify(?:ing)?
    |ask(?:ing)?|explain(?:ing)?|speak(?:ing)?|talk(?:ing)?|go(?:ing)? (?:over|through)
    |run(?:ning)? (?:through|over|that|it)
    |giv(?:e|ing) (?:me |it |that )+|put(?:ting)? (?:that|it)|phrase|try|word|start|spell|describ(?:e
    |ing))\b
    """
)
_NO_ANSWER_TO_THAT = _pattern(
    r"""
    \b(?:later|tomorrow|next (?:week|time|month)|in (?:a|an|a few|a couple of|\w+) (?:minutes?|hours?|days?)
    |call (?:us |me |back )?again
    |come again (?:on|at|to)|password|log ?in|sign ?in|the (?:test|order|payment|process|application
    |card|form|other))\b
    """
)

_ABOUT_SOMETHING_ELSE = _pattern(
    r"""
    \b(?:i(?:'ll| will| can| could)|let me|allow me to|we(?:'ll| will
    | can)) (?:just |gladly |quickly |now )*(?:repeat|rephrase|say|clarify|explain)\b
    |\b(?:feel free|don't hesitate|if you (?:need|want|would like)|whenever you|happy
    |glad) .{0,30}\b(?:repeat|clarify|explain|ask again)\b
    """
)
_ENGLISH_ANEW = _pattern(
    r"""
    (?:(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|hello there|hi there|welcome|sorry|okay
    |ok|so|well|yes|um|uh|again|there)\W+)*(?:how (?:can|may|could) (?:i|we) (?:help
    |assist)(?: you)?(?: today| with| now)?|what (?:can|may|could) (?:i|we) (?:do|help)(?: for you
    | you)?(?: with)?(?: today)?|what would you like (?:to (?:know|do|ask|talk about))?(?: today)?
    |is there (?:anything|something) (?:i|we) can (?:help|do|assist).{0,30}|(?:do you
    |did you) have a question|i'm listening|go ahead|please go ahead|yes\?)\W*
    """
)
_CHINESE = _pattern(
    r"""
    (?:没|没有|没能|未能|不太|不大|听)(?:有)?(?:太|大|怎么|完全|能)?(?:听
    |理解|明白|搞|弄|抓|捕捉)(?:得|到)?(?:太)?(?:清|懂|明白|见|到|清楚|准
    |全|出来)?(?:楚)?(?:您|你|刚|这|什么|意思|[，。！？,.!?]|$)
    |(?:没|没有|不太|不大|不)(?:太|大|怎么|完全)?(?:听清|听懂|听见|听到|听明白
    |听清楚|听得清|理解您|理解你|明白您|明白你|懂您|懂你|清楚您(?:的意思|说|想)
    |清楚你(?:的意思|说|想)|能?识别)
    |听不(?:太|大)?(?:清|见|懂|到|明白)
    |听得不(?:太|是很|很|大)?(?:清|明白)
    |听着不(?:太|是很)?清
    |(?:无法|没法|没办法|不能)(?:理解|听懂|识别|听清|辨认|分辨)
    (?:这段|那段|这句|该|音频|语音|声音|录音|(?:您|你)(?:的(?:话|意思|语音|声音|问题)|说|刚)|[，。！？,.!?]|$)
    |来着\W*$
    |(?:再|重新|重)(?:给我|跟我|和我|为我)?(?:说|讲|重复|讲述|叙述|表述|描述
    |问|报|复述|念)(?:一|1)?(?:遍|次|下|回)
    |(?:请|麻烦|能|可以|可否|能否|能不能|可不可以|方便)(?:您|你)?(?:再
    |重新)?(?:重复|复述|重说|重讲)(?:一|1)?(?:遍|次|下)?
    |再说说看
    |(?:说|讲|描述)得?更?(?:具体|详细|明白|清楚)(?:一点|一些|点|些)
    |(?:您|你)(?:刚才|刚刚|是|是不是|想)*(?:说|讲|问)(?:了|的是|的)?(?:什么|啥|哪)
    |(?:没|没有|没能|不太)(?:跟上|反应过来|捕捉到|接收到|收到(?:您|你)的(?:语音|声音|话))
    |(?:话|声音|语音|通话|线路|网络)(?:好像|刚才|刚刚|有点|有些|一直)*(?:断了|中断|卡|不清|听不|模糊|太小|很小|小)
    |(?:慢慢|大声|清楚地?|完整地?|详细地?|从头)(?:再)?(?:说|讲)
    |请(?:您|你)?(?:继续|接着)(?:说|讲)
    |只(?:支持|会|能|听得懂|懂|能听懂)(?:说)?(?:普通话|中文|英文|英语)
    |(?:用|说|讲)(?:普通话|中文)(?:再|说|讲|和我|跟我|吗|好吗|可以吗)
    |只听(?:到|见)
    |换(?:个|一种|一个|种)(?:说法|方式|表达)
    |(?:您|你)?(?:刚才|刚刚)?(?:说|讲)的?(?:是)?(?:什么|啥)(?:呀|啊|呢|来着)?[？?]
    |什么意思
    |(?:您|你)(?:的)?意思是[？?]
    |(?:大声|慢|清楚|清晰|响)(?:一点|点|一些|些)
    |说(?:得)?(?:慢|大声|清楚)
    |信号(?:不|有点|不太|好像)
    |声音(?:有点|太|不|断|好像|不太)
    |断断续续
    |有(?:很多|些|点|一点|一些)?(?:杂音|噪音|回音)
    |背景(?:音|声)
    |(?:太|有点|很|比较)(?:吵|嘈杂)
    |线路(?:不|有)
    |(?:听得|能听|听)(?:到|见)(?:我|吗|么)
    |(?:您|你)(?:还)?在(?:吗|么|听吗|线)
    |有人(?:在)?吗
    |喂[？?]
    |^\W*(?:什么|啥|嗯|啊|哈|抱歉|不好意思|对不起)\s*[？?]
    """
)
_CHINESE_ABOUT_SOMETHING_ELSE = _pattern(
    r"""
    (?:我|我们|让我|给您|为您|帮您)(?:来|就|会|可以|马上)?(?:再
    |重新)?(?:给您|为您|跟您)?(?:重复|复述|说|讲|确认)(?:一|1)?(?:遍|次|下)
    """
)
_CHINESE_ANEW = _pattern(
    r"""
    (?:(?:我是[^，。我]{1,12}|喂|您好|你好|嗯|好的|那|请问|欢迎|早上好|上午好|下午好|晚上好|不好意思
    |抱歉)\W*)*(?:(?:有)?什么(?:可以|能)(?:帮|为)(?:到)?(?:您
    |你)(?:的|服务的|做的|处理的)?(?:吗|呢)?|(?:我)?(?:可以
    |能)(?:怎么)?帮(?:您|你)(?:做)?(?:点)?(?:什么)?(?:吗|呢)?
    |(?:您|你)?(?:有什么)?需要(?:什么|哪些|我)?(?:的)?(?:帮助|帮忙|服务)(?:吗|呢|的吗)?
    |(?:您|你)(?:想|要|需要)(?:问|了解|咨询|办理|说)(?:点
    |些)?什么(?:呢)?|请讲|请说|您说|你说|有什么事(?:吗|呢)?)\W*
    """
)


def asks_again(text: str, language: Language) -> bool:
    """Whether a reply asks for what was said before it again, or says that it was not understood."""
    told = " ".join(text[:MAX_CHARS].replace("’", "'").split())
    if language == "zh":
        told = told.replace(" ", "")
        if _CHINESE_ANEW.fullmatch(told):
            return True
        return bool(_CHINESE.search(_CHINESE_ABOUT_SOMETHING_ELSE.sub("", told)))
    if _ENGLISH_ANEW.fullmatch(told):
        return True
    told = _ABOUT_SOMETHING_ELSE.sub("", told)
    return bool(_ENGLISH.search(told) or _NOT_UNDERSTOOD.search(told)) or any(
        map(_wants_it_again, re.split(r"(?<=[.!?;])\s+", told))
    )


def _wants_it_again(sentence: str) -> bool:
    """Whether an English sentence wants something to be said again, slower or otherwise."""
    parts = (_AGAIN, _REQUEST, _SPOKEN)
    return all(one.search(sentence) for one in parts) and not _NO_ANSWER_TO_THAT.search(sentence)
