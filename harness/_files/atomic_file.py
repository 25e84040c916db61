"""Files that are replaced as a whole: a reader never sees half of one, and neither does a resumed run."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from pydantic import BaseModel

from harness.redaction import KNOWN


def stage(path: Path, content: bytes) -> Path:
    """Writes what shall become a file beside it, under a name of its own, for ``.replace(path)``; makes its
    folder.

    Raises:
        OSError: It cannot be written; nothing is left of it. ``filename`` is the path that was asked for.
    """
    temporary: Path | None = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        temporary = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        temporary.chmod(0o644)
    except BaseException as error:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            # A full disk has no name of its own, and the temporary one means nothing to anybody.
            error.filename = str(path)
        raise
    return temporary


def write_bytes(path: Path, content: bytes) -> None:
    """Writes or replaces a file; makes its folder. Raises OSError as :func:`stage` does."""
    temporary = stage(path, content)
    try:
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def write_text(path: Path, text: str) -> None:
    """Writes or replaces a file, UTF-8; makes its folder. No secret that this process knows goes into it.

    Raises OSError as :func:`stage` does.
    """
    write_bytes(path, as_written(text))


def as_written(text: str) -> bytes:
    """A file's text as it is written, without the secrets that this process knows."""
    return KNOWN.scrub_document(text).encode("utf-8")


def write_model(path: Path, model: BaseModel) -> None:
    """Writes or replaces a JSON file."""
    write_text(path, model_text(model))


def model_text(model: BaseModel) -> str:
    """A JSON file as it is written."""
    return model.model_dump_json(indent=1) + "\n"
