"""The port between a list of clips and any recogniser."""

from __future__ import annotations

from typing import Protocol

from metrics.audio import Audio


class RecognitionFailed(RuntimeError):
    """The recogniser gave nothing for a clip; the message says why."""


class Recogniser(Protocol):
    """A speech recogniser. An empty text is an answer: it heard no words."""

    @property
    def identity(self) -> str:
        """Versions, checksum and settings: whatever decides the words."""
        ...

    def recognise(self, audio: Audio, language: str) -> str:
        """The words of a clip.

        Args:
            language: Of the words: ``en``, ``zh``.

        Raises:
            RecognitionFailed: The recogniser broke, refused or did not answer in time.
        """
        ...
