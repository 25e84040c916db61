"""Which calls the page itself can play: as many as fit, the others play from their file beside the page."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice
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

    A call that is too long for what is left stays linked, and a shorter one after it may still fit. As many
    are encoded at a time as there are cores; which of them fit is decided in their order all the same.
    """
    room = _Room(left_bytes=budget_bytes)
    result = []
    for sound, encoded in _encoded_ahead(sounds, room):
        embedded = _embedded(sound, encoded, room.left_bytes)
        if embedded.kind == "embedded":
            room.left_bytes -= len(embedded.uri) - len(sound.uri)
        result.append(embedded)
    return result


@dataclass(kw_only=True)
class _Room:
    """How much still fits; it only ever becomes less."""

    left_bytes: int


def _encoded_ahead(sounds: Iterable[Sound], room: _Room) -> Iterator[tuple[Sound, Future[str | None]]]:
    """Each sound with what :func:`_encoded` makes of it, in order, the next ones being under way already."""
    many = os.cpu_count() or 1
    waiting, begun = iter(sounds), deque[tuple[Sound, Future[str | None]]]()
    with ThreadPoolExecutor(many) as pool:
        while True:
            for sound in islice(waiting, many - len(begun)):
                begun.append((sound, pool.submit(_encoded, sound, room.left_bytes)))
            if not begun:
                return
            yield begun.popleft()


def _encoded(sound: Sound, left_bytes: int) -> str | None:
    """The data URI of a sound; None where there is none, or it would not fit.

    Raises:
        AudioError: It cannot be encoded.
    """
    # Encoding takes a second for a minute of sound, so what cannot fit is not tried.
    if sound.recording is None or estimated_uri_bytes(sound.recording) > left_bytes:
        return None
    return opus_data_uri(sound.recording)


def _embedded(sound: Sound, encoded: Future[str | None], left_bytes: int) -> Sound:
    try:
        uri = encoded.result()
        # What is left may have become less since it was begun.
        if uri is None or sound.recording is None or estimated_uri_bytes(sound.recording) > left_bytes:
            return sound
    except AudioError as error:
        return replace(sound, note=f"The sound plays from the run folder: the recording {error}.")
    return sound if len(uri) > left_bytes else replace(sound, kind="embedded", uri=uri, note="")
