"""Folders outside of runs: named by the user, by XDG's variables, or where Linux has them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.paths import (
    CACHE_VARIABLE,
    HOME_VARIABLE,
    MODELS_VARIABLE,
    cache_dir,
    calibration_path,
    data_dir,
    own_models_dir,
)

FOLDERS = [
    pytest.param(cache_dir, CACHE_VARIABLE, "XDG_CACHE_HOME", ".cache", id="cache"),
    pytest.param(data_dir, HOME_VARIABLE, "XDG_DATA_HOME", ".local/share", id="data"),
]


@pytest.mark.skipif(sys.platform != "linux", reason="XDG's folders are those of Linux")
@pytest.mark.parametrize(("folder", "variable", "xdg", "default"), FOLDERS)
def test_folder_is_the_users_then_xdgs_then_the_usual_one(
    folder: Callable[[], Path],
    variable: str,
    xdg: str,
    default: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv(xdg, str(tmp_path / "xdg"))
    monkeypatch.setenv(variable, "~/own")
    assert folder() == tmp_path / "home" / "own"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(variable, "own")
    assert folder() == tmp_path / "own"
    monkeypatch.setenv(variable, "")
    assert folder() == tmp_path / "xdg" / "outboundeval"
    monkeypatch.setenv(xdg, "relative/is/ignored")
    assert folder() == tmp_path / "home" / default / "outboundeval"
    monkeypatch.delenv(xdg)
    assert folder() == tmp_path / "home" / default / "outboundeval"
    assert not list(tmp_path.iterdir())  # none is made by asking


def test_own_models_have_to_be_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(MODELS_VARIABLE, raising=False)
    assert own_models_dir() is None
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path))
    assert own_models_dir() == tmp_path
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path / "gone"))
    with pytest.raises(UserError, match=f"{MODELS_VARIABLE}=.*gone: there is no such folder"):
        own_models_dir()


def test_a_calibration_is_kept_by_the_name_of_its_transport(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))
    assert calibration_path("livekit") == tmp_path / "calibration" / "livekit.json"
    with pytest.raises(UserError, match="is not the name of a transport"):
        calibration_path("../livekit")
