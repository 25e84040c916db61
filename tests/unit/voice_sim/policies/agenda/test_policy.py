from __future__ import annotations

import pytest

from tests.unit.voice_sim.policies.agenda.people import OPENING, Talk, greeted, person
from voice_sim.policies.agenda import AgendaPolicy
from voice_sim.policies.agenda.lines import LineBook, with_pause
from voice_sim.policies.agenda.policy import PICK_UP_S
from voice_sim.policies.agenda.steps.leaving import TURNS_BEFORE_THE_END
from voice_sim.policies.agenda.stock import StockKind
from voice_sim.policies.base import Dialogue, Heard, Kind, Leave, Line, Policy, Said

TRUSTED = [
    {
        "key": key,
        "value": "4417",
        "say": [f"My {key} number is four four one seven."],
        "cues": [f"{key} number"],
        "share": "trusted",
    }
    for key in ("order", "street")
]


def test_it_is_a_policy() -> None:
    policy: Policy = AgendaPolicy(persona=person(), seed=1)
    assert policy.hears_words
    assert not policy.wait_for_greeting
    assert AgendaPolicy(persona=person(), seed=1, picks_up=False).wait_for_greeting


def test_one_who_was_spoken_to_first_answers_that() -> None:
    assert Talk().hears(OPENING).text == "That's me."


def test_a_fact_that_was_asked_for_is_told_with_the_reason() -> None:
    line = greeted().hears("When did you order?")
    assert line.text.startswith("At half past eight.")
    assert line.why.startswith("fact hour")
    assert line.ends_call is None


def test_several_stretches_of_speech_are_one_turn() -> None:
    assert greeted().hears("When did you", "order?").text == greeted().hears("When did you order?").text


def test_an_own_question_is_put_twice_at_most_and_settled_by_its_answer() -> None:
    talk = greeted()
    assert talk.hears("Your pizza was late.").text.endswith("Why so late?")
    assert talk.hears("It was a margherita pizza.").text == "I asked why."
    assert "Why so late?" not in talk.hears("It was a large pizza.").text
    assert "why" in talk.policy.state(talk.dialogue).failed

    other = greeted()
    other.hears("Your pizza was late.")
    other.hears("Our driver had a flat tyre.")
    assert other.policy.state(other.dialogue).settled == {"why"}


def test_an_honest_i_do_not_know_is_not_pressed() -> None:
    talk = greeted()
    talk.hears("Your pizza was late.")
    assert "I asked why." not in talk.hears("I'm afraid I don't know that.").text


def test_what_was_told_unasked_is_not_asked() -> None:
    talk = greeted()
    talk.hears("Our driver had a flat tyre, so the pizza was late.")
    assert talk.policy.state(talk.dialogue).asked["why"] == 0
    assert "why" in talk.policy.state(talk.dialogue).told


def test_an_obstacle_is_raised_insisted_on_and_let_go() -> None:
    talk = greeted()
    assert talk.hears("You can have a voucher.").text == "Vouchers, great."
    assert talk.hears("A voucher for 40 yuan is a lot.").text == "Keep your voucher."
    assert talk.policy.state(talk.dialogue).refusals == 2
    talk.hears("Then you get your money back.")
    assert "voucher" not in talk.hears("The voucher is void then.").text.casefold()


def test_a_trusted_fact_waits_for_its_condition() -> None:
    talk = greeted()
    assert talk.hears("What's the order number?").text == "Why so late?"
    talk.hears("Our driver had a flat tyre.")
    assert "Four four one seven." in talk.hears("What's the order number?").text


def test_mood_follows_the_triggers() -> None:
    talk = greeted()
    before = talk.policy.state(talk.dialogue).mood
    assert talk.hears("It was our mistake.").text.startswith("Well, that's honest.")
    better = talk.policy.state(talk.dialogue).mood
    talk.hears("As a valued customer of pizza you know that.")
    assert before < better > talk.policy.state(talk.dialogue).mood


def test_hang_up_condition() -> None:
    line = greeted().hears("You would have to pay again, is that all right?")
    assert (line.text, line.ends_call) == ("Pay again? Goodbye.", "refused")


def test_a_near_match_does_not_make_anybody_hang_up() -> None:
    persona = person(hang_up=[{"when": "Codes.", "cues": ["verification"], "say": ["Goodbye."]}])
    assert greeted(persona).hears("Your pizza verificaton is here.").ends_call is None
    assert greeted(persona).hears("Your pizza verification is here.").ends_call == "refused"


def test_two_insults_are_one_too_many() -> None:
    talk = greeted()
    assert talk.hears("You idiot.").ends_call is None
    assert talk.hears("Shut up.").ends_call == "refused"


