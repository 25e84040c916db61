"""Nodes by phrases and branches by cues: found where they are said, not where they are denied."""

from __future__ import annotations

import pytest

from metrics.dialogue.quotes import is_quoted_from
from metrics.dialogue.rules.model_lines import proposed_lines, share_of_line
from metrics.dialogue.rules.nodes import judge_nodes
from metrics.dialogue.rules.phrases import find_phrase
from metrics.dialogue.task_flow import Branch, FlowNode, flow_without_yes
from tests.unit.metrics.dialogue.sessions import dialogue, flow, node


@pytest.mark.parametrize(
    ("phrase", "turn", "quote"),
    [
        ("january 13", "You'll know by January thirteenth.", "January thirteenth"),
        ("88 yuan", "It's eighty-eight yuan, madam.", "eighty-eight yuan"),
        ("1288", "That makes 1,288 in all.", "1,288"),
        ("sorry | apologi* + trouble", "The trouble is ours, I apologise.", "trouble … apologise"),
        ("i'm handling", "I am handling it.", "I am handling"),
        ("三点 | 3点", "明天下午3点打给您", "3点"),
        ("10号", "一月十号以前", "十号"),
        ("score*", "May I have your scores?", "scores"),
        ("notice*", "You noticed it?", "noticed"),
        ("you report it", "You reported it.", "You reported it"),
        ("refund*", "We haven't forgotten: the refund comes.", "refund"),
        ("refund*", "No problem, a refund it is.", "refund"),
        ("refund*", "Didn't you want a refund?", "refund"),
        ("退款", "是不是想退款？没问题，退款今天就办。", "退款"),
        ("没有密码 | 不会问 + 密码", "我不会问您密码", "不会问您密码"),
        # A negation of something else, or none that denies.
        ("refund*", "It is not your fault and we will refund it.", "refund"),
        ("refund*", "Don't worry about it, we will refund it.", "refund"),
        ("refund*", "I won't forget to give you the refund.", "refund"),
        ("january 15", "You have it no later than January 15.", "January 15"),
        ("退款", "给您带来不便，退款今天到账。", "退款"),
        ("退款", "给您带来不便退款今天到账", "退款"),
        ("退款", "您别担心退款的事", "退款"),
        ("退款", "不是要扣费，而是给您退款。", "退款"),
        ("退款", "给您造成了一些不便退款今天到账", "退款"),
        ("退款", "您有不同意见退款也会到账", "退款"),
        # What follows has a subject of its own, also where the phrase begins with it.
        ("we will refund", "It was not your fault and we will refund you.", "we will refund"),
        ("refund*", "There is no fee and the refund arrives tomorrow.", "refund"),
        (
            "your appointment is confirmed",
            "So there are no further questions and your appointment is confirmed.",
            "your appointment is confirmed",
        ),
        # Questions in their own clause deny nothing.
        ("refund*", "Can't I give you a refund, or a voucher?", "refund"),
        ("refund*", "Do you not want a refund?", "refund"),
        ("refund*", "You don't want the refund?", "refund"),
        ("退款", "您能不能等退款到账？", "退款"),
        ("扣钱", "真的不会扣钱对吧？", "扣钱"),
    ],
)
def test_a_phrase_is_found_and_quoted(phrase: str, turn: str, quote: str) -> None:
    found = find_phrase([phrase], turn)
    assert found is not None
    assert found.quote == quote
    assert is_quoted_from(found.quote, turn)


