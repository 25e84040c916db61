"""The commands that a program calls most. Each takes every option of its command line, by its long name.

``call(agent, noise=15)`` is ``outboundeval call --agent ... --noise 15``; see ``outboundeval call --help``.
True is a bare flag, False what unsays it (``score=False`` is ``--no-score``) or nothing, a list gives an
option several times, and ``from_`` is ``--from``.
Each gives the document that the command prints with ``--json``, and raises :class:`outboundeval.Error`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from outboundeval._errors import Error
from outboundeval._process import Option, run_command

Place = str | Path


def call(
    agent: str,
    *,
    scenario: str | None = None,
    say: Sequence[str] = (),
    out: Place | None = None,
    **options: Option,
) -> dict[str, Any]:
    """Places one call and scores it; gives the figures, as ``summary.json`` holds them.

    Args:
        agent: Its address, for instance ``http://127.0.0.1:7860``.
        scenario: Who is called, for instance ``cs-bank-complaint/hesitant``.
        say: In place of a scenario: the caller's lines.
        out: Folder of the run; a new one in ``runs/`` where it is not given.

    Raises:
        Error: The call did not come about (``exit_code`` 3), or cannot be placed so (2).
    """
    return run_command(
        "call", options={"agent": agent, "scenario": scenario, "say": say, "out": out, **options}
    )


def run(
    plan: Place | None = None,
    *,
    agent: str | None = None,
    scenario: str | Sequence[str] = (),
    out: Place | None = None,
    **options: Option,
) -> dict[str, Any]:
    """Places the calls of a plan file, of scenarios or probe suites, and scores them; gives ``summary.json``.

    The same call with the same ``out`` goes on where an earlier one was cut off.

    Raises:
        Error: No call came about (``exit_code`` 3), or they cannot be placed so (2).
    """
    if plan is None and not scenario and not options.get("probes"):
        raise Error("nobody to call: give a plan file, scenario= or probes=")
    given: dict[str, Option] = {"agent": agent, "scenario": scenario, "out": out, **options}
    return run_command("run", *([] if plan is None else [plan]), options=given)


def chat(entry: str | None = None, *, out: Place | None = None, **options: Option) -> dict[str, Any]:
    """Holds a conversation in text, or with ``all=True`` the whole benchmark; gives what became of it.

    Args:
        entry: For instance ``cs-bank-complaint/hesitant``.

    Raises:
        Error: None came about (``exit_code`` 3), or they cannot be held so (2).
    """
    return run_command("chat", *([] if entry is None else [entry]), options={"out": out, **options})


def score(source: Place, **options: Option) -> dict[str, Any]:
    """Scores a run again, a recording from anywhere, or a transcript; gives the figures.

    Raises:
        Error: It cannot be read or scored.
    """
    return run_command("score", source, options=options)


def report(*runs: Place, **options: Option) -> dict[str, Any]:
    """Writes the report of a run of calls again, or a leaderboard of dialogues in text; gives where it lies.

    Raises:
        Error: There is nothing to report there.
    """
    return run_command("report", *runs, options=options)
