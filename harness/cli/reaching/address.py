"""What the command line says of how an agent is reached, as the ``reach`` of a plan."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from harness.plans.reach.plan import ice_server_of


class _Options(Protocol):
    @property
    def ca_file(self) -> Path | None: ...
    @property
    def ice_server(self) -> list[str] | None: ...
    @property
    def relay_only(self) -> bool: ...
    @property
    def codec(self) -> list[str] | None: ...


def reach_of(options: _Options) -> dict[str, Any]:
    """The fields that were given.

    Raises:
        UserError: A server is none; the message does not repeat it.
    """
    reach: dict[str, Any] = {}
    if options.ca_file is not None:
        reach["ca_file"] = str(options.ca_file)
    if options.ice_server:
        reach["ice_servers"] = [ice_server_of(one) for one in options.ice_server]
    if options.relay_only:
        reach["relay_only"] = True
    if options.codec:
        reach["codecs"] = options.codec
    return reach
