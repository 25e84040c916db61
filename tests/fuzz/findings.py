"""What a fuzzed target did wrong: kept with the input, once a cause."""

from __future__ import annotations

import hashlib
import json
import traceback
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SLOW_S = 2.0
BIG_MB = 500.0
HANGS_S = 30.0
"""Wall time after which an input is given up from outside."""


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A finding.

    Attributes:
        kind: ``traceback``, ``slow``, ``big`` or ``hangs``.
        cause: What tells it from others: the error and where it was raised; for the rest the kind alone.
        told: For the reader: a traceback, seconds, megabytes.
        input: File name of the input, beside it.
    """

    target: str
    kind: str
    cause: str
    told: str
    input: str


def of_error(error: BaseException) -> tuple[str, str]:
    """Cause and traceback of an error. The cause is its type and the innermost line of our own code."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [
        frame
        for frame in frames
        if Path(frame.filename).is_relative_to(ROOT)
        and ".venv" not in frame.filename
        and Path(frame.filename).relative_to(ROOT).parts[:2] != ("tests", "fuzz")
    ]
    where = f"{Path(ours[-1].filename).relative_to(ROOT)}:{ours[-1].name}" if ours else "outside"
    told = "".join(traceback.format_exception(error, limit=-8))
    return f"{type(error).__name__} in {where}", told[-4000:]


def keep(folder: Path, *, target: str, kind: str, cause: str, told: str, data: bytes) -> bool:
    """Writes a finding and its input; False where there is one of the same cause already. Of two inputs the
    shorter stays."""
    folder.mkdir(parents=True, exist_ok=True)
    name = f"{target}-{kind}-{hashlib.sha256(cause.encode()).hexdigest()[:8]}"
    record, content = folder / f"{name}.json", folder / f"{name}.input"
    known = record.is_file()
    if not known or len(data) < content.stat().st_size:
        content.write_bytes(data)
        finding = Finding(target=target, kind=kind, cause=cause, told=told, input=content.name)
        record.write_text(json.dumps(asdict(finding), indent=1), encoding="utf-8")
    return not known


def read_findings(folder: Path) -> list[Finding]:
    return [Finding(**json.loads(path.read_text(encoding="utf-8"))) for path in sorted(folder.glob("*.json"))]


def shortened(data: bytes, still: Callable[[bytes], bool], *, tries: int = 300) -> bytes:
    """The input with as much as possible taken away, as long as ``still`` holds of it."""
    size = max(1, len(data) // 2)
    while size and tries > 0:
        at = 0
        while at < len(data) and tries > 0:
            shorter = data[:at] + data[at + size :]
            tries -= 1
            if still(shorter):
                data = shorter
            else:
                at += size
        size //= 2
    return data