@pytest.mark.parametrize(
    ("phrase", "turn"),
    [
        ("refund*", "We cannot refund that."),
        ("refund*", "I won't refund it, and that's final."),
        ("refund*", "There is no refund."),
        ("退款", "这个不能退款。"),
        ("退款", "我没说退款的事。"),
        ("refund*", "We cannot give you a refund."),
        ("refund*", "We are not able to offer you a refund."),
        ("full 88 yuan", "You won't get the full 88 yuan back on Wednesday."),
        ("full 88 yuan", "Don't expect the full 88 yuan back."),
        ("refund*", "I can't give you 3.5 percent as a refund."),
        ("退款", "我们不能给您退款。"),
        ("优惠", "我们没有这个优惠。"),
        ("退款", "我们不同意给您退款。"),
        ("退款", "您不满足退款条件。"),
        ("退款", "您不满18岁退款办不了。"),
        ("退款", "这种情况不适用退款。"),
        ("优惠", "您不适合这个优惠。"),
        ("退款", "我这边不便给您退款。"),
        # One list, no subject of its own.
        ("interest", "We cannot refund the fee and the interest."),
        ("interest", "We cannot refund the fee and the interest that is booked."),
        # A question after it takes no denial back.
        ("refund*", "I can't refund that, all right?"),
        ("refund*", "I can't refund that okay?"),
        ("退款", "我们不能退款，您看可以吗？"),
        ("退款", "我们不能退款好吗？"),
        ("88 yuan", "It was 288 yuan."),
        ("sorry + trouble", "I'm sorry about that."),
    ],
)
def test_a_phrase_that_is_denied_or_incomplete_is_not_found(phrase: str, turn: str) -> None:
    assert find_phrase([phrase], turn) is None


def test_the_first_turn_of_the_agent_counts_and_the_callers_words_do_not() -> None:
    call = dialogue("C: a refund please", "A: hello", "A: your refund comes", "A: the refund, as I said")
    verdict = judge_nodes(call, flow(node("pay", evidence="refund")))[0]
    assert (verdict.outcome, verdict.turn, verdict.quote) == ("achieved", 2, "refund")


def test_a_branch_applies_from_its_cue_on() -> None:
    nodes = flow(
        FlowNode(
            id="calm",
            criterion="Takes up the anger.",
            branch=Branch(when="The caller is angry.", cues=("angry | furious",)),
            evidence=("understand",),
        )
    )
    quiet = judge_nodes(dialogue("A: I understand.", "C: Fine. I'm not angry."), nodes)[0]
    assert quiet.outcome == "not_applicable"
    early = judge_nodes(dialogue("A: I understand.", "C: I am angry!", "A: Well."), nodes)[0]
    assert early.outcome == "not_achieved"
    assert "before it came up in turn 1" in early.reason
    after = judge_nodes(dialogue("A: I understand.", "C: I am angry!", "A: I understand."), nodes)[0]
    assert (after.outcome, after.turn) == ("achieved", 2)


def test_what_takes_the_place_of_a_yes_applies_though_no_cue_was_heard() -> None:
    let_go = FlowNode(
        id="let_go",
        criterion="Lets go.",
        branch=Branch(when="The caller says no.", cues=("not interested",)),
        evidence=("respect that",),
        instead_when_declined=True,
    )
    declined = flow_without_yes(flow(let_go))
    unheard = dialogue("A: Shall we?", "C: Never in my life.", "A: I respect that.")
    assert judge_nodes(unheard, flow(let_go))[0].outcome == "not_applicable"
    assert judge_nodes(unheard, declined)[0].outcome == "achieved"
    early = dialogue("A: I respect that.", "C: I'm not interested.", "A: But shall we?")
    assert judge_nodes(early, declined)[0].outcome == "not_achieved"


def test_what_has_no_phrases_or_cues_is_not_judged() -> None:
    silent = flow(
        FlowNode(id="bare", criterion="Something."),
        FlowNode(id="side", criterion="Something else.", branch=Branch(when="Sometimes."), evidence=("a",)),
    )
    bare, side = judge_nodes(dialogue("A: a"), silent)
    assert (bare.outcome, side.outcome) == ("failed", "not_applicable")
    assert "no evidence phrases" in bare.reason
    assert "no cues" in side.reason


