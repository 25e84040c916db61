"""Subcommands of ``outboundeval persona``, one module each; ``harness/commands/persona.py`` lists them."""
