"""What the scores of error rates carry: where the errors are, how many, of which version; and limits."""

from __future__ import annotations

import pytest

from metrics.intervals import bootstrap_ratio_by_call
from metrics.recognition import error_rate
from metrics.recognition.error_rate import (
    TextTooLong,
    Utterance,
    cer_score,
    character_error_rate,
    edits,
    wer_score,
    word_error_rate,
)
from metrics.recognition.normalize import NORMALIZATION_VERSION
from metrics.score import Evidence, Score, Status


def _wrong(words: int, call_id: str = "a") -> Utterance:
    """So many words, all heard as others."""
    return Utterance(call_id=call_id, reference="cat " * words, hypothesis="dog " * words)


def test_the_score_of_one_utterance_is_its_rate_with_its_mistakes() -> None:
    assert word_error_rate("the cat sat", "the mat").score == Score(
        metric="wer",
        unit="ratio",
        value=2 / 3,
        status=Status.MEASURED,
        reason="no interval: one utterance",
        n=3,
        evidence=(Evidence(value=2 / 3, text="cat → mat, sat → -"),),
        version=NORMALIZATION_VERSION,
    )
    nothing = character_error_rate("", "ab", language="en").score
    assert (nothing.metric, nothing.version) == ("cer", NORMALIZATION_VERSION)
    assert nothing.reason == "the reference has no characters to compare with (inserted: 2)"
    assert word_error_rate("cat", "cat").score.evidence == ()
    added = word_error_rate("cat", "cat dog").score
    assert added.evidence[0].text == "+ → dog"


def test_the_alignment_is_kept_in_order() -> None:
    pairs = word_error_rate("one cat sat down", "a one cat set").pairs
    assert [(pair.kind, pair.reference, pair.hypothesis) for pair in pairs] == [
        ("insert", None, "a"),
        ("equal", "1", "1"),
        ("equal", "cat", "cat"),
        ("substitute", "sat", "set"),
        ("delete", "down", None),
    ]


def test_mistakes_are_told_in_500_characters() -> None:
    """Each "bb → cc, " takes nine; of a hundred 898 would be needed."""
    told = word_error_rate("bb " * 100, "cc " * 100).score.evidence[0].text
    assert told == ("bb → cc, " * 100)[:500]
    pooled = wer_score([Utterance(call_id="a", reference="bb " * 100, hypothesis="cc " * 100)])
    assert pooled.evidence[0].text == told


def test_the_fifty_worst_utterances_are_told_and_where_they_are() -> None:
    many = [_wrong(1) for _ in range(51)] + [
        Utterance(call_id="b", reference="cat cat cat", hypothesis="dog dog cat", start_s=1.0, end_s=2.0)
    ]
    found = wer_score(many)
    assert len(found.evidence) == 50
    assert found.evidence[0] == Evidence(
        call_id="b", start_s=1.0, end_s=2.0, value=2 / 3, text="cat → dog, cat → dog"
    )
    assert {one.call_id for one in found.evidence[1:]} == {"a"}
    assert len(wer_score(many[:50]).evidence) == 50


def test_as_many_mistakes_are_told_in_the_order_of_the_call() -> None:
    said = [Utterance(call_id=f"c{n}", reference="cat bee", hypothesis="dog bee") for n in (3, 1, 2)]
    told = wer_score([*said, Utterance(call_id="c4", reference="x", hypothesis="x")]).evidence
    assert [one.call_id for one in told] == ["c3", "c1", "c2"]


