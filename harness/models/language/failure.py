"""Why a request to a language model failed: in one word for code, in one line for a person, without keys."""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import httpx
import httpx2
from pydantic_ai import exceptions

from harness.redaction import KNOWN
from spoken_language.outside_text import one_line

FailureKind = Literal[
    "timeout",
    "connection",
    "rate_limit",
    "server",
    "quota",
    "authentication",
    "not_found",
    "too_long",
    "filtered",
    "rejected",
    "garbage",
]
"""``too_long``: the dialogue exceeds the model's context. ``filtered``: the provider refused the content.
``garbage``: an answer that is not in the provider's own format."""

TRANSIENT: frozenset[FailureKind] = frozenset({"timeout", "connection", "rate_limit", "server"})
"""Worth another attempt."""

MAX_TEXT = 300

_BY_TYPE: tuple[tuple[tuple[type[BaseException], ...], FailureKind], ...] = (
    ((exceptions.ModelRequestTimeout, exceptions.ModelTimeoutError, TimeoutError), "timeout"),
    ((exceptions.ModelQuotaExceededError,), "quota"),
    ((exceptions.ModelRateLimitError,), "rate_limit"),
    ((exceptions.ModelUnavailableError, exceptions.ModelServerError), "server"),
    ((exceptions.ModelConnectionError,), "connection"),
    ((exceptions.ModelContextWindowExceededError,), "too_long"),
    ((exceptions.ModelAuthenticationError,), "authentication"),
    ((exceptions.ModelNotFoundError,), "not_found"),
    ((exceptions.ContentFilterError,), "filtered"),
    ((exceptions.ModelRequestRejectedError,), "rejected"),
    ((httpx.TimeoutException, httpx2.TimeoutException), "timeout"),
    ((httpx.TransportError, httpx2.TransportError, OSError), "connection"),
)
_BY_STATUS: dict[int, FailureKind] = {
    401: "authentication",
    403: "authentication",
    404: "not_found",
    408: "timeout",
    429: "rate_limit",
}

_NO_ANSWER_IN_TIME = {408, 504}
"""The HTTP errors behind which a model may have been at work."""
_NOT_SENT = (
    httpx.ConnectError,
    httpx.ConnectTimeout,
    httpx.PoolTimeout,
    httpx.UnsupportedProtocol,
    httpx2.ConnectError,
    httpx2.ConnectTimeout,
    httpx2.PoolTimeout,
    httpx2.UnsupportedProtocol,
    ConnectionRefusedError,
    socket.gaierror,
)
_LONGEST_CHAIN = 20

_KEY_VARIABLE = re.compile(r"(_KEY|_TOKEN|_SECRET|_PASSWORD)$")
_LOOKS_LIKE_KEY = re.compile(r"\b(sk|pk|key|AIza)[-_A-Za-z0-9*.]{12,}|(?<=Bearer )\S+")


@dataclass(frozen=True, kw_only=True)
class Failure:
    """One failed attempt.

    Attributes:
        retry_after_s: What the server asked us to wait.
        perhaps_charged: The model may have worked for it, and nobody knows how much: the request was sent,
            and no whole answer came in time, or none in a form that has a count. A refusal (HTTP 401, 429,
            500) or a server that cannot be reached charges nothing.
    """

    kind: FailureKind
    text: str
    retry_after_s: float | None = None
    perhaps_charged: bool = False

    @property
    def transient(self) -> bool:
        """Whether another attempt may succeed."""
        return self.kind in TRANSIENT


class ModelCallFailed(exceptions.ModelAPIError):
    """The language model gave no usable answer, after all attempts. The message is fit for a person."""

    def __init__(self, model: str, failure: Failure, *, attempts: int) -> None:
        tried = f" (after {attempts} attempts)" if attempts > 1 else ""
        super().__init__(model, f"{model}: {failure.text}{tried}", retry_after=failure.retry_after_s)
        self.kind = failure.kind
        self.attempts = attempts


def failure_of(error: BaseException) -> Failure:
    """What an exception of a pydantic-ai model means."""
    kind = _kind(error)
    retry_after_s = getattr(error, "retry_after", None)
    return Failure(
        kind=kind,
        text=_text(error, kind),
        retry_after_s=retry_after_s,
        perhaps_charged=_perhaps_charged(error, kind),
    )


def without_keys(text: str) -> str:
    """The text on one line, bounded, with everything that is or looks like a key taken out."""
    text = one_line(text[: 20 * MAX_TEXT]).strip()
    for name, value in os.environ.items():
        if _KEY_VARIABLE.search(name) and len(value) >= 8:
            text = text.replace(value, "[key]")
    text = KNOWN.scrub(_LOOKS_LIKE_KEY.sub("[key]", text))
    return text if len(text) <= MAX_TEXT else f"{text[: MAX_TEXT - 1]}…"


def _kind(error: BaseException) -> FailureKind:
    for types, kind in _BY_TYPE:
        if isinstance(error, types):
            return kind
    if isinstance(error, exceptions.ModelHTTPError):
        status = error.status_code
        return _BY_STATUS.get(status, "server" if status >= 500 else "rejected")
    # Whatever else an adapter stumbles over is an answer that it does not know.
    return "garbage"


def _perhaps_charged(error: BaseException, kind: FailureKind) -> bool:
    causes = list(_causes(error))
    if any(isinstance(cause, _NOT_SENT) for cause in causes):
        return False
    statuses = [cause.status_code for cause in causes if isinstance(cause, exceptions.ModelHTTPError)]
    if statuses:
        return statuses[0] in _NO_ANSWER_IN_TIME
    return kind in ("timeout", "connection", "filtered", "garbage")


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what it comes from: the providers' clients wrap what the connection said."""
    cause: BaseException | None = error
    for _ in range(_LONGEST_CHAIN):
        if cause is None:
            return
        yield cause
        cause = cause.__cause__ or cause.__context__


def _text(error: BaseException, kind: FailureKind) -> str:
    if isinstance(error, exceptions.ModelHTTPError):
        message = _server_message(error.body) or error.message
        return without_keys(f"HTTP {error.status_code}: {message}")
    if kind == "timeout":
        return "no answer in time"
    if isinstance(error, exceptions.AgentRunError):
        message = error.message
    else:
        message = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return without_keys(f"not an answer of a language model: {message}" if kind == "garbage" else message)


def _server_message(body: object) -> str:
    if isinstance(body, dict):
        inner = body.get("error", body)
        message = inner.get("message") if isinstance(inner, dict) else inner
        return message if isinstance(message, str) else ""
    return body if isinstance(body, str) else ""
