"""espeak-ng as a library: English text to phonemes, for engines that speak phonemes.

The library and its data come with the package ``espeakng-loader``, so that the same release answers on every
machine, whatever the system has installed. It has one state for the whole process, hence the lock.
"""

from __future__ import annotations

import ctypes
import threading
from functools import cache
from importlib.metadata import version
from pathlib import Path

import espeakng_loader

TIE = "^"
"""Stands between the two letters of one sound: ``d^ʒ``."""

_AUDIO_OUTPUT_SYNCHRONOUS = 2
_DONT_EXIT = 0x8000
_UTF8 = 1
_IPA = 0x02
_WITH_TIE = 0x80
_LOCK = threading.Lock()


class EspeakLibraryError(RuntimeError):
    """The library cannot be loaded, or has no such voice."""


def phonemes(text: str, *, voice: str) -> str:
    """``text`` in the International Phonetic Alphabet, clauses joined by spaces, tied by :data:`TIE`.

    Args:
        text: Words; punctuation is not kept.
        voice: As in ``espeak-ng --voices``: ``en-us``, ``en-gb`` ...

    Raises:
        EspeakLibraryError: The library does not work here, or has no such voice.
    """
    with _LOCK:
        library = _library()
        if library.espeak_SetVoiceByName(voice.encode()) != 0:
            raise EspeakLibraryError(f"espeak-ng has no voice '{voice}'")
        buffer = ctypes.create_string_buffer(text.encode())
        rest = ctypes.c_void_p(ctypes.addressof(buffer))
        clauses: list[str] = []
        while rest.value:
            found = library.espeak_TextToPhonemes(
                ctypes.byref(rest), _UTF8, _IPA | _WITH_TIE | (ord(TIE) << 8)
            )
            clauses.append((found or b"").decode())
        return " ".join(clause.strip() for clause in clauses if clause.strip())


def library_version() -> str:
    """Of the package that carries the library."""
    return f"espeakng-loader {version('espeakng-loader')}"


@cache
def _library() -> ctypes.CDLL:
    path = Path(espeakng_loader.get_library_path())
    try:
        library = ctypes.CDLL(str(path))
    except OSError as error:
        raise EspeakLibraryError(f"{path} cannot be loaded: {error}") from error
    library.espeak_TextToPhonemes.restype = ctypes.c_char_p
    library.espeak_TextToPhonemes.argtypes = [ctypes.POINTER(ctypes.c_void_p), ctypes.c_int, ctypes.c_int]
    library.espeak_SetVoiceByName.argtypes = [ctypes.c_char_p]
    library.espeak_Initialize.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_int]
    data = str(Path(espeakng_loader.get_data_path()))
    if library.espeak_Initialize(_AUDIO_OUTPUT_SYNCHRONOUS, 0, data.encode(), _DONT_EXIT) <= 0:
        raise EspeakLibraryError(f"espeak-ng cannot read its data in {data}")
    return library
