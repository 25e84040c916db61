"""What a language model used, in the form in which it is kept with a call."""

from __future__ import annotations

from collections.abc import Sequence

from harness.models.language.usage import Usage
from harness.records.base import FileModel


class SideUsage(FileModel):
    """What a side took. Without a language model all but ``wall_s`` are zero.

    Attributes:
        requests, failed_attempts, unmeasured_requests, unmeasured_attempts, input_tokens, output_tokens,
            model_s, cost, currency, price_sources: As in :class:`harness.models.language.usage.Usage`;
            ``cost`` is None where a price is not known.
        wall_s: Real time that the side took for all its turns.
    """

    requests: int = 0
    failed_attempts: int = 0
    unmeasured_requests: int = 0
    unmeasured_attempts: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    model_s: float = 0.0
    cost: float | None = 0.0
    currency: str = "USD"
    price_sources: tuple[str, ...] = ()
    wall_s: float = 0.0

    @property
    def lower_bound(self) -> bool:
        """Whether tokens and cost may be more than is known."""
        return bool(self.unmeasured_requests or self.unmeasured_attempts)


def summed_usage(sides: Sequence[SideUsage]) -> SideUsage:
    """Several together. The cost is None where it is not known of any, or in several currencies."""
    currencies = {side.currency for side in sides if side.cost}
    costs = [side.cost for side in sides]
    known = [cost for cost in costs if cost is not None]
    return SideUsage(
        requests=sum(side.requests for side in sides),
        failed_attempts=sum(side.failed_attempts for side in sides),
        unmeasured_requests=sum(side.unmeasured_requests for side in sides),
        unmeasured_attempts=sum(side.unmeasured_attempts for side in sides),
        input_tokens=sum(side.input_tokens for side in sides),
        output_tokens=sum(side.output_tokens for side in sides),
        model_s=sum(side.model_s for side in sides),
        cost=sum(known) if len(known) == len(costs) and len(currencies) < 2 else None,
        currency=next(iter(currencies), "USD"),
        price_sources=tuple(dict.fromkeys(source for side in sides for source in side.price_sources)),
        wall_s=sum(side.wall_s for side in sides),
    )


def side_usage(usage: Usage) -> SideUsage:
    """The same figures, of one side of a dialogue or of its judge."""
    return SideUsage(
        requests=usage.requests,
        failed_attempts=usage.failed_attempts,
        unmeasured_requests=usage.unmeasured_requests,
        unmeasured_attempts=usage.unmeasured_attempts,
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        model_s=round(usage.model_s, 3),
        cost=usage.cost,
        currency=usage.currency,
        price_sources=usage.price_sources,
    )