@pytest.mark.parametrize("nothing", ["", None, "…", " . "])
def test_nothing_heard_is_asked_for_again_twice_at_most_in_a_row(nothing: str | None) -> None:
    talk = greeted()
    asked = [talk.hears(nothing).text for _ in range(2)]
    assert asked[0] == "Say again?"
    assert asked[1] in LineBook(person()).stock["misheard"], "in other words, the second time"
    line = talk.hears(nothing)
    assert line.text not in asked
    assert line.ends_call == "gave_up"


def test_a_greeting_whose_names_were_misheard_is_still_a_greeting() -> None:
    line = Talk().hears("Hello, this is Lyming from Wang Ho Piece Are.")
    assert line.text in ("Go on.", "Hm-hm.")


def test_one_who_picks_up_leaves_the_agent_time_to_speak_first() -> None:
    line = Talk().picks_up()
    assert line.pause_s >= PICK_UP_S
    answer = Talk().hears(OPENING)
    assert answer.pause_s < PICK_UP_S


def test_words_about_something_else_are_asked_for_again_not_answered() -> None:
    assert greeted().hears("Penguins hold hands beneath gravel umbrellas.").text == "Say again?"


def test_an_unknown_question_gets_an_honest_answer() -> None:
    assert greeted().hears("How hot was the pizza?").text.startswith("No idea.")


def test_the_end_of_a_call() -> None:
    talk = greeted()
    for text in (
        "We looked into your order, why it came so late, the money and the chef.",
        "Our pizza driver had a flat tyre.",
        "The money is there on Friday.",
        "I don't know the pizza chef.",
    ):
        talk.hears(text)
    line = talk.hears("Thank you, goodbye.")
    assert line.text == "Friday it is."
    assert line.ends_call is None
    assert line.parting, "an agent that hangs up now has ended nothing"
    assert line.takes_leave
    last = talk.hears("Goodbye.")
    assert (last.text, last.ends_call) == ("Bye.", "satisfied")


@pytest.mark.parametrize("farewell", ["Goodbye.", "Bye bye.", "Good bye", "Bye-bye!", "Okay, bye now."])
def test_after_both_goodbyes_nobody_says_another(farewell: str) -> None:
    ending = {"when": "It is settled.", "cues": ["goodbye"], "say": ["Friday it is. Bye bye."]}
    talk = greeted(person(must_ask=[], termination=[ending]))
    line = talk.hears(f"The pizza is paid for. {farewell}")
    assert (line.text, line.ends_call) == ("Friday it is. Bye bye.", None)
    talk.dialogue.append(Heard(onset_s=90.0, end_s=91.0, text=farewell))
    assert talk.policy.next_line(talk.dialogue) == Leave(reason="satisfied", why="both have said goodbye")
    talk.dialogue[-1] = Heard(onset_s=90.0, end_s=91.0, text=f"When did you order, by the way? {farewell}")
    assert isinstance(talk.policy.next_line(talk.dialogue), Line), "a question is answered all the same"


def test_a_person_may_be_the_first_to_take_leave() -> None:
    ending = {"when": "It is settled.", "cues": ["driver comes again"], "say": ["Friday it is, then."]}
    talk = greeted(person(must_ask=[], termination=[ending]))
    for number in range(TURNS_BEFORE_THE_END):
        line = talk.hears(f"The pizza costs {number} dollars.")
        assert not line.takes_leave
    line = talk.hears("The pizza driver comes again on Friday.")
    assert (line.text, line.ends_call, line.parting) == ("Friday it is, then.", None, False)
    assert line.takes_leave, "an agent that hangs up once it is said has ended nothing"


def test_no_line_twice_running_unless_it_is_asked_for_again() -> None:
    shy = person(must_ask=[], facts=[*TRUSTED], cooperation=[])
    talk = greeted(shy)
    first = talk.hears("What's the order number?")
    assert first.text == "No."
    second = talk.hears("And the street number?")
    assert second.text in LineBook(shy).stock["decline"]
    assert talk.policy.state(talk.dialogue).refusals == 2
    again = greeted(shy)
    again.hears("What's the order number?")
    assert again.hears("What's the order number?").text == "No."
    third = greeted(shy)
    third.hears("What's the order number?")
    assert third.hears("I didn't catch that. Your street number?").text == "No."


def test_a_line_is_not_said_twice_in_one_turn() -> None:
    """A reaction that says the answer already: the answer is left out, and the other way round."""
    trigger = {"when": "Asks.", "cues": ["what hour"], "say": ["Well. At half past eight, I said."]}
    hour = {"key": "hour", "value": "half past eight", "say": ["at half past eight"], "cues": ["what hour"]}
    someone = person(triggers={"negative": [trigger]}, facts=[hour], must_ask=[])
    assert greeted(someone).hears("At what hour?").text.casefold().count("half past eight") == 1


def test_every_call_ends() -> None:
    """An agent that is always about the matter, and never gets anywhere."""
    for archetype in ("cooperative", "analytical", "hesitant", "resistant", "efficient"):
        talk = greeted(person(archetype))
        for number in range(60):
            line = talk.hears(f"And the pizza number {number} was a margherita, with {number} olives.")
            if line.ends_call:
                break
        assert line.ends_call in ("gave_up", "refused")


