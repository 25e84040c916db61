"""What people said of the agent's voice in one call; part of ``scores.json``."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from harness.records.base import FileModel, Seconds


class ListenedClip(FileModel):
    """One rating: a stretch of the recording, and what one rater gave it, 5 (excellent) to 1 (bad).

    Attributes:
        rater: A code made from the rater's name.
        sheet: The page on which it was given.
    """

    start_s: Seconds
    end_s: Seconds
    rater: Annotated[str, Field(pattern=r"^[0-9a-f]{12}$")]
    value: int = Field(ge=1, le=5)
    sheet: Annotated[str, Field(pattern=r"^([0-9a-f]{16})?$")] = ""


class Listened(FileModel):
    """The ratings of a call. They hold for the recording that was rated, and for no other.

    Attributes:
        recording_sha256: Of the file that the clips were cut from.
    """

    recording_sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    ratings: Annotated[tuple[ListenedClip, ...], Field(max_length=100_000)] = ()

    @model_validator(mode="after")
    def _each_clip_once_by_each(self) -> Self:
        given = {(one.rater, one.start_s, one.end_s) for one in self.ratings}
        if len(given) < len(self.ratings):
            raise ValueError("ratings: one rater rated a stretch twice")
        return self
