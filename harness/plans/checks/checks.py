"""Everything that a run is held to: ``RUN/checks.json``, as its plan demanded when it was last started.

It is no part of a plan's digest: the same calls can be held to other demands, and ``report`` and ``score``
decide by what stands in the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness._files.validation import describe_validation_error
from harness.errors import UserError
from harness.plans.checks.expectations import MAX_OF_A_CALL, Expected
from harness.plans.checks.gates import MAX_GATES, SHIPPED, Gate

CHECKS_FILE = "checks.json"


class Checks(BaseModel):
    """What a run is held to.

    Attributes:
        gates: Of the plan; empty: the shipped ones hold.
        expect: By call id.
        baseline: What relative gates compare with: a run folder, ``last green`` or ``last green on BRANCH``;
            empty: nothing.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    gates: tuple[Gate, ...] = Field(default=(), max_length=MAX_GATES)
    expect: dict[str, Annotated[tuple[Expected, ...], Field(max_length=MAX_OF_A_CALL)]] = Field(
        default_factory=dict
    )
    baseline: str = Field(default="", max_length=1000)

    @property
    def ours(self) -> bool:
        """Whether the shipped gates hold."""
        return not self.gates or any(gate.kind == SHIPPED for gate in self.gates)

    @property
    def theirs(self) -> tuple[Gate, ...]:
        return tuple(gate for gate in self.gates if gate.kind != SHIPPED)

    @property
    def relative(self) -> tuple[Gate, ...]:
        return tuple(gate for gate in self.gates if gate.kind == "relative")


def parted(call: Mapping[str, Any], *, where: str) -> tuple[dict[str, Any], tuple[Expected, ...]]:
    """A call as written without its expectations, and these: of the call and of the lines of its script.

    Raises:
        UserError: One cannot be read; the message says where.
    """
    bare = dict(call)
    of_call = [(None, *one) for one in _listed(bare.pop("expect", ()), where)]
    of_lines: list[tuple[int, Any, str]] = []
    script = bare.get("script")
    lines = script.get("lines") if isinstance(script, Mapping) else None
    if isinstance(script, Mapping) and isinstance(lines, list):
        plain = []
        for position, line in enumerate(lines):
            own = dict(line) if isinstance(line, Mapping) else line
            if isinstance(own, dict) and "expect" in own:
                place = f"{where}.script.lines[{position}]"
                of_lines += [(position, *one) for one in _listed(own.pop("expect"), place)]
            plain.append(own)
        bare["script"] = {**script, "lines": plain}
    found = [*of_call, *of_lines]
    if len(found) > MAX_OF_A_CALL:
        raise UserError(f"{where}: more than {MAX_OF_A_CALL} expectations")
    expected = tuple(_read(line, one, place) for line, one, place in found)
    for one, (_, _, place) in zip(expected, found, strict=True):
        _check_interrupts(one, lines, place)
    return bare, expected


def _check_interrupts(one: Expected, lines: Any, where: str) -> None:
    """Who is to stop has to be interrupted. Where nobody does, the call would only tell so at its end."""
    if one.what.stops_within_ms is None or not isinstance(lines, list):
        return
    held = lines if one.line is None else lines[one.line : one.line + 1]
    if not any(_interrupts(line) for line in held):
        who = "no line of the script interrupts" if one.line is None else "this line does not interrupt"
        raise UserError(f"{where}.stops_within_ms: {who}: give a turn 'barge_in_after_s'")


def _interrupts(line: Any) -> bool:
    return (
        isinstance(line, Mapping)
        and line.get("barge_in_after_s") is not None
        and line.get("kind", "turn") == "turn"
    )


def _listed(content: Any, where: str) -> list[tuple[Any, str]]:
    """Each entry of a list with its place."""
    if not isinstance(content, list | tuple):
        raise UserError(f"{where}.expect: is a list of what has to come about")
    return [(one, f"{where}.expect[{position}]") for position, one in enumerate(content)]


def _read(line: int | None, content: Any, where: str) -> Expected:
    try:
        return Expected.model_validate({"line": line, "what": content})
    except ValidationError as error:
        raise UserError(describe_validation_error(error, where=where)) from error
