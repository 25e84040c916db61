"""How expectations are named in reports: two that ask for different things have different names."""

from __future__ import annotations

from typing import Any

import pytest

from harness.plans.checks.expectations import Expectation


@pytest.mark.parametrize(
    ("what", "told"),
    [
        ({"tool_call": "lookup"}, "tool call lookup"),
        ({"tool_call": {"name": "lookup", "data": {"order": 7}}}, 'tool call lookup with {"order": 7}'),
        ({"event": {"kind": "paid"}}, "event paid"),
        (
            {"event": {"kind": "paid", "source": "webhook", "data": {"euros": 40}}},
            'event paid from webhook with {"euros": 40}',
        ),
        ({"http": {"url": "http://127.0.0.1/orders/7"}}, "http GET http://127.0.0.1/orders/7"),
        (
            {"http": {"url": "http://127.0.0.1/orders/7", "json": {"state": "refunded"}}},
            'http GET http://127.0.0.1/orders/7 with {"state": "refunded"}',
        ),
        (
            {"http": {"url": "http://127.0.0.1/orders/7", "status": 404, "contains": "gone"}},
            "http GET http://127.0.0.1/orders/7 is 404 contains 'gone'",
        ),
    ],
)
def test_names_by_hand(what: Any, told: str) -> None:
    assert Expectation.model_validate(what).told == told
