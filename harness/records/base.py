"""What the models of all result files have in common."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class FileModel(BaseModel):
    """Unknown fields are errors: a typing slip must not become a silently missing figure."""

    model_config = ConfigDict(extra="forbid", frozen=True, allow_inf_nan=False)