PROMPT = """# Steps
1. Say what is known
   "What I can see is this. The 88 yuan was booked as an accident cover premium on December 20."
2. Fix the next call
   "I'll ring you tomorrow before ten."
   "Which number suits you best?"

Q: Who are you?
A: I work in the complaints team of Changjiang Bank.
"""


def test_a_line_that_the_prompt_proposes_counts_in_other_words_too() -> None:
    explain = flow(node("explain", evidence="booked as an accident cover premium"))
    other_words = "A: On the twentieth of December 88 yuan went off, that's a premium for accident cover."
    call = dialogue("A: Hello there.", "C: Yes?", other_words)
    found = judge_nodes(call, explain, PROMPT)[0]
    assert (found.outcome, found.turn) == ("achieved", 2)
    assert is_quoted_from(found.quote, call.turns[2].text)
    assert "accident cover premium" in found.reason
    assert judge_nodes(call, explain)[0].outcome == "not_achieved"
    # Words of another line, or a few of this one, are not enough.
    for said in ("A: I'll ring you tomorrow before ten.", "A: What can I see of your 88 yuan?"):
        assert judge_nodes(dialogue(said), explain, PROMPT)[0].outcome == "not_achieved"


PROMISE = (
    """1. "If it was our mistake, you get the full 88 yuan back with interest by Wednesday, January 15." """
)


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        ("Was it our mistake, the full 88 yuan goes back with interest, Wednesday, January 15.", "achieved"),
        ("Don't worry. Our mistake, and the full 88 yuan goes back with interest, January 15.", "achieved"),
        (
            "If it was our mistake, we will not give you the full 88 yuan back, and no interest either, "
            "not by Wednesday, January 15.",
            "not_achieved",
        ),
        # The negation is of another clause.
        ("It was not your fault and the full 88 yuan goes back with interest by January 15.", "achieved"),
        ("You don't have to do a thing because the full 88 yuan goes back with interest.", "achieved"),
        ("We will not give you the interest and the full 88 yuan back.", "not_achieved"),
    ],
)
def test_a_line_in_other_words_is_not_met_by_its_denial(said: str, outcome: str) -> None:
    pay = flow(node("pay", evidence="you get the full 88 yuan back"))
    assert judge_nodes(dialogue(f"A: {said}"), pay, PROMISE)[0].outcome == outcome


def test_another_line_of_the_turn_that_is_not_denied_counts() -> None:
    prompt = """1. "The full 88 yuan is yours again, and the late interest of the last quarter as well."
2. "The full 88 yuan is yours again once the branch has stamped your letter." """
    pay = flow(node("pay", evidence="88 yuan is yours"))
    denied = "The late interest of the last quarter as well is not yours again."
    both = f"{denied} All 88 yuan come once the branch has your letter."
    found = judge_nodes(dialogue(f"A: {both}"), pay, prompt)[0]
    assert (found.outcome, found.quote) == (
        "achieved",
        "All 88 yuan come once the branch has your letter.",
    )
    first, second = (share_of_line(both, line, prompt) for line in proposed_lines(prompt))
    assert first > second, "the line that is denied has more words of the turn"
    assert judge_nodes(dialogue(f"A: {denied}"), pay, prompt)[0].outcome == "not_achieved"


@pytest.mark.parametrize(
    ("said", "outcome"),
    [
        # The second line has a no of its own, but to a fee.
        ("Your refund does not arrive within five days.", "not_achieved"),
        ("Your refund is with you within five days, no fee for it.", "achieved"),
        ("The refund arrives within five days and there is no fee.", "achieved"),
    ],
)
@pytest.mark.parametrize("without", [", without any fee", " without any fee", ", and there is no fee"])
def test_a_no_elsewhere_in_a_line_excuses_no_denial_of_it(said: str, outcome: str, without: str) -> None:
    prompt = f"""1. "Your refund arrives within five days."
2. "The refund arrives within five days{without}." """
    pay = flow(node("pay", evidence="refund arrives within"))
    assert judge_nodes(dialogue(f"A: {said}"), pay, prompt)[0].outcome == outcome


