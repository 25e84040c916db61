"""What tokens cost. A price of the user's goes before a listed one (``listed_prices``); one that stands
nowhere is not known, and never 0.

A price file (YAML)::

    currency: USD
    per_million_tokens:
      openai:gpt-4.1: {input: 2.0, output: 8.0, cached_input: 0.5}
      http://localhost:8000/v1#qwen: {input: 0, output: 0}     # your own machine
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Protocol

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from pydantic_ai.usage import RequestUsage

from harness._files.yaml_file import read_yaml
from harness.errors import UserError

_PER = 1_000_000
_Amount = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


class Tariff(Protocol):
    """Says what a request costs, in which currency, and where that is from (``source``, for a person)."""

    @property
    def currency(self) -> str: ...
    @property
    def source(self) -> str: ...
    def of(self, used: RequestUsage, /) -> float | None: ...


class Price(BaseModel):
    """A price of the user's, of one million tokens.

    ``cached_input``: of input that was in the provider's cache; None: as input.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: _Amount
    output: _Amount
    cached_input: _Amount | None = None
    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")] = "USD"

    @property
    def source(self) -> str:
        """For a person."""
        return "by your price"

    def of(self, used: RequestUsage) -> float:
        """What a request costs; its cached tokens are a part of its input tokens."""
        cached = min(used.cache_read_tokens, used.input_tokens) if self.cached_input is not None else 0
        amount = (used.input_tokens - cached) * self.input + used.output_tokens * self.output
        return (amount + cached * (self.cached_input or 0.0)) / _PER


class _Line(BaseModel):
    model_config = ConfigDict(extra="forbid")

    input: _Amount
    output: _Amount
    cached_input: _Amount | None = None


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid")

    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")] = "USD"
    per_million_tokens: dict[str, _Line] = Field(max_length=1000)


def read_prices(path: Path) -> dict[str, Price]:
    """A price file, by the name under which a model is opened.

    Raises:
        UserError: The file is not as the module's docstring says; the message has file and line.
    """
    file = read_yaml(path)
    try:
        read = _File.model_validate(file.content)
    except ValidationError as error:
        first = error.errors()[0]
        line = file.line_of(tuple(part for part in first["loc"] if isinstance(part, str | int)))
        place = ".".join(map(str, first["loc"]))
        raise UserError(f"{path}:{line}: {place}: {first['msg']}") from error
    return {
        name: Price(**line.model_dump(), currency=read.currency)
        for name, line in read.per_million_tokens.items()
    }


def parse_price(text: str) -> Price:
    """``IN,OUT`` per million tokens, as a command's option has it. Raises UserError."""
    parts = text.split(",")
    try:
        amounts = [float(part) for part in parts]
        if len(amounts) != 2:
            raise ValueError(f"{len(amounts)} numbers")
        return Price(input=amounts[0], output=amounts[1])
    except ValueError as error:
        raise UserError(
            f"--price '{text}' is not two prices per million tokens: write --price IN,OUT, like --price 2,8"
        ) from error
