"""The example lines of process talk: what keeps a call going, and is of no person in particular."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Literal, get_args

FOLDER = Path(__file__).parent / "lines"

ProcessAct = Literal[
    "more",
    "offer",
    "choice",
    "check",
    "identity",
    "time",
    "wait",
    "bye",
    "lost",
    "clear",
    "permission",
    "go_on",
    "feeling",
    "deflect",
]
"""What a sentence does:

* ``more``: asks whether there is anything else; ``identity``: whether this is the right person; ``time``:
  whether this is a good moment; ``clear``: whether it was understood;
* ``offer``: wants a yes or no to something that it offers or arranges; ``choice``: names options to choose
  from; ``check``: repeats what was said, to have it confirmed;
* ``go_on``: wants to hear more about what was just said; ``permission``: announces questions or an
  explanation;
* ``wait``, ``bye``, ``lost`` (did not hear or understand), ``feeling`` (sympathy, praise, small talk),
  ``deflect`` (does not answer now, and says so).
"""
PROCESS_ACTS: tuple[ProcessAct, ...] = get_args(ProcessAct)


@cache
def process_lines(language: Literal["en", "zh"]) -> dict[ProcessAct, dict[str, tuple[str, ...]]]:
    """Act -> author -> lines."""
    content = json.loads((FOLDER / f"{language}.json").read_text(encoding="utf-8"))
    return {act: {author: tuple(lines) for author, lines in content[act].items()} for act in PROCESS_ACTS}


def all_process_lines(language: Literal["en", "zh"]) -> list[str]:
    """Every line, each once."""
    by_act = process_lines(language).values()
    return list(dict.fromkeys(line for authors in by_act for lines in authors.values() for line in lines))


@cache
def process_version(language: Literal["en", "zh"]) -> str:
    """Changes with any of the lines: what a caller understands hangs on them."""
    return hashlib.sha256((FOLDER / f"{language}.json").read_bytes()).hexdigest()[:8]
