"""What ``make bench`` starts, by what make says that it would do."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tests.bare_machine import seeing

ROOT = Path(__file__).parents[3]


def test_it_starts_modules_that_are_there_and_write_no_fixture() -> None:
    with seeing("make"):
        said = subprocess.run(
            ["make", "-n", "-o", "setup", "bench"], cwd=ROOT, capture_output=True, text=True, timeout=60
        )
    assert said.returncode == 0, said.stderr
    names = said.stdout.partition("for bench in ")[2].partition(";")[0].split()
    assert len(names) == len(set(names)) >= 8
    for name in names:
        assert not name.startswith("_")
        source = (ROOT / "bench" / f"{name}.py").read_text(encoding="utf-8")
        assert 'if __name__ == "__main__":' in source
        assert "write_flac" not in source