def test_texts_of_20_000_characters_are_aligned_and_no_longer_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    assert error_rate.ALIGNMENT_LIMIT == 20_000
    monkeypatch.setattr(error_rate, "ALIGNMENT_LIMIT", 30)
    assert word_error_rate("x" * 30, "y").rate == 1.0
    assert word_error_rate("y", "x" * 30).rate == 1.0
    for one, other in (("x" * 31, "y"), ("y", "x" * 31)):
        with pytest.raises(TextTooLong, match=r"a text of 31 characters is too long to align \(at most 30\)"):
            word_error_rate(one, other)
    failed = cer_score([Utterance(call_id="a", reference="x" * 31, hypothesis="")], language="en")
    assert (failed.status, failed.version, failed.metric) == (Status.FAILED, NORMALIZATION_VERSION, "cer")


def test_scores_say_of_which_version_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(error_rate, "NORMALIZATION_VERSION", "77")
    none = Utterance(call_id="a", reference="", hypothesis="x")
    for score in (
        wer_score([_wrong(2)]),
        wer_score([none]),
        wer_score([none], language="zh"),
        cer_score([none], language="zh"),
    ):
        assert score.version == "77"
    assert word_error_rate("cat", "dog").score.version == word_error_rate("", "dog").score.version == "77"
    monkeypatch.setattr(error_rate, "ALIGNMENT_LIMIT", 1)
    assert wer_score([_wrong(2)]).version == "77"
    monkeypatch.undo()
    assert wer_score([none], language="zh").metric == "wer"
    assert wer_score([none], metric="agent_wer").metric == "agent_wer"
    assert cer_score([_wrong(2)], language="zh", metric="agent_cer").metric == "agent_cer"


def test_texts_are_compared_as_they_stand_where_rules_of_writing_are_others() -> None:
    words = edits("The cat, sat", "the cat, sat", unit="word")
    assert (words.unit, words.substitutions, words.hits, words.errors) == ("word", 1, 2, 1)
    characters = edits("Ab,", "ab,x", unit="character")
    assert (characters.unit, characters.substitutions, characters.hits) == ("character", 1, 2)
    assert characters.insertions == 1


def test_a_language_without_rules_is_refused_and_not_read_as_another() -> None:
    said = [Utterance(call_id="a", reference="bonjour", hypothesis="bonjour")]
    with pytest.raises(ValueError, match="there are: en, zh"):
        wer_score(said, language="fr")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="there are: en, zh"):
        cer_score(said, language="fr")  # type: ignore[arg-type]


def test_texts_are_read_in_their_language() -> None:
    """二十五 and 25 are one in Chinese and two in English."""
    said = Utterance(call_id="a", reference="二十五", hypothesis="25")
    assert cer_score([said], language="zh").value == 0.0
    assert cer_score([said], language="en").value == 1.0


@pytest.mark.parametrize("seed", [0, 5])
def test_the_interval_is_the_bootstrap_s_of_that_seed(seed: int) -> None:
    words = ["cat", "dog", "bee", "hen", "fox", "cow", "owl"]
    said = [
        Utterance(
            call_id=f"c{n}", reference=" ".join(words[: n % 6 + 2]), hypothesis=" ".join(words[n % 5 :])
        )
        for n in range(12)
    ]
    counts = {
        one.call_id: [(float(rate.errors), float(rate.reference_length))]
        for one in said
        for rate in [word_error_rate(one.reference, one.hypothesis)]
    }
    expected = bootstrap_ratio_by_call(counts, seed=seed)
    found = wer_score(said, seed=seed) if seed else wer_score(said)
    assert (found.ci_low, found.ci_high) == (expected.low, expected.high)
    characters = cer_score(said, language="en", seed=seed) if seed else cer_score(said, language="en")
    by_character = {
        one.call_id: [(float(rate.errors), float(rate.reference_length))]
        for one in said
        for rate in [character_error_rate(one.reference, one.hypothesis, language="en")]
    }
    wanted = bootstrap_ratio_by_call(by_character, seed=seed)
    assert (characters.ci_low, characters.ci_high) == (wanted.low, wanted.high)
    assert bootstrap_ratio_by_call(counts, seed=seed + 1) != expected
    assert bootstrap_ratio_by_call(by_character, seed=seed + 1) != wanted
