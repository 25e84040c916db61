"""What was stated before the self-test: ``fixtures/selftest/stated.yaml``."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness._files.shipped import shipped_folder
from harness._files.validation import describe_validation_error
from harness._files.yaml_file import read_yaml
from harness.errors import UserError
from harness.selfcheck.selftest.entries import Grade, Size

STATED_FILE = "stated.yaml"


class _Stated(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Cause(_Stated):
    """A figure that a defect may move besides its own.

    Attributes:
        why: The physical reason.
    """

    defect: str = Field(max_length=60)
    metric: str = Field(max_length=60)
    why: str = Field(min_length=10, max_length=300)


class NotFound(_Stated):
    """A defect that the instrument is known not to find.

    Attributes:
        sizes: Of the self-test in which that is so.
    """

    defect: str = Field(max_length=60)
    metric: str = Field(max_length=60)
    grade: Grade
    why: str = Field(min_length=10, max_length=300)
    sizes: tuple[Size, ...] = ("quick", "full")


class Stated(_Stated):
    """The whole file.

    Attributes:
        least: By unit: smaller differences are none.
    """

    version: str = Field(max_length=20)
    causes: tuple[Cause, ...] = Field(default=(), max_length=200)
    not_found: tuple[NotFound, ...] = Field(default=(), max_length=100)
    least: dict[str, float] = Field(default_factory=dict)


@cache
def stated(path: Path | None = None) -> Stated:
    """What the file says.

    Raises:
        UserError: It cannot be read, or says something else.
    """
    path = path or shipped_folder("selftest") / STATED_FILE
    try:
        return Stated.model_validate(read_yaml(path, typed=True).content)
    except ValidationError as error:
        raise UserError(describe_validation_error(error, where=str(path))) from error
