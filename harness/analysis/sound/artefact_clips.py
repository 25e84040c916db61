"""Artefacts of the agent's voice, in the stretches that NISQA and the predictors rate."""

from __future__ import annotations

from collections.abc import Sequence

from harness.analysis.sound.nisqa_clips import Samples
from metrics.spans import Span
from metrics.synthesis.artefacts import StretchArtefacts, find_artefacts


def artefacts_in(audio: Samples, sample_rate_hz: int, spans: Sequence[Span]) -> list[StretchArtefacts]:
    """What is found in each stretch."""
    return [find_artefacts(audio, sample_rate_hz, span) for span in spans]
