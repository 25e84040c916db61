"""Which files of a run are shown to others: its page, and the sound of its calls.

A run's folder has more (timelines, what the agent printed, packets): none of that is served. A request never
names a path: it names a run by its key and a call by its id, and what these lead to has to lie in the run.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

from harness._files.outside_file import check_plain, check_within
from harness.plans.call import ID_PATTERN

PAGE = "report/index.html"


def run_key(folder: Path) -> str:
    """By which a run is named in addresses: sixteen hex digits of where it lies."""
    return hashlib.sha256(str(folder).encode(errors="replace")).hexdigest()[:16]


def page_of(run: Path) -> Path | None:
    """The page of a run; None where there is none that may be read."""
    return _shown(run, run / PAGE)


def sound_of(run: Path, call_id: str) -> Path | None:
    """The recording of a call; None where there is none that may be read."""
    if re.fullmatch(ID_PATTERN, call_id) is None or ".." in call_id:
        return None
    return _shown(run, run / "calls" / call_id / "audio.flac")


def _shown(run: Path, path: Path) -> Path | None:
    try:
        check_within(path, run)
        check_plain(path)
    except (OSError, ValueError):
        return None
    return path
