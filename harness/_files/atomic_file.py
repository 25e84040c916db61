"""Files that are replaced as a whole: a reader never sees half of one, and neither does a resumed run."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from pydantic import BaseModel


def write_text(path: Path, text: str) -> None:
    """Writes or replaces a file, UTF-8; makes its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        Path(temporary).chmod(0o644)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def write_model(path: Path, model: BaseModel) -> None:
    """Writes or replaces a JSON file."""
    write_text(path, model.model_dump_json(indent=1) + "\n")
