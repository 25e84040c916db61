"""Prices of the list that is installed, against what the makers' pages say, and what has none."""

from __future__ import annotations

import socket

import pytest
from pydantic_ai.usage import RequestUsage

from harness.models.language.listed_prices import listed_price
from harness.models.language.names import parse_name


@pytest.fixture(autouse=True)
def _offline(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a price was looked for in the network")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)


def test_cost_of_a_listed_model() -> None:
    price = listed_price(parse_name("openai:gpt-4.1"))
    assert price is not None
    used = RequestUsage(input_tokens=1500, cache_read_tokens=1000, output_tokens=250)
    # 2 USD, cached 0.50 USD, output 8 USD a million: 500 * 2 + 1000 * 0.5 + 250 * 8 = 3500 millionths
    assert price.of(used) == pytest.approx(0.0035)
    assert price.currency == "USD"
    assert price.source.startswith("by genai-prices ")
    assert price.source.endswith(" for openai:gpt-4.1")


def test_a_long_prompt_is_charged_as_its_step_says() -> None:
    price = listed_price(parse_name("google:gemini-2.5-pro"))
    assert price is not None
    # From 200,000 tokens on a million costs 2.50 USD instead of 1.25 USD.
    assert price.of(RequestUsage(input_tokens=100_000)) == pytest.approx(0.125)
    assert price.of(RequestUsage(input_tokens=300_000)) == pytest.approx(0.75)


@pytest.mark.parametrize(
    "name",
    [
        "openai:no-such-model",
        "no-such-provider:gpt-4.1",
        "local:smollm2-135m",
        "http://127.0.0.1:8000/v1#gpt-4.1",
        "openai:text-embedding-3-small",  # only input has a price
    ],
)
def test_what_the_list_does_not_have_has_no_price(name: str) -> None:
    assert listed_price(parse_name(name)) is None


def test_a_usage_that_contradicts_itself_has_no_cost() -> None:
    price = listed_price(parse_name("openai:gpt-4.1"))
    assert price is not None
    assert price.of(RequestUsage(input_tokens=10, cache_read_tokens=1000, output_tokens=1)) is None
