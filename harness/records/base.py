"""What the models of all result files have in common."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

LONGEST_S = 1_000_000.0
Seconds = Annotated[float, Field(ge=-LONGEST_S, le=LONGEST_S, allow_inf_nan=False)]
"""A time in a conversation. Files may say anything, and pages and arrays are laid out by it."""


class FileModel(BaseModel):
    """Unknown fields are errors: a typing slip must not become a silently missing figure."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)
