"""How good a voice sounds; see :mod:`metrics.synthesis.nisqa` for the models and what they refuse."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from metrics.audio import Audio
from metrics.synthesis.nisqa import NisqaModel, NisqaResult
from metrics.synthesis.nisqa_domain import domain_warnings


class Nisqa:
    """A NISQA model that was loaded once; may be used by several threads. Its values are MOS, 1 to 5.

    Args:
        weights: ``nisqa_tts.tar`` (``.naturalness`` of a synthetic voice) or ``nisqa.tar`` (``.mos``,
            ``.noisiness``, ``.discontinuity``, ``.coloration``, ``.loudness`` of what is heard).

    Raises:
        NisqaError: The file is missing, broken, or not one of these models.
    """

    def __init__(self, weights: str | Path) -> None:
        self._model = NisqaModel.load(weights)

    def rate(self, audio: Audio) -> NisqaResult:
        """What the model gives one utterance, of a second to a minute, at the rate that it has.

        Raises:
            NisqaError: It is too short, too long, or silent.
        """
        [result] = self.rate_all([audio])
        return result

    def rate_all(self, clips: Sequence[Audio]) -> list[NisqaResult]:
        """Several at once, in order; quicker than one by one, with the same values.

        Raises:
            NisqaError: One cannot be rated; the message gives its position.
        """
        return self._model.predict([(clip.samples, clip.sample_rate_hz) for clip in clips])

    def refusal(self, audio: Audio) -> str:
        """Why a clip cannot be rated, in words; empty where it can."""
        return self._model.refusal(audio.samples, audio.sample_rate_hz)

    @staticmethod
    def doubts(audio: Audio) -> tuple[str, ...]:
        """What makes a clip a poor subject (short, narrowband), so that its values mean little."""
        return domain_warnings(audio.samples, audio.sample_rate_hz)
