"""A cap of a language model is reached; it ends what is asked as pydantic-ai's own limits do."""

from __future__ import annotations

from pydantic_ai.exceptions import UsageLimitExceeded


class CapExceeded(UsageLimitExceeded):
    """A cap is reached; no request was sent. ``what`` is the field of
    :class:`harness.models.language.usage.Cap`."""

    def __init__(self, message: str, *, what: str) -> None:
        super().__init__(message)
        self.message = message  # pydantic-ai adds advice for people who write programs
        self.what = what
