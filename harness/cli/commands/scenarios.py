"""``outboundeval scenarios``."""

from harness.cli.commands.scenarios_content import scenarios_app as app

__all__ = ["app"]
