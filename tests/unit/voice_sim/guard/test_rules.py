"""Each rule on small calls of its own: what it finds, and what it leaves alone."""

from __future__ import annotations

import pytest

from tests.unit.voice_sim.guard.people import PERSON, call, found, kinds
from voice_sim.guard.check import check
from voice_sim.person.persona import Phrases

OPENING = "A: Hello, this is Li Ming from Changjiang Bank. Is that Mr. Zhao?"


@pytest.mark.parametrize(
    ("question", "answer", "kind"),
    [
        ("How much was it?", "It was three hundred yuan.", "contradicted_fact"),
        ("How much was it?", "It was 200 yuan.", None),
        ("How much was it?", "Two hundred even.", None),
        ("How much was it?", "Three hundred, no, sorry, two hundred.", None),
        ("How much was it?", "Two hundred, no, sorry, three hundred.", "contradicted_fact"),
        ("How much was it?", "About two hundred and five.", None),
        ("How much was it?", "Was it not five hundred?", None),
        ("How much was it?", "If it were five hundred I'd sue you.", None),
        ("What are the last digits?", "Eight eight three four.", "contradicted_fact"),
        ("What are the last digits?", "8843.", None),
        ("When did you notice?", "On January second.", "contradicted_fact"),
        ("When did you notice?", "On the first of January.", None),
        ("Do you have a temperature?", "Yes, since yesterday.", "contradicted_fact"),
        ("Do you have a temperature?", "No, none.", None),
        ("What is your address?", "zhao at home dot example", "contradicted_fact"),
        ("What is your address?", "zhao dot lei at post dot example", None),
        ("And then?", "Six men work for me.", "contradicted_fact"),
        ("And then?", "Nine men work for me.", None),
        ("And then?", "I lost 4,700 yuan on the market.", "invented_fact"),
        ("And then?", "My wife Feng Lan told me so.", "invented_fact"),
        ("And then?", "I've told you a hundred times.", None),
        ("It costs 77 yuan.", "Seventy-seven yuan is too much.", None),
        ("It costs 77 yuan a month.", "That's 924 yuan a year.", None),
        ("And then?", "I saw it at Amazon, too.", None),
        ("Who is there?", "My name is Peter Novak.", "contradicted_fact"),
        ("Who is there?", "This is Zhao Lei.", None),
        ("Which bank is it?", "It's Kunlun Bank.", None),
        ("Where do you live?", "It's Foundry Lane.", "invented_fact"),
        ("Who is there?", "It's Peter Novak.", "contradicted_fact"),
    ],
)
def test_facts(question: str, answer: str, kind: str | None) -> None:
    findings = found(OPENING, "C: Yes.", f"A: {question}", f"C: {answer}")
    assert [(finding.kind, finding.turn) for finding in findings] == ([(kind, 3)] if kind else [])
    assert all(finding.quote in answer for finding in findings)


@pytest.mark.parametrize(
    ("told", "question", "answer", "wrong"),
    [
        ("", "So your card ends in 9917, is that right?", "Yes, all right.", True),
        ("", "Let me repeat that: 9, 9, 1, 7. Did I get every digit right?", "Yes.", True),
        ("", "So your card ends in 8843, is that right?", "Yes, that's right.", False),
        ("", "I repeat: eight eight four three. Is that right?", "Yes.", False),
        ("", "So your card ends in 9917, is that right?", "No, that's not right.", False),
        ("", "So your card ends in 9917, is that right?", "Yes, well, it's 8843.", False),
        ("", "That's 40 euros a month, is that right?", "Yes, that's right.", False),
        ("", "We call again on May 7, right?", "Yes.", False),
        ("Two hundred even.", "So it was 300 yuan, right?", "Yes.", True),
        ("Two hundred even.", "So it was two hundred yuan, right?", "Yes.", False),
    ],
)
def test_a_yes_to_what_is_read_back(told: str, question: str, answer: str, wrong: bool) -> None:
    findings = found(OPENING, f"C: {told or 'Yes.'}", f"A: {question}", f"C: {answer}")
    assert [(one.kind, one.turn) for one in findings] == ([("contradicted_fact", 3)] if wrong else [])
    assert all(one.certain for one in findings)


def test_a_slip_is_mended_a_turn_later() -> None:
    slip = (OPENING, "C: Yes.", "A: How much was it?", "C: It was three hundred yuan.", "A: I see.")
    assert kinds(*slip, "C: Okay.") == [("contradicted_fact", 3)]
    assert kinds(*slip, "C: I said three hundred, sorry, I meant two hundred yuan.") == []


@pytest.mark.parametrize(
    "line",
    [
        "Is there anything else I can help you with?",
        "We apologise for the inconvenience.",
        "This is Li Ming from Changjiang Bank.",
        "Am I speaking with Mr. Zhao?",
        "Could you confirm your date of birth, please?",
        "I've processed your refund.",
        "Agent: And when? Caller: Today.",
        "I can offer you a discount on that.",
    ],
)
def test_role_flips(line: str) -> None:
    assert ("role_flip", 3) in kinds(OPENING, "C: Yes.", "A: It was a fee.", f"C: {line}")


@pytest.mark.parametrize(
    "line",
    [
        "Could you tell me your name again?",
        "Are you an AI, by any chance?",
        "Can I help it that your system is slow?",
        "Sorry for the trouble.",
        "Thank you for your time.",
        "I'll send you the list again.",
        "Bonjour to you, too, as they say.",
        "A schadenfreude of a bank you are.",
    ],
)
def test_ordinary_lines_are_clean(line: str) -> None:
    assert kinds(OPENING, "C: Yes.", "A: It was a fee.", f"C: {line}") == []