def test_a_line_that_refuses_is_met_by_its_refusal() -> None:
    prompt = """1. "The premium cannot be paid back, but the late fee is waived by Monday." """
    refuse = flow(node("refuse", evidence="premium cannot be paid back"))
    for said, outcome in (
        ("We can't pay the premium back, and the late fee is off by Monday.", "achieved"),
        ("We can't pay the premium back, and the late fee isn't waived by Monday.", "not_achieved"),
    ):
        assert judge_nodes(dialogue(f"A: {said}"), refuse, prompt)[0].outcome == outcome, said


def test_one_word_is_no_denial_of_a_line_that_has_a_no_of_its_own() -> None:
    prompt = """1. "I can't tell you yet, but I'll ring you tomorrow morning with the date." """
    put_off = flow(node("put_off", evidence="ring you tomorrow morning"))
    said = "I don't have the date here, but I'll ring tomorrow in the morning."
    assert judge_nodes(dialogue(f"A: {said}"), put_off, prompt)[0].outcome == "achieved"


COVERED = "Your warranty covers the screen, with no excess to pay."
BACK = "We will refund the deposit, with no cancellation fee."
ALL_BACK = "可以全额退款，不收手续费。"


@pytest.mark.parametrize(
    ("line", "phrase", "said", "outcome"),
    [
        (
            COVERED,
            "covers the screen",
            "The screen, the excess, all that your warranty would pay, no, it is not covered.",
            "not_achieved",
        ),
        (BACK, "refund the deposit", "About the deposit and the fee: we cannot refund it.", "not_achieved"),
        (ALL_BACK, "全额退款", "全额的手续费，这个退款不行。", "not_achieved"),
        (ALL_BACK, "全额退款", "全额的手续费，我们不能退款。", "not_achieved"),
        # It is under a condition, said of another time, or of nothing in the line.
        (COVERED, "covers the screen", "If it is not covered, the warranty pays the screen.", "achieved"),
        (
            BACK,
            "refund the deposit",
            "We can't refund today, but the refund of the deposit comes.",
            "achieved",
        ),
        (BACK, "refund the deposit", "I don't see a fee, and your refund is the deposit.", "achieved"),
        (ALL_BACK, "全额退款", "全额给您退款，手续费不收。", "achieved"),
    ],
)
def test_one_word_that_is_plainly_not_done_denies_a_line_with_a_no(
    line: str, phrase: str, said: str, outcome: str
) -> None:
    prompt = f"""1. "{line}"\n2. "Your parcel is at the shop." """
    promise = flow(node("promise", evidence=phrase))
    assert judge_nodes(dialogue(f"A: {said}"), promise, prompt)[0].outcome == outcome


@pytest.mark.parametrize(
    ("line", "phrase", "said"),
    [
        (
            "I don't have the calendar, but a colleague will call you to schedule the visit.",
            "will call you to schedule",
            "I can't schedule it, a colleague will call you to arrange the visit.",
        ),
        (
            "I'm not at the desk, but the shop will ring you tomorrow to book it.",
            "ring you tomorrow to book",
            "I'm not able to book it, the shop will certainly ring tomorrow.",
        ),
        (
            "这个我现在不知道，我确认之后给您回电",
            "确认之后给您回电",
            "我不能确认，我查好之后给您回电",
        ),
        (
            "我这边没有日历，同事会联系您安排上门。",
            "联系您安排上门",
            "我不能安排，同事会联系您上门。",
        ),
    ],
)
def test_a_line_that_puts_off_is_met_by_its_paraphrase(line: str, phrase: str, said: str) -> None:
    prompt = f"""1. "{line}"\n2. "Your parcel is at the shop." """
    put_off = flow(node("put_off", evidence=phrase))
    assert judge_nodes(dialogue(f"A: {said}"), put_off, prompt)[0].outcome == "achieved"


