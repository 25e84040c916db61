"""The form of questions, English and Chinese: what kind of answer each wants."""

from __future__ import annotations

import pytest

from voice_sim.understanding.acts import Language
from voice_sim.understanding.question_forms import QuestionForm, form_of
from voice_sim.understanding.questions.answers import asks_if_any, asks_what_is_so
from voice_sim.understanding.questions.choices import names_two


@pytest.mark.parametrize(
    ("form", "question"),
    [
        ("understood", "Is that clear so far?"),
        ("understood", "Does that make sense?"),
        ("check", "Have I got that right?"),
        ("check", "So it's the fourth floor, correct?"),
        ("invites", "What would you like to know?"),
        ("say_back", "Could you repeat it back to me?"),
        ("opinion", "How does that sound?"),
        ("anything", "Any problem with the date?"),
        ("yes_no", "Would the small one be something for you, then?"),
        ("yes_no", "Is it all right with you if I begin now?"),
        ("anything", "Is there anything we should bring?"),
        ("which", "Would you rather have the red one or the blue one?"),
        ("yes_no", "Do you live near the park?"),
        ("yes_no", "We meet at noon, okay?"),
        ("yes_no", "Any good?"),
        ("open", "Where do you keep the spare key?"),
        ("open", "Could you tell me what it cost?"),
        ("open", "When was it, or roughly which month?"),
        ("open", "Your room number, please?"),
    ],
)
def test_english_questions(form: QuestionForm, question: str) -> None:
    assert form_of(question, "en") == form


@pytest.mark.parametrize(
    ("form", "question"),
    [
        ("understood", "我说的您听明白了吗？"),
        ("check", "您住三楼，对吧？"),
        ("invites", "您还想问什么？"),
        ("say_back", "您能复述一遍吗？"),
        ("opinion", "您觉得怎么样？"),
        ("anything", "您有没有什么顾虑？"),
        ("anything", "有什么要改的？"),
        ("which", "您要红的还是蓝的？"),
        ("yes_no", "周三下午行不行？"),
        ("yes_no", "您去过那家店没？"),
        ("open", "备用钥匙放哪儿了？"),
        ("open", "您一个月花多少钱？"),
    ],
)
def test_chinese_questions(form: QuestionForm, question: str) -> None:
    language: Language = "zh"
    assert form_of(question, language) == form


@pytest.mark.parametrize(
    ("language", "question", "so"),
    [
        ("en", "Did you go by bus, or not at all?", True),
        ("en", "Would you rather have tea or coffee?", False),
        ("zh", "您当时是自己去的还是别人送的？", True),
        ("zh", "您要红的还是蓝的？", False),
    ],
)
def test_what_is_so_is_no_matter_of_taste(language: Language, question: str, so: bool) -> None:
    assert asks_what_is_so(question, language) is so


@pytest.mark.parametrize(
    ("language", "question", "if_any"),
    [
        ("en", "Has anybody else got a key?", True),
        ("en", "Shall I send a key?", False),
        ("zh", "钥匙给过别人没有？", True),
        ("zh", "有没有配过钥匙，或者借出去？", True),
        ("zh", "您有没有带钥匙？", False),
        ("zh", "我把钥匙寄给您，行吗？", False),
    ],
)
def test_a_question_for_anybody_is_answered_by_a_no(language: Language, question: str, if_any: bool) -> None:
    assert asks_if_any(question, language) is if_any


@pytest.mark.parametrize(
    ("language", "question", "two"),
    [
        ("en", "The red one or the blue one?", True),
        ("en", "Which one would you like?", False),
        ("en", "The red one, or something else?", False),
        ("zh", "红的还是蓝的？", True),
        ("zh", "没时间，还是别的？", False),
    ],
)
def test_one_can_be_picked_where_two_are_named(language: Language, question: str, two: bool) -> None:
    assert names_two(question, language) is two


@pytest.mark.parametrize(
    ("language", "question", "form"),
    [
        ("en", "When shall I call you again, tomorrow afternoon, or Friday morning?", "which"),
        ("en", "Tell me now: does it fit, or would you rather ask her first?", "which"),
        ("en", "What keeps you from going, time, money, something else?", "open"),
        ("en", "So your uncle, does he have a say when something gets changed there?", "open"),
        ("zh", "下午我给您打电话，说说查到哪一步，这个点您接得了吗？", "yes_no"),
        ("zh", "您问得这么细，是不是以前吃过亏？", "yes_no"),
        ("zh", "那吃喝，您给我说一遍听听？", "say_back"),
        ("zh", "您现在主要做哪一块？", "open"),
        ("zh", "您看哪天方便？", "which"),
    ],
)
def test_the_form_is_that_of_what_is_asked(language: Language, question: str, form: QuestionForm) -> None:
    assert form_of(question, language) == form


@pytest.mark.parametrize(
    ("language", "question", "if_any"),
    [
        ("en", "Do you happen to know those?", True),
        ("zh", "您平时有没有固定的活动，散步什么的？", True),
        ("zh", "您有没有空？", False),
    ],
)
def test_who_knows_of_none_says_no(language: Language, question: str, if_any: bool) -> None:
    assert asks_if_any(question, language) is if_any
