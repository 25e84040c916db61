"""``packets.npz``: media, passing and envelope time of every packet of both directions of a call, and how
long each of the agent's sounds.

The per-packet figures come from it, and a timing can be looked into later.
"""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from harness._files.outside_file import read_bytes
from harness.calls.voice.packet_times import PacketTimes
from harness.errors import UserError
from spoken_language.outside_text import one_line

PACKETS_FILE = "packets.npz"
MAX_BYTES = 200_000_000


def read_packets(path: Path, *, within: Path | None = None) -> tuple[PacketTimes, PacketTimes]:
    """(sent, received); empty where there is no such file. ``within``: the run that it must lie in.

    Raises:
        UserError: It cannot be read.
    """
    if not path.is_file():
        return PacketTimes(), PacketTimes()
    try:
        content = io.BytesIO(read_bytes(path, max_bytes=MAX_BYTES, within=within))
        with zipfile.ZipFile(content) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MAX_BYTES:
                raise ValueError(f"unpacks to more than {MAX_BYTES} bytes")
        content.seek(0)
        with np.load(content, allow_pickle=False) as arrays:
            return _packet_times(arrays, "sent"), _packet_times(arrays, "received")
    # numpy, zipfile and zlib have a dozen kinds of errors for a file that is not what it says it is.
    except Exception as error:
        raise UserError(f"{path}: cannot be read: {one_line(str(error), most=300)}") from error


def _packet_times(arrays: np.lib.npyio.NpzFile, name: str) -> PacketTimes:
    times = [arrays[f"{name}_{which}_s"] for which in ("media", "passed", "placed")]
    if any(one.ndim != 1 or len(one) != len(times[0]) or one.dtype.kind != "f" for one in times):
        raise ValueError(f"the {name} packets' times are no lists of one length")
    if not all(np.isfinite(one).all() for one in times):
        raise ValueError(f"not all of the {name} packets' times are numbers")
    return PacketTimes(
        media_s=times[0],
        passed_s=times[1],
        placed_s=times[2],
        codec_delay_s=float(arrays[f"{name}_codec_delay_s"]),
        # Files of earlier versions do not have them.
        resampling_s=_number(arrays, f"{name}_resampling_s"),
        noise_s=_number(arrays, f"{name}_noise_s"),
        sound_s=_sound(arrays, name, len(times[0])),
    )


def _sound(arrays: np.lib.npyio.NpzFile, name: str, packets: int) -> NDArray[np.float64]:
    """How long each packet sounds; empty in files of earlier versions."""
    if f"{name}_sound_s" not in arrays:
        return np.zeros(0)
    sound_s = arrays[f"{name}_sound_s"]
    if sound_s.ndim != 1 or len(sound_s) not in (0, packets) or sound_s.dtype.kind != "f":
        raise ValueError(f"the {name} packets' lengths are no list of one length with their times")
    if not np.isfinite(sound_s).all() or (sound_s < 0).any():
        raise ValueError(f"not all of the {name} packets' lengths are lengths")
    return sound_s


def _number(arrays: np.lib.npyio.NpzFile, name: str) -> float:
    return float(arrays[name]) if name in arrays else 0.0


def packets_bytes(sent: PacketTimes, received: PacketTimes) -> bytes:
    """The file as it is written."""
    file = io.BytesIO()
    np.savez_compressed(
        file,
        sent_media_s=sent.media_s,
        sent_passed_s=sent.passed_s,
        sent_placed_s=sent.placed_s,
        sent_codec_delay_s=sent.codec_delay_s,
        sent_resampling_s=sent.resampling_s,
        sent_noise_s=sent.noise_s,
        sent_sound_s=sent.sound_s,
        received_media_s=received.media_s,
        received_passed_s=received.passed_s,
        received_placed_s=received.placed_s,
        received_codec_delay_s=received.codec_delay_s,
        received_resampling_s=received.resampling_s,
        received_noise_s=received.noise_s,
        received_sound_s=received.sound_s,
    )
    return file.getvalue()
