"""Questions for the person, for a repetition and to find out, and what only has their words."""

from __future__ import annotations

import pytest

from voice_sim.understanding.acts import Language, acts_of


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("请问是哪一天扣的？", "zh"),
        ("您是说周二吗？", "zh"),
        ("Is that Tuesday?", "en"),
        ("Is it January?", "en"),
        ("Is this Okay?", "en"),
        ("Is that Christmas?", "en"),
        ("Is it English?", "en"),
        ("请问是什么时候买的？", "zh"),
        ("请问是第几次来？", "zh"),
        ("请问是因为价格吗？", "zh"),
        ("您是想退货吗？", "zh"),
        ("您是用手机付的吗？", "zh"),
        ("您是自己住吧？", "zh"),
        ("请问是周二吗？", "zh"),
        ("请问是几点到的？", "zh"),
    ],
)
def test_no_question_for_who_it_is(text: str, language: Language) -> None:
    assert not acts_of(text, language).asks_identity


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Is that Mr. Zhang?", "en"),
        ("Is that Anna?", "en"),
        ("Is this Li Ming?", "en"),
        ("Is that April Jones?", "en"),
        ("请问是孙阿姨吗？", "zh"),
        ("您是王红吗？", "zh"),
        ("请问是哪一位？", "zh"),
        ("请问是周先生吗？", "zh"),
        ("您是孙女士吧？", "zh"),
        ("请问是不是李先生？", "zh"),
        ("请问是刘洋吗？", "zh"),
    ],
)
def test_a_question_for_who_it_is(text: str, language: Language) -> None:
    assert acts_of(text, language).asks_identity


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("So you didn't get the letter, is that right?", "en"),
        ("She couldn't hear the bell.", "en"),
        ("They didn't understand the contract.", "en"),
        ("You can't get it wrong.", "en"),
        ("Did you say you didn't catch the train?", "en"),
        ("I didn't get the parcel from the depot.", "en"),
        ("We can't get a technician before Monday.", "en"),
        ("Customers who didn't hear from us get a letter.", "en"),
        ("I can't understand why that happened.", "en"),
        ("您没听清是吗？", "zh"),
        ("我再说一遍，十一号周六十点。", "zh"),
        ("您听不清吗？我大声点。", "zh"),
        ("好，我再讲一次。", "zh"),
    ],
)
def test_no_request_to_repeat(text: str, language: Language) -> None:
    assert not acts_of(text, language).asks_to_repeat


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("I didn't get that.", "en"),
        ("Sorry, I didn't quite catch your name.", "en"),
        ("Didn't catch that.", "en"),
        ("Sorry, couldn't hear you.", "en"),
        ("I'm afraid I didn't understand.", "en"),
        ("The line crackled, sorry, I didn't get the last word.", "en"),
        ("I can't hear you.", "en"),
        ("We couldn't quite hear that.", "en"),
        ("Could you say that again?", "en"),
        ("我没听清。", "zh"),
        ("刚才那句没听清。", "zh"),
        ("听不见，您大声点。", "zh"),
        ("麻烦您再说一遍。", "zh"),
        ("不好意思，没听懂。", "zh"),
    ],
)
def test_a_request_to_repeat(text: str, language: Language) -> None:
    assert acts_of(text, language).asks_to_repeat


@pytest.mark.parametrize(
    ("text", "finds_out"),
    [
        ("我想问一下您的年龄。", False),
        ("问一下，您几点方便？", False),
        ("跟您问一下地址。", False),
        ("我帮您问一下。", True),
        ("这个我去问一下。", True),
        ("回头问一下再告诉您。", True),
        ("我问一下仓库。", True),
        ("我问一下再告诉您。", True),
    ],
)
def test_asking_the_listener_is_no_ignorance(text: str, finds_out: bool) -> None:
    assert acts_of(text, "zh").admits_ignorance is finds_out
