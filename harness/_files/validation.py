"""What is wrong with a file, in words: pydantic's errors for the person who wrote it."""

from __future__ import annotations

from pydantic import ValidationError


def describe_validation_error(error: ValidationError, *, where: str) -> str:
    """Every problem of a file, one a line, with the field's path."""
    lines = []
    for problem in error.errors():
        field = ".".join(str(part) for part in problem["loc"])
        message = problem["msg"].removeprefix("Value error, ")
        lines.append(": ".join(filter(None, [where, field, message])))
    return "\n".join(lines)