@pytest.mark.parametrize(
    ("line", "phrase", "said"),
    [
        (
            "I can't tell you the exact date, but the repair is covered by the warranty.",
            "is covered by the warranty",
            "I can't tell you the exact date, but it is not covered.",
        ),
        (
            "I don't know the exact amount, but we will refund you.",
            "we will refund",
            "I don't know the exact amount, but we can't refund it.",
        ),
        (
            "We don't have your old contract, but we can send you a copy by email.",
            "send you a copy",
            "We don't have the old contract, we can't send it.",
        ),
    ],
)
def test_a_line_that_puts_off_is_denied_where_the_rest_of_it_is_not_said(
    line: str, phrase: str, said: str
) -> None:
    prompt = f"""1. "{line}"\n2. "Your parcel is at the shop." """
    refused = flow(node("refused", evidence=phrase))
    assert judge_nodes(dialogue(f"A: {said}"), refused, prompt)[0].outcome == "not_achieved"


def test_lines_are_what_a_prompt_quotes_and_its_answers() -> None:
    assert proposed_lines(PROMPT)[1:] == (
        "I'll ring you tomorrow before ten.",
        "Which number suits you best?",
        "I work in the complaints team of Changjiang Bank.",
    )
    line = proposed_lines(PROMPT)[1]
    assert share_of_line(line, line, PROMPT) == 1.0
    assert share_of_line("Hello.", line, PROMPT) == 0.0


def test_numbers_alone_are_no_share_of_a_line() -> None:
    prompt = '1. "It ends on February 7, and costs 280 yuan a month."'
    line = proposed_lines(prompt)[0]
    assert share_of_line("That's 7, then 280.", line, prompt) == 0.0
    assert share_of_line("That's February 7, then 280.", line, prompt) == 0.0
    assert share_of_line("That's February 7, then 280 yuan.", line, prompt) > 0.5


def test_who_the_agent_is_weighs_nothing_in_a_line() -> None:
    prompt = "# Who you are\nLi Ming, Changjiang Bank, staff number 60217.\n\n" + PROMPT
    line = proposed_lines(prompt)[-1]
    assert share_of_line("Li Ming from Changjiang Bank.", line, prompt) == 0.0
    assert share_of_line("It's the complaints team where I work.", line, prompt) == 1.0


def test_a_branch_that_no_cue_heard_is_told_by_a_plain_answer() -> None:
    branch = Branch(when="The customer distrusts the call.", cues=("swindle | fraud",))
    doubt = flow(
        FlowNode(
            id="doubt",
            criterion="Says where it works.",
            branch=branch,
            evidence=("complaints team", "work + bank"),
        )
    )
    answer = "A: I do work in the complaints team of the bank."
    plain = judge_nodes(dialogue("A: Hello.", "C: Anybody can say that.", answer), doubt, PROMPT)[0]
    assert (plain.outcome, plain.turn) == ("achieved", 2)
    passing = "A: The complaints team rings you."
    assert judge_nodes(dialogue("A: Hello.", "C: Hm.", passing), doubt, PROMPT)[0].outcome == "not_applicable"


def test_two_phrases_for_the_same_words_are_one_piece_of_evidence() -> None:
    branch = Branch(when="The customer distrusts the call.", cues=("swindle | fraud",))
    phrases = ("ring + number", "back of your card", "back of your card + number")
    doubt = flow(FlowNode(id="doubt", criterion="Offers a way to check.", branch=branch, evidence=phrases))
    for said, outcome in (
        # The second and the third phrase stand in the same words; the first and the second do not.
        ("It's on the back of your card.", "not_applicable"),
        ("The number on the back of your card.", "not_applicable"),
        ("Ring the number that's on the back of your card.", "achieved"),
    ):
        call = dialogue("A: Hello.", "C: Anybody can say that.", f"A: {said}")
        assert judge_nodes(call, doubt)[0].outcome == outcome, said


