"""The user's prices: worked out by hand, and files that are right and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic_ai.usage import RequestUsage

from harness.errors import UserError
from harness.models.language.prices import Price, parse_price, read_prices


def test_cost_is_worked_out_per_million_tokens() -> None:
    used = RequestUsage(input_tokens=1500, cache_read_tokens=1000, output_tokens=250)
    price = Price(input=2.0, output=8.0)
    # 1500 * 2 / 1e6 + 250 * 8 / 1e6 = 0.003 + 0.002
    assert price.of(used) == pytest.approx(0.005)
    cheaper = Price(input=2.0, output=8.0, cached_input=0.5)
    # 500 * 2 + 1000 * 0.5 + 250 * 8 = 3500 millionths
    assert cheaper.of(used) == pytest.approx(0.0035)


def test_price_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text(
        "currency: EUR\nper_million_tokens:\n  openai:gpt-4.1: {input: 2, output: 8.5}\n"
        "  http://localhost:8000/v1#q: {input: 0, output: 0, cached_input: 0}\n"
    )
    assert read_prices(path) == {
        "openai:gpt-4.1": Price(input=2, output=8.5, currency="EUR"),
        "http://localhost:8000/v1#q": Price(input=0, output=0, cached_input=0, currency="EUR"),
    }


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("per_million_tokens:\n  m: {input: 2}\n", r"prices.yaml:2: .*output"),
        ("per_million_tokens:\n  m: {input: -2, output: 1}\n", r"prices.yaml:2: .*input"),
        ("per_million_tokens:\n  m: {input: .nan, output: 1}\n", r"prices.yaml:2: .*input"),
        ("currency: euros\nper_million_tokens: {}\n", r"prices.yaml:1: currency"),
    ],
)
def test_wrong_price_file_says_where(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "prices.yaml"
    path.write_text(text)
    with pytest.raises(UserError, match=message):
        read_prices(path)


def test_price_option() -> None:
    assert parse_price("2,8.5") == Price(input=2.0, output=8.5)
    for wrong in ("2", "2,8,9", "two,8", "-1,2", "nan,1", ""):
        with pytest.raises(UserError, match="--price IN,OUT"):
            parse_price(wrong)
