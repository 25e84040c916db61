"""Options of ``outboundeval doctor``."""

from __future__ import annotations

from dataclasses import dataclass

from harness.cli.options.shared import AsJson


@dataclass(frozen=True, kw_only=True)
class DoctorOptions:
    """What is installed, what is missing, and what to do about it.

    Exit code 1 where something that a call needs is missing.

    Example: outboundeval doctor
    """

    as_json: AsJson = False
