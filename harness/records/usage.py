"""What a language model used, in the form in which it is kept with a dialogue."""

from __future__ import annotations

from harness.models.language.usage import Usage
from harness.records.dialogue import SideUsage


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
