"""What is wrong with a file, in words: pydantic's errors for the person who wrote it."""

from __future__ import annotations

from pydantic import ValidationError

from spoken_language.outside_text import one_line

MAX_PROBLEMS = 20
_A_LIST, _A_MAPPING = "a list is wanted", "a mapping is wanted, 'name: value'"
_IN_WORDS = {
    "tuple_type": _A_LIST,
    "list_type": _A_LIST,
    "dict_type": _A_MAPPING,
    "model_type": _A_MAPPING,
    "model_attributes_type": _A_MAPPING,
}
"""What pydantic tells in words of Python's, or of ours: a tuple, an instance of a class."""


def describe_validation_error(error: ValidationError, *, where: str, most: int = MAX_PROBLEMS) -> str:
    """Every problem of a file, one a line, with the field's path; of many the first.

    Fields that nobody knows and values that do not fit are quoted from the file: made harmless, and cut.
    """
    lines = []
    problems = error.errors(include_url=False, include_context=False, include_input=False)
    for problem in problems[:most]:
        field = one_line(".".join(str(part) for part in problem["loc"]), most=200)
        told = _IN_WORDS.get(problem["type"], problem["msg"])
        message = one_line(told.removeprefix("Value error, "), most=400)
        lines.append(": ".join(filter(None, [where, field, message])))
    if len(problems) > most:
        lines.append(f"and {len(problems) - most} more")
    return "\n".join(lines)
