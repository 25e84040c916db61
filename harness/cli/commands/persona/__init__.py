"""The work of ``outboundeval persona``, one module for each subcommand."""
