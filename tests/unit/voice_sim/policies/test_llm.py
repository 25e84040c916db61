"""The caller that a language model plays, with models that write what the test says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any, Literal

import pytest
from pydantic_ai.exceptions import ModelAPIError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

from tests.unit.voice_sim.policies.people import nobody, person
from voice_sim.policies.base import THINKING, Dialogue, Heard, Leave, Line, PolicyError, Said, ThinkingPolicy
from voice_sim.policies.llm import LLMPolicy
from voice_sim.policies.llm_messages import agent_says_goodbye


class Writer:
    """A model that writes these answers, word by word; an exception is raised where it stands."""

    def __init__(self, *answers: str | Exception | list[str | Exception]) -> None:
        self.answers = list(answers)
        self.asked: list[list[ModelMessage]] = []
        self.settings: list[dict[str, Any]] = []
        self.written: list[str] = []
        self.model = FunctionModel(stream_function=self._stream)

    async def _stream(self, messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str]:
        self.asked.append(messages)
        self.settings.append(dict(info.model_settings or {}))
        answer = self.answers.pop(0)
        pieces = answer if isinstance(answer, list) else [answer]
        for piece in pieces:
            if isinstance(piece, Exception):
                raise piece
            for word in piece.split(" "):
                self.written.append(word)
                yield f"{word} "


def policy(writer: Writer, **fields: Any) -> LLMPolicy:
    return LLMPolicy(**{"persona": person(), "model": writer.model, "seed": 1, **fields})


async def parts(policy: LLMPolicy, dialogue: Dialogue) -> list[Line | Leave]:
    return [part async for part in policy.think(dialogue)]


def heard(text: str | None, at_s: float = 1.0) -> Heard:
    return Heard(onset_s=at_s, end_s=at_s + 1, text=text)


def said(text: str, kind: Any = "turn") -> Said:
    return Said(text=text, kind=kind, end_s=3.0)


HELLO = [heard("Hello, is that Mr. Chen?")]


async def test_turn_comes_sentence_by_sentence() -> None:
    lines = await parts(policy(Writer("Yes, speaking. Who is it?")), HELLO)
    assert [line.text for line in lines if isinstance(line, Line)] == ["Yes, speaking.", "Who is it?"]
    assert [line.more for line in lines if isinstance(line, Line)] == [True, False]
    assert all(isinstance(line, Line) and line.ends_call is None for line in lines)


async def test_first_sentence_is_there_before_the_model_has_finished() -> None:
    writer = Writer("Yes, speaking. Who is it? What do you want from me?")
    thinking = policy(writer).think(HELLO)
    first = await anext(aiter(thinking))
    assert isinstance(first, Line)
    assert first.text == "Yes, speaking."
    assert writer.written == ["Yes,", "speaking.", "Who"]


async def test_hanging_up_is_on_the_last_line() -> None:
    *before, last = await parts(policy(Writer("I've had enough. Bye. [[hang up: gave up]]")), HELLO)
    assert isinstance(last, Line)
    assert (last.text, last.ends_call, last.more) == ("Bye.", "gave_up", False)
    assert all(isinstance(line, Line) and line.ends_call is None for line in before)


async def test_hanging_up_without_a_word() -> None:
    (only,) = await parts(policy(Writer("[[hang up: refused]]")), HELLO)
    assert isinstance(only, Leave)
    assert only.reason == "refused"


async def test_answer_without_words_is_asked_for_once_more() -> None:
    writer = Writer("*sighs*", "What do you want?")
    (line,) = await parts(policy(writer), HELLO)
    assert isinstance(line, Line)
    assert line.text == "What do you want?"
    assert writer.settings[0]["seed"] != writer.settings[1]["seed"]


async def test_model_without_words_did_not_understand_and_says_why() -> None:
    (line,) = await parts(policy(Writer("Agent: Hello!", "")), HELLO)
    assert isinstance(line, Line)
    assert line.text == "What did you say?"
    assert "no words" in line.why


async def test_model_that_never_finds_words_gives_up() -> None:
    dialogue: list[Any] = []
    for _ in range(2):
        dialogue += [heard("Well?"), said("What did you say?")]
    (leave,) = await parts(policy(Writer("", "")), [*dialogue, heard("Well?")])
    assert isinstance(leave, Leave)
    assert leave.reason == "gave_up"


async def test_sentence_is_not_said_a_third_time() -> None:
    again = "How much is it per order then?"
    dialogue: Dialogue = [heard("Hm."), said(again), heard("Hm."), said(again), heard("Hm.")]
    (line,) = await parts(policy(Writer(f"{again} Tell me.")), dialogue)
    assert isinstance(line, Line)
    assert line.text == "Tell me."
    (only,) = await parts(policy(Writer(again, again)), dialogue)
    assert isinstance(only, Line)
    assert only.text in {"Okay.", "I see."}
    assert "repeats itself" in only.why


async def test_model_that_repeats_itself_for_ever_gives_up() -> None:
    dialogue: list[Any] = [heard("Well?")]
    for _ in range(20):
        (part,) = await parts(policy(Writer("What was that?", "What was that?")), dialogue)
        if isinstance(part, Leave):
            break
        dialogue += [said(part.text), heard("I don't know.")]
    assert isinstance(part, Leave)
    assert part.reason == "gave_up"
    words = [turn.text for turn in dialogue if isinstance(turn, Said)]
    assert words[:2] == ["What was that?"] * 2
    assert len(words) == 4


BYE: Dialogue = [heard("Hello."), said("Yes?"), heard("That was all, Ms. Wang. Goodbye.")]


async def test_model_is_told_that_the_agent_said_goodbye() -> None:
    writer = Writer("Fine.", "Fine.")
    await parts(policy(writer), BYE)
    await parts(policy(writer), [*BYE, said("And the fee?"), heard("There is none.")])
    last = [str(asked[-1].parts[-1].content) for asked in writer.asked]  # type: ignore[union-attr]
    assert "said goodbye" in last[0]
    assert "said goodbye" not in last[1]


async def test_both_said_goodbye_and_hang_up() -> None:
    *_, last = await parts(policy(Writer("All right. Bye-bye.")), BYE)
    assert isinstance(last, Line)
    assert (last.text, last.ends_call) == ("Bye-bye.", "satisfied")
    assert "both have said goodbye" in last.why
    assert last.parting


@pytest.mark.parametrize(
    ("answer", "ends"),
    [
        ("Bye! Thanks so much.", "satisfied"),
        ("Okay, bye bye! I will wait for the letter.", "satisfied"),
        ("And the fee?", None),
        ("What is the price? Otherwise goodbye.", None),
    ],
)
async def test_goodbye_may_stand_anywhere_in_the_turn_but_not_beside_a_question(
    answer: str, ends: str | None
) -> None:
    *_, last = await parts(policy(Writer(answer)), BYE)
    assert isinstance(last, Line)
    assert last.ends_call == ends
    assert last.parting is (ends is not None)


async def test_goodbye_of_the_caller_alone_ends_nothing() -> None:
    *_, last = await parts(policy(Writer("Bye-bye.")), HELLO)
    assert isinstance(last, Line)
    assert last.ends_call is None


async def test_goodbye_whose_last_sentence_is_worn_out_ends_the_call_all_the_same() -> None:
    again = "Thank you very much for that."
    dialogue: Dialogue = [heard("Hm."), said(again), heard("Hm."), said(again), *BYE[2:]]
    *_, last = await parts(policy(Writer(f"Bye-bye. {again}")), dialogue)
    assert isinstance(last, Line | Leave)
    assert (last.ends_call if isinstance(last, Line) else last.reason) == "satisfied"


async def test_model_without_words_after_the_goodbye_hangs_up() -> None:
    (leave,) = await parts(policy(Writer("", "")), BYE)
    assert isinstance(leave, Leave)
    assert leave.reason == "satisfied"


@pytest.mark.parametrize("answer", [ModelAPIError("m", "no answer"), ["Well, ", ModelAPIError("m", "gone")]])
async def test_failed_model_is_our_fault(answer: Any) -> None:
    with pytest.raises(PolicyError, match="the caller's language model failed"):
        await parts(policy(Writer(answer)), HELLO)


async def test_runaway_is_cut() -> None:
    writer = Writer(" ".join(f"I have {number} things to tell." for number in range(1000)))
    lines = await parts(policy(writer), HELLO)
    assert [line.more for line in lines if isinstance(line, Line)] == [True] * 5 + [False]
    assert len(writer.written) < 100


def test_messages_are_the_dialogue() -> None:
    dialogue: Dialogue = [
        heard("Hello?"),
        heard("This is Li."),
        said("Yes."),
        said("What is it?"),
        said("Mm-hm.", "backchannel"),
        heard(None),
        said("Wait.", "barge_in"),
        heard(""),
    ]
    messages = policy(Writer()).messages(dialogue)
    shape: list[tuple[str, str]] = []
    for message in messages:
        for part in message.parts:
            if isinstance(part, UserPromptPart | TextPart):
                shape.append(("other" if isinstance(message, ModelRequest) else "own", str(part.content)))
    unclear = "(They said something, and you did not understand it.)"
    assert shape == [
        ("other", "(The phone rings. You pick it up.)\nHello?\nThis is Li."),
        ("own", "Yes. What is it?"),
        ("other", unclear),
        ("own", "Wait."),
        ("other", unclear),
    ]
    assert isinstance(messages[0].parts[0], SystemPromptPart)


def test_messages_end_with_the_other_side() -> None:
    chat = policy(Writer())
    dialogues: list[Dialogue] = [[], HELLO, [said("Hi?")], [*HELLO, said("Yes.")]]
    for dialogue in dialogues:
        messages = chat.messages(dialogue)
        assert isinstance(messages[-1], ModelRequest)
        kinds = [type(message) for message in messages]
        assert kinds == [ModelRequest, ModelResponse][: len(kinds)] * (len(kinds) // 2) + [ModelRequest] * (
            len(kinds) % 2
        )


def test_stranger_s_words_are_bounded() -> None:
    (message,) = policy(Writer()).messages([heard("a" * 100_000)])
    prompts = [part.content for part in message.parts if isinstance(part, UserPromptPart)]
    assert len(prompts) == 1
    assert len(prompts[0]) < 2100


def test_it_is_a_thinking_policy_that_answers_at_once() -> None:
    ours = policy(Writer())
    assert isinstance(ours, ThinkingPolicy)
    assert ours.hears_words
    assert ours.next_line(HELLO) is THINKING
    picked_up = ours.next_line([])
    assert isinstance(picked_up, Line)
    assert picked_up.text == "Hi?"


@pytest.mark.parametrize("language", ["en", "zh"])
def test_all_that_is_said_over_the_agent_is_prepared(language: str) -> None:
    talkative = person(language=language, manner={"interrupts": "often", "backchannels": "often"})
    prepared: set[str] = set()
    kinds: set[str] = set()
    for seed in range(60):
        ours = policy(Writer(), persona=talkative, seed=seed)
        prepared |= set(ours.prepared_lines())
        line = ours.interruption([*HELLO, said("Yes.")])
        assert line == ours.interruption([*HELLO, said("Yes.")]), "asking twice is harmless"
        if line is not None:
            assert line.text in prepared
            assert line.barge_in_after_s is not None
            kinds.add(line.kind_over_agent)
    assert kinds == {"barge_in", "backchannel"}


def test_nobody_interrupts_who_never_does_or_has_not_spoken() -> None:
    quiet = person(manner={"interrupts": "never", "backchannels": "never"})
    loud = person(manner={"interrupts": "often", "backchannels": "often"})
    for seed in range(60):
        assert policy(Writer(), persona=quiet, seed=seed).interruption([*HELLO, said("Yes.")]) is None
        assert policy(Writer(), persona=loud, seed=seed).interruption(HELLO) is None


def test_silence_is_met_with_prepared_words() -> None:
    ours = policy(Writer())
    dialogues: list[Dialogue] = [[], [*HELLO, said("Yes.")]]
    for dialogue in dialogues:
        for times in (1, 2, 3):
            line = ours.when_silent(dialogue, times=times)
            assert isinstance(line, Line)
            assert line.text in ours.prepared_lines()


def test_persona_without_phrases_has_words_all_the_same() -> None:
    for language in ("en", "zh"):
        ours = policy(Writer(), persona=nobody(language))
        assert all(ours.prepared_lines())
        assert isinstance(ours.next_line([]), Line)


@pytest.mark.parametrize(
    "draw", [lambda ours: ours.next_line([]), lambda ours: ours.interruption([*HELLO, said("Yes.")])]
)
def test_seed_decides(draw: Callable[[LLMPolicy], Any]) -> None:
    drawn = [draw(policy(Writer(), seed=seed)) for seed in (1, 1, *range(2, 12))]
    assert drawn[0] == drawn[1]
    assert any(each != drawn[0] for each in drawn)


async def test_warming_up_reads_the_persona_and_says_nothing() -> None:
    writer = Writer("Hello? Who is it, please?", ModelAPIError("m", "no answer"))
    ours = policy(writer, max_tokens=50)
    await ours.warm_up()
    first, later = writer.asked[0][0].parts[0], ours.messages(HELLO)[0].parts[0]
    assert isinstance(first, SystemPromptPart)
    assert isinstance(later, SystemPromptPart)
    assert first.content == later.content
    assert len(writer.written) < 5, "its first words are enough"
    # Asked as a turn is: some providers refuse a limit of a few tokens.
    assert writer.settings[0]["max_tokens"] == 50
    with pytest.raises(PolicyError, match="the caller's language model failed: no answer"):
        await ours.warm_up()


async def test_settings_go_to_the_model() -> None:
    writer = Writer("Yes.", "Yes.")
    await parts(policy(writer, temperature=None, max_tokens=50), HELLO)
    await parts(policy(writer, temperature=0.2), HELLO)
    assert ("temperature" in writer.settings[0], writer.settings[0]["max_tokens"]) == (False, 50)
    assert writer.settings[1]["temperature"] == 0.2
    assert writer.settings[0]["seed"] == writer.settings[1]["seed"]


@pytest.mark.parametrize(
    ("dialogue", "goodbye"),
    [
        ([heard("Thank you for your time.")], False),
        ([heard("Hello."), said("Yes."), heard("I'm done. Goodbye.")], True),
        ([heard("Hello."), said("Yes."), heard("Have a nice day.")], False),
        ([*[heard("The fee is ten."), said("Yes.")] * 2, heard("Have a nice day.")], True),
        ([*[heard("The fee is ten."), said("Yes.")] * 2, heard("Have a"), heard("nice day.")], True),
        ([*[heard("Fine."), said("Yes.")] * 2, heard("Thank you for your patience. It's ten.")], False),
        ([*[heard("Fine."), said("Yes.")] * 2, heard("Goodbye. Shall I send it?")], False),
        ([*[heard("Bye."), said("Yes.")] * 2], False),
        ([heard("Hello."), said("Yes."), heard("Great, that's all I need, goodbye.")], True),
        ([heard("Hello."), said("Yes."), heard("Goodbye. What is your name?")], False),
        ([heard("A card?"), said("No, thanks."), said("I'm busy."), heard("Okay, have a nice day.")], True),
        ([heard("A card?"), said("I'm not interested."), heard("Thank you for your time.")], True),
        ([*[heard("Fine."), said("Yes.")] * 2, heard("Have a nice day! Let me know if you need us.")], True),
    ],
)
def test_the_agent_takes_leave_at_the_end_of_what_it_says(dialogue: Dialogue, goodbye: bool) -> None:
    assert agent_says_goodbye("en", dialogue) is goodbye


@pytest.mark.parametrize(
    ("language", "asked", "answer", "courtesy"),
    [
        ("en", "Are you busy right now?", "No, I'm not busy, go ahead.", "Great, thank you for your time."),
        ("en", "Is this a bad time?", "No, that's fine.", "Thanks for taking the time, I appreciate it."),
        ("zh", "您现在忙吗？", "不忙，您说。", "好的，谢谢您的时间。"),
        ("zh", "是本人吗？", "不是我本人，是我太太。", "好的，谢谢您的配合。"),
    ],
)
def test_a_no_that_refuses_nothing_leaves_thanks_the_courtesy_of_an_opening(
    language: Literal["en", "zh"], asked: str, answer: str, courtesy: str
) -> None:
    assert not agent_says_goodbye(language, [heard(asked), said(answer), heard(courtesy)])
