"""English words of who asks for something again, or says that it was not understood."""

from __future__ import annotations

from spoken_language.asking_again.pattern import pattern

WANTS_IT_AGAIN = pattern(
    r"""
    \b(?:i|we)(?: |')?(?:'m |am )?(?:so )?(?:sorry,? )?(?:did not|didn't|do not|don't|could not
    |couldn't|can not|cannot|can't|am not able to|'m not able to|was not able to|wasn't able to
    |was unable to|am unable to|'m unable to|am having trouble|'m having trouble|have trouble
    |had trouble|'m struggling to|am struggling to) (?:(?:quite|really|fully|clearly|properly|entirely
    |completely|exactly|seem to) )*(?:(?:catch(?:ing)?|hear(?:ing)?
    |understand(?:ing)?|follow(?:ing)?|make out|making out
    |make sense of|making sense of|comprehend)(?: to)?(?: (?:that|it|this|you
    |what you(?:'ve|'re| have| are| were)?(?: just)?(?: trying to)? (?:said|say|saying|mean|meant|asked
    |asking|ask|want|wanted|telling)|your \w+(?: \w+)?)\b|[.!?,;]|$
    | (?:a(?: single)?|one|any) (?:word|thing)
    |(?: any(?:thing)?| everything)\b(?! (?:back|from|about|of your|more about))
    | the (?:first|last|end|beginning|rest|question|request)\b
    (?! (?:bus|train|tram|ferry|flight|plane|boat|show|post|delivery)\b))
    |(?:get|getting|pick(?:ing)? up|recogni[sz]e|recogni[sz]ing)(?: (?:what you(?:'ve|'re| have| are| were)?
    (?: just)?(?: trying to)? (?:said|say|saying|mean|meant|asked|asking|ask)|your (?:last |whole |full )?
    (?:questions?|request|names?
    |words?|answer|sentence|meaning|message|point|voice|speech)\b|(?:that|it|this|you|any(?:thing)?
    |everything|a word|the (?:first|last|end|beginning|rest|question|request))(?: (?:at all|clearly|quite
    |properly|last|first|whole|one|part|bit|what you|of (?:that|it|what)|as an? \w+
    |(?:you )?(?:said|were saying))\b
    | ?[.!?,;]| ?$))|[.!?,;]|$))
    |(?<!you )(?<!they )(?<!he )(?<!she )(?<!who )(?<!people )\b(?:did not|didn't|do not|don't|could not
    |couldn't|can not|cannot|can't|am not able to
    |'m not able to|was not able to|wasn't able to|was unable to|am unable to|'m unable to
    |am having trouble|'m having trouble|have trouble|had trouble|'m struggling to
    |am struggling to) (?:(?:quite|really|fully|clearly|properly|entirely|completely|exactly|seem to) )*
    (?:catch|make out|make sense of) (?:(?:that|it|this|you|what you(?:'ve|'re| have| are| were)?
    (?: just)?(?: trying to)? (?:said|say|saying|mean|meant|asked|asking|ask)|your \w+(?: \w+)?)\b
    (?! (?:bus|train|tram|ferry|flight|plane|boat|thief)\b)
    |the (?:(?:first|last|second|other|whole|full|exact|order|phone|house|street|account) ){0,2}
    (?:part|bit|half|words?|thing|sentence|question|names?|numbers?|date|address|street|city|town|amount
    |spelling|letters?|digits?|code|message|request|end|beginning|start|middle|rest)\b
    (?! of (?:the|our|my|his|her|their|an?) (?!sentence|question|message|address|name|number))
    |the (?:first|last)(?= ?(?:[.,!?;]|$))
    |any(?: of (?:that|it|what|this)\b|(?:thing| words?)?(?= ?(?:[.,!?;]|$)| (?:you|at all))))
    |\b(?:could|can|would|will|might|may) (?:you|i ask you to|i have you|we|i get you to)(?: just
    | please| maybe| possibly| kindly| try to| mind)* ?(?:repeat(?:ing)?|rephras(?:e|ing)|restat(?:e
    |ing)|say(?:ing)? (?:that|it|this|what you said)? ?(?:again|once more|one more|more (?:slowly
    |clearly)|in (?:other|different|another)|a (?:little|bit)|differently|louder|slower)
    |try(?:ing)?(?: (?:that|it|asking|saying)\b.{0,20})?(?: again| once more)(?! (?:later|tomorrow)\b)
    |speak(?:ing)? (?:up
    |louder|(?:a (?:little|bit) )?(?:more|louder|slower|clearer))|clarify(?:ing)?(?: what| that|[.?!]
    |$)|clarify your|elaborate[.?!]|be more (?:specific|clear))
    |\bwould you mind (?:repeating|saying (?:that|it)|rephrasing|speaking up|trying again)
    |\bplease (?:repeat|rephrase|say (?:that|it|your|what)\b.{0,30}\b(?:again|once more)
    |try again(?! (?:later|tomorrow|tonight|on|at|with|when|if|after|next|once|by|via|from
    |in (?:an?|some|\w+)(?: (?:few|couple of))? (?:moments?|minutes?|seconds?|hours?|days?|weeks?|while))\b)
    |speak (?:up|more|louder|slower|clearly)|ask (?:that |it )?again|clarify)
    |\b(?:say|repeat|rephrase|restate|tell me|phrase|put|try|ask|explain) (?:that|it|this
    |your (?:question|request|name|answer|message))(?: to me| for me| please)? (?:again|once more
    |one more time|another time|differently|another way|in (?:other|different|another) \w+|more slowly
    |more clearly|a (?:little|bit) (?:slower|louder|clearer))
    |\b(?:run(?:ning)? that by me|what was that|beg (?:your )?pardon)\b
    |(?:\b(?:i|we)(?:'ve| have| may have| might have| must have| seem to have)?
    |(?:^|[.!?,;] ?)(?:(?:sorry|oh|um|uh|and)\W+)*)(?: ?(?:just|totally|completely))? ?
    \bmissed (?:what (?:you|was)|(?:most|all|some|half) of (?:that|it|what)
    |(?:that|it)(?= ?(?:[.,!?;]|$)| (?:last|bit|part|one|word|name|number|completely|entirely|you|due
    |because|could|can|please|sorry|there|again|by)\b)
    |(?:the|your) (?:question|name|(?:first|last|second|other) (?:part|bit|words?|half|thing|sentence|few)
    |(?:end|beginning|start|rest|middle) of (?:that|it|what|your)))\b
    |\b(?:come again|say again)\s*\?|^\W*(?:(?:i'm |i am )?(?:sorry|pardon(?: me)?|excuse me|what|huh|uh|um)
    \W+)*(?:come|say) again\W*$
    |(?:\b(?:nothing|none of (?:that|it|what)|(?:hardly|barely) anything|not (?:a|one) (?:word|thing)
    |not much|no (?:sound|audio|voice|words?))\b
    |(?:\bnot|n't) (?:think|sure|believe|certain)(?: if| that| whether)? (?:that|it|this|you
    |any of (?:that|it)|your (?:last )?(?:voice|audio|message|words?|question|sentence))\b
    |\b(?:you\b(?![^.!?;,]{0,30}\b(?:get|got)\b)
    |your (?:last |whole )?(?:voice|audio|sound|line|message|words?|question|sentence|speech|name|number)
    |the (?:line|audio|sound|voice|message|words?|question|sentence|(?:first|last) (?:part|bit|half|words?))
    |what you said|everything|it|that|this)\b[^.!?;,]{0,15}
    (?:(?<!has )(?<!have )(?<!will )\bnot|(?<!has)(?<!have)(?<!wo)n't|\b(?:never|hardly|barely|failed to))\b)
    [^.!?;,]{0,20}\b(?:come|came|comes|coming|get|gets|got|getting|make|made|making)(?: it)?
    (?: (?:through|across))\b(?! (?:the|customs|immigration|security|as|yet|from|for|until|till|before
    |in time|on (?:your|the|our) (?:account|card|system)|to (?!me\b|us\b))\b)
    |(?:\bnot|n't|\b(?:never|hardly|barely))\b[^.!?;]{0,25}\b(?:come|came|coming) (?:through|across)
    (?: (?:very|too|all that|quite))? (?:clear(?:ly)?|well|properly|right)\b
    |^\W*(?:i'm |i am )?(?:sorry|pardon(?: me)?|excuse me|what|huh|hm+|eh)\s*(?:,? (?:what|again
    |come again|pardon))?\s*\?
    |\b(?:you(?:'re| are| were)|it(?:'s| is| was)|that (?:is|was)|(?:the|your) (?:line|audio|sound
    |connection|signal|voice|call|words?|speech)(?:'s| is| was| were| seems| sounds)?)
    (?: (?:just|now|a (?:bit|little)|very|really|rather|quite|pretty|so|too|kind of|sort of|keeps?))*
    (?: (?:breaking up|cutting (?:out|in and out)|muffled|garbled|distorted|choppy)\b
    | (?:unclear|noisy|not (?:very |quite |really |at all |all that )?clear)
    (?= ?(?:[.,!?;]|$|to me|(?:on|at) (?:my|your|this)|what you|where you|over there|in the back)))
    |\b(?:the|your|this) (?:line|audio|sound|connection|signal|voice)
    (?: (?:from|on|at) (?:my|your) (?:side|end))?(?:'s| is| was| seems| sounds)?
    (?: (?:a (?:bit|little)|very|really|rather|quite|pretty|so|too|kind of|sort of))*
    (?: (?:unclear|not (?:very |quite |really )?(?:clear|good|great)|noisy|bad|poor|terrible|awful|weak|patchy
    |spotty|choppy|crackly))\b
    |\b(?:bad|poor|noisy) (?:line|connection)\b
    |\bbackground noise\b|(?<!no )(?<!without )\binterference\b
    |(?<!make )(?<!makes )(?<!making )(?<!made )(?<!cause )(?<!causes )
    \b(?:an?|some|(?:a lot|lots) of|(?:too|so) much|only|just|nothing but)(?: \w+)? (?:echo|static
    |distortion|hiss(?:ing)?|buzz(?:ing)?|crackl(?:e|ing)|humming|noise)\b(?= ?(?:[.,!?;]|$)
    | (?:on|in) (?:the|your|my|this) (?:line|back|background|call|end|connection)| (?:behind|around) you
    | where you| coming| to (?:hear|me|understand)| there| and (?:no|not|couldn't|can't)| but)
    |\b(?:hear(?:ing)?|there(?:'s| is| was)) (?:some|a lot of|too much|so much|only|just|nothing but)
    (?: \w+)?(?: feedback)\b(?= ?(?:[.,!?;]|$))
    |\bfeedback (?:on|in) (?:the|your|my|this) (?:line|background|end|connection)\b
    |\b(?:trouble (?:hearing|understanding)
    |(?:hard|difficult|tough|impossible) (?:time )?(?:to |for me to )?(?:hear|hearing|understand
    |understanding|make out|follow))\b(?! (?:such|about|of|from|that (?:you(?:'re| are|r)?
    |he|she|they|we|the|news)\b))
    |\b(?:i'm |i am |i was )?not (?:quite |really |entirely |exactly |totally |completely )*(?:sure
    |certain|clear) (?:(?:i|if i|that i|whether i) (?:understand|understood|follow|followed|caught|got
    |heard)(?! (?:from|about|an?|any(?! of\b)
    |the (?:money|payment|order|parcel|email|letter|invoice|bus|train))\b)
    |what you(?:'ve|'re| have| are| were)?(?: just)? ?(?:mean|meant|said|say|saying|ask\w*|want\w*|need\w*
    |looking for|trying|referring|after|talking)\b
    |what (?:that|it|this)(?:'s| is| was)?(?: (?:means|meant))?(?= ?(?:[.,!?;]|$)
    | (?:you\b|about|supposed)))
    |\b(?:what (?:do|did) you (?:mean|say)|what are you (?:saying|trying to say|asking)
    |what (?:exactly )?(?:were|are) you (?:asking|saying)|did you (?:say|mean) something)\b
    |\b(?:are you (?:still )?(?:there|with me|on the (?:line|call|phone))|can you hear me|is (?:anyone|anybody
    |someone|somebody) there|do you hear me|you still there|still with me|hello\?)
    |\b(?:doesn't|does not|didn't|did not|don't) (?:seem to )?make (?:any |much )?sense(?: to me)?\b
    |\bthat (?:didn't|did not|doesn't|does not) (?:sound|seem) like
    (?: (?:any|much|an?|real|proper)(?: \w+)?)?(?: (?:english|chinese|mandarin|words?|sentences?|question
    |language|speech|talking|anything(?! \w)|anything i))\b
    |\b(?:lost you(?! (?:as|to)\b)|i(?:'m| am) (?:not|lost)(?: quite| really)? following|not following|i(?:'m
    | am) lost\b(?! the))
    |\b(?:scrambled(?! eggs?)|garbled|muffled|jumbled|unintelligible|inaudible|gibberish|all (?:static
    |noise)|a (?:bit|lot) of (?:static|echo)
    |bit of static|hear(?:ing)? (?:static|an echo|echo)|you cut off|you faded)\b
    |\b(?:you|(?:the|this|our|your) (?:line|audio|call|connection|sound|signal|voice|message|sentence
    |question|words?|end|rest|last \w+)|it|that|everything|something)
    (?: (?:just|kind of|sort of|briefly|suddenly|may|might|must|have|has|had|seems? to|seemed to|keeps?
    |kept|got|were|was|are|is|all|completely))*
    (?: (?:dropped|dropping|cut|cutting|broke|breaking|broken|faded|fading)(?: (?:out|off|up|away)\b
    (?! (?:your|the|a|an|my|our|their|from)\b)| halfway| for a (?:second|moment|bit))
    | (?:went|going|gone) (?:silent|quiet|dead|blank|for a (?:second|moment)))
    |\b(?:i|we) (?:only|just|mainly) (?:speak|understand|support|handle) (?:english|one language)
    |\bwhat language (?:(?:do )?you speak|(?:is |was )?(?:that|this|it)(?: is| was)?(?= ?(?:[.,!?;]|$)| you)
    |(?:are |were )?you(?:'re| are| were)? (?:speaking|using|talking))
    |\b(?:switch|continue|speak|talk|stick|say (?:that|it)|try)(?: (?:back|over|with|that
    |again))*(?: to| in| with) english\b|\b(?:do|can|could) you speak english\b
    |\b(?:couldn't|could not|can't|cannot|didn't|did not|unable to|hard to|trouble
    |time) (?:quite |really )*
    (?:tell what (?:that (?:is|was)|language|(?:is|was) (?:being )?said
    |you(?:'re|'ve| are| were| have)?(?: just)? (?:said|say|saying|mean|meant|want|wanted|asked|ask|asking
    |trying))
    |(?:work(?:ing)? out|figur(?:e|ing) out)(?= ?(?:[.,!?;]|$)| (?:that ?(?:[.,!?;]|$)|the words?|any of that
    |what (?:was said|you(?:'re|'ve| are| were| have)?(?: just)? (?:said|say|saying|mean|meant|asking))))
    |mak(?:e|ing) (?:(?:you|that|it|this|any of (?:that|it)|your (?:voice|words?)) )?out(?! an?\b)
    |decipher(?:ing)?|place what)\b
    |\bheard? (?:(?:some|an?)(?: \w+)? (?:sounds?|noises?|voices?|words?|bits?|murmur\w*|mumbl\w*|beeps?
    |clicks?)|some(?:thing|one|body)|you(?: (?:say|saying|speak|speaking|talk|talking|there))?
    (?: something| a sound)?|only)\b[^.!?]{0,20}\bbut\b[^.!?]{0,12}
    \b(?:no (?:actual |real |clear )?words?|not (?:what|(?:the |any |many )words?|an? word
    |(?:very |too |that )?(?:clearly|clear|well|loud))|unclear
    |(?:wasn't|isn't|was not|is not)(?: (?:very|quite|really|at all))? (?:clear|english|loud)
    |(?:couldn't|can't|cannot|could not|didn't|did not|don't)(?: (?:quite|really|fully|clearly))*
    (?: (?:understand|make (?:you|that|it|any of that|anything|the words) out|make out|make sense|work out
    |catch|follow|hear|(?:get|tell)(?= ?(?:[.,!?;]|$)| (?:that|it|any of that) ?(?:[.,!?;]|$)| what you))))\b
    |\b(?:your|the) (?:microphone|mic|audio|voice|line|signal)(?: is| was| seems| keeps| sounds
    | might)?(?: to be)?(?! no\b)[^.!?;,]{0,12}
    (?:\boff(?!-)|\bmuted|(?:\bnot|n't|\bstopped) working|\bproblems?|\bissues?|\btrouble|\bcut(?:s|ting)?
    |\bbreak(?:s|ing)?|\bdrop(?:s|ped|ping)?|\bfad(?:es|ed|ing)|\bquiet|\bfaint|\blow)\b
    |\btrouble with (?:your|the) (?:microphone|mic|audio|line)
    |\bwhat (?:was|is|were) (?:the|your|that)(?: last)? (?:question|request|again|thing|part)\b
    |\bwhat did you (?:just )?say\b
    |\b(?:that|it|this) (?:didn't|did not|doesn't)(?: quite| really)? register
    (?= ?(?:[.,!?;]|$)| (?:on|at|with|for) (?:my|me|our|us|this)\b| (?:properly|clearly|at all))
    |\bnone of (?:that|it) registered\b|\bhead (?:or|nor) tail\b|\ball greek\b
    |(?:\bnot|n't) (?:quite |really )*recogni[sz]e (?:those|these|the|any|your) words?\b
    |\byou(?:r voice)? (?:just )?(?:vanished|disappeared)\b
    |(?:\b(?:i|we|我)(?:'m|'ve| am| have| could| can)?|(?:^|[.!?,;] ?)(?:(?:sorry|and|oh|um|uh)\W+)*)
    (?: ?really)? ?\b(?:(?:hear|heard|get|got|getting|catch|caught|catching|understood|follow|followed
    |make out|made out|picked up) (?:only|just)|(?:only|just)(?: \w+)? (?:hear|heard|get|got|getting|catch
    |caught|catching|understood|follow|followed|make out|made out|picked up))(?: about)?
    (?: (?:bits|parts?|half|pieces|some) of (?:that|it|what you))\b(?! (?:back|from|for|in|until|before)\b)
    |\b(?:only|just)(?: \w+)? (?:bits|parts?|half|pieces|some) of (?:that|it|what you said) (?:came|made it
    |reached|(?:was|were) (?:clear|audible))\b
    |\bwhat was it(?: that)? you (?:said|wanted|asked|needed|were)\b
    |(?:\b(?:i|we|我)|(?:^|[.!?,;] ?)(?:(?:sorry|and|so|oh|um|uh)\W+)*) ?(?:did not|didn't|do not|don't
    |could not|couldn't|can not|cannot|can't|have not|haven't|never|hardly|barely
    |(?:was|am|'m) (?:not able|unable) to|wasn't able to)(?: (?:quite|really))?
    (?: (?:get|got|catch|caught|hear|heard))(?: quite)? (?:all|any|much|most|half) of (?:what you\b
    |(?:that|it|this)\b(?= ?(?:[.,!?;]|$)| (?:at all|you|last|clearly|properly|sorry|because|due|there|so
    |but|and|could|can|please|message|sentence|question|one|part)\b))
    |\b(?:do not|don't) think (?:that )?(?:i|we) (?:quite |fully |really )*(?:heard|got|caught|understood
    |followed|understand|follow|hear|get)\b
    |\bmisheard\b|\b(?:may|might|must) have (?:heard|got|gotten|understood) (?:you|that|it) wrong\b
    |\b(?:lost on me|over my head|escaped me|beyond me)\b|(?:\bnot|n't) (?:quite |really )*reach(?:ing)? me\b
    |(?:\bnot|n't) (?:quite |really |still )*(?:(?:catching|hearing|understanding)
    (?: (?:it|that|this|you|any(?:thing| of| sound| audio| words?)|much|a word|a thing|everything))\b
    (?! (?:from|back|about|of your)\b)
    |(?:getting|picking up)(?: (?:it|that|this|you|anything|much|a word|a thing|everything)
    (?= ?(?:[.,!?;]|$)| (?:at all|clearly|properly|well|you|of (?:that|it|what)|on (?:my|this) end)\b)
    | any (?:of (?:that|it|what)|sound|audio|voice|words?|speech)\b))
    |\bunclear (?:to|for) (?:me|us)\b
    |\b(?:your|the|that) (?:message|sentence|question|request|recording)(?: just)? (?:was|is|seems|seemed
    |looks|came) (?:to be )?(?:incomplete|cut short|empty|blank|unfinished|unclear)\b
    |\b(?:we|i|the (?:line|call|connection))(?: (?:was|were|got|may have|might have|must have|have|has|been
    |just|briefly))+ (?:disconnected|cut off)\b
    |\byour (?:voice|line|audio|sound|words?)(?: \w+)? (?:went|got|turned|became|is|was|sounds|sounded|seems
    |keeps)(?: (?:all|very|really|so|a (?:bit|little)|too|kind of|sort of|rather|quite|getting|going))*
    (?: (?:robotic|choppy|patchy|crackly|weird|funny|strange|fuzzy|scratchy|tinny|glitchy|echoey|far away
    |distant|broken|soft|faint|quiet|low))\b
    |\b(?:you(?:'re| are| were)|your voice(?:'s| is| was)|speaking|talking|that was)
    (?: (?:a (?:bit|little)|way|much|far|just|speaking|talking))*
    (?: (?:too (?:quiet|quietly|faint|faintly|softly|quickly)|mumbling|whispering)\b
    | too (?:soft|low|fast|quick|far(?: away)? from (?:the|your) (?:phone|mic|microphone|receiver|handset))\b
    (?= ?(?:[.,!?;]|$)| for me| to (?:hear|understand|follow|catch|make out)))
    |\b(?:speaking|talking)(?: (?:a (?:bit|little)|way|much|far|just))* too (?:soft|low|fast|quick|far)\b
    |\ball (?:i|we) (?:heard|hear|caught|(?:could|can) (?:hear|make out))\b(?! (?:from|about)\b)
    |\ball (?:i|we)(?:'m| am)? (?:got|get|getting)(?: (?:was|is|were))?(?: \w+){0,2} (?:noise|static
    |silence|sounds?|words?|crackl\w*|buzz\w*|hiss\w*|echo|beeps?)\b
    |\bi (?:only )?(?:heard|caught|hear) nothing\b
    (?! (?:from|about|against|but good|of the sort|new|back|yet|more|further)\b)
    |\bi (?:only )?got nothing\b(?= ?(?:[.,!?;]|$)| (?:of (?:that|it|what)|at all|there|on my
    |but (?:noise|static))\b)
    |\b(?:sounded|sounds) (?:to me )?(?:like|as if|as though) (?:\w+ )?(?:noise|static|gibberish|mumbling
    |(?:another|a different|a foreign|some other) language|you(?:'re| are| were) (?:under|far|in a|on a))\b
    |(?:\b(?:i|we|我)(?:'ve| have)?|(?:^|[.!?,;] ?)(?:(?:sorry|okay|and|so|oh|um|uh)\W+)*)
    (?: ?(?:only|just))? ?\b(?:got|heard|caught|hear|get|understood|followed)(?: only| just)?
    (?: (?:the |a |your )?(?:(?:first|last|opening) (?:part|half|bits?|words?|few(?: words?)?|couple|sentence
    |question|thing|name|digits?|numbers?)|beginning|start|end|middle|part|half|bits?|few words?))\b
    (?! of (?:the|our|my|his|her|their|an?) (?!sentence|question|message|address|name|number))
    [^.!?]{0,25}\b(?:but|and|then)\b[^.!?]{0,12}\b(?:not (?:the (?:rest|end|last|second|other|first
    |beginning|middle|remainder|whole)|what|much|all of|everything)|missed|lost|nothing|the rest
    |everything else|(?:you|it|that) (?:cut|broke|dropped|faded|went)|it all)\b
    |(?:^|[.!?,;] ?)(?:(?:er|um|uh|hm+|oh|ah|sorry|and)\W+)*(?:(?:say |you )?what|huh|pardon(?: me)?|sorry|eh
    |excuse me|how's that|what's that|you were (?:saying|asking)|you said)\s*\?
    |(?:^|[.!?,;] ?)(?:(?:a (?:bit|little)|please|sorry|okay|say it|say that|speak)\W+)*(?:one more time
    |once more|again|another time|slower|louder|more slowly|more clearly|speak up)(?:\W+please)?\s*(?:[?!.]|$)
    |\b(?:was|is) that (?:a question|meant for me|english|for me)\b
    |(?:n't|\bnot) (?:quite |really )*tell(?:[.!?]|$| (?:if|whether) you)
    |\bis (?:your|the) (?:(?:mic|microphone) (?:on|off|muted|working)|line clear)\b
    |(?<!they )(?<!he )(?<!people )(?<!who )\b(?:can't|cannot|can not|couldn't|could not)
    (?: (?:quite|really|even|still))* hear (?:you|anything|a thing|a word|that|much|well|properly)\b
    (?! (?:back|from|about)\b)
    |(?:^|[.!?;] ?|我 ?)(?:sorry\W+)?(?:did not|didn't|couldn't|could not|can't|cannot|(?:was not|wasn't
    |not) able to|(?:was )?unable to) (?:quite |really )*
    (?:understand|get|hear|catch|follow) (?:that|it|you|this|a word|what)\b
    |\b(?:hardly|barely|scarcely|could only just) (?:hear|heard|catch|caught|understand|understood
    |make out)\b
    |\b(?:got|heard|caught|understood) (?:everything|(?:all|most) of (?:it|that)|it all)(?: but\b| except\b)
    |\bno (?:sound|audio|voice)\b(?= (?:from|on|at|coming)\b| ?(?:[.,!?;]|$))
    |\bi (?:have|had|'ve)(?: got)? (?:no|not the (?:faintest|slightest)|not any) (?:idea|clue)
    (?: of)? what (?:you|that|it)\b
    |\b(?:only|just) (?:hear|heard|caught|catch|hearing|got|getting) (?:noise|static|silence|a (?:noise|hiss
    |buzz|crackle|hum|beep|murmur))\b
    |\b(?:only|just) (?:hear|heard|caught|catch|hearing|got|get) (?:part|some|bits?|half|a (?:few|bit)
    |the (?:first|last|end|beginning|start|middle))(?: (?:few|couple of|odd))? (?:words?|sounds?
    |syllables?)\b
    |\b(?:only|just) (?:hear|heard|caught|catch|hearing) (?:part|some|bits?|half|a (?:few|bit)
    |the (?:first|last|end|beginning|start|middle))(?: (?:part|half|bits?|couple))?
    (?: of (?:that|it|what you|this|your|the (?:sentence|question|message|name|number|address))\b
    |(?= ?(?:[.,!?;]|$)))
    """
)
SPEECH_NOT_UNDERSTOOD = pattern(
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
ANEW = pattern(
    r"""
    (?:(?:hello|hi|hey|good (?:morning|afternoon|evening|day)|welcome|sorry|okay
    |ok|so|well|yes|um|uh|again|there)\W+)*(?:how (?:can|may|could) (?:i|we) (?:help
    |assist)(?: you)?(?: today| with| now)?|what (?:can|may|could) (?:i|we) (?:do|help)(?: for you
    | you)?(?: with)?(?: today)?|what would you like (?:to (?:know|do|ask|talk about))?(?: today)?
    |is there (?:anything|something) (?:i|we) can (?:help|do|assist).{0,30}|(?:do you
    |did you) have a question|i'm listening|go ahead|please go ahead|yes\?)\W*
    """
)
