"""``python -m voice_sim.tts.espeak_said VOICE WORDS_PER_MINUTE``: says what comes in, as PCM.

A process for each text, because the library's state runs on from one text into the next: in a process of its
own the same text gives the same samples, bit for bit. The text comes on standard input. The first line of
standard output is the sampling rate in Hz; then come 16-bit samples, little-endian, mono.
"""

from __future__ import annotations

import ctypes
import sys

import espeakng_loader

_AUDIO_OUTPUT_SYNCHRONOUS = 2
_DONT_EXIT = 0x8000
_UTF8 = 1
_RATE = 1
_Callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_short), ctypes.c_int, ctypes.c_void_p)


def main() -> None:
    voice, words_per_minute = sys.argv[1], int(sys.argv[2])
    text = sys.stdin.buffer.read()
    library = ctypes.CDLL(str(espeakng_loader.get_library_path()))
    library.espeak_Initialize.argtypes = [ctypes.c_int, ctypes.c_int, ctypes.c_char_p, ctypes.c_int]
    library.espeak_SetVoiceByName.argtypes = [ctypes.c_char_p]
    library.espeak_Synth.argtypes = [
        *(ctypes.c_char_p, ctypes.c_size_t, ctypes.c_uint, ctypes.c_int, ctypes.c_uint, ctypes.c_uint),
        *(ctypes.c_void_p, ctypes.c_void_p),
    ]
    data = str(espeakng_loader.get_data_path()).encode()
    rate_hz = library.espeak_Initialize(_AUDIO_OUTPUT_SYNCHRONOUS, 0, data, _DONT_EXIT)
    if rate_hz <= 0:
        sys.exit(f"espeak-ng cannot read its data in {data.decode()}")
    if library.espeak_SetVoiceByName(voice.encode()) != 0:
        sys.exit(f"there is no voice '{voice}'; espeak-ng --voices lists them")
    out = sys.stdout.buffer
    out.write(f"{rate_hz}\n".encode())

    def take(samples: ctypes._Pointer[ctypes.c_short], count: int, _: object) -> int:
        if count > 0 and samples:
            out.write(ctypes.string_at(samples, 2 * count))
        return 0

    callback = _Callback(take)
    library.espeak_SetSynthCallback(callback)
    library.espeak_SetParameter(_RATE, words_per_minute, 0)
    failed = library.espeak_Synth(text, len(text) + 1, 0, 1, 0, _UTF8, None, None)
    library.espeak_Synchronize()
    if failed:
        sys.exit(f"espeak-ng failed with {failed}")


if __name__ == "__main__":
    main()
