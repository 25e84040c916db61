from __future__ import annotations

import pytest

from harness.calls.text.spoken_length import said_within, spoken_s


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("", 0.0),
        (" … ?! ", 0.0),
        ("Yes.", 0.4),  # 1 word / 2.5
        ("I don't think so.", 1.6),  # 4 words: an apostrophe joins
        ("Call 400-123-4000, please.", 1.2),  # 3: a number with hyphens is one
        ("Well … yes.", 1.3),  # 2 words and a pause of 0.5 s
        ("Well... yes.", 1.3),
        ("您好，请问是王先生吗？", 9 / 4.2),
        ("我要退 VIP 会员", 5 / 4.2 + 0.4),  # five characters and one word
        ("嗯", 0.3),  # nothing is shorter
    ],
)
def test_length_by_hand(text: str, seconds: float) -> None:
    assert spoken_s(text) == pytest.approx(seconds)


@pytest.mark.parametrize(
    ("text", "seconds", "said"),
    [
        ("I don't think so.", 1.6, "I don't think so."),
        ("I don't think so.", 1.2, "I don't think"),
        ("I don't think so.", 1.19, "I don't"),
        ("I don't think so.", 0.3, ""),
        ("Call 400-123-4000, please.", 1.0, "Call 400-123-4000"),
        ("Well … yes, sir.", 1.3, "Well … yes"),
        ("Well … yes, sir.", 0.5, "Well"),
        ("您好，请问是王先生吗？", 4 / 4.2, "您好，请问"),
        ("我要退 VIP 会员", 3 / 4.2 + 0.4, "我要退 VIP"),
        ("Yes.", 0.0, ""),
        (" … ", 1.0, " … "),
    ],
)
def test_what_is_said_within_a_time(text: str, seconds: float, said: str) -> None:
    assert said_within(text, seconds) == said
