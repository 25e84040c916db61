"""Error rates against examples worked by hand and against an independent edit distance."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.recognition.error_rate import (
    ALIGNMENT_LIMIT,
    EVIDENCE_LIMIT,
    ErrorRate,
    TextTooLong,
    Utterance,
    cer_score,
    character_error_rate,
    pool,
    wer_score,
    word_error_rate,
)
from metrics.recognition.normalize import normalize
from metrics.score import Status


def counts(rate: ErrorRate) -> tuple[int, int, int, int]:
    return rate.substitutions, rate.deletions, rate.insertions, rate.hits


@pytest.mark.parametrize(
    ("reference", "hypothesis", "expected", "rate"),
    [
        # (S, D, I, H) and (S + D + I) / (S + D + H)
        ("the cat sat on the mat", "the cat sat on the mat", (0, 0, 0, 6), 0 / 6),
        ("the cat sat on the mat", "the cat sit on mat", (1, 1, 0, 4), 2 / 6),
        ("the cat sat", "the big cat sat down", (0, 0, 2, 3), 2 / 3),
        ("hello", "goodbye my old dear friend", (1, 0, 4, 0), 5 / 1),
        ("may I speak with you", "", (0, 5, 0, 0), 5 / 5),
        ("I have twenty five dollars", "I have $25", (0, 0, 0, 4), 0 / 4),
        ("It is at 3:30", "it's at three fifty", (1, 0, 0, 3), 1 / 4),
        ("my number is 555-1234", "my number is five five five one two three five", (1, 0, 0, 3), 1 / 4),
    ],
)
def test_word_error_rate_by_hand(
    reference: str, hypothesis: str, expected: tuple[int, int, int, int], rate: float
) -> None:
    result = word_error_rate(reference, hypothesis)
    assert counts(result) == expected
    assert result.rate == pytest.approx(rate)
    assert result.reference_length == expected[0] + expected[1] + expected[3]
    assert result.reason == ""


@pytest.mark.parametrize(
    ("reference", "hypothesis", "language", "expected", "rate"),
    [
        ("请问您是张强先生吗", "請問您是章強先生", "zh", (1, 1, 0, 7), 2 / 9),
        ("一共二百块钱", "一共200元。", "zh", (0, 0, 0, 6), 0 / 6),  # 1共200元
        ("打给ABC银行", "打给 abd 银行", "zh", (1, 0, 0, 6), 1 / 7),
        ("good day", "god day", "en", (0, 1, 0, 7), 1 / 8),
        ("good day", "goodday", "en", (0, 1, 0, 7), 1 / 8),  # the space counts
    ],
)
def test_character_error_rate_by_hand(
    reference: str, hypothesis: str, language: str, expected: tuple[int, int, int, int], rate: float
) -> None:
    result = character_error_rate(reference, hypothesis, language=language)  # type: ignore[arg-type]
    assert counts(result) == expected
    assert result.rate == pytest.approx(rate)


def test_pairs_show_what_was_heard_in_place_of_what() -> None:
    result = word_error_rate("call Mr. Zhang today", "please call mr jane")
    assert [(pair.kind, pair.reference, pair.hypothesis) for pair in result.pairs] == [
        ("insert", None, "please"),
        ("equal", "call", "call"),
        ("equal", "mr", "mr"),
        ("substitute", "zhang", "jane"),
        ("delete", "today", None),
    ]
    assert [str(pair) for pair in result.mistakes] == ["+ → please", "zhang → jane", "today → -"]


@pytest.mark.parametrize("reference", ["", "Um...", "?!"])
def test_without_a_reference_there_is_no_rate(reference: str) -> None:
    result = word_error_rate(reference, "thank you")
    assert result.rate is None
    assert counts(result) == (0, 0, 2, 0)
    assert "no words" in result.reason
    assert word_error_rate(reference, "").rate is None


def test_chinese_has_no_word_error_rate_and_other_languages_no_rules() -> None:
    with pytest.raises(ValueError, match="word boundaries"):
        word_error_rate("你好", "你好", language="zh")
    with pytest.raises(ValueError, match="there are: en, zh"):
        normalize("bonjour", "fr")  # type: ignore[arg-type]


def test_a_flood_is_refused_with_advice() -> None:
    with pytest.raises(TextTooLong, match="utterance by utterance"):
        word_error_rate("hello", "spam " * ALIGNMENT_LIMIT)


def edit_distance(one: Sequence[str], other: Sequence[str]) -> int:
    """Levenshtein's distance by the plain recurrence over the whole table."""
    table = [[0] * (len(other) + 1) for _ in range(len(one) + 1)]
    for i in range(len(one) + 1):
        table[i][0] = i
    for j in range(len(other) + 1):
        table[0][j] = j
    for i in range(1, len(one) + 1):
        for j in range(1, len(other) + 1):
            table[i][j] = min(
                table[i - 1][j] + 1,
                table[i][j - 1] + 1,
                table[i - 1][j - 1] + (one[i - 1] != other[j - 1]),
            )
    return table[-1][-1]


