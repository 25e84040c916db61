"""Which calls the page itself can play: as many as fit, the others play from their file beside the page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal
from urllib.parse import quote

from harness.reports.parts.audio import AudioError, estimated_uri_bytes, opus_data_uri

_FULL = "The sound plays from the run folder: it would make this page too large."


@dataclass(frozen=True, kw_only=True)
class Sound:
    """How the page plays a call.

    Attributes:
        kind: ``embedded`` (``uri`` is the sound itself), ``linked`` (``uri`` leads to the recording beside
            the page) or ``none``.
        note: Why it is not embedded.
        recording: The recording's file; None where there is none.
    """

    kind: Literal["embedded", "linked", "none"]
    uri: str = ""
    note: str = ""
    recording: Path | None = None


def linked(call_id: str, recording: Path) -> Sound:
    """The sound of a call as its file, seen from ``RUN/report/index.html``."""
    return Sound(kind="linked", uri=link(call_id), note=_FULL, recording=recording)


def link(call_id: str) -> str:
    """Where a call's recording lies, seen from ``RUN/report/index.html``."""
    return f"../calls/{quote(call_id)}/audio.flac"


def embedded_within(sounds: Iterable[Sound], budget_bytes: int) -> list[Sound]:
    """The same sounds, embedded one after the other as long as they fit.

    A call that is too long for what is left stays linked, and a shorter one after it may still fit.
    """
    left = budget_bytes
    result = []
    for sound in sounds:
        embedded = _embedded(sound, left)
        if embedded.kind == "embedded":
            left -= len(embedded.uri) - len(sound.uri)
        result.append(embedded)
    return result


def _embedded(sound: Sound, left_bytes: int) -> Sound:
    if sound.recording is None:
        return sound
    try:
        # Encoding takes a second for a minute of sound, so what cannot fit is not tried.
        if estimated_uri_bytes(sound.recording) > left_bytes:
            return sound
        uri = opus_data_uri(sound.recording)
    except AudioError as error:
        return replace(sound, note=f"The sound plays from the run folder: the recording {error}.")
    return sound if len(uri) > left_bytes else Sound(kind="embedded", uri=uri, recording=sound.recording)
