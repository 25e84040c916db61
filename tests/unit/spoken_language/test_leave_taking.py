"""What is a goodbye and no more, and what asks for an answer beside it."""

from __future__ import annotations

import pytest

from spoken_language.leave_taking import says_goodbye


@pytest.mark.parametrize(
    "text",
    [
        "Goodbye.",
        "Great, thanks a lot. Bye!",
        "OK, bye-bye then",
        "Good night",
        "Bye, and thank you for your help.",
        "Goodbye, have a nice day!",
        "That's all I need, thank you very much, goodbye.",
        "I'll be there on Tuesday at three, bye.",
        "No, thank you. I want to thank you for your time. Goodbye.",
        "okay thanks bye",
        "好的，再见。",
        "好的，谢谢您，麻烦您了，再见。",
        "没什么了，再见，祝您生活愉快。",
        "谢谢你帮我，拜拜",
        # What the speaker does next, and what is accepted, is no request.
        "Thanks, I'll check my email and call back. Bye!",
        "Okay I will do that and update you, bye",
        "Thanks, I'll just call back later, bye.",
        "We can then cancel it ourselves, bye.",
        "No thanks, I will wait for you to call me. Bye.",
        "I'll wait for you and call back, bye.",
        "I will do what you said and call back, bye.",
        "I will email you the details and call back, bye.",
        "I'm going to think about it and call again, bye.",
        "Let me think about it and call back, bye.",
        "Let me get back to you, bye.",
        "I have to go and check on dinner, bye.",
        "I've got to ask my wife and then call back, bye.",
        "We might come by and change it ourselves, bye.",
        "I probably will and then check again, bye.",
        "I just call to thank you, bye.",
        "We also check every week, bye.",
        "I'll do so and call back, bye.",
        "I'll be late but will come and check, bye.",
        "My wife will come by and check, bye.",
        "She's going to look at it and call back, bye.",
        "Okay I'll thank you and call back later, bye.",
        "They'll look at it and just cancel, bye.",
        "My wife will come by and book me in, bye.",
        "I'll call my son and book him in, bye.",
        "I'll come over and deliver it myself, bye.",
        "They can come at five and then deliver it, bye.",
        "Let me think about it and call him, bye.",
        "We will pack and deliver it tomorrow, goodbye",
        "We'll check and refund you, goodbye",
        "We'll come by and deliver it, bye.",
        "Yes please. Goodbye.",
        "Yes, please, thank you, bye.",
        "What a relief, thank you, bye.",
        "那我等您给我回电话，再见",
        "我等你明天给我打电话，再见",
        "那就麻烦您帮我处理了，再见",
        "我知道怎么走了，谢谢，再见",
        "我知道哪家店了，再见",
    ],
)
def test_goodbyes(text: str) -> None:
    assert says_goodbye(text)


@pytest.mark.parametrize(
    "text",
    [
        "Before we say goodbye, what is my balance?",
        "Before we say goodbye, tell me my balance.",
        "Goodbye?",
        "My neighbour said goodbye to your service last year, and now I want to do the same with mine.",
        "My neighbour waved goodbye to your service last year.",
        "Please cancel my order and send me the receipt, bye.",
        "Cancel my order, bye.",
        "OK then cancel my order and bye",
        "I'd like a table for two on Friday, bye.",
        "What time do you open, bye",
        "Is that all? Great, bye.",
        "Bye. My order number is four five six, and it never came.",
        "Hello.",
        "",
        "Yes please cancel my order, bye.",
        "No, please keep it, bye.",
        "I'm moving so cancel it, bye.",
        "Cancel it and I'll pay next month, bye.",
        "You have my number, call me, bye.",
        "I think you should just cancel it, bye.",
        "I think you should cancel it, bye.",
        "I don't care and cancel it, bye.",
        "I don't care just cancel it, bye.",
        "I'm tired of it and cancel it, bye.",
        "I've paid and send it to my office, bye.",
        "I already paid so just cancel it, bye.",
        "I'll pay next month so just cancel it, bye.",
        "I'll pay but just cancel it, bye.",
        "We moved and then cancel the rest, bye.",
        "I'd suggest you just cancel it, bye.",
        "I'd ask you to check it and cancel it, bye.",
        "I would say you should check and cancel it, bye.",
        "I can't make it and cancel it, bye.",
        "I will not come and cancel it, bye.",
        "I know it is late and also send the receipt, bye.",
        "Let me know and send it, bye.",
        "I'll take it and book me in for nine, bye.",
        "I'll be there and then remind me, bye.",
        "We'll think about it and then call us, bye.",
        "I'll be out and then deliver it tomorrow, bye.",
        "He can come at five then book him in, bye.",
        "She can come at five and book her in, bye.",
        "Let me speak to somebody else, bye.",
        "Ask him to call me, bye.",
        "What is the price, bye.",
        "I want you to call me, bye.",
        "麻烦您帮我处理一下，再见",
        "麻烦您帮我取消了，再见",
        "您给我回电话，再见",
        "我不知道怎么走，再见",
        "想知道什么时候到，再见",
        "请取消我的订单，再见。",
        "你们几点开门，再见",
        "我想问一下我的余额，再见。",
        # Twenty-four characters are more than fourteen words.
        "我昨天在你们店里买的那双鞋子今天早上已经坏掉了再见",
    ],
)
def test_what_is_no_goodbye_or_more_than_one(text: str) -> None:
    assert not says_goodbye(text)


def test_the_length_that_a_goodbye_may_have() -> None:
    assert says_goodbye("well " * 13 + "bye")
    assert not says_goodbye("well " * 14 + "bye")
    assert says_goodbye("好" * 19 + "再见")
    assert not says_goodbye("好" * 20 + "再见")
