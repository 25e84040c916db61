"""Sums and caps, against hand-worked values."""

from __future__ import annotations

import pytest

from harness.models.language.cap_exceeded import CapExceeded
from harness.models.language.usage import Cap, Ledger, Usage


def test_one_unknown_price_makes_the_sum_unknown_and_never_nought() -> None:
    known, unknown = Usage(requests=1, cost=0.25), Usage(requests=1, cost=None)
    assert (known + known).cost == 0.5
    assert (known + unknown).cost is None
    assert (unknown + known + known).cost is None
    assert (unknown + known).cost_text() == "not known"


def test_sum_over_two_currencies_is_not_known() -> None:
    assert (Usage(cost=1.0, currency="USD") + Usage(cost=1.0, currency="EUR")).cost is None
    assert (Usage() + Usage(cost=1.0, currency="EUR")).cost_text() == "1.0000 EUR"


def test_a_cost_says_where_its_prices_are_from() -> None:
    yours = Usage(requests=1, cost=0.25, price_sources=("by your price",))
    assert yours.cost_text() == "0.2500 USD by your price"
    both = yours + yours + Usage(requests=1, cost=0.5, price_sources=("as the provider reports it",))
    assert both.cost_text() == "1.0000 USD by your price and as the provider reports it"


def test_answers_without_a_count_make_the_cost_a_lower_bound() -> None:
    assert Usage(requests=2, unmeasured_requests=1, cost=0.25).cost_text() == "at least 0.2500 USD"


def test_failed_attempts_that_may_have_been_charged_make_the_cost_a_lower_bound() -> None:
    refused = Usage(failed_attempts=1)
    cut_off = Usage(failed_attempts=1, unmeasured_attempts=1)
    answered = Usage(requests=2, cost=0.25)
    assert (answered + refused).cost_text() == "0.2500 USD"
    assert (answered + refused + cut_off).cost_text() == "at least 0.2500 USD"


@pytest.mark.parametrize(
    ("cap", "usage", "what"),
    [
        (Cap(requests=2), Usage(requests=2), "requests"),
        (Cap(tokens=100), Usage(input_tokens=60, output_tokens=40), "tokens"),
        (Cap(model_s=3.0), Usage(model_s=3.0), "model_s"),
        (Cap(cost=0.5), Usage(cost=0.5), "cost"),
        (Cap(cost=0.5), Usage(requests=1, cost=None), "cost"),
    ],
)
def test_cap_is_reached_and_not_before(cap: Cap, usage: Usage, what: str) -> None:
    ledger = Ledger(cap, of="dialogue")
    ledger.check()
    ledger.add("m", Usage())
    ledger.check()
    ledger.add("m", usage)
    with pytest.raises(CapExceeded, match="the dialogue has used") as raised:
        ledger.check()
    assert raised.value.what == what


def test_dialogue_counts_for_its_run_but_not_for_its_neighbour() -> None:
    run = Ledger(Cap(tokens=100))
    one, other = (Ledger(Cap(tokens=60), of="dialogue", parent=run) for _ in range(2))
    one.add("m", Usage(input_tokens=59, model_s=1.0))
    one.check()
    other.add("n", Usage(input_tokens=41))
    assert run.by_model == {"m": Usage(input_tokens=59, model_s=1.0), "n": Usage(input_tokens=41)}
    for ledger in (one, other, run):
        with pytest.raises(CapExceeded, match="the run has used 100 of 100 tokens"):
            ledger.check()


def test_time_left_is_the_shorter_of_dialogue_and_run() -> None:
    run = Ledger(Cap(model_s=10.0))
    dialogue = Ledger(Cap(model_s=4.0), parent=run)
    assert dialogue.left_s == 4.0
    run.add("m", Usage(model_s=9.0))
    assert dialogue.left_s == 1.0
    assert Ledger().left_s is None
