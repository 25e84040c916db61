"""A PostgreSQL server of our own for a test: Debian's, in a folder that is thrown away, on loopback alone."""

from __future__ import annotations

import contextlib
import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from harness.models.served_process import free_port

START_S = 30.0


def programs() -> Path | None:
    """Where initdb and postgres lie; None where there is none."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    on_path = shutil.which("initdb")
    return found[-1].parent if found else Path(on_path).parent if on_path else None


@contextlib.contextmanager
def served() -> Iterator[str]:
    """Its URL. Started as the user ``postgres`` where we are root: it refuses to run as root."""
    bin_ = programs()
    assert bin_ is not None, "no PostgreSQL here: apt-get install postgresql"
    user = "postgres" if os.geteuid() == 0 else None
    folder = Path(tempfile.mkdtemp(prefix="oe-pg-"))
    data = folder / "data"
    if user:
        known = pwd.getpwnam(user)
        os.chown(folder, known.pw_uid, known.pw_gid)
    common = {"user": user, "cwd": folder, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
    subprocess.run(
        [bin_ / "initdb", "-D", data, "-U", "night", "-A", "trust", "-N", "-E", "UTF8", "--locale", "C"],
        check=True,
        **common,  # type: ignore[call-overload]
    )
    port = free_port()
    options = ["-D", data, "-p", str(port), "-k", folder, "-h", "127.0.0.1", "-F"]
    server = subprocess.Popen([bin_ / "postgres", *options], **common)  # type: ignore[call-overload]
    try:
        until = time.monotonic() + START_S
        ready = [bin_ / "pg_isready", "-h", "127.0.0.1", "-p", str(port), "-q"]
        while subprocess.run(ready).returncode != 0:
            assert server.poll() is None, server.stdout.read()
            assert time.monotonic() < until, "PostgreSQL did not start"
            time.sleep(0.05)
        yield f"postgresql://night@127.0.0.1:{port}/postgres"
    finally:
        server.terminate()
        server.communicate(timeout=20)
        shutil.rmtree(folder, ignore_errors=True)
