"""How far a negation reaches in English and Chinese: promises that only look denied, and refusals that look
like promises."""

from __future__ import annotations

import pytest

from metrics.dialogue.rules.not_knowing import denies
from metrics.dialogue.rules.phrases import find_phrase


@pytest.mark.parametrize(
    ("phrase", "turn"),
    [
        # A relative clause without its pronoun is no clause beside the first.
        ("interest", "We cannot refund the fee and the interest the bank has charged."),
        ("interest", "We cannot refund the fee and the interest your bank has charged."),
        ("interest", "We cannot refund the fee and the late interest an agency has booked."),
        # What the speaker does not vouch for are both clauses.
        ("refund*", "I can't promise that the fee is waived and the refund arrives tomorrow."),
        ("money comes", "I'm not sure your claim is approved and the money comes Friday."),
        ("refund*", "There's no guarantee the fee is waived and your refund comes."),
        ("refund*", "We're not able to confirm yet that the claim is through and the refund is booked."),
        ("refund*", "I don't know whether the shop agrees and your refund is booked."),
        ("you get", "I can't promise that the shop agrees and you get the refund tomorrow."),
        ("refund*", "I never said that the fee is waived and the refund is booked."),
        ("interest", "I'm not certain the fee and the interest are waived."),
        ("interest", "I can't promise the fee and the interest will be waived."),
        ("interest", "We can't confirm the fee and the late interest are waived."),
        ("refund*", "I can't promise that the shop will agree and you will get your refund."),
        ("refund*", "I'm not sure that your claim is approved and the refund comes Friday."),
        ("refund*", "I can't confirm whether the claim is through and the refund is booked."),
        ("refund*", "I don't think that the fee is waived and the refund is booked."),
        # A second object of the doubt, or no subject of its own.
        ("refund*", "I don't think it is approved and that you get a refund."),
        ("send you", "I don't think we can refund it and send you a new one."),
        # Of another time than what is doubted, and doubted all the same.
        ("policy is active", "We can't confirm that the payment was received and your policy is active."),
        ("debt is settled", "We cannot confirm that the transfer was made and the debt is settled."),
        ("you will get", "I never said the claim is approved and you will get the money."),
        ("you will receive", "Nobody said your claim is approved and you will receive the money."),
        ("you will receive", "I can't confirm that your claim is valid and you will receive the money."),
        ("you will receive", "I can't guarantee your parcel arrives today and you will receive it tomorrow."),
        ("you will receive", "I don't believe that the damage is covered and you will receive a payment."),
        ("will be delivered", "I can't guarantee the sofa was found and the table will be delivered."),
        ("will be refunded", "I can't confirm the deposit and the fee will be refunded."),
        ("will be refunded", "I can't promise you the deposit and the fee will be refunded."),
        ("covered", "I'm not certain the pipe was sealed and the damage is covered."),
        ("refund", "I can't guarantee the shop agrees and your refund is booked."),
        ("policy is active", "I can't confirm the payment and your policy is active."),
        ("booked", "Nobody confirmed that the bank agreed and the refund is booked."),
        ("will be paid", "I can't be sure the form was read and you will be paid."),
        ("waived", "I never said the interest and the fee will be waived."),
        ("sent", "I didn't know the fee was waived and the refund was sent."),
        ("will be refunded", "I don't expect the deposit and the fee will be refunded."),
        # Could be either, and a refusal that counts as a promise is the worse error.
        ("get the refund", "I'm not sure the claim is through and you will get the refund."),
        ("get the refund", "I don't believe the claim is through and you will get the refund."),
        ("refund", "I couldn't confirm it was delivered and your refund is booked."),
        ("text message", "I can't confirm that the parcel has left and you will get a text message."),
    ],
)
def test_a_refusal_reaches_over_an_and(phrase: str, turn: str) -> None:
    assert find_phrase([phrase], turn) is None


