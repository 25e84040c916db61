"""Subcommands of ``outboundeval persona``, one module each; ``persona.py`` beside this folder lists them."""
