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


def test_a_flood_is_not_read_to_its_end() -> None:
    assert not asks_again("yes " * 1000 + "could you repeat that?", "en")


@pytest.mark.parametrize(
    "piece",
    [
        *("我是", "喂，", "请您", "sorry ", "i am so sorry, ", "could you please ", "?! ", "not "),
        *("what is your a ", "could not quite "),
    ],
)
def test_a_flood_takes_no_time(piece: str) -> None:
    began = time.process_time()
    for language in ("en", "zh"):
        asks_again(piece * 1000, cast(Language, language))
    assert time.process_time() - began < 1.0
