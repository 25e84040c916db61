"""Replies that ask again, and others that use the same words about something else.

Both sets were written after the rules that they were first held to; the second when these had been mended by
the first. ``docs/spoken-probes.md`` has what came of each at first sight; here nothing may get worse.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from spoken_language.asking_again.reply import Language, asks_again

HERE = Path(__file__).parent
LANGUAGES: tuple[Language, ...] = ("en", "zh")


def replies(name: str) -> list[tuple[Language, bool, str]]:
    content: dict[Language, list[dict[str, Any]]] = json.loads(
        (HERE / f"replies_{name}.json").read_text(encoding="utf-8")
    )
    return [(language, one["asks_again"], one["reply"]) for language, own in content.items() for one in own]


@pytest.mark.parametrize(("name", "least"), [("first", 76), ("second", 63)])
def test_replies_of_strangers(name: str, least: int) -> None:
    kept = replies(name)
    assert len(kept) >= 60
    assert {wanted for _, wanted, _ in kept} == {True, False}
    assert {language for language, _, _ in kept} == {"en", "zh"}
    right = sum(asks_again(reply, language) == wanted for language, wanted, reply in kept)
    assert right >= least


@pytest.mark.parametrize(
    ("language", "reply", "wanted"),
    [
        ("en", "How can I help you?", True),
        ("en", "It is open until six. How can I help you?", False),
        ("en", "Let me repeat your order.", False),
        ("en", "Could you repeat your order?", True),
        ("en", "", False),
        ("en", "I could not understand the audio.", True),
        ("en", "I was unable to understand the message.", True),
        ("en", "Sorry, I did not hear the last sentence.", True),
        ("en", "What is your name again?", True),
        ("en", "What was your account number again?", True),
        ("en", "Sorry, what was the name again?", True),
        ("en", "Who am I speaking to again?", True),
        ("en", "I understand the audio settings.", False),
        ("en", "I couldn't get the audio file from the bank.", False),
        ("en", "I do not understand the policy of that bank.", False),
        ("en", "They could not understand the message from the bank, so they closed it.", False),
        ("en", "She could not hear the caller.", False),
        ("en", "What is your name?", False),
        ("en", "We open again at nine.", False),
        ("zh", "我无法理解这段音频。", True),
        ("zh", "我没办法识别语音。", True),
        ("zh", "您叫什么名字来着？", True),
        ("zh", "我们无法理解银行为什么这么做。", False),
        ("zh", "您叫什么名字？", False),
        ("zh", "我再给您说一遍价格。", False),
        ("zh", "请您再说一遍价格。", True),
    ],
)
def test_what_the_words_are_about_decides(language: Language, reply: str, wanted: bool) -> None:
    assert asks_again(reply, language) is wanted


@pytest.mark.parametrize(
    ("language", "reply", "wanted"),
    [
        ("en", "Your last message came through clearly and has been answered.", False),
        ("en", "Your last message did not come through clearly.", True),
        ("en", "That came through garbled.", True),
        ("en", "Nothing of that came through.", True),
        ("en", "I heard you fine.", False),
        ("en", "I heard you fine, but could you say the number again?", True),
        ("en", "I don't think I heard you right.", True),
        ("en", "I understood every word and the line is perfectly clear.", False),
        ("en", "The line is not clear.", True),
        ("en", "There is no static, and your microphone is working.", False),
        ("en", "Your microphone is not working.", True),
        ("en", "There is no need to say that again.", False),
        ("en", "No need to shout. Could you say that again?", True),
        ("en", "You don't have to repeat it, it is booked.", False),
        ("en", "I won't ask you to repeat that.", False),
        ("en", "I have to ask you to repeat that.", True),
        ("en", "There is nothing to repeat.", False),
        ("en", "I only caught half of that, sorry.", True),
        ("en", "I caught all of that.", False),
        ("en", "Did you get all of that?", False),
        ("en", "I didn't get all of that.", True),
        ("en", "I got everything but the last word.", True),
        ("en", "I heard nothing please say that again.", True),
        ("en", "There is nothing left to say again.", False),
        ("en", "There is no sound.", True),
        ("zh", "请您说得清楚一点。", True),
        ("en", "You were cutting out.", True),
        ("en", "The power was cut off last night.", False),
        ("en", "Could you run that by me once more?", True),
        ("zh", "您的话我听得很清楚。", False),
        ("zh", "您的话我听得不太清楚。", True),
        ("zh", "声音很清楚，已经办好了。", False),
        ("zh", "声音不清楚。", True),
        ("zh", "声音不错。", False),
        ("zh", "您不用再说一遍了。", False),
        ("zh", "不用着急，请您再说一遍。", True),
        ("zh", "没有什么听不清的。", False),
        ("zh", "我听不清。", True),
        ("zh", "我听明白您的意思了。", False),
        ("zh", "我没听明白您的意思。", True),
        ("zh", "我没有听到任何投诉。", False),
        ("zh", "我没有听到您的问题。", True),
    ],
)
def test_that_it_was_heard_is_no_asking_again_and_that_it_was_not_is(
    language: Language, reply: str, wanted: bool
) -> None:
    assert asks_again(reply, language) is wanted


@pytest.mark.parametrize(
    ("language", "reply", "wanted"),
    [
        ("en", "Would you like me to repeat the address?", False),
        ("en", "Would you repeat the address?", True),
        ("en", "Shall I say that again?", False),
        ("en", "Please repeat the exercise every day.", False),
        ("en", "Please repeat the question.", True),
        ("en", "Repeat prescriptions are free.", False),
        ("en", "Please come again soon.", False),
        ("en", "Come again?", True),
        ("en", "We don't recognise your card.", False),
        ("en", "We did not get your payment.", False),
        ("en", "I did not get your name.", True),
        ("en", "We lost you as a customer.", False),
        ("en", "Sorry, I lost you there for a second.", True),
        ("en", "The scrambled eggs are cold.", False),
        ("en", "He didn't catch the train.", False),
        ("zh", "需要我再说一遍吗？", False),
        ("zh", "您能再给我说一遍吗？", True),
        ("zh", "系统不能识别您的卡。", False),
        ("zh", "系统不能识别您的语音。", True),
        ("zh", "您在线上办理就行。", False),
        ("zh", "您在线吗？", True),
        ("zh", "他没听懂老师的话。", False),
    ],
)
def test_what_is_to_be_done_again_and_by_whom_decides(language: Language, reply: str, wanted: bool) -> None:
    assert asks_again(reply, language) is wanted


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        ("我 only caught half of that，sorry。", True),
        ("我only caught half of that,sorry.", True),
        ("我Wasn't able to understand what you just said", True),
        ("Sorry，could you say that again？", True),
        ("你的 last message came through clearly and has been answered.", False),
        ("但 most people pay about 40。", False),
    ],
)
def test_english_that_was_written_as_chinese_is_read_as_english(reply: str, wanted: bool) -> None:
    assert asks_again(reply, "en") is wanted


@pytest.mark.parametrize(
    "reply",
    [
        "I'm happy to help! Could you repeat that?",
        "I'd be glad to help, could you please repeat the question?",
        "I'd be happy to help if you could clarify.",
        "Happy to look into it. Please repeat the number.",
        "Feel free to take your time, but could you repeat that?",
        "Sorry, I can't understand what you're saying.",
        "I can't hear what you're saying.",
        "I don't understand what you are asking.",
        "I didn't quite catch what you were trying to say.",
        "I couldn't make out what you just asked.",
        "I got the first part but not the rest.",
        "I heard the beginning but then it all went dead.",
        "I caught the last word but missed everything before it.",
        "Sorry, I just caught the end of that.",
        "I only heard the first few words.",
        "I heard you say something but not what.",
        "I could hear someone talking but no words.",
        "I don't want to guess so could you say that again?",
        "I wouldn't want to get this wrong so please repeat that.",
        "I don't need the whole address but could you repeat the street?",
        "Is your microphone working?",
        "Is your mic on?",
        "Is the line clear?",
        "I seem to have missed that.",
        "I think I missed your last few words, I'm afraid you broke up.",
        "None of it came through.",
        "You're not coming through.",
        "What language is that?",
        "I'm not sure what that was.",
        "I couldn't tell what you said.",
        "That didn't sound like any language I know.",
        "Your microphone seems to be off.",
        "There's some feedback on the line.",
        "Could you tell me your name again?",
        "Could we start again?",
        "Mind if I ask for your name again?",
    ],
)
def test_english_that_asks_again(reply: str) -> None:
    assert asks_again(reply, "en")


@pytest.mark.parametrize(
    "reply",
    [
        "I'm sorry, I have nothing available before Thursday.",
        "I got nothing under forty dollars.",
        "All we got was a voucher.",
        "Would you like to leave some feedback?",
        "We are getting great feedback from our guests.",
        "The boiler makes some noise.",
        "Your payment has not come through yet.",
        "The visa hasn't come through.",
        "We couldn't get through to your bank.",
        "You can't get through to them at the weekend.",
        "Members pay only half of that.",
        "Children get only half of that back.",
        "You are too far away for delivery.",
        "That was too low to win the bid.",
        "You get the first month free, but pay from the second.",
        "We get the first coat on today but not the second.",
        "The first part is covered, but not the rest.",
        "I have it registered under Smith.",
        "We have got that registered for you.",
        "It didn't register the car with the city.",
        "We are not getting any more in.",
        "The courier is not picking up any parcels today.",
        "You won't get all of it back.",
        "You never get half of that from a broker.",
        "The technician can't make it before Thursday.",
        "I can't work out the price without a survey.",
        "I couldn't tell what the repair would cost.",
        "The site is down, please try again later.",
        "Please try again with another card.",
        "Please try again when the light is green.",
        "Please tell us if it happens again.",
        "Please ask the nurse if the fever comes again.",
        "Can I start your subscription again?",
        "Please tell the driver to ring again.",
        "Could we try your card again?",
        "We only got a few left.",
        "We just got some new ones in.",
        "I just caught the last train.",
        "I'm not sure what that would cost.",
        "I'm not sure what it weighs.",
        "I'm not sure I got the email.",
        "That doesn't sound like a problem.",
        "That does not seem like a fair price.",
        "What language would you like the tour in?",
        "What language is the film in?",
        "You've missed that train.",
        "We missed that delivery, so it comes tomorrow.",
        "You can't catch the last bus after eleven.",
        "You can't catch that flight from here.",
        "I hear you but we do not offer refunds.",
        "I heard you but that is not our policy.",
        "Take the blue line to our office.",
        "The voice of the off-road guide is mine.",
        "The line to our lower car park is short.",
    ],
)
def test_english_of_content_in_the_same_words(reply: str) -> None:
    assert not asks_again(reply, "en")


@pytest.mark.parametrize(
    ("reply", "wanted"),
    [
        ("不用说那么快请再说一遍", True),
        ("您不必解释请重复一遍", True),
        ("您说得不够清楚", True),
        ("您讲得不太明白。", True),
        ("您的话断了。", True),
        ("您说的话有点模糊。", True),
        ("您说话有点快。", True),
        ("您能慢一点吗？", True),
        ("请慢一点。", True),
        ("请您说慢一点。", True),
        ("能清楚一点说吗？", True),
        ("请您说清楚。", True),
        ("请重复。", True),
        ("可以重复一遍吗？", True),
        ("请重复您的问题。", True),
        ("能换个方式说吗？", True),
        ("线路不太好。", True),
        ("信号不好。", True),
        ("您可以再问一遍吗？", True),
        ("网络卡了一下。", True),
        ("您好，我是小李，请问有什么可以帮您？", True),
        ("您好我是小李请问有什么可以帮您", True),
        ("我是小王，我是您的客服，有什么可以帮您？", True),
        ("会员的话不收运费。", False),
        ("单买的话有点贵。", False),
        ("这样的话太晚了。", False),
        ("您可以在机场买电话卡。", False),
        ("电话不收费。", False),
        ("这样的话小孩免票。", False),
        ("优惠券不能重复使用。", False),
        ("会员可以重复购买。", False),
        ("这个账号可以重复下单。", False),
        ("周末配送会慢一些。", False),
        ("高峰期上网会慢一点。", False),
        ("照片要清楚一些。", False),
        ("您可以换个方式付款。", False),
        ("我们可以换个方式送货。", False),
        ("这条线路不经过机场。", False),
        ("这条线路有点绕。", False),
        ("信号不另外收费。", False),
        ("我先跟您说清楚，押金不退。", False),
        ("合同里会给您说清楚一点。", False),
        ("您可以再问一下前台。", False),
        ("您可以再问一下司机。", False),
    ],
)
def test_chinese_that_asks_again_and_content_in_the_same_words(reply: str, wanted: bool) -> None:
    assert asks_again(reply, "zh") is wanted


def test_a_flood_is_not_read_to_its_end() -> None:
    assert not asks_again("yes " * 1000 + "could you repeat that?", "en")


@pytest.mark.parametrize(
    "piece",
    [
        *("我是", "喂，", "请您", "sorry ", "i am so sorry, ", "could you please ", "?! ", "not "),
        *(
            "what is your a ",
            "could not quite ",
            "i heard you that ",
            "your line is very ",
            "no need to ",
            "er, ",
        ),
        *(
            "you just seem to ",
            "would you like ",
            "there is a lot of ",
            "您的声音",
            "不用再说",
            "没听",
            "我only ",
        ),
    ],
)
def test_a_flood_takes_no_time(piece: str) -> None:
    began = time.process_time()
    for language in LANGUAGES:
        asks_again(piece * 1000, language)
    assert time.process_time() - began < 1.0


@pytest.mark.parametrize(
    ("head", "piece", "language"),
    [
        ("I didn't ", "quite seem to ", "en"),
        ("We couldn't ", "seem to really ", "en"),
        ("They couldn't ", "quite seem to ", "en"),
        ("", "hello there ", "en"),
        ("", "hi there ", "en"),
        ("", "我是嗯嗯", "zh"),
        ("", "我是您好", "zh"),
        ("", "和, sorry, and ", "en"),
        ("请", "再能可以", "zh"),
    ],
)
@pytest.mark.parametrize("times", [24, 40, 200])
def test_a_flood_that_can_be_read_in_two_ways_takes_no_time(
    head: str, piece: str, language: Language, times: int
) -> None:
    began = time.process_time()
    asks_again(head + piece * times + "x", language)
    assert time.process_time() - began < 1.0
