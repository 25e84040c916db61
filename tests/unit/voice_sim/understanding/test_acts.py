from __future__ import annotations

import pytest

from voice_sim.understanding.acts import Language, acts_of, split_sentences


def test_titles_do_not_end_a_sentence() -> None:
    text = "Hello, is that Mrs. Sun? This is Li Ming. Have you got a minute?"
    assert split_sentences(text, "en") == [
        "Hello, is that Mrs. Sun?",
        "This is Li Ming.",
        "Have you got a minute?",
    ]
    assert split_sentences("您好。请问是孙阿姨吗？", "zh") == ["您好。", "请问是孙阿姨吗？"]


@pytest.mark.parametrize(
    ("text", "language", "flag"),
    [
        ("Hello, is that Mrs. Sun?", "en", "asks_identity"),
        ("Am I speaking with Zhang Qiang?", "en", "asks_identity"),
        ("请问是孙阿姨吗？", "zh", "asks_identity"),
        ("Is now a good time?", "en", "asks_for_time"),
        ("Have you got four minutes?", "en", "asks_for_time"),
        ("Would five minutes be possible?", "en", "asks_for_time"),
        ("您现在说话方便吗？", "zh", "asks_for_time"),
        ("您这会儿能聊几句吗？", "zh", "asks_for_time"),
        ("您那边说话方便不？", "zh", "asks_for_time"),
        ("Anything else on your mind?", "en", "asks_for_more"),
        ("Is there a question left?", "en", "asks_for_more"),
        ("您还有别的要问吗？", "zh", "asks_for_more"),
        ("Talk to you tomorrow.", "en", "farewell"),
        ("Talk to you on the tenth, then.", "en", "farewell"),
        ("Thanks again. Bye bye.", "en", "farewell"),
        ("Okay, good-bye.", "en", "farewell"),
        ("好嘞，拜拜。", "zh", "farewell"),
        ("好，咱们三楼见。", "zh", "farewell"),
        ("行，咱们后天再聊。", "zh", "farewell"),
        ("那我们周五电话里说。", "zh", "farewell"),
        ("Thanks for hearing me out, and a quiet night to you.", "en", "farewell"),
        ("Good morning, this is Wang Hong.", "en", "greets"),
        ("喂，您好。", "zh", "greets"),
        ("Could you say that again?", "en", "asks_to_repeat"),
        ("Sorry, I didn't quite catch your name.", "en", "asks_to_repeat"),
        ("没听清，您再说一遍？", "zh", "asks_to_repeat"),
        ("您能给我再说一遍吗？", "zh", "asks_to_repeat"),
        ("麻烦您跟我再讲一下。", "zh", "asks_to_repeat"),
        ("Sorry, I didn't get your last name.", "en", "asks_to_repeat"),
        ("I didn't get your answer.", "en", "asks_to_repeat"),
        ("那就这样，再见。", "zh", "farewell"),
        ("One moment, please.", "en", "asks_to_wait"),
        ("Okay, just a second, let me check.", "en", "asks_to_wait"),
        ("请稍等一下。", "zh", "asks_to_wait"),
        ("Please wait.", "en", "asks_to_wait"),
        ("Please hold, please hold.", "en", "asks_to_wait"),
        ("请等一下，请等片刻。", "zh", "asks_to_wait"),
        ("Shut up, you idiot.", "en", "insults"),
        ("闭嘴。", "zh", "insults"),
        ("I don't know that, I'd have to find out.", "en", "admits_ignorance"),
        ("这个我手头没有信息。", "zh", "admits_ignorance"),
    ],
)
def test_recognised(text: str, language: Language, flag: str) -> None:
    flags = acts_of(text, language)
    assert getattr(flags, flag) is True
    others = {"farewell", "asks_to_wait", "insults", "admits_ignorance"} - {flag}
    assert not any(getattr(flags, other) for other in others)


@pytest.mark.parametrize(
    "text",
    [
        "You have a year to pay it back, until Friday, January 24.",
        "One moment you're happy, the next you aren't.",
        "I talk to you and to nobody else.",
        "I say that this was said once, and I won't say it.",
        "It was a stupendous shutdown.",
        "You take care of the paper, I do the rest.",
        "We only talk to you on the phone.",
        "We didn't get your payment.",
        "We didn't get your last payment.",
    ],
)
def test_not_mistaken(text: str) -> None:
    acts = acts_of(text, "en")
    flags = [acts.farewell, acts.asks_to_wait, acts.insults, acts.asks_for_more, acts.asks]
    assert [*flags, acts.asks_to_repeat, acts.greets] == [False] * 7


@pytest.mark.parametrize("text", ["我给您再说一遍。", "那我再说一遍。", "我跟您再讲一下流程。"])
def test_who_says_it_again_does_not_ask_for_it(text: str) -> None:
    assert not acts_of(text, "zh").asks_to_repeat


@pytest.mark.parametrize(
    ("text", "awaits"),
    [
        ("How did you notice it?", True),
        ("That's all I need, goodbye.", False),
        ("Let me know if you need anything.", False),
        ("Let me know what you need.", True),
        ("The charge is blocked from today.", False),
    ],
)
def test_an_answer_is_awaited(text: str, awaits: bool) -> None:
    assert acts_of(text, "en").sentences[-1].awaits_answer is awaits


@pytest.mark.parametrize(
    ("text", "asks", "proposes"),
    [
        ("How did you notice it?", True, False),
        ("To start the check I need the last four digits.", True, False),
        ("Tell me how you noticed it.", True, False),
        ("Does that suit you?", True, True),
        ("Shall I put you down for Friday?", True, True),
        ("The charge is blocked from today.", False, False),
        ("what would you like", True, False),
        ("And what has it meant for you, apart from the money.", True, False),
        ("Do you have about five minutes.", True, False),
        ("what I can see is this on Thursday", False, False),
        ("How you noticed it is in the report.", False, False),
        ("What matters now is the report.", False, False),
    ],
)
def test_questions(text: str, asks: bool, proposes: bool) -> None:
    (sentence,) = acts_of(text, "en").sentences
    assert (sentence.asks, sentence.proposes) == (asks, proposes)


@pytest.mark.parametrize(
    ("text", "asks"),
    [("您跟我说了，我才帮得上您。", False), ("您跟我说一声。", True), ("告诉我门牌号。", True)],
)
def test_what_was_told_is_no_request_to_tell_it(text: str, asks: bool) -> None:
    assert acts_of(text, "zh").asks is asks


def test_what_one_just_needs_is_asked_for_and_time_is_not() -> None:
    for said, asks in (
        ("First I just need the last four digits of your card.", True),
        ("Nothing bad, I just need two minutes.", False),
        ("If you like, I'd just need a name.", False),
    ):
        assert acts_of(said, "en").asks is asks, said
