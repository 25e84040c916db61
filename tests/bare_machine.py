"""Tests see the programs that every machine has, and those that ``.ci/run`` installs; whatever else happens
to be installed here (espeak-ng, ffmpeg, node, docker) is hidden from them and from all that they start.

So a test that needs more fails where it is written, and not on a fresh machine. It asks for it, with
:func:`seeing`, and is skipped with the reason where the machine has none.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

INSTALLED = ("make", "git", "chromium", "chromedriver", "turnserver", "sipp")
"""By ``.ci/run``, besides Python."""

BASE = (
    *("bash", "sh", "dash", "env", "cat", "chmod", "cp", "cut", "date", "dd", "dirname", "basename"),
    *("echo", "expr", "false", "find", "getopt", "getconf", "grep", "gzip", "head", "hostname", "id"),
    *("kill", "ln", "ls", "mkdir", "mktemp", "mv", "nice", "nohup", "printf", "pwd", "readlink"),
    *("realpath", "rm", "rmdir", "sed", "setsid", "sleep", "sort", "stat", "stty", "sync", "tail"),
    *("tar", "tee", "test", "timeout", "touch", "tr", "true", "uname", "uniq", "wc", "which", "xargs"),
)
"""Of Debian's essential packages: what scripts of programs (Chromium's, git's) rely on."""

_FOLDER = "OUTBOUNDEVAL_TESTS_SEE"
"""Names the folder of programs that are seen; also for the workers of pytest-xdist."""
_WHOLE_PATH = "OUTBOUNDEVAL_TESTS_WHOLE_PATH"
"""The path as it was."""


def hide_programs() -> None:
    """Leaves the programs named above on the path of this process and of those that it starts.

    Done before any test is collected: some ask for a program when their module is loaded.
    """
    if _FOLDER in os.environ:
        return
    folder = Path(tempfile.mkdtemp(prefix="outboundeval-programs-"))
    for name in (*BASE, *INSTALLED):
        program = shutil.which(name)
        if program is not None:
            (folder / name).symlink_to(program)
    python = Path(sys.executable)
    if sys.prefix == sys.base_prefix:
        # Its folder may be /usr/bin. A venv's holds what was installed into the venv, and its interpreter
        # knows itself by where it lies.
        for name in ("python", "python3"):
            (folder / name).symlink_to(python)
        path = [str(folder)]
    else:
        path = [str(python.parent), str(folder)]
    os.environ[_WHOLE_PATH] = os.environ["PATH"]
    os.environ["PATH"] = os.pathsep.join(path)
    os.environ[_FOLDER] = str(folder)


def show_programs() -> None:
    """Undoes :func:`hide_programs`; to be called by the process that called it first."""
    folder = os.environ.pop(_FOLDER, None)
    if folder is not None:
        os.environ["PATH"] = os.environ.pop(_WHOLE_PATH)
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def seeing(*names: str) -> Iterator[None]:
    """Programs that ``.ci/run`` does not install are seen while in the block; skips where there are none."""
    programs = {name: shutil.which(name, path=os.environ.get(_WHOLE_PATH)) for name in names}
    missing = [name for name, program in programs.items() if program is None]
    if missing:
        pytest.skip(f"needs {' and '.join(missing)}, which is not installed here, nor by .ci/run")
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        for name, program in programs.items():
            (Path(folder) / name).symlink_to(str(program))
        patch.setenv("PATH", folder, prepend=os.pathsep)
        yield
