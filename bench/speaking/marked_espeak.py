"""Speech of known edges: espeak-ng with marks in its text, whose places in the sound it tells itself."""

from __future__ import annotations

import ctypes
from html import escape
from typing import Any, NamedTuple

import espeakng_loader
import numpy as np
from numpy.typing import NDArray

_SYNCHRONOUS, _DONT_EXIT, _UTF8, _SSML, _RATE, _MARK = 2, 0x8000, 1, 0x10, 1, 3


class _Event(ctypes.Structure):
    _fields_ = (
        ("type", ctypes.c_int),
        ("unique", ctypes.c_uint),
        ("text_position", ctypes.c_int),
        ("length", ctypes.c_int),
        ("audio_position", ctypes.c_int),
        ("sample", ctypes.c_int),
        ("user_data", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
    )


class Marked(NamedTuple):
    """Sound at ``rate_hz``, and where the key begins and ends in it, in samples."""

    samples: NDArray[np.float32]
    rate_hz: int
    start: int
    end: int


class MarkedEspeak:
    """The packaged espeak-ng, one for a process."""

    def __init__(self) -> None:
        self._library = ctypes.CDLL(str(espeakng_loader.get_library_path()))
        self._library.espeak_Initialize.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_int]
        self._library.espeak_SetVoiceByName.argtypes = [ctypes.c_char_p]
        self._library.espeak_Synth.argtypes = [
            *(ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_int, ctypes.c_uint, ctypes.c_uint),
            *(ctypes.c_void_p, ctypes.c_void_p),
        ]
        data = str(espeakng_loader.get_data_path()).encode()
        self.rate_hz = int(self._library.espeak_Initialize(_SYNCHRONOUS, 0, data, _DONT_EXIT))
        self._sound: list[NDArray[np.int16]] = []
        self._marks: dict[str, int] = {}
        kind = ctypes.CFUNCTYPE(
            ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.POINTER(_Event)
        )
        self._callback = kind(self._take)
        self._library.espeak_SetSynthCallback(self._callback)

    def say(self, voice: str, *, before: str, key: str, after: str, key_rate: int, rest_rate: int) -> Marked:
        """One sentence; rates in percent of the voice's own."""
        rest = f'<prosody rate="{rest_rate}%">'
        text = (
            f'<speak>{rest}{escape(before)}</prosody> <mark name="a"/><prosody rate="{key_rate}%">'
            f'{escape(key)}</prosody><mark name="b"/> {rest}{escape(after)}</prosody></speak>'
        )
        samples = self.plain(voice, text)
        return Marked(samples, self.rate_hz, self._marks["a"], self._marks["b"])

    def plain(self, voice: str, text: str) -> NDArray[np.float32]:
        """Text, or SSML, at the voice's own rate."""
        self._sound.clear()
        self._marks.clear()
        if self._library.espeak_SetVoiceByName(voice.encode()):
            raise ValueError(f"no voice {voice}")
        self._library.espeak_SetParameter(_RATE, 175, 0)
        said = text.encode()
        self._library.espeak_Synth(said, len(said) + 1, 0, 1, 0, _UTF8 | _SSML, None, None)
        self._library.espeak_Synchronize()
        return np.concatenate(self._sound).astype(np.float32) / 32768.0

    def _take(self, samples: Any, count: int, events: Any) -> int:
        if count > 0 and samples:
            self._sound.append(np.ctypeslib.as_array(samples, (count,)).copy())
        at = 0
        while events and events[at].type:
            if events[at].type == _MARK:
                self._marks[events[at].name.decode()] = events[at].sample
            at += 1
        return 0
