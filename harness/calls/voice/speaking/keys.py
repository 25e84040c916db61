"""A line of the caller that is pressed on the keys of a telephone: as long as it takes, and silent."""

from __future__ import annotations

import numpy as np

from harness.records.call import SAMPLE_RATE_HZ
from harness.transports.clips.clip import Clip, prepare_clip
from harness.transports.codecs.base import Codec, Samples
from harness.transports.sip.media.dtmf import keys_ms


def keys_clip(keys: str, *, codec: Codec, bed: Samples | None) -> Clip:
    """What is sent beside the keys: nothing, or the noise. It begins and ends with them.

    Args:
        keys: Of ``0-9A-D*#``, at least one.
        codec: Of the call.
        bed: The noise below everything that is said; None: silence.
    """
    silent = np.zeros(keys_ms(keys) * SAMPLE_RATE_HZ // 1000, np.float32)
    return prepare_clip(codec, silent, bed=bed)
