"""How a sentence was said, against its control in the same call (part of ``scores.json``)."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from harness.records.base import FileModel, Seconds

Number = Annotated[float, Field(ge=-1e6, le=1e6, allow_inf_nan=False)]


class Seam(FileModel):
    """Where one language meets another.

    Attributes:
        at_s: When it is heard, in seconds of the call.
        pause_s: Silence there beyond the voice's own gaps; at least 0.
        fluent: The word was understood, the pause is short and the level keeps.
    """

    at_s: Seconds
    pause_s: Seconds
    fluent: bool


class ReadingDelivery(FileModel):
    """What was measured of one sentence; what does not apply to it is None.

    Attributes:
        rate_adaptation: See :attr:`metrics.synthesis.prosody.rate.PairedRates.adaptation`.
        tempo: Rate of the whole sentence over the control's.
        seams: Of a switched phrase: one or two.
        phrase_heard: What was recognised in its place.
        understood: That, or the sound itself, was near enough to the phrase.
        level_step_db: Level of the phrase against its sentence beyond what is expected: halfway between the
            same of the control and the median of the call's controls.
        timbre_db: Of the phrase against its sentence, over the same of the control.
        f0_semitones, f0_range_semitones, level_db, rate_ratio: See
            :class:`metrics.synthesis.prosody.shift.ProsodyShift`.
        reason: Why nothing, or not all of it, was measured.
    """

    rate_adaptation: Number | None = None
    tempo: Number | None = None
    seams: tuple[Seam, ...] = ()
    phrase_heard: str | None = None
    understood: bool | None = None
    level_step_db: Number | None = None
    timbre_db: Number | None = None
    f0_semitones: Number | None = None
    f0_range_semitones: Number | None = None
    level_db: Number | None = None
    rate_ratio: Number | None = None
    reason: str = ""
