"""What tokens cost. Prices are the user's: a price that nobody gave is not known, and never 0.

A price file (YAML)::

    currency: USD
    per_million_tokens:
      openai:gpt-4.1: {input: 2.0, output: 8.0, cached_input: 0.5}
      http://localhost:8000/v1#qwen: {input: 0, output: 0}     # your own machine
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from harness._files.yaml_file import read_yaml
from harness.errors import UserError

_PER = 1_000_000
_Amount = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


class Price(BaseModel):
    """Of one million tokens. ``cached_input``: of input that was in the provider's cache; None: as input."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    input: _Amount
    output: _Amount
    cached_input: _Amount | None = None
    currency: Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")] = "USD"

    def of(self, *, input_tokens: int, cached_input_tokens: int, output_tokens: int) -> float:
        """What these tokens cost; cached tokens are a part of the input tokens."""
        cached = min(cached_input_tokens, input_tokens) if self.cached_input is not None else 0
        amount = (input_tokens - cached) * self.input + output_tokens * self.output
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