@pytest.mark.parametrize(
    "line",
    [
        "我不知道你在说什么。",
        "Pero yo no quiero eso, gracias.",
        "Das ist nicht meine Karte und ich will das nicht.",
    ],
)
def test_left_language(line: str) -> None:
    assert kinds(OPENING, f"C: {line}") == [("left_language", 1)]


@pytest.mark.parametrize(
    "line",
    [
        "As an AI language model, I cannot.",
        "*sighs* Well.",
        "Fine. [END]",
        "My persona would refuse.",
        "# Reply",
    ],
)
def test_broke_character(line: str) -> None:
    assert ("broke_character", 1) in kinds(OPENING, f"C: {line}")


def test_repeats_count_only_where_nobody_asked_for_them() -> None:
    line = "C: I just want to see the rule in writing."
    assert kinds(OPENING, line, "A: It is the card fee.", line) == [("repeated_itself", 3)]
    assert kinds(OPENING, line, "A: Sorry, I didn't catch that.", line) == []
    assert kinds(OPENING, "C: Okay.", "A: It is the card fee.", "C: Okay.") == []
    asked = "And on which day did you see it?"
    assert kinds(OPENING + f" {asked}", line, f"A: I don't know that. {asked}", line) == []
    spread = (OPENING, line, "A: It is the card fee.", "C: I see.", "A: Here it is.", line)
    assert kinds(*spread) == []
    assert kinds(*spread, "A: Fine.", "C: Hm.", "A: What now?", line) == [("repeated_itself", 9)]


def test_hang_ups_too_early() -> None:
    talk = (
        OPENING,
        "C: Yes. On what basis was it charged, please?",
        "A: Let me see what stands here about that in our system for you.",
    )
    both = [("hung_up_early", 3), ("satisfied_without_cause", 3)]
    assert kinds(*talk, "C: Fine, thanks.", ended="satisfied") == both
    assert "date" in found(*talk, "C: Fine, thanks.", ended="satisfied")[0].detail
    assert kinds(*talk, "C: And by which date do I have the result?", ended="satisfied") == [
        ("satisfied_without_cause", 3)
    ]
    assert kinds(*talk, "C: Fine, thanks.", ended="agent_hung_up") == []
    assert kinds(*talk, "C: I won't have this.", ended="refused") == [("hung_up_early", 3)]
    assert kinds(OPENING, "C: No, thank you.", ended="satisfied") == [("hung_up_early", 1)]
    met = ("A: Then please read me the code from the message that you have just got.",)
    assert kinds(*talk, "C: Hm.", *met, "C: No. Goodbye.", ended="refused") == []


def test_hang_ups_too_late() -> None:
    bye = ("C: Goodbye.", "A: Goodbye.")
    assert kinds(OPENING, *bye, "C: Bye bye, take care.", "A: Bye.") == []
    assert kinds(OPENING, *bye, *bye, "C: Bye bye, take care.") == [("hung_up_late", 5)]
    asked = "A: Please read me the code."
    stays = (OPENING, "C: Yes.", asked, "C: What code?", asked, "C: Oh, that one.", "A: Yes.", "C: A moment.")
    assert kinds(*stays) == []
    assert kinds(*stays, "A: Well?", "C: It is long.") == [("hung_up_late", 9)]


@pytest.mark.parametrize(
    ("said", "late"),
    [
        ("Okay.", False),
        ("The work starts at ten.", False),  # five words
        ("The work starts on Saturday night.", True),  # six
    ],
)
def test_a_sentence_said_five_times_is_a_loop_and_a_word_is_none(said: str, late: bool) -> None:
    answers = ("I see.", "Hm.", "Go on.", "Fine.", "Right.", "Well.")
    lines = [OPENING, "C: Yes."]
    for answer in answers[:5]:
        lines += [f"A: {said}", f"C: {answer}"]
    found_late = [one for one in kinds(*lines, "A: And then?", "C: Well.") if one[0] == "hung_up_late"]
    # The fifth time is turn 10; who answers it stays.
    assert found_late == ([("hung_up_late", 11)] if late else [])


def test_garbled_speech_needs_more_than_a_recognisers_slips() -> None:
    said = "C: The table has forty-one card payments in the whole of last year."
    assert kinds(OPENING, said, "H: the table has 41 card payments in the hole of last year") == []
    assert kinds(OPENING, said, "H: thank you for watching") == [("garbled_speech", 1)]
    assert kinds(OPENING, "C: Yes, speaking.", "H: the") == []  # too short to tell


def test_uncertain_findings_alone_make_nobody_guilty() -> None:
    lines = [OPENING, "C: Yes.", "A: Read me the code, please."]
    for n in range(6):
        lines += [f"C: {('One', 'Two', 'Red', 'Blue', 'Left', 'Right')[n]}?", f"A: {n} it is."]
    checked = check(call(*lines))
    assert [finding.kind for finding in checked.findings] == ["hung_up_late"]
    assert checked.verdict == "suspected"


def test_an_own_line_is_never_at_fault() -> None:
    agent = PERSON.model_copy(update={"facts": (*PERSON.facts[:1],)})
    assert kinds("A: How much?", "C: Two hundred even.", person=agent) == []
    assert kinds("A: How much?", "C: Three hundred even.", person=agent) == [("contradicted_fact", 1)]


def test_an_own_line_with_a_name_in_it_gives_no_other_name() -> None:
    shop = PERSON.model_copy(update={"phrases": Phrases(pick_up=("This is Foundry Tools.",))})
    assert kinds("C: This is Foundry Tools.", "A: Is that Mr. Zhao?", "C: Yes.", person=shop) == []
    assert kinds("C: This is Foundry Tools.", "A: Is that Mr. Zhao?", "C: Yes.") == [("contradicted_fact", 0)]
