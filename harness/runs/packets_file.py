"""``packets.npz``: media, passing and envelope time of every packet of both directions of a call.

The per-packet figures come from it, and a timing can be looked into later.
"""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np

from harness.calls.voice.packet_times import PacketTimes
from harness.errors import UserError

PACKETS_FILE = "packets.npz"


def read_packets(path: Path) -> tuple[PacketTimes, PacketTimes]:
    """(sent, received); empty where there is no such file.

    Raises:
        UserError: It cannot be read.
    """
    if not path.is_file():
        return PacketTimes(), PacketTimes()
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            return _packet_times(arrays, "sent"), _packet_times(arrays, "received")
    # numpy, zipfile and zlib have a dozen kinds of errors for a file that is not what it says it is.
    except Exception as error:
        raise UserError(f"{path}: cannot be read: {error}") from error


def _packet_times(arrays: np.lib.npyio.NpzFile, name: str) -> PacketTimes:
    return PacketTimes(
        media_s=arrays[f"{name}_media_s"],
        passed_s=arrays[f"{name}_passed_s"],
        placed_s=arrays[f"{name}_placed_s"],
        codec_delay_s=float(arrays[f"{name}_codec_delay_s"]),
        # Files of version 0.1.0 do not have it.
        noise_s=float(arrays[f"{name}_noise_s"]) if f"{name}_noise_s" in arrays else 0.0,
    )


def packets_bytes(sent: PacketTimes, received: PacketTimes) -> bytes:
    """The file as it is written."""
    file = io.BytesIO()
    np.savez_compressed(
        file,
        sent_media_s=sent.media_s,
        sent_passed_s=sent.passed_s,
        sent_placed_s=sent.placed_s,
        sent_codec_delay_s=sent.codec_delay_s,
        sent_noise_s=sent.noise_s,
        received_media_s=received.media_s,
        received_passed_s=received.passed_s,
        received_placed_s=received.placed_s,
        received_codec_delay_s=received.codec_delay_s,
        received_noise_s=received.noise_s,
    )
    return file.getvalue()
