"""``python -m harness.cli``: the same as ``outboundeval``."""

from harness.cli.main import main

main()
