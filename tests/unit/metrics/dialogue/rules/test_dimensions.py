"""Each dimension's rules on replies with planted faults, and on what they must not mistake for one."""

from __future__ import annotations

import pytest

from metrics.dialogue.rules import hallucination, redundancy
from tests.unit.metrics.dialogue.rules.replies import points, reply


@pytest.mark.parametrize(
    "said",
    [
        "It was 88 yuan on December 20, a Friday.",
        "That's eighty-eight yuan, on the card ending in 3306.",
        "You'll hear by Monday, January thirteenth, within three working days.",
        "My line is 010 1234 5678, and my mail is li.ming@bank.com.",
        "You get a refund with interest if it was our mistake.",
        "Could we talk on Thursday at four?",
        "I don't have that at hand, but I'll find out for you.",
        "One moment, there are two things I'd like to say.",
        "Thank you, Mrs. Sun. Li Ming from Changjiang Bank will call.",
        "I can't promise any compensation.",
        "You hear by Monday the thirteenth.",
        "There are two things I need, and half of 88 is 44, an equal half each.",
        "That was nineteen days ago, on December 20.",
        "In other words, 3 working days.",
        "I won't send you a voucher, I'm not allowed to.",
    ],
)
def test_what_the_prompt_has_is_no_hallucination(said: str) -> None:
    assert points(hallucination.judge, "C: Hello?", f"A: {said}") == 2


BRIEF = """# Who you are
Li Ming of Changjiang Bank, order number 4471902658.

# What you know
- The plan costs 1000 yuan; a session lasts 60 minutes. There are 30 lessons. Parcel 16.
- Hotline 4008123456.
- If the caller asks for a refund or a discount: "I can't give you a refund or a discount."
"""
BRIEF_ZH = """# 你的身份
王红，黄河银行。

# 你已知的
- 套餐每月1000元。
- 如果客户要退款：我们不能退款。
"""


@pytest.mark.parametrize(
    ("said", "score"),
    [
        # A week and a year are hardly figures; what stands beside them is.
        ("It goes on for one year.", 2),
        ("Within one week you get 500 yuan back.", 0),
        ("Within one week, 45 days at most.", 0),
        # A number is known as it is, or as the end or beginning of a long one.
        ("It's the order ending in 2658.", 2),
        ("It's the order that begins with 4471.", 2),
        ("The hotline is 400 812 3456.", 2),
        ("It's the order 7190.", 0),
        ("The plan costs 100 yuan.", 0),
        ("The code is 812.", 0),
        # With a unit it is known with that unit, or with none.
        ("A session lasts 60 minutes.", 2),
        ("You have 30 classes.", 2),
        ("You have 60 days.", 0),
        ("A session lasts 1000 minutes.", 0),
        # Only the word for a no hides no promise.
        ("We will not give you a full refund.", 2),
        ("No problem, I will give you a full refund.", 0),
        ("Don't worry, I'll give you a full refund.", 0),
        ("No problem I will give you a full refund.", 0),
        ("I'm sorry, there is no refund, I will not give you one.", 2),
    ],
)
def test_a_figure_or_promise_counts_by_itself(said: str, score: int) -> None:
    found = hallucination.judge(reply("C: I want a refund.", f"A: {said}", prompt=BRIEF))
    assert found.score == score, found.reason


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ("没问题，给您退款。", 0),
        ("没问题给您退款。", 0),
        ("我们不能给您退款。", 2),
        ("我们不同意给您退款。", 2),
        ("您不满足条件给您退款。", 2),
        ("您这单不适用给您退款的规定。", 2),
        ("您不适合给您退款的规定。", 2),
        ("我这边不便给您退款。", 2),
        ("给您带来不便给您退款。", 0),
        ("引起您的不便给您退款。", 0),
        ("不适用可以给您退款。", 0),
        ("未满12岁给您退款。", 0),
        ("您不符合可以给您退款的规定。", 2),
        ("一周之内到账500元。", 0),
        ("一周之内处理好。", 2),
        ("套餐每月1000元。", 2),
        ("套餐每月100元。", 0),
    ],
)
def test_a_figure_or_promise_counts_by_itself_in_chinese(said: str, score: int) -> None:
    found = hallucination.judge(reply("C: 我要退款。", f"A: {said}", prompt=BRIEF_ZH, language="zh"))
    assert found.score == score, found.reason


@pytest.mark.parametrize(
    "said",
    [
        "It was 98 yuan.",
        "Call our hotline on 400-800-1234.",
        "You'll have it by January 14.",
        "It comes on Tuesday.",
        "It takes five working days.",
        "Write to help@bank.com.",
        "My colleague Peter will take over.",
        "We'll send you a voucher for your trouble.",
        "If you don't answer, our lawyers will.",
        "That is ninety percent certain.",
        "I'll call you at half past six.",
        "There are seven colleagues on it.",
        "It was kept at four degrees all night.",
        "There's a free shuttle from the station.",
        "Most of our customers sign at once.",
        "The fix comes with the next update.",
        "By Monday the fourteenth you get the result.",
        "You get the result in a fortnight.",
    ],
)
def test_what_the_prompt_does_not_have_is_a_hallucination(said: str) -> None:
    assert points(hallucination.judge, "C: Hello?", f"A: {said}") == 0


