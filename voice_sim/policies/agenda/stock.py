"""Small words that anybody says on the telephone, for what the persona has no line of its own."""

from __future__ import annotations

from typing import Literal

from voice_sim.person.archetypes import Archetype

StockKind = Literal[
    "filler",
    "lead_in",
    "one_more",
    "acknowledge",
    "yes",
    "no_more",
    "misheard",
    "decline",
    "unsure",
    "hold",
    "silence",
    "repeated",
    "as_said",
    "insulted",
    "leave",
    "backchannel",
]
Stock = dict[StockKind, tuple[str, ...]]

_EN: Stock = {
    "filler": (),
    "lead_in": ("Okay.", "Right."),
    "one_more": ("One more thing.",),
    "acknowledge": ("I see.", "All right.", "Okay then.", "Mm, okay."),
    "yes": ("Yes.", "Yes, that's right."),
    "no_more": ("No, that's all.", "No, nothing else."),
    "misheard": ("Sorry, what was that?", "Sorry, I didn't get that."),
    "decline": ("I'd rather not say.", "I'll keep that to myself."),
    "unsure": ("I couldn't tell you.", "I really don't know."),
    "hold": ("Okay.", "Sure."),
    "silence": ("Hello? Are you there?", "Hello? Can you hear me?"),
    "repeated": ("You've just said that.", "You said that already."),
    "as_said": ("As I said.", "Like I just said."),
    "insulted": ("Excuse me?", "There's no need for that."),
    "leave": ("This isn't getting us anywhere. Goodbye.", "I'll leave it at that. Goodbye."),
    "backchannel": ("Mm-hm.", "Uh-huh."),
}
_ZH: Stock = {
    "filler": (),
    "lead_in": ("好的。", "行。"),
    "one_more": ("还有个事。",),
    "acknowledge": ("这样啊。", "知道了。", "嗯，好。", "明白了。"),
    "yes": ("对。", "是的。"),
    "no_more": ("没有了。", "没别的了。"),
    "misheard": ("不好意思，您刚才说什么？", "没听清，您再说一下？"),
    "decline": ("这个不方便说。", "这个我先不说了。"),
    "unsure": ("这个我说不上来。", "这个我真不知道。"),
    "hold": ("好。", "行，您查。"),
    "silence": ("喂？还在吗？", "喂？听得到吗？"),
    "repeated": ("这个您刚说过了。", "您说过一遍了。"),
    "as_said": ("刚说过了。", "我刚才说了。"),
    "insulted": ("您怎么说话呢？", "您别这么说话。"),
    "leave": ("这么说下去没意思，挂了。", "那就这样吧，挂了。"),
    "backchannel": ("嗯。", "嗯嗯。"),
}
_EN_OF: dict[Archetype, Stock] = {
    Archetype.COOPERATIVE: {
        "filler": ("Oh …", "Um …"),
        "lead_in": ("Sure.", "Of course.", "Okay, good."),
        "one_more": ("Oh, and one thing.",),
        "no_more": ("No, that was everything, thanks.", "No, nothing else, thank you."),
        "leave": ("I'm sorry, I think we'd better stop here. Bye.", "Well, let's leave it there. Bye."),
    },
    Archetype.ANALYTICAL: {
        "filler": ("Hm …", "Let me think."),
        "lead_in": ("All right.", "I see.", "Understood."),
        "one_more": ("A further question.", "One more point."),
        "no_more": ("No, that covers it.", "No, I've got what I need."),
        "repeated": ("You're repeating yourself.", "That's what you said before."),
    },
    Archetype.HESITANT: {
        "filler": ("Um …", "Well …", "Uh …", "I mean …", "Hm …"),
        "lead_in": ("Oh, okay.", "Oh, I see."),
        "one_more": ("Um … sorry, one more thing.",),
        "no_more": ("No, I … I think that's all.", "No … no, I don't think so."),
        "decline": ("I … I'd rather not say.", "I don't want to say that."),
        "unsure": ("I … I can't say.", "I really don't know, sorry."),
        "insulted": ("I'm sorry?", "Why are you … I haven't done anything."),
        "leave": ("I … I think I'd rather hang up now. Sorry.", "I'd better go. Sorry."),
    },
    Archetype.RESISTANT: {
        "acknowledge": ("So?", "Go on, then.", "Fine.", "If you must."),
        "no_more": ("No.", "Nope, nothing."),
        "misheard": ("What?", "Come again?"),
        "decline": ("That's none of your business.", "I'm not telling you that."),
        "unsure": ("How should I know?", "No clue."),
        "hold": ("Fine.", "Hurry up, then."),
        "silence": ("Hello? I haven't got all day.", "Anybody there?"),
        "repeated": ("You just said that.", "Broken record, are you?"),
        "insulted": ("What did you just call me?", "Watch it."),
        "leave": ("That's it, I'm hanging up.", "I'm done here. Bye."),
    },
    Archetype.EFFICIENT: {
        "acknowledge": ("Got that.", "Next.", "Clear.", "Fine."),
        "one_more": ("Next question.",),
        "no_more": ("No. That's it.", "Nothing else."),
        "misheard": ("Sorry, once more?", "Didn't catch that."),
        "decline": ("Not that. Next.", "I don't give that out."),
        "unsure": ("Don't know.", "Can't tell you."),
        "silence": ("Hello? Still there?", "Are we still connected?"),
        "repeated": ("We've had that.", "You said that. Next."),
        "leave": ("This is going nowhere. Bye.", "I haven't got time for this. Bye."),
    },
}
_ZH_OF: dict[Archetype, Stock] = {
    Archetype.COOPERATIVE: {
        "filler": ("哦 …", "嗯 …"),
        "lead_in": ("好嘞。", "行啊。"),
        "no_more": ("没有了，谢谢啊。", "没了，都清楚了。"),
    },
    Archetype.ANALYTICAL: {
        "filler": ("我想想 …", "嗯 …"),
        "lead_in": ("明白。", "好。"),
        "one_more": ("再问一点。",),
        "no_more": ("没有了，都问到了。", "没了，够清楚了。"),
    },
    Archetype.HESITANT: {
        "filler": ("嗯 …", "那个 …", "呃 …", "就是 …"),
        "one_more": ("那个 … 还有个事。",),
        "no_more": ("应该 … 没有了吧。", "没 … 没有了。"),
        "insulted": ("啊？我没说什么呀。", "您怎么这样 …"),
        "leave": ("我 … 我先挂了啊，不好意思。", "要不就这样吧，我挂了。"),
    },
    Archetype.RESISTANT: {
        "acknowledge": ("然后呢？", "哦。", "随便。", "说完没有？"),
        "no_more": ("没有。", "没了。"),
        "misheard": ("啥？", "你说什么？"),
        "decline": ("凭什么告诉你？", "这个跟你没关系。"),
        "unsure": ("我哪知道。", "不晓得。"),
        "silence": ("喂？说话啊。", "喂？没人挂了啊。"),
        "repeated": ("你刚说过了。", "复读机啊你？"),
        "insulted": ("你说谁呢？", "嘴巴放干净点。"),
        "leave": ("行了，挂了。", "没工夫跟你耗，挂了。"),
    },
    Archetype.EFFICIENT: {
        "acknowledge": ("收到。", "下一个。", "清楚。", "行。"),
        "one_more": ("下一个问题。",),
        "no_more": ("没了。", "就这些。"),
        "repeated": ("这个说过了。", "说过了，下一个。"),
        "leave": ("这样没效率，挂了。", "我没时间了，挂了。"),
    },
}


def stock_of(archetype: Archetype, language: str) -> Stock:
    """Every kind of stock line for this user type."""
    return {**_EN, **_EN_OF[archetype]} if language == "en" else {**_ZH, **_ZH_OF[archetype]}
