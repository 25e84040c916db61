"""The models that analysis needs, loaded once and only when asked for; and why one is not there."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from harness.judges import JudgeChoice
from harness.models import ModelMissing, resolve
from metrics.synthesis.nisqa import NisqaModel
from metrics.transcript import Transcriber


@dataclass(kw_only=True)
class Instruments:
    """Whisper and NISQA for a run of analyses.

    A model that is not installed is None, with the reason for the report; one that is installed but broken
    is an error, because a figure would go missing that the user counts on.
    """

    threads: int = 2
    why_no_whisper: str = ""
    why_no_nisqa: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    judge: JudgeChoice = field(default_factory=JudgeChoice)
    """Judges the words of calls that are about a scenario."""
    _whisper: Transcriber | None = None
    _naturalness: NisqaModel | None = None
    _quality: NisqaModel | None = None
    _looked_for: set[str] = field(default_factory=set)

    @property
    def whisper(self) -> Transcriber | None:
        """The recogniser, or None and :attr:`why_no_whisper`."""
        if "whisper" not in self._looked_for:
            folder, self.why_no_whisper = self._resolve("whisper", "whisper-base")
            if folder is not None:
                self._whisper = Transcriber(folder, threads=self.threads)
        return self._whisper

    @property
    def naturalness(self) -> NisqaModel | None:
        """NISQA's naturalness model, or None and :attr:`why_no_nisqa`."""
        self._load_nisqa()
        return self._naturalness

    @property
    def quality(self) -> NisqaModel | None:
        """NISQA's quality model, or None and :attr:`why_no_nisqa`."""
        self._load_nisqa()
        return self._quality

    def _load_nisqa(self) -> None:
        if "nisqa" not in self._looked_for:
            folder, self.why_no_nisqa = self._resolve("nisqa", "nisqa")
            if folder is not None:
                self._naturalness = NisqaModel.load(folder / "nisqa_tts.tar")
                self._quality = NisqaModel.load(folder / "nisqa.tar")

    def _resolve(self, key: str, name: str) -> tuple[Path | None, str]:
        self._looked_for.add(key)
        try:
            model = resolve(name)
        except ModelMissing as missing:
            return None, str(missing)
        self.versions[name] = model.digest
        return model.path, ""
