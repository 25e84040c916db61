"""``from metrics import ...``: every name is there, and nothing is imported before it is asked for."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGES = ("metrics", "voice_sim")
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", PACKAGES)
def test_every_name_is_what_its_home_calls_so(name: str) -> None:
    package = importlib.import_module(name)
    for public in package.__all__:
        home = importlib.import_module(package._HOME_OF[public])
        assert getattr(package, public) is getattr(home, public)


@pytest.mark.parametrize("name", PACKAGES)
def test_what_type_checkers_see_is_what_is_there(name: str) -> None:
    package = importlib.import_module(name)
    tree = ast.parse((ROOT / name / "__init__.py").read_text(encoding="utf-8"))
    [checking] = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {
        alias.name: node.module
        for node in checking.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == package._HOME_OF
    assert list(package.__all__) == sorted(package.__all__, key=lambda public: (public[0].islower(), public))
    assert set(package.__all__) == set(seen)
    assert set(package.__all__) <= set(dir(package))


@pytest.mark.parametrize("name", PACKAGES)
def test_an_unknown_name_is_an_attribute_error(name: str) -> None:
    with pytest.raises(AttributeError, match=f"module '{name}' has no attribute 'nothing'"):
        _ = importlib.import_module(name).nothing


@pytest.mark.parametrize(
    ("statement", "absent"),
    [
        ("import metrics, voice_sim", {"numpy", "scipy", "torch", "pydantic", "faster_whisper", "av"}),
        ("from metrics import word_error_rate", {"torch", "faster_whisper", "soundfile"}),
        ("from metrics import Audio", {"torch", "faster_whisper"}),
        ("from voice_sim import Caller, Persona, AgendaPolicy", {"scipy", "torch", "pydantic_ai", "livekit"}),
    ],
)
def test_only_what_is_needed_is_imported(statement: str, absent: set[str]) -> None:
    told = subprocess.run(
        [sys.executable, "-c", f"{statement}; import sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert {module.partition(".")[0] for module in told.stdout.split()} & absent == set()


@pytest.mark.parametrize("name", [*PACKAGES, "spoken_language", "outboundeval"])
def test_it_carries_its_types(name: str) -> None:
    assert (ROOT / name / "py.typed").is_file()
