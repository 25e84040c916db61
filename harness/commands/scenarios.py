"""``outboundeval scenarios``."""

from harness.scenario_commands import scenarios_app as app

__all__ = ["app"]
