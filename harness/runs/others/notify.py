"""Posts a message to a webhook of the user's. Its address is a secret: it is named, and shown nowhere."""

from __future__ import annotations

import os
from typing import Any

import httpx

from harness.errors import UserError
from harness.plans.secrets import REFERENCE
from harness.redaction import KNOWN

TIMEOUT_S = 15.0


def webhook_address(named: str) -> str:
    """The address behind ``{env:NAME}``.

    Raises:
        UserError: It is not named so, or the variable is not set.
    """
    found = REFERENCE.fullmatch(named)
    if found is None:
        raise UserError("notify: the address of a webhook is a secret: name it, {env:NAME}")
    address = os.environ.get(found.group(1), "")
    if not address.startswith(("http://", "https://")):
        raise UserError(f"notify: {found.group(1)} is not set to an address")
    KNOWN.learn(address)
    return address


def post(address: str, content: dict[str, Any]) -> str:
    """Posts it; returns why it did not arrive, empty where it did."""
    try:
        answer = httpx.post(address, json=content, timeout=TIMEOUT_S, trust_env=False)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return KNOWN.scrub(f"the webhook was not reached: {error or type(error).__name__}")
    return "" if answer.is_success else f"the webhook answered HTTP {answer.status_code}"
