"""Which run is which: by what its ``run.json`` says, wherever it lies.

A folder is no name of a run: two machines that share a store, and two nights of a machine that is made anew
for each, have their runs at the same path.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from harness._files.json_file import read_model
from harness.errors import UserError
from harness.records.run import RunInfo


def key_of(info: RunInfo, folder: Path) -> str:
    """By what the store knows a run: its own id; of a run from before runs had one, 32 hex digits of where it
    lies, when it began and of what plan it is."""
    return info.run_id or key_without_id(str(folder.resolve()), info.started_at, info.plan_digest)


def key_without_id(folder: str, started_at: str, plan_digest: str) -> str:
    """Of a run from before runs had an id."""
    content = "\0".join((folder, started_at, plan_digest))
    return hashlib.sha256(content.encode(errors="replace")).hexdigest()[:32]


def run_in(folder: Path) -> RunInfo | None:
    """What the run in a folder says of itself; None where there is none (here, or any more)."""
    try:
        return read_model(folder / "run.json", RunInfo, within=folder)
    except UserError:
        return None


def lies_in(folder: Path, *, key: str, started_at: str, plan_digest: str) -> bool:
    """Whether a folder has this very run, and not another one that was placed at the same path."""
    info = run_in(folder)
    return info is not None and (key_of(info, folder), info.started_at, info.plan_digest) == (
        key,
        started_at,
        plan_digest,
    )
