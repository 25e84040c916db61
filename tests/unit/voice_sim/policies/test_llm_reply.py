"""What a person says, out of what models write: whole, and letter by letter."""

from __future__ import annotations

import re
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_sim.policies.llm_reply import Ending, ReplyReader
from voice_sim.policies.spoken_text import spoken, word_count


def read(
    text: str, *, language: str = "en", piece: int = 1000, max_words: int = 80, truncated: bool = False
) -> tuple[list[str], Ending]:
    """All sentences, and the ending; the text comes in pieces of this many characters."""
    reader = ReplyReader(
        language="zh" if language == "zh" else "en", own_names=("Chen Bo", "Chen"), max_words=max_words
    )
    sentences: list[str] = []
    for start in range(0, len(text), piece):
        sentences += reader.feed(text[start : start + piece])
        if reader.over:
            break
    ending = reader.finish(truncated=truncated)
    return [*sentences, *ending.sentences], ending


CASES = {
    "plain": ("Yes. Who is it?", ["Yes.", "Who is it?"]),
    "no full stop": ("Yes, who is it", ["Yes, who is it."]),
    "own name": ('Chen Bo: "Yes. Who is it?"', ["Yes.", "Who is it?"]),
    "role": ("**User:** Yes, speaking.", ["Yes, speaking."]),
    "both sides": ("Fine.\nAgent: Great, thank you!\nUser: Bye.", ["Fine."]),
    "both sides in one line": ("Fine. Agent: Great!", ["Fine."]),
    "the other side": ("Agent: May I speak to Mr. Chen?", []),
    "a name is no label": (
        "Tell me: what is it? System check, you say?",
        ["Tell me: what is it?", "System check, you say?"],
    ),
    "stage directions": ("*sighs* Well (looks away) no. [pauses] Sorry.", ["Well no.", "Sorry."]),
    "stress": ("I *really* mean **it**.", ["I really mean it."]),
    "markdown": (
        "# Hi\n- first thing\n2. second [thing](http://x.y)",
        ["Hi.", "first thing.", "second thing."],
    ),
    "emoji": ("Sure 👍🏽! 😀", ["Sure!"]),
    "quotes": ("She said “no” to me.", ["She said no to me."]),
    "abbreviations": (
        "Mr. Li said 3.5 percent at 9 a.m. today. OK?",
        ["Mr. Li said 3.5 percent at 9 a.m. today.", "OK?"],
    ),
    "pauses": ("Well... I don't know… maybe. Hm…", ["Well … I don't know … maybe.", "Hm."]),
    "thoughts": ("<think>He asks. I say no.</think>No.", ["No."]),
    "unended thoughts": ("<think>He asks. I say no.", []),
    "machine": ("As an AI language model, I have no phone. Yes?", ["Yes?"]),
    "nothing to say": ("...\n\n***", []),
    "empty": ("", []),
    "unclosed aside": ("No. (hangs his", ["No."]),
    "a bracket that never closes": (f"He said (that {'word ' * 45}and so on. Yes.", None),
    "control characters": ("Yes\x00\x1b[31m, \u202eno.", None),
}


@pytest.mark.parametrize("piece", [1, 3, 1000])
@pytest.mark.parametrize("case", CASES)
def test_what_is_said(case: str, piece: int) -> None:
    text, expected = CASES[case]
    sentences, ending = read(text, piece=piece)
    if expected is not None:
        assert sentences == expected
    assert ending.hangs_up is None
    assert not any(char in sentence for sentence in sentences for char in "*#[](){}<>\n\x00\x1b\u202e")


CHINESE = {
    "sentences": (
        "用户：嗯，你说。（叹气）那两百块怎么扣的？三天了！",
        ["嗯，你说。", "那两百块怎么扣的？", "三天了！"],
    ),
    "both sides": ("好的。\n客服：谢谢您！", ["好的。"]),
    "quotes": ("他说“不行”，就走了。", ["他说不行，就走了。"]),
    "machine": ("作为一个AI，我没有手机。您说。", ["您说。"]),
}


@pytest.mark.parametrize("piece", [1, 1000])
@pytest.mark.parametrize("case", CHINESE)
def test_what_is_said_in_chinese(case: str, piece: int) -> None:
    text, expected = CHINESE[case]
    assert read(text, language="zh", piece=piece)[0] == expected


@pytest.mark.parametrize("piece", [1, 7, 1000])
@pytest.mark.parametrize(
    ("text", "sentences", "reason"),
    [
        ("That's all. Bye! [[hang up: satisfied]]", ["That's all.", "Bye!"], "satisfied"),
        ("Not interested. [[hang up: refused]] Goodbye.", ["Not interested."], "refused"),
        ("[[hang up: gave up]]", [], "gave_up"),
        ("Enough [hang up - I've had enough]", ["Enough."], "gave_up"),
        ("Bye. (hangs up)", ["Bye."], "satisfied"),
        ("Bye. hang up: refused", ["Bye."], "refused"),
        ("Bye. [[hang up: sat", ["Bye."], "satisfied"),
        ("再见。【挂断：不想谈】", ["再见。"], "refused"),
        (
            "Don't hang up: I'm talking. Hang up the coat.",
            ["Don't hang up: I'm talking.", "Hang up the coat."],
            None,
        ),
    ],
)
def test_hanging_up(text: str, sentences: list[str], reason: str | None, piece: int) -> None:
    found, ending = read(text, piece=piece)
    assert (found, ending.hangs_up) == (sentences, reason)


