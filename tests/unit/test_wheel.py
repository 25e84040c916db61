"""What the wheel holds: everything of ours, under names of ours."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.wheel import ROOT, build_wheel

OURS = ("harness", "metrics", "outboundeval", "spoken_language", "voice_sim")
DATA = "outboundeval_fixtures"
_NOT_SHIPPED = {"__pycache__"}


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(build_wheel(folder)) as wheel:
        wheel.extractall(folder / "unpacked")
    return folder / "unpacked"


def test_its_names_are_ours(unpacked: Path) -> None:
    packages = {path.name for path in unpacked.iterdir() if path.suffix != ".dist-info"}
    assert packages == {*OURS, DATA}


@pytest.mark.parametrize(("ships_as", "folder"), [*zip(OURS, OURS, strict=True), (DATA, "fixtures")])
def test_every_file_of_a_package_ships(unpacked: Path, ships_as: str, folder: str) -> None:
    assert _files(unpacked / ships_as) == _files(ROOT / folder)


def test_it_works_from_a_folder_that_has_all_of_our_names(unpacked: Path, tmp_path: Path) -> None:
    for name in (*OURS, "fixtures", "agents"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the module of somebody else')\n")
    for arguments, told in (
        (("-m", "harness.cli", "scenarios", "show", "cs-bank-complaint"), "Bank customer complaint"),
        ((str(unpacked / DATA / "agents" / "__main__.py"), "calibration", "--help"), "--behaviour"),
    ):
        done = subprocess.run(
            [sys.executable, "-P", *arguments],
            cwd=tmp_path,
            env={"PYTHONPATH": str(unpacked), "PATH": ""},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        assert told in done.stdout


def _files(folder: Path) -> set[str]:
    return {
        str(path.relative_to(folder))
        for path in folder.rglob("*")
        if path.is_file() and not _NOT_SHIPPED & set(path.parts)
    }
