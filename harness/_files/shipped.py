"""What ships beside the code (scenarios, labelled sets, speech), and the agents as commands.

In the repository it is the folder ``fixtures``; installed it is ``outboundeval_fixtures``, because PyPI has
a living library that is called ``fixtures``. It is found beside this package, never imported: whoever else
has a package of either name does not come into it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from harness.errors import UserError

INSTALLED = "outboundeval_fixtures"
IN_THE_REPOSITORY = "fixtures"
_BESIDE_US = Path(__file__).parents[2]


def shipped_folder(name: str, *, beside: Path = _BESIDE_US) -> Path:
    """One of the folders that come with the product: ``agents``, ``guard``, ``judge``, ``scenarios`` ...

    Args:
        beside: The folder that holds our packages.

    Raises:
        UserError: There is none of that name: the installation lacks its data.
    """
    for data in (INSTALLED, IN_THE_REPOSITORY):
        folder = beside / data / name
        if folder.is_dir():
            return folder
    raise UserError(
        f"{beside / INSTALLED / name}: what ships with outboundeval is not there; install it once more: "
        f"{sys.executable} -m pip install --force-reinstall --no-deps outboundeval"
    )


def agent_command(name: str, *arguments: str) -> list[str]:
    """The command that serves an agent of ``fixtures/agents``. It is started by its file: see there."""
    return [sys.executable, "-P", str(shipped_folder("agents") / "__main__.py"), name, *arguments]
