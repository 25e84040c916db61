"""Replies that ask again, and others that use the same words about something else.

Both sets were written after the rules that they were first held to; the second when these had been mended by
the first. ``docs/probes.md`` has what came of each at first sight; here nothing may get worse.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any, cast

import pytest

from spoken_language.asking_again import Language, asks_again

HERE = Path(__file__).parent


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
    for language in ("en", "zh"):
        asks_again(piece * 1000, cast(Language, language))
    assert time.process_time() - began < 1.0
