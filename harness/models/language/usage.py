"""What a language model has cost so far, in requests, tokens, seconds and money, and where it has to stop."""

from __future__ import annotations

from pkgutil import resolve_name
from typing import Self

from pydantic import BaseModel, ConfigDict, Field

_CLOCK_GRAIN_S = 0.001
_CAP_EXCEEDED = "harness.models.language.cap_exceeded:CapExceeded"
"""Imported when a cap is reached: with it comes pydantic-ai, a second of processor time, and every process
that hears a call counts usage."""


class Cap(BaseModel):
    """Where to stop; None: nowhere.

    A request is not begun once a cap is reached, so tokens and cost may overshoot by the requests that are
    under way then. ``model_s`` also ends the request under way.

    Attributes:
        requests: Answered requests.
        tokens: Input and output together.
        model_s: Seconds spent waiting for answers (see :class:`Usage`).
        cost: In the currency of the price.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    requests: int | None = Field(default=None, ge=1)
    tokens: int | None = Field(default=None, ge=1)
    model_s: float | None = Field(default=None, gt=0)
    cost: float | None = Field(default=None, gt=0)


class Usage(BaseModel):
    """What was used; two of them can be added.

    Attributes:
        requests: Answered.
        failed_attempts: Attempts without a usable answer, also those whose retry succeeded.
        unmeasured_requests: Answers whose tokens are not known: the server does not report them, or the
            answer was broken off.
        unmeasured_attempts: Failed attempts that may have been charged for all the same: the request was sent
            and no answer came whole (:attr:`~harness.models.language.failure.Failure.perhaps_charged`).
        input_tokens, output_tokens: As the servers count them. ``cached_input_tokens`` are part of the input.
        model_s: Seconds spent waiting for the model, failed attempts included; requests that ran side by side
            are added up.
        waited_s: Seconds between attempts.
        cost: Of the measured answers; None where the price of any of them is not known.
        price_sources: Where the prices of the cost are from, for a person.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    requests: int = Field(default=0, ge=0)
    failed_attempts: int = Field(default=0, ge=0)
    unmeasured_requests: int = Field(default=0, ge=0)
    unmeasured_attempts: int = Field(default=0, ge=0)
    input_tokens: int = Field(default=0, ge=0)
    cached_input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    model_s: float = Field(default=0.0, ge=0)
    waited_s: float = Field(default=0.0, ge=0)
    cost: float | None = Field(default=0.0, ge=0)
    currency: str = "USD"
    price_sources: tuple[str, ...] = ()

    @property
    def tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens

    @property
    def lower_bound(self) -> bool:
        """Whether tokens and cost may be more than is known."""
        return bool(self.unmeasured_requests or self.unmeasured_attempts)

    def __add__(self, other: Usage) -> Usage:
        # An empty usage is in every currency. Sums over two currencies have no meaning.
        currencies = {each.currency for each in (self, other) if each.cost}
        known = self.cost is not None and other.cost is not None and len(currencies) < 2
        return Usage(
            requests=self.requests + other.requests,
            failed_attempts=self.failed_attempts + other.failed_attempts,
            unmeasured_requests=self.unmeasured_requests + other.unmeasured_requests,
            unmeasured_attempts=self.unmeasured_attempts + other.unmeasured_attempts,
            input_tokens=self.input_tokens + other.input_tokens,
            cached_input_tokens=self.cached_input_tokens + other.cached_input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            model_s=self.model_s + other.model_s,
            waited_s=self.waited_s + other.waited_s,
            cost=(self.cost or 0.0) + (other.cost or 0.0) if known else None,
            currency=next(iter(currencies), other.currency),
            price_sources=tuple(dict.fromkeys((*self.price_sources, *other.price_sources))),
        )

    def cost_text(self) -> str:
        """For a person: ``0.0123 USD by your price``, ``at least 0.0123 USD`` or ``not known``."""
        if self.cost is None:
            return "not known"
        return f"{'at least ' if self.lower_bound else ''}{self.cost:.4f} {self.currency}{self.prices_text()}"

    def prices_text(self) -> str:
        """Where the prices are from, with a space before it; empty where nothing was priced."""
        return f" {' and '.join(self.price_sources)}" if self.price_sources else ""


class Ledger:
    """Adds up the usage of a run, or of one dialogue in it, and says when it has to stop.

    A ledger that has a parent reports to it: what a dialogue uses counts for the run.
    """

    def __init__(self, cap: Cap | None = None, *, of: str = "run", parent: Self | None = None) -> None:
        self.cap = cap or Cap()
        self.of = of
        self._parent = parent
        self._by_model: dict[str, Usage] = {}

    def add(self, model: str, usage: Usage) -> None:
        """Books what a request to ``model`` used."""
        self._by_model[model] = self._by_model.get(model, Usage()) + usage
        if self._parent is not None:
            self._parent.add(model, usage)

    @property
    def usage(self) -> Usage:
        """The sum over all models."""
        return sum(self._by_model.values(), start=Usage())

    @property
    def by_model(self) -> dict[str, Usage]:
        """Usage by the name under which a model was opened."""
        return dict(self._by_model)

    def check(self) -> None:
        """Raises CapExceeded where a cap of this ledger, or of one above it, is reached."""
        used, cap = self.usage, self.cap
        reached: tuple[tuple[str, float | None, float | None, str], ...] = (
            ("requests", used.requests, cap.requests, "requests"),
            ("tokens", used.tokens, cap.tokens, "tokens"),
            ("model_s", used.model_s, cap.model_s, "s of the language model's time"),
            ("cost", used.cost, cap.cost, used.currency),
        )
        for what, value, most, unit in reached:
            # The time is up to the clock's own grain: an attempt is cut off where its cap ends.
            grain = _CLOCK_GRAIN_S if what == "model_s" else 0
            if most is not None and (value is None or value + grain >= most):
                spent = "an amount that is not known" if value is None else f"{value:.6g}"
                raise resolve_name(_CAP_EXCEEDED)(
                    f"the {self.of} has used {spent} of {most:.6g} {unit}", what=what
                )
        if self._parent is not None:
            self._parent.check()

    @property
    def left_s(self) -> float | None:
        """Seconds of model time that are left here and above; None: no cap."""
        own = None if self.cap.model_s is None else self.cap.model_s - self.usage.model_s
        above = None if self._parent is None else self._parent.left_s
        known = [each for each in (own, above) if each is not None]
        return min(known) if known else None
