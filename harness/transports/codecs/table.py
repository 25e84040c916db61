"""The table of codecs, by name.

A new codec is a file beside this one and a line here; from another package it is an entry point of the group
``outboundeval.codecs``, named as the codec, whose value is the :class:`Codec`.
"""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from functools import lru_cache

from harness.transports.codecs.base import Codec
from harness.transports.codecs.recording_rate import at_recording_rate
from voice_sim.registry import Part, Table

CODECS = Table(
    kind="codec",
    group="outboundeval.codecs",
    parts={
        "opus": Part(target="harness.transports.codecs.opus:OPUS"),
        "pcmu": Part(target="harness.transports.codecs.g711:PCMU"),
        "pcma": Part(target="harness.transports.codecs.g711:PCMA"),
        "g722": Part(target="harness.transports.codecs.g722:G722"),
        "pcm-8k": Part(target="harness.transports.codecs.pcm:PCM_8K"),
        "pcm-16k": Part(target="harness.transports.codecs.pcm:PCM_16K"),
        "pcm-24k": Part(target="harness.transports.codecs.pcm:PCM_24K"),
        "pcm-48k": Part(target="harness.transports.codecs.pcm:PCM_48K"),
    },
)


@lru_cache(maxsize=32)
def codec_named(name: str) -> Codec:
    """A codec as all that is above the wire uses it: at 48 kHz, whatever its own rate.

    Raises:
        UnknownPartError: There is none of that name; the message lists the known ones.
    """
    return at_recording_rate(CODECS.load(name))


def from_the_table(name: str, sample_rate_hz: int) -> Codec:
    """A codec as another process named it: at its own rate, or at that of recordings.

    Raises:
        UnknownPartError: There is none of that name here.
    """
    own: Codec = CODECS.load(name)
    return own if own.sample_rate_hz == sample_rate_hz else codec_named(name)


def _by_name(codec: Codec) -> tuple[Callable[[str, int], Codec], tuple[str, int]]:
    return from_the_table, (codec.name, codec.sample_rate_hz)


# A codec's functions have no names by which another process would find them; the codec has one.
copyreg.pickle(Codec, _by_name)
