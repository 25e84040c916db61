"""What people said of the agent's voice in one call; part of ``scores.json``."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from harness.records.base import FileModel, Seconds


class ListenedClip(FileModel):
    """One rating: a stretch of the recording, and what one rater gave it, 5 (excellent) to 1 (bad).

    Attributes:
        rater: A code made from the rater's name.
    """

    start_s: Seconds
    end_s: Seconds
    rater: Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
    value: int = Field(ge=1, le=5)


class Listened(FileModel):
    """The ratings of a call. They hold for the recording that was rated, and for no other.

    Attributes:
        recording_sha256: Of the file that the clips were cut from.
    """

    recording_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    ratings: tuple[ListenedClip, ...] = ()