def test_sentence_goes_out_as_soon_as_more_follows_and_the_last_is_kept_for_the_end() -> None:
    reader = ReplyReader(language="en")
    assert reader.feed("Yes, it is me.") == []  # it may be the last
    assert reader.feed(" ") == []
    assert reader.feed("Who") == ["Yes, it is me."]
    assert reader.feed(" is it?") == []
    assert reader.feed(" [[hang") == []  # a mark: it was the last
    assert reader.feed(" up: refused]]") == []
    assert reader.over
    assert reader.finish() == Ending(sentences=("Who is it?",), hangs_up="refused", why="")


def test_what_was_cut_off_is_told() -> None:
    assert read("Fine. Agent: Great!")[1].why == "cut: it spoke for the other side"
    assert read("As an AI language model, no.")[1].why == "left out: it called itself a machine"


@pytest.mark.parametrize("piece", [1, 1000])
def test_runaway_is_cut_with_a_sentence(piece: int) -> None:
    endless = " ".join(f"That is number {number}." for number in range(500))
    sentences, ending = read(endless, piece=piece, max_words=10)
    assert sentences == ["That is number 0.", "That is number 1.", "That is number 2."]
    assert (ending.sentences[-1], ending.why) == ("That is number 2.", "cut after 10 words")
    sentences, ending = read(endless, piece=piece)
    assert (len(sentences), ending.sentences[-1]) == (6, "That is number 5.")
    assert ending.why == "cut after 6 sentences"


@pytest.mark.parametrize("piece", [1, 1000])
def test_sentence_that_comes_again_ends_the_turn(piece: int) -> None:
    sentences, ending = read("Who is it? I see. Who is it? I see. " * 50, piece=piece)
    assert sentences == ["Who is it?", "I see."]
    assert ending.why == "cut: it repeated itself"


def test_endless_sentence_is_cut_at_a_comma() -> None:
    sentences, _ = read(f"{'la ' * 15}la, {'lo ' * 500}", max_words=10)
    assert sentences == [f"{'la ' * 15}la."]
    assert word_count(read("呀" * 500, language="zh", max_words=10)[0][0]) <= 30


def test_half_a_sentence_at_the_token_limit_is_not_said() -> None:
    assert read("Yes. I would like to know how", truncated=True)[0] == ["Yes."]
    assert read("I would like to know how", truncated=True)[0] == ["I would like to know how."]


@given(
    st.text(alphabet="abc .,!?…*_#[]()（）【】<>\"'\n:：。！？用户AgentMe", max_size=120), st.integers(1, 9)
)
def test_pieces_make_no_difference(text: str, piece: int) -> None:
    whole, ending = read(text)
    in_pieces, ending_in_pieces = read(text, piece=piece)
    assert in_pieces == whole
    assert ending_in_pieces.hangs_up == ending.hangs_up


@given(st.text(max_size=200))
def test_whatever_is_written_can_be_spoken(text: str) -> None:
    sentences, _ = read(text, piece=5)
    for sentence in sentences:
        assert sentence == sentence.strip()
        assert any(char.isalnum() or char == "_" for char in sentence)
        assert not any(char in sentence for char in '*#[](){}<>\n\r\t`"')
        assert spoken(sentence, language="en") in (sentence, sentence.rstrip("。") + ".", sentence)


RATINGS = (
    "8. The staff were friendly.",
    "10. Everything was fine.",
    "7) It was all right.",
    "1. They never came.",
    "3. I waited an hour.\n4. Nobody called.",
    "5. Could have been quicker.",
    "2. Too loud.",
    "9. I would come again.",
    "4. My room was cold.",
    "6. The food was so so.",
    "8. 服务挺好的。",
)


@pytest.mark.parametrize("piece", [1, 1000])
@pytest.mark.parametrize("text", RATINGS)
def test_a_number_before_the_words_is_an_answer(text: str, piece: int) -> None:
    said = " ".join(read(text, piece=piece)[0])
    for number in re.findall(r"\d+", text):
        assert number in said


@pytest.mark.parametrize(
    "text",
    [
        "1. The staff.\n2. The food.",
        "Two things.\n1. The price.\n2. The date.\n3. The place.",
        "1) 价格。\n2) 日期。",
        "- The price.\n- The date.",
        "# The price.",
    ],
)
@pytest.mark.parametrize("piece", [1, 1000])
def test_heads_of_a_list_are_not_said(text: str, piece: int) -> None:
    assert not re.search(r"[\d#-]", " ".join(read(text, piece=piece)[0]))


@pytest.mark.parametrize(
    ("written", "language", "as_said"),
    [
        ("It was 36.8℃ this morning.", "en", "It was 36.8 degrees this morning."),
        ("It was 36.8 °C this morning.", "en", "It was 36.8 degrees this morning."),
        ("Turn it by 90° to the left.", "en", "Turn it by 90 degrees to the left."),
        ("It was 98.6°F.", "en", "It was 98.6 degrees Fahrenheit."),
        ("早上三十六度八，就是36.8℃。", "zh", "早上三十六度八，就是36.8度。"),
        ("转90°就行。", "zh", "转90度就行。"),
        ("烧到39°C了。", "zh", "烧到39度了。"),
        ("华氏的是98.6℉。", "zh", "华氏的是98.6华氏度。"),
    ],
)
def test_degrees_are_said(written: str, language: Literal["en", "zh"], as_said: str) -> None:
    assert spoken(written, language=language) == as_said
