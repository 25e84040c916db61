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
    ],
)
def test_no_no(text: str, language: Language) -> None:
    assert not says_no(text, language)
