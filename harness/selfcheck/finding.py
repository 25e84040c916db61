"""One thing that ``outboundeval doctor`` looked at: what was found, whether that is well, what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Verdict(StrEnum):
    OK = "ok"
    WARN = "warn"
    """Something is not measured without it, or figures may suffer."""
    FAIL = "fail"
    """The default set-up does not work without it."""


@dataclass(frozen=True, kw_only=True)
class Check:
    """One thing that was looked at.

    Attributes:
        name: What was looked at.
        verdict: See :class:`Verdict`.
        found: What is there, with versions and figures.
        todo: What the person can do; empty where there is nothing to do.
    """

    name: str
    verdict: Verdict
    found: str
    todo: str = ""
