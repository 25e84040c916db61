"""A no to what is wanted of somebody."""

from __future__ import annotations

import pytest

from voice_sim.understanding.acts import Language
from voice_sim.understanding.refusals import says_no


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("No, thanks.", "en"),
        ("Oh, sorry, no.", "en"),
        ("I'm not interested, really.", "en"),
        ("Look, I don't want a card.", "en"),
        ("I’m too busy.", "en"),
        ("It's a bad time.", "en"),
        ("不用了，谢谢。", "zh"),
        ("嗯，不好意思，我现在不太方便。", "zh"),
        ("我没兴趣。", "zh"),
        ("您打错了。", "zh"),
        ("No.", "en"),
        ("No, I have one already.", "en"),
        ("Go ahead if you like, but I don't need it.", "en"),
        ("I can't go on like this. Stop calling.", "en"),
        ("I'm not interested, just go ahead and delete my number.", "en"),
        ("No. You're not getting that.", "en"),
        ("No, I'd rather go on telephoning.", "en"),
        ("我没钱。", "zh"),
        ("不卖，别打了。", "zh"),
        ("本人拒绝。", "zh"),
        ("您说的我不需要。", "zh"),
        ("不了，谢谢。", "zh"),
        ("不行。", "zh"),
        ("我拒绝。", "zh"),
        ("别再打了。", "zh"),
        ("不用介绍了，我不想听您说。", "zh"),
        ("不。", "zh"),
    ],
)
def test_a_no(text: str, language: Language) -> None:
    assert says_no(text, language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Yes.", "en"),
        ("No problem.", "en"),
        ("I know, go on.", "en"),
        ("Who is it?", "en"),
        ("不好意思，您说。", "zh"),
        ("不错，您说。", "zh"),
        ("不知道，您是哪位？", "zh"),
        ("No, go ahead.", "en"),
        ("no go ahead", "en"),
        ("No, I'm not busy.", "en"),
        ("No, not at all.", "en"),
        ("No, now is fine.", "en"),
        ("No, you're not disturbing me.", "en"),
        ("No, it's not a bad time.", "en"),
        ("No, speaking.", "en"),
        ("No way, really? Tell me more.", "en"),
        ("No rush, I have time.", "en"),
        ("I'm busy, but go on.", "en"),
        ("I don't want to miss it, tell me more.", "en"),
        ("You don't need to apologise.", "en"),
        ("不忙，您说。", "zh"),
        ("我不是很忙。", "zh"),
        ("不着急，您慢慢说", "zh"),
        ("不用客气。", "zh"),
        ("别担心，我在听", "zh"),
        ("别客气", "zh"),
        ("不如您先介绍一下", "zh"),
        ("不管怎样您先说", "zh"),
        ("不是我本人，是我太太。", "zh"),
        ("您拒绝过我的申请", "zh"),
        ("没什么不方便的，您讲。", "zh"),
        ("我现在不方便，不过你先说吧。", "zh"),
    ],
)
def test_no_no(text: str, language: Language) -> None:
    assert not says_no(text, language)


@pytest.mark.parametrize(
    ("asked", "text", "language", "no"),
    [
        ("Is this a bad time?", "No, that's fine.", "en", False),
        ("Hello, Anna here. Am I disturbing you?", "No.", "en", False),
        ("Is that Mr. Zhang?", "No, his son.", "en", False),
        ("Do you have a car?", "No, I don't.", "en", False),
        ("Have you had the letter?", "No.", "en", False),
        ("Is this a good time?", "No.", "en", True),
        ("Would you like a card?", "No, that's fine.", "en", True),
        ("Do you need a loan?", "No.", "en", True),
        ("A card?", "No.", "en", True),
        ("Is there anything else?", "No.", "en", True),
        ("We have a voucher for you.", "No.", "en", True),
        ("Are you busy right now?", "No, but I'm not interested.", "en", True),
        ("会打扰您吗？", "不，没事。", "zh", False),
        ("您收到信了吗？", "不，还没有。", "zh", False),
        ("您现在方便吗？", "不。", "zh", True),
        ("您需要贷款吗？", "不。", "zh", True),
    ],
)
def test_what_was_asked_decides_on_a_mere_no(asked: str, text: str, language: Language, no: bool) -> None:
    assert says_no(text, language, asked=asked) is no
