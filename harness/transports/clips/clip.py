"""An utterance ready to be sent: encoded between silent frames, with its first and last voiced sample known.

Without the pre-roll a codec's start swallows the onset.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from harness.transports.clips.carried_edges import NARROWER, Faint, faint_edges
from harness.transports.codecs.base import Codec, Encode, Samples, encoded, to_int16
from harness.transports.codecs.prepared import UNENCODED
from voice_sim.conditions.line import Line, carried
from voice_sim.voice.utterance import UtteranceError

PREROLL_FRAMES = 5
POSTROLL_FRAMES = 5

CLEAR_LINE = Line()


@dataclass(frozen=True, kw_only=True)
class Clip:
    """One utterance, ready to be sent.

    Attributes:
        codec: What it is encoded with.
        packets: One packet a frame, pre-roll and post-roll included.
        pcm: What the packets carry, mono float32 at 48 kHz, ``len(packets)`` whole frames.
        voiced_samples: Length of the utterance, which is trimmed: its first and its last sample are voiced.
        sha256: Of the 16-bit PCM.
        lead_samples: How much behind the beginning of frame :data:`PREROLL_FRAMES` of ``pcm`` it begins.
        faint: Where it is settled only with the agent's answer what the call is sent in: what each narrower
            band (48 kHz over the key) would not carry of the utterance's ends.
    """

    codec: Codec
    packets: tuple[bytes, ...]
    pcm: Samples
    voiced_samples: int
    sha256: str
    lead_samples: int = 0
    faint: Mapping[int, Faint] = field(default_factory=dict)

    def carried(self, times: int) -> Clip:
        """The clip for a call that is sent at 1/``times`` of 48 kHz: without what nobody would hear."""
        faint = self.faint.get(times)
        if faint is None or not len(faint.lead) + len(faint.tail):
            return self
        first = PREROLL_FRAMES * self.codec.frame_samples + self.lead_samples
        end = first + self.voiced_samples
        pcm = self.pcm.copy()
        pcm[first : first + len(faint.lead)] -= faint.lead
        pcm[end - len(faint.tail) : end] -= faint.tail
        return replace(
            self,
            packets=tuple(self.codec.encode(pcm)),
            pcm=pcm,
            voiced_samples=self.voiced_samples - len(faint.lead) - len(faint.tail),
            sha256=_checksum(pcm),
            lead_samples=self.lead_samples + len(faint.lead),
            faint={},
        )


def prepare_clip(
    codec: Codec,
    utterance: Samples,
    *,
    bed: Samples | None = None,
    line: Line = CLEAR_LINE,
    encode: Encode = encoded,
) -> Clip:
    """Encodes a trimmed utterance between silent frames, over a noise bed where one is given.

    Where the codec carries less than the band of recordings, the utterance ends with what is voiced on the
    wire (:mod:`~harness.transports.carried_edges`).

    Args:
        codec: The call's.
        utterance: Mono float32 at 48 kHz, first and last sample voiced.
        bed: Background noise at 48 kHz, at least as long as the clip; it is repeated where it is shorter.
        line: What both go through on their way.
        encode: Gives what ``codec.encode`` does.

    Raises:
        UtteranceError: Nothing of the utterance comes through the line or the codec.
    """
    before = PREROLL_FRAMES * codec.frame_samples
    after = POSTROLL_FRAMES * codec.frame_samples
    faint: dict[int, Faint] = {}
    if line.is_clear:
        utterance, faint = _ends(codec, utterance)
        voiced_samples = len(utterance)
        pcm = np.pad(utterance.astype(np.float32), (before, after))
        pcm = np.pad(pcm, (0, -len(pcm) % codec.frame_samples))
        if bed is not None:
            pcm = pcm + np.resize(bed, len(pcm)).astype(np.float32)
    else:
        through = carried(
            utterance, line=line, before=before, after=after, multiple=codec.frame_samples, bed=bed
        )
        pcm, voiced_samples = through.samples, through.voiced_samples
    return Clip(
        codec=codec,
        packets=tuple(encode(codec, pcm)),
        pcm=pcm,
        voiced_samples=voiced_samples,
        sha256=_checksum(pcm),
        faint=faint,
    )


def _ends(codec: Codec, utterance: Samples) -> tuple[Samples, dict[int, Faint]]:
    """The utterance with the ends that the codec carries, or what it would lose, where that is open.

    One that is silent (keys are pressed meanwhile) has no ends.
    """
    if not np.any(utterance):
        return utterance, {}
    if codec.name == UNENCODED:
        narrower = {times: faint_edges(utterance, times=times) for times in NARROWER}
        return utterance, {times: faint for times, faint in narrower.items() if faint is not None}
    if codec.times == 1:
        return utterance, {}
    faint = faint_edges(utterance, times=codec.times)
    if faint is None:
        raise UtteranceError(f"nothing of the speech comes through {codec.name}; choose a higher level")
    return utterance[len(faint.lead) : len(utterance) - len(faint.tail)], {}


def _checksum(pcm: Samples) -> str:
    return hashlib.sha256(to_int16(pcm).tobytes()).hexdigest()


def join_clips(clips: Sequence[Clip]) -> Clip:
    """Several clips as one that says them one after the other, with their silent frames between them.

    Its checksum is made of theirs.

    Raises:
        ValueError: There are none, or not all are encoded with the same codec.
    """
    if not clips:
        raise ValueError("no clips to join")
    if len(clips) == 1:
        return clips[0]
    codec = clips[0].codec
    if any(clip.codec.name != codec.name for clip in clips):
        raise ValueError("clips of several codecs cannot be joined")
    first, last = clips[0], clips[-1]
    before = sum(len(clip.packets) for clip in clips[:-1]) * codec.frame_samples
    faint = {
        times: Faint(lead=first.faint[times].lead, tail=last.faint[times].tail)
        for times in first.faint.keys() & last.faint.keys()
    }
    return Clip(
        codec=codec,
        packets=tuple(packet for clip in clips for packet in clip.packets),
        pcm=np.concatenate([clip.pcm for clip in clips]),
        voiced_samples=before + last.lead_samples + last.voiced_samples - first.lead_samples,
        lead_samples=first.lead_samples,
        faint=faint,
        sha256=hashlib.sha256("".join(clip.sha256 for clip in clips).encode()).hexdigest(),
    )
