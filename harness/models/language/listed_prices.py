"""Prices of providers' models as genai-prices lists them: the list that is installed, nothing is fetched.

The list is as old as the installed package. A model of a server of your own, a local one, and a model that
the list does not have or gives no full price for have no price here.
"""

from __future__ import annotations

import importlib.metadata
from dataclasses import dataclass
from datetime import UTC, datetime

from genai_prices.data_snapshot import get_snapshot
from genai_prices.types import ModelInfo, Provider
from pydantic_ai.usage import RequestUsage

from harness.models.language.names import ModelName


@dataclass(frozen=True, kw_only=True)
class ListedPrice:
    """What the list says of one model, with its steps by length and what a cache costs and saves."""

    provider: Provider
    model: ModelInfo
    currency: str = "USD"

    @property
    def source(self) -> str:
        """For a person: the list, its version, and under what name the model stands there."""
        version = importlib.metadata.version("genai-prices")
        return f"by genai-prices {version} for {self.provider.id}:{self.model.id}"

    def of(self, used: RequestUsage) -> float | None:
        """What one request costs today; None where the list cannot tell what this usage costs."""
        try:
            counted = self.model.calc_price(used, self.provider, genai_request_timestamp=datetime.now(UTC))
        except ValueError:  # a usage that contradicts itself, such as more cached tokens than input
            return None
        return float(counted.total_price)


def listed_price(name: ModelName) -> ListedPrice | None:
    """The listed price of a provider's model; None where the list has none for both input and output."""
    if name.kind != "provider":
        return None
    try:
        provider, model = get_snapshot().find_provider_model(name.model, None, name.where, None)
    except LookupError:
        return None
    prices = model.get_prices(datetime.now(UTC))
    whole = all(getattr(prices, unit, None) is not None for unit in ("input_mtok", "output_mtok"))
    return ListedPrice(provider=provider, model=model) if whole else None
