"""Leave that is taken, and courtesy that only sounds like it."""

from __future__ import annotations

import pytest

from tests.unit.voice_sim.policies.agenda.people import Talk, greeted, person
from voice_sim.understanding.acts import acts_of
from voice_sim.understanding.farewells import only_courtesy

COURTESY_EN = (
    "Thank you for your patience. I've checked, and the fee is twenty dollars.",
    "I have a good offer for you.",
    "You have the rest of the week to decide.",
    "Good evening to you. This is Anna",
    "Thanks for taking my call.",
    "These are all the best plans",
    "The technician will see you on Tuesday at ten.",
    # further ones
    "Thanks for listening, and here is what it costs.",
    "Thank you for bearing with me. The order left on Monday.",
    "Our doctor will talk to you tomorrow about the results.",
    "We have a great day planned for the children.",
    "All the best seats are gone.",
    "You have a good chance of a refund.",
    "They take care to call ahead.",
    "Did you have a good weekend?",
    "Say goodbye to high fees with our new card.",
    "Before we say goodbye, the fee is twenty dollars.",
    "Thank you for your time. The survey has ten questions.",
    "Good luck is not what you need here.",
    "Hello, thank you for your time today.",
    "Hello, I hope you have a great day.",
    "Thank you for your time, thanks. Your order is on its way.",
    "Before we say goodbye now, the fee is twenty dollars.",
    "If you need anything, call us.",
    "We look forward to seeing you.",
    "Have a great day, but before that the fee is due.",
    "Have a great day! We look forward to seeing you at ten, and bring your card.",
    "Have a good day. Please do not call us.",
    "Have a good day. If you change your mind, the deposit is lost.",
    "Time to say goodbye, old windows!",
    "Time to say bye bye high interest.",
    "Say good bye, high fees!",
    "Let's say bye-bye to late payments.",
    "It's time to say goodbye and hello to a new kitchen.",
    "You can say goodbye to high bills.",
    "Call now and say goodbye, high interest!",
    "I'll say goodbye to the old windows.",
)
COURTESY_ZH = (
    "感谢您的反馈，我记下了。",
    "感谢您接听",
    "打扰您了，我是长江银行的小李。",
    "我们先说价格，再说。",
    # further ones
    "感谢您的耐心等待，系统还在查。",
    "感谢您的理解。",
    "您好，打扰您了。",
    "不会打扰您太久。",
    "祝您生日快乐，另外有件事跟您说。",
    "我们先看材料，再谈。",
    "咱们再说价格的事。",
    "这个费用咱们再说。",
    "您再见到他就告诉他。",
    "感谢您的支持，我再给您念一遍流程。",
    "谢谢您的配合，我给您登记好了。",
    "我们没意见。",
    "那很常见。",
    "那不多见。",
    "我们没听见。",
    "我们好久不见。",
    "您好，祝您新年快乐。",
    "再见，不过还有一笔手续费要交。",
    "有问题随时联系我们。",
    "从此跟逾期说拜拜！",
    "跟高息说再见。",
    "您可以跟他说声再见",
    "还没来得及说再见。",
    "我们都看得见。",
    "那这种情况在我们店里也不多见。",
    "跟您的高息说再见！",
    "对旧手机说再见吧。",
    "我们帮您和高息说再见！",
    "向逾期道一声再见。",
    "我们一般都是约在周末见。",
    "我们一般安排在早上见。",
    "明明说好在门口见。",
    "我们平时周六都在公司楼下见。",
)
LEAVES_EN = (
    "It's booked for Monday. Thank you for your patience.",
    "Have a nice day.",
    "You have a good day.",
    "Thank you for your time, have a lovely evening.",
    "Enjoy the rest of your day.",
    "See you on Tuesday at ten.",
    "We'll see you on Wednesday, January 15, at half past twelve.",
    "All the best for the house.",
    "I wish you all the best.",
    "Good night, Mrs. Sun.",
    "Then that's settled. Take care.",
    "Goodbye, I hope it was some use.",
    "Goodbye. Thank you.",
    "Good day to you.",
    "Talk to you tomorrow. Okay, thanks.",
    "thanks for your time have a nice day bye",
    "Bye for now, but feel free to call us.",
    "Have a great day, and call if there's anything else.",
    "Have a great day! We look forward to seeing you.",
    "Have a great day. If you need anything, call us.",
    "Have a great day! Please don't hesitate to reach out to us if you have any other questions.",
    "Have a great day! Let me know if you need anything.",
    "Have a good day. If you have any further questions please do not hesitate to contact us.",
    "Have a good day. Please do not hesitate to call us.",
    "Have a good day. If you have any questions or concerns, do call us.",
    "Have a good day. If you change your mind, give us a call.",
    "Have a good day. Should your plans change, you're always welcome to call us.",
    "Hey, thanks for your time, have a great day!",
    "Hi, no problem. Have a nice evening.",
    "I'll say goodbye now.",
    "Then I'd like to say goodbye to you.",
    "Great, that's all I need, goodbye.",
    "Would you tell her that? Bye bye.",
    "Then it's time to say goodbye.",
    "I'll say bye bye for now.",
    "Let me say good bye, and have a nice day.",
    "We must say goodbye now, Mrs. Sun.",
    "It's time to say goodbye, Maria.",
    "Time to say goodbye for today.",
)
LEAVES_ZH = (
    "那就这样，祝您生活愉快。",
    "都登记好了，感谢您的配合。",
    "谢谢您的时间。",
    "好，不打扰您了。",
    "您多保重。",
    "行，咱们下周三再聊。",
    "再见，别让我查出来。",
    "谢谢您告诉我，打扰您了，再见。",
    "那周四我再打，回头见。",
    "再见。好的，谢谢。",
    "事情办好了，打扰您了。",
    "再见，祝您消费愉快！",
    "再见，让您费心了。",
    "祝您生活愉快！有问题可以随时联系我们。",
    "祝您生活愉快，欢迎您随时来电。",
    "您好，谢谢您，祝您生活愉快！",
    "我们下周三下午两点见。",
    "那我们下周一上午十点见。",
    "好的，周三下午见。",
    "那咱们周六早上九点半在门店见！",
    "那我就跟您说再见了。",
    "好，那我们就先说拜拜吧。",
    "那明天上午十点门口见。",
)


