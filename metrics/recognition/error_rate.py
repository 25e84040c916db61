"""Word and character error rates: (S + D + I) / N over the normalised reference (Table 15 of the paper).

Rates are pooled over utterances: all errors over all reference words, so that a long utterance weighs more
than a short one. A rate can exceed 1, because insertions are not bounded by the reference; it is never
clamped. Without a reference there is no rate, but what was heard there still counts as insertions when
utterances are pooled. Alignments are jiwer's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Literal, cast

import jiwer

from metrics.intervals import BY_CALL, bootstrap_ratio_by_call
from metrics.recognition.normalize import NORMALIZATION_VERSION, Language, normalize
from metrics.score import Evidence, Score, Status, not_measured

EVIDENCE_LIMIT = 50
"""Utterances that a score keeps as evidence: those with most errors."""
EVIDENCE_TEXT_LIMIT = 500
ALIGNMENT_LIMIT = 20_000
"""Characters of one text: an alignment takes memory in proportion to the product of both."""

Unit = Literal["word", "character"]
EditKind = Literal["equal", "substitute", "delete", "insert"]


class TextTooLong(ValueError):
    """A text beyond :data:`ALIGNMENT_LIMIT`: no utterance, but a flood or a whole book."""


@dataclass(frozen=True, kw_only=True)
class AlignedPair:
    """One step of the alignment: a reference token beside what was recognised in its place.

    ``reference`` is None for an insertion, ``hypothesis`` for a deletion.
    """

    kind: EditKind
    reference: str | None
    hypothesis: str | None

    def __str__(self) -> str:
        return f"{self.reference or '+'} → {self.hypothesis or '-'}"


@dataclass(frozen=True, kw_only=True)
class ErrorRate:
    """Edits that turn the reference into the hypothesis, after normalisation.

    Attributes:
        unit: What was counted: words, or characters.
        substitutions, deletions, insertions, hits: Of one alignment with fewest edits.
        pairs: That alignment, in order; empty for pooled rates.
    """

    unit: Unit
    substitutions: int
    deletions: int
    insertions: int
    hits: int
    pairs: tuple[AlignedPair, ...] = ()

    @property
    def errors(self) -> int:
        return self.substitutions + self.deletions + self.insertions

    @property
    def reference_length(self) -> int:
        """Words or characters of the normalised reference."""
        return self.hits + self.substitutions + self.deletions

    @property
    def rate(self) -> float | None:
        """Errors over reference length; None when the reference is empty. Can exceed 1."""
        return self.errors / self.reference_length if self.reference_length else None

    @property
    def reason(self) -> str:
        """Why there is no rate; empty where there is one."""
        if self.reference_length:
            return ""
        return f"the reference has no {self.unit}s to compare with (inserted: {self.insertions})"

    @property
    def score(self) -> Score:
        """The rate with its edits as evidence: ``wer`` or ``cer``. Of one utterance, so without an interval:
        that takes several calls, see :func:`wer_score`."""
        metric = "wer" if self.unit == "word" else "cer"
        if self.rate is None:
            return not_measured(metric, "ratio", self.reason, version=NORMALIZATION_VERSION)
        text = ", ".join(str(pair) for pair in self.mistakes)[:EVIDENCE_TEXT_LIMIT]
        return Score(
            metric=metric,
            unit="ratio",
            value=self.rate,
            status=Status.MEASURED,
            reason="no interval: one utterance",
            n=self.reference_length,
            evidence=(Evidence(value=self.rate, text=text),) if self.mistakes else (),
            version=NORMALIZATION_VERSION,
        )

    @property
    def mistakes(self) -> tuple[AlignedPair, ...]:
        """The pairs that differ."""
        return tuple(pair for pair in self.pairs if pair.kind != "equal")


@dataclass(frozen=True, kw_only=True)
class Utterance:
    """What was said and what was recognised, with its place in a call."""

    call_id: str
    reference: str
    hypothesis: str
    start_s: float | None = None
    end_s: float | None = None


def word_error_rate(reference: str, hypothesis: str, *, language: Language = "en") -> ErrorRate:
    """WER of one utterance; both texts are normalised first.

    Raises:
        ValueError: Chinese, which is written without word boundaries: use :func:`character_error_rate`.
        TextTooLong: Either text cannot be aligned as one utterance.
    """
    if language == "zh":
        raise ValueError("Chinese has no written word boundaries: use the character error rate")
    return _align(normalize(reference, language), normalize(hypothesis, language), unit="word")


def character_error_rate(reference: str, hypothesis: str, *, language: Language) -> ErrorRate:
    """CER of one utterance; both texts are normalised first. In English a space between words counts.

    Raises:
        TextTooLong: Either text cannot be aligned as one utterance.
    """
    return _align(normalize(reference, language), normalize(hypothesis, language), unit="character")


def edits(reference: str, hypothesis: str, *, unit: Unit) -> ErrorRate:
    """The fewest edits between two texts as they stand: for rules of writing other than ours.

    Raises:
        TextTooLong: Either text cannot be aligned as one utterance.
    """
    return _align(reference, hypothesis, unit=unit)


def pool(rates: Sequence[ErrorRate], *, unit: Unit) -> ErrorRate:
    """The rate of all utterances together: edits and lengths are summed.

    Raises:
        ValueError: A rate of another unit.
    """
    if any(rate.unit != unit for rate in rates):
        raise ValueError(f"only rates by {unit} can be pooled here")
    return ErrorRate(
        unit=unit,
        substitutions=sum(rate.substitutions for rate in rates),
        deletions=sum(rate.deletions for rate in rates),
        insertions=sum(rate.insertions for rate in rates),
        hits=sum(rate.hits for rate in rates),
    )


def wer_score(
    utterances: Sequence[Utterance], *, language: Language = "en", seed: int = 0, metric: str = "wer"
) -> Score:
    """Pooled WER of a run or a call, with its interval by call; ``n`` is the number of reference words.

    Args:
        seed: Of the interval's resampling: the same utterances give the same interval.
    """
    if language == "zh":
        reason = "Chinese has no written word boundaries; see the character error rate"
        return not_measured(metric, "ratio", reason, version=NORMALIZATION_VERSION)
    return _score(
        utterances,
        lambda utterance: word_error_rate(utterance.reference, utterance.hypothesis, language=language),
        unit="word",
        seed=seed,
        metric=metric,
    )


def cer_score(
    utterances: Sequence[Utterance], *, language: Language, seed: int = 0, metric: str = "cer"
) -> Score:
    """Pooled CER of a run or a call, with its interval by call; ``n`` is the number of characters.

    ``seed`` is as in :func:`wer_score`.
    """
    return _score(
        utterances,
        lambda utterance: character_error_rate(utterance.reference, utterance.hypothesis, language=language),
        unit="character",
        seed=seed,
        metric=metric,
    )


def _align(reference: str, hypothesis: str, *, unit: Unit) -> ErrorRate:
    """The fewest edits from one normalised text to the other."""
    process = jiwer.process_words if unit == "word" else jiwer.process_characters
    if max(len(reference), len(hypothesis)) > ALIGNMENT_LIMIT:
        raise TextTooLong(
            f"a text of {max(len(reference), len(hypothesis))} characters is too long to align "
            f"(at most {ALIGNMENT_LIMIT}): compare utterance by utterance"
        )
    output = process(reference, hypothesis)
    # One sentence is aligned at a time.
    [chunks], [said], [heard] = output.alignments, output.references, output.hypotheses
    return ErrorRate(
        unit=unit,
        substitutions=output.substitutions,
        deletions=output.deletions,
        insertions=output.insertions,
        hits=output.hits,
        pairs=tuple(pair for chunk in chunks for pair in _pairs(chunk, said, heard)),
    )


def _pairs(
    chunk: jiwer.AlignmentChunk, reference: Sequence[str], hypothesis: Sequence[str]
) -> Iterator[AlignedPair]:
    said = reference[chunk.ref_start_idx : chunk.ref_end_idx]
    heard = hypothesis[chunk.hyp_start_idx : chunk.hyp_end_idx]
    for one, other in zip_longest(said, heard):
        yield AlignedPair(kind=cast(EditKind, chunk.type), reference=one, hypothesis=other)


def _score(
    utterances: Sequence[Utterance],
    rate_of: Callable[[Utterance], ErrorRate],
    *,
    unit: Unit,
    seed: int,
    metric: str,
) -> Score:
    try:
        rates = [rate_of(utterance) for utterance in utterances]
    except TextTooLong as error:
        return not_measured(metric, "ratio", str(error), status=Status.FAILED, version=NORMALIZATION_VERSION)
    pooled = pool(rates, unit=unit)
    if pooled.rate is None:
        return not_measured(metric, "ratio", pooled.reason, version=NORMALIZATION_VERSION)
    counts: dict[str, list[tuple[float, float]]] = {}
    for utterance, rate in zip(utterances, rates, strict=True):
        counts.setdefault(utterance.call_id, []).append((rate.errors, rate.reference_length))
    interval = bootstrap_ratio_by_call(counts, seed=seed)
    return Score(
        metric=metric,
        unit="ratio",
        value=pooled.rate,
        status=Status.MEASURED,
        reason="" if interval.method == BY_CALL else f"interval: {interval.method}",
        n=pooled.reference_length,
        ci_low=interval.low,
        ci_high=interval.high,
        evidence=_evidence(utterances, rates),
        version=NORMALIZATION_VERSION,
    )


def _evidence(utterances: Sequence[Utterance], rates: Sequence[ErrorRate]) -> tuple[Evidence, ...]:
    """Where the errors are, worst utterance first."""
    worst = sorted(
        (index for index, rate in enumerate(rates) if rate.errors),
        key=lambda index: (-rates[index].errors, index),
    )
    return tuple(
        Evidence(
            call_id=utterances[index].call_id,
            start_s=utterances[index].start_s,
            end_s=utterances[index].end_s,
            value=rates[index].rate,
            text=", ".join(str(pair) for pair in rates[index].mistakes)[:EVIDENCE_TEXT_LIMIT],
        )
        for index in worst[:EVIDENCE_LIMIT]
    )
