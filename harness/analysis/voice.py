"""How the agent's voice sounds in a call: NISQA on each stretch of its speech."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from harness.analysis.instruments import Instruments
from harness.analysis.nisqa_clips import RatedClip, rated_clip
from harness.records.scores import ClipQuality
from metrics.score import Evidence, Score
from metrics.spans import Span
from metrics.speech import Talk
from metrics.synthesis.naturalness import naturalness_scores, quality_scores
from metrics.synthesis.nisqa_domain import domain_warnings

Samples = NDArray[np.float32]

LONGEST_CLIP_S = 20.0
"""Longer talk is rated in parts that begin and end in pauses: the models were trained on single sentences,
and refuse a clip beyond 52 s."""


@dataclass(frozen=True, kw_only=True)
class VoiceRating:
    """Per clip and for the call."""

    clips: list[ClipQuality]
    scores: list[Score]


def stretches(talks: Sequence[Talk]) -> list[Span]:
    """What of a call is to be rated: each stretch of the agent's speech, long ones in parts."""
    return [part for talk in talks for part in _parts(talk)]


def voice_rating(clips: Sequence[RatedClip] | None, *, call_id: str, why_no_nisqa: str) -> VoiceRating:
    """The rating of a call's voice from that of its :func:`stretches`; None: there is no NISQA."""
    if clips is None:
        return _not_rated(why_no_nisqa)
    warnings = [clip.warnings for clip in clips]
    evidence = [Evidence(call_id=call_id, start_s=clip.span.start_s, end_s=clip.span.end_s) for clip in clips]
    natural = [(where, clip.naturalness) for where, clip in zip(evidence, clips, strict=True)]
    quality = [(where, clip.quality) for where, clip in zip(evidence, clips, strict=True)]
    return VoiceRating(
        clips=[_clip(clip) for clip in clips],
        scores=[
            *naturalness_scores(natural, warnings=warnings),
            *quality_scores(quality, warnings=warnings),
        ],
    )


def rate_clip(audio: Samples, sample_rate_hz: int, *, call_id: str, instruments: Instruments) -> VoiceRating:
    """Rates a clip as it is: whole, and at its own sampling rate, as the official tool does."""
    naturalness, quality = instruments.naturalness, instruments.quality
    why = instruments.why_no_nisqa
    if naturalness is not None and quality is not None:
        why = naturalness.refusal(audio, sample_rate_hz) or quality.refusal(audio, sample_rate_hz)
    if naturalness is None or quality is None or why:
        return _not_rated(why)
    span = Span(start_s=0.0, end_s=len(audio) / sample_rate_hz)
    [natural] = naturalness.predict([(audio, sample_rate_hz)])
    [rated] = quality.predict([(audio, sample_rate_hz)])
    clip = rated_clip(span, natural, rated, domain_warnings(audio, sample_rate_hz))
    return voice_rating([clip], call_id=call_id, why_no_nisqa="")


def _not_rated(why: str) -> VoiceRating:
    return VoiceRating(
        clips=[], scores=[*naturalness_scores([], reason=why), *quality_scores([], reason=why)]
    )


def _parts(talk: Talk) -> Iterator[Span]:
    """The talk whole, or in parts of at most :data:`LONGEST_CLIP_S` where its pauses allow that."""
    start_s = talk.clusters[0].start_s
    end_s = start_s
    for cluster in talk.clusters:
        if cluster.end_s - start_s > LONGEST_CLIP_S and end_s > start_s:
            yield Span(start_s=start_s, end_s=end_s)
            start_s = cluster.start_s
        end_s = cluster.end_s
    yield Span(start_s=start_s, end_s=end_s)


def _clip(clip: RatedClip) -> ClipQuality:
    return ClipQuality(
        start_s=clip.span.start_s,
        end_s=clip.span.end_s,
        naturalness=clip.naturalness.naturalness,
        mos=clip.quality.mos,
        noisiness=clip.quality.noisiness,
        discontinuity=clip.quality.discontinuity,
        coloration=clip.quality.coloration,
        loudness=clip.quality.loudness,
        warnings=clip.warnings,
    )