VOCABULARY = ["hello", "may", "speak", "with", "card", "bank", "account", "fee", "today", "name"]
sentences = st.lists(st.sampled_from(VOCABULARY), max_size=14)


@settings(max_examples=400, deadline=None)
@given(sentences, sentences)
def test_word_edits_are_the_fewest_and_explain_both_sides(said: list[str], heard: list[str]) -> None:
    result = word_error_rate(" ".join(said), " ".join(heard))
    assert result.errors == edit_distance(said, heard)
    assert result.reference_length == len(said)
    assert result.hits + result.substitutions + result.insertions == len(heard)
    assert [pair.reference for pair in result.pairs if pair.reference is not None] == said
    assert [pair.hypothesis for pair in result.pairs if pair.hypothesis is not None] == heard
    for kind, count in (
        ("equal", result.hits),
        ("substitute", result.substitutions),
        ("delete", result.deletions),
        ("insert", result.insertions),
    ):
        assert sum(pair.kind == kind for pair in result.pairs) == count
    assert all((pair.reference == pair.hypothesis) == (pair.kind == "equal") for pair in result.pairs)


@settings(max_examples=300, deadline=None)
@given(
    st.text(alphabet="天地人你我他来去好", max_size=20), st.text(alphabet="天地人你我他来去好", max_size=20)
)
def test_character_edits_are_the_fewest(said: str, heard: str) -> None:
    result = character_error_rate(said, heard, language="zh")
    assert result.errors == edit_distance(said, heard)
    assert result.reference_length == len(said)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(sentences, sentences), max_size=6))
def test_pooled_rate_is_all_errors_over_all_words(pairs: list[tuple[list[str], list[str]]]) -> None:
    rates = [word_error_rate(" ".join(said), " ".join(heard)) for said, heard in pairs]
    pooled = pool(rates, unit="word")
    words = sum(len(said) for said, _ in pairs)
    errors = sum(edit_distance(said, heard) for said, heard in pairs)
    assert (pooled.errors, pooled.reference_length) == (errors, words)
    assert pooled.rate == (None if words == 0 else pytest.approx(errors / words))


def test_only_like_is_pooled_with_like() -> None:
    with pytest.raises(ValueError, match="by word"):
        pool([character_error_rate("a", "b", language="en")], unit="word")


CALLS = [
    # 1 error of 6, none of 2, and 3 words heard where nothing was said: (1 + 0 + 3) / 8
    Utterance(call_id="a", reference="the cat sat on the mat", hypothesis="the cat sat on the map"),
    Utterance(call_id="a", reference="hello there", hypothesis="Hello there!", start_s=4.0, end_s=5.0),
    Utterance(call_id="b", reference="um", hypothesis="thank you dear", start_s=1.0, end_s=2.0),
]


def test_score_is_pooled_and_points_at_the_worst_first() -> None:
    score = wer_score(CALLS, seed=1)
    assert score.status is Status.MEASURED
    assert (score.metric, score.unit, score.n) == ("wer", "ratio", 8)
    assert score.value == pytest.approx(4 / 8)
    assert [(item.call_id, item.start_s, item.text) for item in score.evidence] == [
        ("b", 1.0, "+ → thank, + → you, + → dear"),
        ("a", None, "mat → map"),
    ]
    assert score.evidence[0].value is None
    assert score.evidence[1].value == pytest.approx(1 / 6)
    assert "only 2 calls" in score.reason