def test_a_criterion_that_wants_a_question_is_not_met_without_one() -> None:
    criterion = "Everything is repeated in short, and an open question is invited."
    close = flow(FlowNode(id="close", criterion=criterion, evidence=("so + monday",)))
    assert judge_nodes(dialogue("A: So, Monday it is. Goodbye."), close)[0].outcome == "not_achieved"
    asked = judge_nodes(dialogue("A: So, Monday it is. Anything else?"), close)[0]
    assert asked.outcome == "achieved"


@pytest.mark.parametrize(
    ("said", "asks"),
    [
        ("您是哪天发现的", True),
        ("您那边方便吗", True),
        ("您是王先生吧", True),
        ("最近有没有办过别的", True),
        ("周六过生日是吧", False),
        ("就这么办", False),
        ("没什么", False),
    ],
)
def test_chinese_questions_are_heard_without_a_question_mark(said: str, asks: bool) -> None:
    ask = flow(FlowNode(id="ask", criterion="询问情况。", evidence=tuple(said[-2:])))
    outcome = judge_nodes(dialogue(f"A: {said}"), ask)[0].outcome
    assert outcome == ("achieved" if asks else "not_achieved")


def test_a_proposed_question_is_matched_only_by_a_turn_that_asks() -> None:
    prompt = '1. "Which number of yours suits the complaints team best tomorrow?"'
    ask = flow(node("ask", evidence="number of yours suits"))
    line = "the complaints team has your number for tomorrow"
    assert judge_nodes(dialogue(f"A: So {line}."), ask, prompt)[0].outcome == "not_achieved"
    assert judge_nodes(dialogue(f"A: Tell me whether {line}."), ask, prompt)[0].outcome == "achieved"


def test_a_plain_answer_has_the_question_too_where_the_criterion_wants_one() -> None:
    branch = Branch(when="The customer is in doubt.", cues=("doubt",))
    criterion = "Sums up, and an open question is invited."
    close = flow(FlowNode(id="close", criterion=criterion, branch=branch, evidence=("monday", "ten o'clock")))
    for said, outcome in (
        ("So Monday, ten o'clock.", "not_applicable"),
        ("So Monday, ten o'clock, anything else?", "achieved"),
    ):
        assert judge_nodes(dialogue("A: Hello.", "C: Hm.", f"A: {said}"), close)[0].outcome == outcome


@pytest.mark.parametrize(
    ("phrase", "turn", "quote"),
    [
        ("十二期", "六百一十八，十二期", "十二期"),
        ("618", "六百一十八，十二期", "六百一十八"),
        ("尾号138", "尾号幺三八", "尾号幺三八"),
        ("老幺", "我家老幺", "老幺"),
    ],
)
def test_chinese_numerals_stop_at_a_mark_and_know_the_spoken_one(phrase: str, turn: str, quote: str) -> None:
    found = find_phrase([phrase], turn)
    assert found is not None
    assert found.quote == quote


@pytest.mark.parametrize(
    ("when", "later"),
    [
        ("Somebody else has picked up the telephone.", "not_applicable"),
        ("A colleague answers.", "not_applicable"),
        ("接电话的不是客户本人。", "not_applicable"),
        ("The customer wants somebody else to decide.", "achieved"),
        ("The customer answers with a complaint.", "achieved"),
    ],
)
def test_who_has_picked_up_shows_in_the_first_turns(when: str, later: str) -> None:
    branch = Branch(when=when, cues=("my husband",))
    other = flow(FlowNode(id="other", criterion="Says nothing.", branch=branch, evidence=("in person",)))
    own = ("A: Hello.", "C: Yes.")
    call = ("C: That's my husband.", "A: I tell that in person.")
    assert judge_nodes(dialogue(*own, *own, *call), other)[0].outcome == "achieved"
    assert judge_nodes(dialogue(*own, *own, *own, *call), other)[0].outcome == later