def test_when_silent_it_asks_twice_and_hangs_up() -> None:
    talk = greeted()
    texts = []
    for times in (1, 2):
        line = talk.policy.when_silent(talk.dialogue, times=times)
        assert isinstance(line, Line)
        assert line.ends_call is None
        texts.append(line.text)
        talk.dialogue.append(Said(text=line.text, kind="turn", end_s=float(len(talk.dialogue))))
    assert len(set(texts)) == 2
    last = talk.policy.when_silent(talk.dialogue, times=3)
    assert isinstance(last, Line)
    assert last.ends_call == "gave_up"


def interruptions(archetype: str, **manner: str) -> list[Line]:
    policy = AgendaPolicy(persona=person(archetype, manner=manner), seed=5)
    dialogue: list[Said | Heard] = []
    found = []
    for number in range(200):
        dialogue += [
            Said(text="Hm-hm.", kind="turn", end_s=2.0 * number),
            Heard(onset_s=2.0 * number, end_s=2.0 * number + 1, text=f"The pizza {number} was late."),
        ]
        line = policy.interruption(dialogue)
        if line is not None:
            found.append(line)
    return found


def test_interruptions_follow_the_manner() -> None:
    assert interruptions("efficient", interrupts="never", backchannels="never") == []
    rare = interruptions("resistant", interrupts="sometimes", backchannels="never")
    often = interruptions("resistant", interrupts="often", backchannels="never")
    assert 0 < len(rare) < len(often) < 200
    murmurs = interruptions("cooperative", interrupts="never", backchannels="often")
    assert murmurs
    prepared = AgendaPolicy(persona=person(), seed=1).prepared_lines()
    for line in (*rare, *often, *murmurs):
        assert line.barge_in_after_s is not None
        assert line.barge_in_after_s >= 1.0
    assert {line.expects_reply for line in often} == {True}
    assert {line.text for line in often} <= set(prepared)
    assert {line.expects_reply for line in murmurs} == {False}


@pytest.mark.parametrize("kind", ["backchannel", "barge_in"])
def test_no_second_murmur_into_the_same_words(kind: Kind) -> None:
    policy = AgendaPolicy(persona=person("cooperative", manner={"backchannels": "often"}), seed=5)
    found = 0
    for number in range(60):
        dialogue: list[Said | Heard] = [
            Heard(onset_s=0.0, end_s=1.0, text="The pizza was late."),
            *(Said(text="Hm-hm.", kind="turn", end_s=2.0 + n) for n in range(number)),
            Heard(onset_s=100.0, end_s=101.0, text="The pizza was cold."),
            Said(text="Go on.", kind="turn", end_s=102.0),
        ]
        found += policy.interruption(dialogue) is not None
        assert policy.interruption([*dialogue, Said(text="Mm-hm.", kind=kind, end_s=104.0)]) is None
    assert found > 10


def test_a_question_said_over_the_agent_counts_as_asked() -> None:
    policy = AgendaPolicy(persona=person(), seed=1)
    dialogue: Dialogue = [Said(text="Why so late?", kind="barge_in", end_s=1.0)]
    assert policy.state(dialogue).asked["why"] == 1
    murmur: Dialogue = [Said(text="Why so late?", kind="backchannel", end_s=1.0)]
    assert policy.state(murmur).asked["why"] == 0


def test_a_said_text_is_read_back_whatever_pauses_are_in_it() -> None:
    book = LineBook(person("hesitant"))
    roles = [
        str(role) for role in book.roles_in("Um … Well … that's honest. At half … past eight. Why so late?")
    ]
    assert roles == ["stock filler", "positive 0", "fact hour", "must_ask why"]


def test_a_pause_stands_at_a_comma() -> None:
    assert with_pause("I don't know, I couldn't say.") == "I don't know … I couldn't say."
    assert with_pause("Well, yes.") == "Well, yes."
    assert with_pause("Go ahead, then. But quickly.") == "Go ahead, then. But quickly."
    assert with_pause("我不知道，真的不知道。") == "我不知道 … 真的不知道。"


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("Are we good on that?", "clear"),
        ("Do you own a car?", "why_ask"),
        ("Do you want the order by tonight?", "clear"),
        ("Any trouble with that?", "nothing"),
        ("What do you make of it?", "fine"),
        ("Is that right?", "yes"),
        ("Did that get through?", "clear"),
        ("Has anybody else had a slice?", "nothing"),
        ("Shall I have the thin one sent or the thick one?", "first"),
        ("May I briefly explain the crust?", "go_ahead"),
    ],
)
def test_a_question_is_answered_by_its_form_where_no_fact_is_known_for_it(
    question: str, answers: StockKind
) -> None:
    said = greeted().hears(f"Pizza it is. {question}").text
    assert any(said.startswith(line) for line in LineBook(person()).stock[answers]), said