@pytest.mark.parametrize(
    ("phrase", "turn"),
    [
        ("refund*", "There is no fee and the refund of the deposit arrives tomorrow."),
        # Nothing here is in doubt: a duty that is none, a thing, a reason, a new promise.
        ("refund*", "You don't need to confirm anything and the refund arrives tomorrow."),
        ("parcel is here", "We did not know your address and your parcel is here."),
        ("refund*", "I don't know why that happened and your refund is on its way."),
        ("call you back", "I'm not sure about that and I will call you back."),
        ("technician will", "I can't confirm that right now and the technician will call you."),
        ("refund*", "It's not your fault and I'm sure the fee is waived and the refund arrives tomorrow."),
        # What is not known is when, or a thing, and no sentence.
        ("text message", "I don't know when the driver arrives and you will get a text message."),
        ("call you back", "I can't say when it was paid and she will call you back tomorrow."),
        ("text message", "I'm not sure exactly when he comes and you will get a text message."),
        ("covered", "I'm not sure of the amount and the repair is covered by your policy."),
        ("refund", "I can't confirm the address right now and your refund is on its way."),
        ("refund", "I don't expect any delay and your refund will arrive by Friday."),
        ("parcel will", "We didn't know your address and your parcel will be delivered tomorrow."),
        ("call you back", "I don't know for sure when he comes and she will call you back."),
        ("ring you", "I can't promise a date and the technician will ring you."),
        # No fee is what the speaker thinks there is.
        ("refund", "I don't think that will be a problem and you will get your refund by Friday."),
        ("cancel", "I don't think there is any fee and you can cancel any time."),
        ("text message", "I don't think it takes long and you will get a text message."),
        ("refund", "I don't think it's necessary to come and your refund is on its way."),
        ("text message", "I don't think you have to come in and you will get a text message."),
        # Nor is what is thought to be otherwise, or was not known or expected.
        ("covered", "I don't think your phone is broken and the repair is covered."),
        ("credit", "I don't think the charge is correct and your credit will arrive tomorrow."),
        ("confirmation", "I don't think it will take ten minutes and you will get a confirmation by email."),
        ("discount", "I don't think that affects you and your discount is still valid."),
        ("refund", "We didn't expect the delay and your refund is on its way."),
        ("reconnected", "I didn't know your line was down and your service will be reconnected today."),
        ("engineer", "I wasn't sure the address was right and the engineer is on his way now."),
        ("refund", "I never thought it would be so slow and your refund is on its way."),
        ("lower rate", "I don't know if you heard and there is a lower rate now."),
        ("free", "We not only guarantee the price and your delivery is free."),
    ],
)
def test_a_promise_after_an_and_stands(phrase: str, turn: str) -> None:
    assert find_phrase([phrase], turn) is not None


@pytest.mark.parametrize(
    ("phrase", "turn"),
    [
        ("上门", "您行动不便可以上门办理"),
        ("上门", "您行动不便给您上门办理"),
        ("上门", "您出门不便我们上门办理"),
        ("免费", "不满12岁免费"),
        ("免费", "不满十二岁免费不用买票"),
        ("免费", "未满12岁免费"),
        ("到账", "不到三天退款到账"),
        ("退货", "不适用可以退货"),
        ("可以退货", "不喜欢可以退货"),
        ("退款", "不满足条件也能退款"),
        ("退款", "引起您的不便给您退款"),
        ("退款", "给您造成这么大的不便退款今天到账"),
    ],
)
def test_a_chinese_condition_denies_nothing_that_it_allows(phrase: str, turn: str) -> None:
    assert find_phrase([phrase], turn) is not None
    assert not denies(turn.replace("不用买票", ""))


@pytest.mark.parametrize(
    ("phrase", "turn"),
    [
        ("退款", "您不满18岁退款办不了"),
        ("退款", "您不满18岁不能退款"),
        ("满12岁", "您不满12岁"),
        ("退款", "不适用可以退款的规定"),
        ("退款", "您不符合能退款的条件"),
        ("退款", "这单不适用不可以退款"),
        # What is allowed comes only after it.
        ("退款", "这单不适用退款可以换货"),
        ("原因", "我不便透露原因"),
        ("名单", "我不便对外提供名单"),
        ("退款", "我不便马上给您退款"),
        ("退款", "我不便在这里给您退款"),
        ("退款", "我不方便透露能退款多少"),
        ("补偿", "您拿不到一分钱补偿"),
    ],
)
def test_a_chinese_refusal_is_none_of_a_condition(phrase: str, turn: str) -> None:
    assert find_phrase([phrase], turn) is None


