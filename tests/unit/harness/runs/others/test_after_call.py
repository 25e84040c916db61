"""Backends that are asked after calls: what would ask nobody is told before the first call."""

from __future__ import annotations

from typing import Any

import pytest

from harness.errors import UserError
from harness.plans.plan import expand_plan
from harness.runs.others.after_call import check_askable


def _check(**http: Any) -> None:
    call = {"id": "refund", "script": {"lines": [{"say": "Hello."}]}, "expect": [{"http": http}]}
    check_askable(expand_plan({"agent": "http://127.0.0.1:9", "calls": [call]}).checks)


def test_a_backend_that_cannot_be_asked_is_told_before_the_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SHOP", "a secret")
    monkeypatch.delenv("NO_SHOP", raising=False)
    _check(url="https://shop.example/orders/7", headers={"Authorization": "Bearer {env:SHOP}"})
    with pytest.raises(
        UserError, match=r"call 'refund': .* names the environment variable NO_SHOP, which is"
    ):
        _check(url="https://shop.example/orders/7", headers={"Authorization": "Bearer {env:NO_SHOP}"})
    with pytest.raises(UserError, match=r"call 'refund': .* NO_SHOP"):
        _check(url="https://shop.example/orders/7?token={env:NO_SHOP}")
    with pytest.raises(UserError, match=r"http GET shop/orders: its url begins with http:// or https://"):
        _check(url="shop/orders")
