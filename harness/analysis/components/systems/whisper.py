"""faster-whisper models that are on this machine: ``whisper/base``, ``whisper/NAME``, ``whisper/FOLDER``.

``whisper/base`` is the checked model that scores calls. Another NAME is the folder ``whisper-NAME`` below
``$OUTBOUNDEVAL_MODELS``; a FOLDER is any with ``model.bin``, ``config.json`` and ``tokenizer.json``. Nothing
is downloaded. The same decoding and guards as for calls (:mod:`metrics.transcript`), a clip being one span.
"""

from __future__ import annotations

import hashlib
from importlib.metadata import version
from pathlib import Path

from harness.analysis.components.systems.base import RecognitionFailed
from harness.errors import UserError
from harness.models.resolve import resolve
from harness.paths import MODELS_VARIABLE, own_models_dir
from metrics.audio import Audio
from metrics.transcript import Transcriber, TranscriberError


class WhisperRecogniser:
    """See the module's docstring; loaded at the first clip.

    Raises:
        UserError: There is no such model here.
    """

    def __init__(self, name: str) -> None:
        if name in ("", "base"):
            found = resolve("whisper-base")
            self._folder, self._digest = found.path, found.digest
        else:
            self._folder = _folder(name)
            self._digest = _checksum(self._folder)
        self._loaded: Transcriber | None = None

    @property
    def identity(self) -> str:
        """See :class:`harness.analysis.components.systems.base.Recogniser`."""
        return f"faster-whisper {version('faster-whisper')}, model {self._digest}, int8, beam 5"

    def recognise(self, audio: Audio, language: str) -> str:
        """See :class:`harness.analysis.components.systems.base.Recogniser`."""
        if self._loaded is None:
            try:
                self._loaded = Transcriber(self._folder)
            except TranscriberError as error:
                raise UserError(f"--asr: {error}") from error
        try:
            return self._loaded.transcribe(audio.resampled().samples, language).text
        except (ValueError, RuntimeError) as error:
            raise RecognitionFailed(str(error)) from error


def _folder(name: str) -> Path:
    own = own_models_dir()
    tried = [Path(name).expanduser(), *([own / f"whisper-{name}"] if own is not None else [])]
    for folder in tried:
        if (folder / "model.bin").is_file():
            return folder
    places = ", ".join(str(folder) for folder in tried)
    raise UserError(
        f"--asr whisper/{name}: no faster-whisper model (model.bin) in {places}; put its files into a folder "
        f"whisper-{name} below {MODELS_VARIABLE}, or write whisper/FOLDER"
    )


def _checksum(folder: Path) -> str:
    with (folder / "model.bin").open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:12]