def test_score_can_exceed_one() -> None:
    score = wer_score([Utterance(call_id="a", reference="no", hypothesis="do you know this man")], seed=1)
    assert score.value == pytest.approx(5.0)
    assert (score.ci_low, score.ci_high) == (None, None)
    assert "no interval" in score.reason


def test_character_score() -> None:
    utterances = [
        Utterance(call_id="a", reference="您好", hypothesis="你好"),
        Utterance(call_id="b", reference="再见再见", hypothesis="再見再見。"),
    ]
    score = cer_score(utterances, language="zh", seed=1)
    assert (score.metric, score.n) == ("cer", 6)
    assert score.value == pytest.approx(1 / 6)


@pytest.mark.parametrize(
    ("utterances", "reason"),
    [([], "no words"), ([Utterance(call_id="a", reference="", hypothesis="hey")], "inserted: 1")],
)
def test_nothing_said_gives_no_value(utterances: list[Utterance], reason: str) -> None:
    score = wer_score(utterances, seed=1)
    assert (score.value, score.status) == (None, Status.NOT_APPLICABLE)
    assert reason in score.reason


def test_chinese_word_score_says_where_to_look() -> None:
    score = wer_score([Utterance(call_id="a", reference="好", hypothesis="好")], language="zh", seed=1)
    assert (score.value, score.status) == (None, Status.NOT_APPLICABLE)
    assert "character" in score.reason


def test_a_flood_fails_the_score_instead_of_the_program() -> None:
    flood = Utterance(call_id="a", reference="hi", hypothesis="spam " * ALIGNMENT_LIMIT)
    assert wer_score([flood], seed=1).status is Status.FAILED


def test_evidence_is_bounded() -> None:
    many = [Utterance(call_id=f"c{i}", reference="yes", hypothesis="word " * 500) for i in range(60)]
    score = wer_score(many, seed=1)
    assert len(score.evidence) == EVIDENCE_LIMIT
    assert all(len(item.text) <= 500 for item in score.evidence)


def test_interval_holds_the_rate_and_narrows_with_calls() -> None:
    def calls(count: int) -> list[Utterance]:
        return [
            Utterance(
                call_id=f"c{i}",
                reference="one small step for a man today",
                hypothesis="one small step for a man" if i % 3 else "once small step for man today",
            )
            for i in range(count)
        ]

    few, many = wer_score(calls(12), seed=1), wer_score(calls(120), seed=1)
    widths = []
    for score in (few, many):
        assert score.value is not None
        assert score.ci_low is not None
        assert score.ci_high is not None
        assert score.ci_low < score.value < score.ci_high
        widths.append(score.ci_high - score.ci_low)
    assert few.value == many.value
    # Ten times the calls: the width shrinks by about sqrt(10) = 3.2.
    assert 2.0 < widths[0] / widths[1] < 5.0


def test_one_utterance_is_a_score_without_a_seed_or_an_interval() -> None:
    score = word_error_rate("I lost my card today", "I lost a card today").score
    assert (score.metric, score.value, score.n) == ("wer", 0.2, 5)
    assert (score.ci_low, score.ci_high, score.reason) == (None, None, "no interval: one utterance")
    assert score.evidence[0].text == "my → a"
    assert character_error_rate("你好", "你", language="zh").score.metric == "cer"


def test_a_rate_that_is_none_is_no_score_either() -> None:
    score = word_error_rate("", "hello").score
    assert score.value is None
    assert score.reason == "the reference has no words to compare with (inserted: 1)"


def test_a_run_needs_no_seed_and_gives_the_same_interval_each_time() -> None:
    said = [
        Utterance(call_id=str(number), reference="one two three four", hypothesis=heard)
        for number, heard in enumerate(["one two three four", "one two", "one three four", "two three four"])
    ]
    assert wer_score(said) == wer_score(said, seed=0)
    assert wer_score(said).ci_high is not None