@pytest.mark.parametrize(
    ("phrase", "turn"),
    [
        ("退款", "不满三十天拒绝退款"),
        ("退款", "不满七天禁止退款"),
        ("理赔", "不足三十天理赔会被拒绝"),
        ("理赔", "未满一年理赔难"),
        ("贷款", "未满18岁贷款是违法的"),
        ("贷款", "不满22岁谢绝贷款"),
        ("投保", "不满十八岁的投保会被拒保"),
        ("投保", "不满十八岁请勿投保"),
        ("优惠", "未满一年优惠取消"),
        ("优惠", "未满一年取消优惠"),
        ("退款", "不满三天退款申请会被驳回"),
        ("出险", "等待期不满90天出险会拒赔"),
        ("优惠", "不足五人团购优惠取消"),
    ],
)
def test_a_refusal_below_a_number_needs_no_other_no(phrase: str, turn: str) -> None:
    assert find_phrase([phrase], turn) is None


@pytest.mark.parametrize(
    ("phrase", "turn"),
    [
        # The phrase is the refusal itself.
        ("拒绝退款", "不满三十天拒绝退款"),
        ("拒赔", "等待期不满90天出险会拒赔"),
        ("拒保", "不满18岁会被拒保"),
        ("拒绝", "不满18岁申请将拒绝"),
        ("取消", "不满一年取消优惠"),
        ("取消", "不足五人团购优惠取消"),
        ("自动取消", "不满一年优惠自动取消"),
        ("驳回", "不满三天退款申请会被驳回"),
        # What is left out is something else.
        ("免费保修", "不满3年免费保修电池除外"),
        ("免费保修", "不满两年免费保修人为损坏除外"),
        # Who refuses or cancels is the caller.
        ("退款", "未满七天拒收全额退款"),
        ("退款", "不满三天取消订单全额退款"),
        ("免费", "未满一年取消服务免费"),
        ("补贴", "未满18岁的困难家庭给补贴"),
        ("解约", "未满一年解约免违约金"),
        ("理赔", "未满一年理赔不难"),
        ("退款", "不足三十天退款不收手续费"),
    ],
)
def test_what_only_looks_like_a_refusal_below_a_number(phrase: str, turn: str) -> None:
    assert find_phrase([phrase], turn) is not None


@pytest.mark.parametrize(
    ("phrase", "turn"),
    [
        ("配送", "我们这里不便配送"),
        ("上门", "师傅今天不便上门"),
        ("确认", "我们不便确认"),
        ("核实", "不便核实您的余额"),
        ("延期", "这个不便延期"),
        ("余额", "我这边不便跟您谈余额"),
        ("说", "不便跟您细说"),
        ("答复", "不便就此事给您答复"),
        ("还款", "这期不便还款"),
        # The caller is spoken to, and not who will not.
        ("延期", "跟您说实话这个不便延期"),
        ("配送", "您所在的地区不便配送"),
        ("配送", "您那边不便配送"),
        ("上门", "您好这里不便上门"),
        ("上门", "我们不便送货上门"),
        ("上门", "师傅不便明天上门"),
        ("上门", "不好意思今天不便上门"),
        ("改期", "此订单不便改期"),
        ("退", "我们不便把您的钱退回"),
        # The condition is of something else.
        ("办理", "如需退款我们不便办理"),
    ],
)
def test_whatever_is_inconvenient_to_do_is_refused(phrase: str, turn: str) -> None:
    assert find_phrase([phrase], turn) is None
    assert denies(turn)


@pytest.mark.parametrize(
    ("phrase", "turn"),
    [
        ("退款", "给您带来不便退款今天到账"),
        ("退款", "带来不便深表歉意退款马上到账"),
        ("联系", "如有不便请联系我们"),
        ("谅解", "不便之处敬请谅解"),
        ("上门", "要是不便我们上门"),
        ("上门", "看病不便安排上门"),
        # It is the caller for whom something is inconvenient.
        ("再打", "您现在不便接听我稍后再打"),
        ("再打", "您那边不便接听我晚点再打"),
        ("再打", "您不便讲话那我下午再打"),
        ("寄给您", "您不便来店我们寄给您"),
        ("上门", "孩子不便出门师傅上门"),
        ("再联系", "我不便打扰明天再联系"),
        ("退款", "给您带来的麻烦和不便退款马上到账"),
        # It is a condition, or inconvenient for whoever is told of.
        ("联系", "如果现在不便接听我们稍后联系您"),
        ("联系", "如果现在不便通话我晚点联系您"),
        ("联系", "开车不便接听稍后联系"),
        ("上门", "如不便到店我们上门服务"),
        ("上门", "大件不便搬运我们送货上门"),
        ("上门", "老年人不便出门我们上门办理"),
        ("上门", "客户不便到店我们上门"),
        ("邮寄", "顾客不便自取我们邮寄"),
        ("联系", "现在不便接听我们稍后联系您"),
        ("联系", "我知道开车不便接听稍后联系您"),
        ("代办", "本人不便到场家人代办"),
        ("短信", "这会儿不便讲电话给您发短信"),
    ],
)
def test_an_inconvenience_is_no_refusal(phrase: str, turn: str) -> None:
    assert find_phrase([phrase], turn) is not None
    assert not denies(turn)