SAYS_BYE_EN = (
    "Thanks for your help. I'll say goodbye, Maria.",
    "I'll say goodbye, John.",
    "Let me say goodbye, Tom.",
    "I'll say goodbye so you can get on with your day.",
    "I must say goodbye because another call is waiting.",
    "I'll say goodbye and talk to you Monday",
    "I'll say goodbye, my friend.",
    "We'll say goodbye here, enjoy the flat.",
    "I'm going to say goodbye as it is late.",
)
SAYS_BYE_ZH = (
    "好的，感谢您的配合，我这边跟您说再见。",
    "最后跟您说再见。",
    "那我这边就不打扰了，最后跟您说声再见。",
    "那今天到此和您说声再见。",
    "在此跟您说再见。",
    "我现在跟您说再见",
    "小王跟您说再见啦",
    "跟您道声再见。",
    "那我跟您道再见了。",
    "说再见了。",
    "好，说再见吧。",
    "我和小王一起跟您说再见。",
    "跟大家说再见。",
    "不得不跟您说再见了。",
    "我会跟领导说的，再见。",
    "对不起打扰了说再见",
    "我向您介绍完了，说再见吧",
    "祝您生活愉快，跟您和家人说再见。",
)


@pytest.mark.parametrize("text", COURTESY_EN)
def test_courtesy_is_no_goodbye(text: str) -> None:
    assert not acts_of(text, "en").farewell


@pytest.mark.parametrize("text", COURTESY_ZH)
def test_chinese_courtesy_is_no_goodbye(text: str) -> None:
    assert not acts_of(text, "zh").farewell


@pytest.mark.parametrize("text", LEAVES_EN)
def test_leave_is_taken(text: str) -> None:
    assert acts_of(text, "en").farewell


@pytest.mark.parametrize("text", LEAVES_ZH)
def test_leave_is_taken_in_chinese(text: str) -> None:
    assert acts_of(text, "zh").farewell


@pytest.mark.parametrize("text", SAYS_BYE_EN)
def test_who_says_that_they_say_goodbye_does(text: str) -> None:
    assert acts_of(text, "en").says_bye


@pytest.mark.parametrize("text", SAYS_BYE_ZH)
def test_who_says_that_they_say_goodbye_does_in_chinese(text: str) -> None:
    assert acts_of(text, "zh").says_bye


def test_a_goodbye_by_name_is_told_from_a_wish() -> None:
    assert acts_of("Okay, bye now.", "en").says_bye
    assert not acts_of("Have a nice day.", "en").says_bye
    assert acts_of("好，拜拜。", "zh").says_bye
    assert not acts_of("谢谢您的时间。", "zh").says_bye


def test_only_thanks_and_okay_are_courtesy() -> None:
    assert only_courtesy("Thank you very much, Mrs. Sun.", "en")
    assert only_courtesy("好的，谢谢您。", "zh")
    assert not only_courtesy("Thank you, the fee is ten.", "en")
    assert not only_courtesy("…", "en")
    assert only_courtesy("好嘞，您忙，嗯嗯。", "zh")
    assert only_courtesy("All right, Mr. Goodman, alright.", "en")


def test_wishes_in_an_opening_end_no_call_and_a_goodbye_does() -> None:
    nothing_to_ask = person(must_ask=[])
    assert not greeted(nothing_to_ask).hears("The pizza is paid for. Thank you for your time.").parting
    assert greeted(nothing_to_ask).hears("The pizza is paid for. Goodbye.").parting
    later = greeted(nothing_to_ask)
    later.hears("Your pizza was late.")
    assert later.hears("The pizza is paid for. Thank you for your time.").parting


def test_a_wish_to_one_who_has_just_objected_ends_the_call_however_early() -> None:
    talk = Talk()
    talk.picks_up()
    assert "Vouchers, great." in talk.hears("Hello, is that Mr. Zhang? We have a voucher for you.").text
    let_go = talk.hears("No problem. Have a great day!")
    assert (let_go.takes_leave, let_go.closes_as) == (True, "declined")


def test_a_request_that_ends_in_a_goodbye_is_a_goodbye() -> None:
    talk = greeted(person(must_ask=[]))
    talk.hears("Your pizza was late.")
    assert talk.hears("Great, that's all I need, goodbye.").takes_leave
    asked = greeted(person(must_ask=[]))
    asked.hears("Your pizza was late.")
    assert not asked.hears("Goodbye. Could you tell me the order number?").takes_leave


def test_an_early_goodbye_does_not_open_topics_that_were_not_talked_about() -> None:
    """ "Who baked it?" to an agent that has spoken of nothing yet; later it is the last chance to ask."""
    early = greeted().hears("I have the wrong number. Goodbye.")
    assert not early.why.startswith("must_ask")
    late = greeted()
    for _ in range(3):
        late.hears(f"The weather is fine on day {len(late.dialogue)} of the fair.")
    assert isinstance(late, Talk)
    assert "must_ask" in late.hears("That is all I had for you. Goodbye.").why