def test_a_figure_that_the_prompt_has_elsewhere_is_wrong_where_it_says_another() -> None:
    lines = [
        "In the first three months you can stop at the end of any month.",
        "The check takes six months.",
        *(f"Shelf {number} is the place of folder {number}." for number in range(20, 60)),
    ]
    prompt = "\n".join(lines)
    said = "A: In the first six months you can stop at the end of any month."
    assert hallucination.judge(reply("C: Are we stuck?", said, prompt=prompt)).score == 0
    right = "A: In the first three months you can stop at the end of any month."
    assert hallucination.judge(reply("C: Are we stuck?", right, prompt=prompt)).score == 2


def test_what_the_prompt_only_refuses_may_not_be_granted() -> None:
    prompt = "Q: Can you waive the interest?\nA: I have no right to waive it. I can pass on a request."
    granted = reply("C: And the interest?", "A: Sure, I'll waive it for you.", prompt=prompt)
    refused = reply("C: And the interest?", "A: I can't waive it, I'll pass on a request.", prompt=prompt)
    assert hallucination.judge(granted).score == 0
    assert hallucination.judge(refused).score == 2


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("年利率是百分之零点二。", 0),
        ("1月10号星期五五点以前给您结果。", 2),
        ("周五下午三点半给您结果。", 0),
        ("这个数据我不掌握，无可奉告。", 1),
        ("这个我手头没有，我去问清楚再告诉您。", 2),
    ],
)
def test_hallucination_and_not_knowing_in_chinese(said: str, expected: int) -> None:
    assert points(hallucination.judge, "C: 喂？", f"A: {said}", language="zh") == expected


@pytest.mark.parametrize("line", ["公司不同意退款。", "这类订单不适用退款。", "客服不便办退款。"])
def test_a_chinese_refusal_in_the_prompt_offers_nothing(line: str) -> None:
    promised = reply("C: 喂？", "A: 好的，给您退款。", prompt=f"王红，黄河银行。\n{line}", language="zh")
    assert hallucination.judge(promised).score == 0


def test_what_the_caller_said_may_be_repeated_but_not_granted() -> None:
    assert points(hallucination.judge, "C: I paid 450 yuan to Peter.", "A: So 450 yuan to Peter.") == 2
    asked = "C: What about compensation?"
    assert points(hallucination.judge, asked, "A: The compensation is not settled.") == 2
    assert points(hallucination.judge, asked, "A: Of course, you'll get compensation.") == 0


def test_a_stiff_i_do_not_know_is_half_and_what_is_not_known_cannot_be_compared() -> None:
    assert points(hallucination.judge, "C: And the rate?", "A: I don't know about this.") == 1
    assert points(hallucination.judge, "C: And the rate?", "A: I don't know yet, let me ask.") == 2
    assert hallucination.judge(reply("A: It was 98 yuan.", prompt="")).score is None


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ("那笔是50元，12月31号扣的，三个工作日内给您结果。", 2),
        ("我是黄河银行的王红，直线是零一零一二三四三零七一。", 2),
        ("给您补偿800元。", 0),
        ("十个工作日内退给您。", 0),
        ("我请张经理给您回电话。", 0),
        ("这个我不清楚。", 1),
        ("这个我手头没有，回头查一下再告诉您。", 2),
    ],
)
def test_hallucination_in_chinese(said: str, score: int) -> None:
    assert points(hallucination.judge, "C: 喂？", f"A: {said}", language="zh") == score


@pytest.mark.parametrize(
    ("said", "score"),
    [
        ("When did you notice it?", 2),
        ("That's settled then, right?", 2),
        ("Shall I call today, or would tomorrow suit you better?", 2),
        ("When was that? And which card was it?", 1),
        ("When was that, which card was it, and what did you buy?", 0),
        ("I've noted that down. " * 3, 1),
        (
            "Thank you so much for your patience and your understanding. We really value you as a "
            "customer, and we sincerely apologize for any inconvenience. Please don't hesitate to call, and "
            "feel free to contact us. Rest assured, your satisfaction is very important to us. It's our "
            "pleasure to serve you, valued customer. Have a wonderful day. We truly appreciate your trust. "
            "Rest assured that we value you. Thank you for your trust.",
            0,
        ),
        (
            "At the end of the day it comes down to the big picture. Everybody's different, everybody has a "
            "way of his own, and that's fine, because in the end it's about what works, what doesn't, and "
            "that's really what it is all about.",
            0,
        ),
        ("It's the cover premium. So the premium, the cover premium, that's it.", 1),
        ("How many do you have? And how long does one take, when there's no rush?", 1),
        ("您当时是怎么发现的？", 2),
        ("这样安排，您看行吗？", 2),
        ("什么时候扣的？哪张卡？当时在办什么业务？", 0),
    ],
)
def test_redundancy(said: str, score: int) -> None:
    assert points(redundancy.judge, "A: Hello.", "C: Yes?", f"A: {said}") == score


def test_saying_it_all_again_is_redundant_unless_it_was_asked_for() -> None:
    long = (
        "What I can see is that on Friday the eighty-eight yuan was booked as an accident cover premium, and "
        "what I can't tell you yet is whether it should have been charged at all, so we check that now."
    )
    assert points(redundancy.judge, f"A: {long}", "C: I see.", f"A: {long}") == 0
    assert points(redundancy.judge, f"A: {long}", "C: Sorry, I didn't catch that.", f"A: {long}") == 2


def test_asking_who_is_there_is_no_second_question() -> None:
    greeting = "A: Hello, is that Mrs. Sun? Li Ming from Changjiang Bank. Do you have five minutes?"
    assert points(redundancy.judge, greeting) == 2
