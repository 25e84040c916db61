"""The models that analysis needs, loaded once and only when asked for; and why one is not there."""

from __future__ import annotations

from dataclasses import dataclass, field
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Literal

from harness.models.kept_memory import keep_freed_memory
from harness.models.resolve import ModelMissing, ResolvedModel, resolve
from metrics.synthesis.predictors import QUICK, Predictors
from metrics.transcript import Transcriber

if TYPE_CHECKING:
    from metrics.synthesis.nisqa import NisqaModel

Kind = Literal["timing", "words", "sound", "text"]
"""What can be measured by itself: who spoke when, what was said, how a voice sounds, what a judge says."""
NISQA = "metrics.synthesis.nisqa:NisqaModel"
KINDS: frozenset[Kind] = frozenset({"timing", "words", "sound", "text"})


@dataclass(kw_only=True)
class Instruments:
    """Whisper, NISQA and the predictors of quality for a run of analyses.

    A model that is not installed is None, with the reason for the report; one that is installed but broken
    is an error, because a figure would go missing that the user counts on.
    """

    threads: int = 1
    """Of each model. Calls are heard by as many processes as there are cores: two threads in each of them
    would take the cores from each other, and half of what they do would be to wait."""
    only: frozenset[Kind] = KINDS
    """What is measured now; of the rest that is used which was kept. Timing is measured in any case."""
    caller_words: bool = False
    """Listen to the caller's words, too, which are known."""
    without: frozenset[str] = frozenset()
    """Models that are not used, though they may be here: what needs them is not measured."""
    why_no_whisper: str = ""
    why_no_nisqa: str = ""
    why_no_predictors: str = ""
    versions: dict[str, str] = field(default_factory=dict)
    _whisper: Transcriber | None = None
    _naturalness: NisqaModel | None = None
    _quality: NisqaModel | None = None
    _predictors: Predictors | None = None
    _found: dict[str, ResolvedModel | None] = field(default_factory=dict)

    @property
    def whisper_digest(self) -> str | None:
        """Which recogniser this is, without loading it; None and :attr:`why_no_whisper` without one."""
        found = self._find_whisper()
        return None if found is None else found.digest

    @property
    def nisqa_digest(self) -> str | None:
        """Which NISQA models these are, without loading them; None and :attr:`why_no_nisqa` without them."""
        found = self._find_nisqa()
        return None if found is None else found.digest

    @property
    def whisper(self) -> Transcriber | None:
        """The recogniser, or None and :attr:`why_no_whisper`."""
        found = self._find_whisper()
        if self._whisper is None and found is not None:
            keep_freed_memory()
            self._whisper = Transcriber(found.path, threads=self.threads)
        return self._whisper

    @property
    def naturalness(self) -> NisqaModel | None:
        """NISQA's naturalness model, or None and :attr:`why_no_nisqa`."""
        found = self._find_nisqa()
        if self._naturalness is None and found is not None:
            self._naturalness = self._nisqa.load(found.path / "nisqa_tts.tar")
        return self._naturalness

    @property
    def quality(self) -> NisqaModel | None:
        """NISQA's quality model, or None and :attr:`why_no_nisqa`."""
        found = self._find_nisqa()
        if self._quality is None and found is not None:
            self._quality = self._nisqa.load(found.path / "nisqa.tar")
        return self._quality

    @property
    def predictors_digest(self) -> str | None:
        """Which predictors these are, and how they are asked, without loading them; None and
        :attr:`why_no_predictors` without them."""
        found = self._find_predictors()
        return None if found is None else f"{found.digest}, {QUICK.text}"

    @property
    def predictors(self) -> Predictors | None:
        """DNSMOS and PLCMOS, or None and :attr:`why_no_predictors`."""
        found = self._find_predictors()
        if self._predictors is None and found is not None:
            self._predictors = Predictors(found.path, effort=QUICK, threads=self.threads)
        return self._predictors

    @property
    def _nisqa(self) -> type[NisqaModel]:
        """Imported when it is first wanted: with it comes torch, which timing and words do without."""
        model: type[NisqaModel] = resolve_name(NISQA)
        # Torch has as many for all of a process, and takes every core unless it is told.
        resolve_name("torch:set_num_threads")(self.threads)
        return model

    def _find_whisper(self) -> ResolvedModel | None:
        if "whisper-base" not in self._found:
            self.why_no_whisper = self._find("whisper-base")
        return self._found["whisper-base"]

    def _find_nisqa(self) -> ResolvedModel | None:
        if "nisqa" not in self._found:
            self.why_no_nisqa = self._find("nisqa")
        return self._found["nisqa"]

    def _find_predictors(self) -> ResolvedModel | None:
        if "speechmos" not in self._found:
            self.why_no_predictors = self._find("speechmos")
        return self._found["speechmos"]

    def _find(self, name: str) -> str:
        """Looks for a model; says why it is not there."""
        self._found[name] = None
        if name in self.without:
            return f"{name} was left out"
        try:
            model = resolve(name)
        except ModelMissing as missing:
            return str(missing)
        self._found[name] = model
        self.versions[name] = model.digest
        return ""