@pytest.mark.parametrize("turn", ["师傅今天不便上门我们明天联系您", "我现在不便细说明天联系您"])
def test_what_comes_instead_of_what_is_inconvenient_is_promised(turn: str) -> None:
    assert find_phrase(["联系"], turn) is not None


@pytest.mark.parametrize(("phrase", "turn"), [("延期", "您的订单不便延期"), ("邮寄", "玻璃制品不便邮寄")])
def test_what_is_next_to_an_inconvenience_is_refused_for_whatever_thing(phrase: str, turn: str) -> None:
    assert find_phrase([phrase], turn) is None


@pytest.mark.parametrize(
    ("phrase", "turn"),
    [
        ("医疗设备", "您家里有没有离不开电的医疗设备，比如制氧机？"),
        ("医疗设备", "您家里有没有不能断电的医疗设备，比如制氧机？"),
        ("医疗设备", "您家里是否有离不开电的医疗设备，比如制氧机？"),
        ("医疗设备", "您家里有离不开电的医疗设备，比如制氧机吗？"),
        ("医疗设备", "请问离不开电的医疗设备，您家里有没有？"),
        ("老人", "您家里有没有不会用手机的老人，例如爷爷奶奶？"),
        ("备用电池", "您是不是还没收到备用电池，上周寄的那块？"),
        ("备用电池", "我们给不能停电的家庭送备用电池。"),
        ("退款", "您能不能确认一下没到账的退款，就是上个月那笔？"),
        ("呼吸机", "家里少不了呼吸机的，请告诉我们。"),
        ("服务", "这是为那些不方便出门的客户准备的服务。"),
        (
            "oxygen concentrator",
            "Is anybody unable to be without an oxygen concentrator, such as your mother?",
        ),
        (
            "oxygen concentrator",
            "Is there anybody who cannot live without an oxygen concentrator, a grandparent, say?",
        ),
        ("spare battery", "Those who can't be without power get a spare battery from us."),
        ("spare battery", "You don't have to pay for the spare battery."),
        ("oxygen", "My records say she can't do without oxygen."),
        ("pump", "Do you have anybody at home who can't go without a pump, such as your father?"),
        ("letter", "Have you not received the letter, such as the one from May?"),
        ("refund", "Are there any orders without a refund, the one from May, say?"),
        ("delivery", "You do not need to pay anything for delivery."),
        ("lift", "Does anyone not manage without the lift, for example your father?"),
    ],
)
def test_a_negated_attribute_denies_nothing(phrase: str, turn: str) -> None:
    assert find_phrase([phrase], turn) is not None


@pytest.mark.parametrize(
    ("phrase", "turn"),
    [
        ("备用电池", "我们没有备用电池。"),
        ("备用电池", "您能不能理解我们不提供备用电池，先生？"),
        ("退款", "我没听说有没有退款，先生？"),
        ("spare battery", "Did you know we do not offer a spare battery, madam?"),
        ("备用电池", "我们没有备用电池，可以吗？"),
        ("备用电池", "我们没有您要的备用电池。"),
        ("备用电池", "我们不提供免费的备用电池，比如小型的。"),
        ("备用电池", "给不了您要的备用电池。"),
        ("退款", "这个不能退款，您看行吗？"),
        ("退款", "不会有额外的退款。"),
        ("spare battery", "We do not offer a spare battery."),
        ("spare battery", "We don't offer a spare battery, all right?"),
        ("spare battery", "We can't give you a spare battery, such as the small one."),
        ("spare battery", "You have to do without a spare battery."),
        ("refund", "I cannot promise you a refund, do you understand?"),
        ("delivery", "You will not get delivery on Sunday, is that clear?"),
        ("refund", "You cannot have the refund without a receipt."),
    ],
)
def test_a_denial_with_something_behind_it_stays_one(phrase: str, turn: str) -> None:
    assert find_phrase([phrase], turn) is None
