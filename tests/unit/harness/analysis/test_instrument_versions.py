"""The code and the libraries of each instrument: nothing that it uses may be left out."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.machinery import ModuleSpec
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest

from harness.analysis import instrument_versions
from harness.analysis.instrument_versions import (
    FOLLOWED,
    LIBRARIES,
    MODULES,
    Instrument,
    made_of,
    on_disk,
    source_texts,
)

INDIRECT = {
    "speech": {"onnxruntime"},
    "words": {"ctranslate2", "tokenizers"},
    "voice": set[str](),
    "prediction": set[str](),
    "artefacts": set[str](),
    "forms": {"ctranslate2", "tokenizers"},
}
"""Libraries that do the work for one that is imported."""

HEAVY = """
import sys, unittest.mock
for name in ("torch", "torch.nn", "torch.nn.utils", "torch.nn.utils.rnn", "faster_whisper",
             "faster_whisper.audio", "faster_whisper.tokenizer", "faster_whisper.utils", "faster_whisper.vad",
             "scipy", "scipy.linalg", "scipy.ndimage", "scipy.signal", "webrtcvad", "opencc"):
    sys.modules[name] = unittest.mock.MagicMock()
"""
"""Libraries that take seconds to load; which of our modules are loaded does not depend on them."""

OURS = ("metrics.", "spoken_language.")

LOADED = """
print(*(name for name, module in sys.modules.items()
        if name.startswith(("metrics.", "spoken_language.")) and not hasattr(module, "__path__")))
"""


def _roots(texts: dict[str, str]) -> Iterator[str]:
    for name, text in texts.items():
        if name.startswith(OURS):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Import):
                    yield from (alias.name.partition(".")[0] for alias in node.names)
                elif isinstance(node, ast.ImportFrom):
                    yield (node.module or "").partition(".")[0]


@cache
def _distributions() -> Mapping[str, list[str]]:
    return packages_distributions()


@pytest.mark.parametrize("instrument", list(MODULES))
def test_every_library_that_the_code_imports_counts(instrument: Instrument) -> None:
    found = set(_roots(source_texts(MODULES[instrument]))) - sys.stdlib_module_names - set(FOLLOWED)
    distributions = _distributions()
    assert {distributions[name][0] for name in found} | INDIRECT[instrument] == set(LIBRARIES[instrument])
    assert "not installed" not in made_of(instrument).values()


def test_the_code_is_all_that_a_fresh_interpreter_loads() -> None:
    """An independent list: the modules of ours that are there after importing the instruments'."""
    roots = [name for names in MODULES.values() for name in names if name.startswith("metrics.")]
    script = HEAVY + "".join(f"import {name}\n" for name in roots) + LOADED
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    ours = {name for names in MODULES.values() for name in source_texts(names)}
    assert {name for name in ours if name.startswith(OURS)} == set(loaded.stdout.split())
    assert {"metrics.recognition.whisper.guards", "metrics.synthesis.nisqa_network"} <= ours


@pytest.mark.parametrize(
    ("touched", "affected"),
    [
        ("metrics.recognition.whisper.guards", {"words"}),
        ("metrics.speech", {"speech"}),
        ("metrics.spans", {"speech", "words", "voice", "prediction", "artefacts"}),
        ("metrics.synthesis.mel", {"voice", "prediction"}),
        ("metrics.synthesis.predictors", {"prediction"}),
        ("metrics.synthesis.artefacts", {"artefacts"}),
        ("metrics.detection.levels", {"speech", "artefacts"}),
        ("metrics.recognition.forced_decoding", {"forms"}),
        ("harness.analysis.sound.nisqa_clips", {"voice", "prediction"}),
        ("harness.analysis.listener", {"speech", "words", "voice", "prediction", "artefacts", "forms"}),
        ("metrics.dialogue.judging", set()),
    ],
)
def test_a_change_in_a_module_changes_the_instruments_that_use_it(
    touched: str, affected: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {instrument: made_of(instrument)["code"] for instrument in MODULES}
    read = instrument_versions._text
    monkeypatch.setattr(
        instrument_versions, "_text", lambda name: read(name) + ("\n# touched" if name == touched else "")
    )
    changed = {one: on_disk(one) for one in MODULES}
    assert {one for one in MODULES if changed[one]["code"] != before[one]} == affected
    assert changed == {one: on_disk(one) for one in MODULES}
    assert changed["speech"]["library numpy"] == made_of("speech")["library numpy"]


@pytest.mark.parametrize(
    ("imports", "followed"),
    [
        ("from spoken_language import numbers", {"spoken_language", "spoken_language.numbers"}),
        ("import spoken_language.numbers", {"spoken_language.numbers"}),
        ("from metrics.speech import Talk\nimport numpy, harness.paths", {"metrics.speech"}),
    ],
)
def test_imports_of_what_lies_below_are_followed(
    imports: str, followed: set[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = {"metrics.one": imports}
    monkeypatch.setattr(instrument_versions, "_text", lambda name: texts.get(name, ""))
    monkeypatch.setattr(instrument_versions, "_is_module", lambda name: name == "spoken_language.numbers")
    assert set(source_texts(["metrics.one"])) == {"metrics.one"} | followed


def test_code_that_cannot_be_read_is_never_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instrument_versions, "find_spec", lambda name: None)
    assert on_disk("speech")["code"] != on_disk("speech")["code"]


def test_a_loader_that_does_not_tell_its_source_hides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Such as pytest's, which loads all modules of a distribution that has a plugin."""
    before = on_disk("words")["code"]

    def find(name: str) -> ModuleSpec | None:
        spec = find_spec(name)
        if spec is not None and spec.origin is not None:
            return ModuleSpec(name, object(), origin=spec.origin)  # type: ignore[arg-type]
        return spec

    monkeypatch.setattr(instrument_versions, "find_spec", find)
    assert on_disk("words")["code"] == before


EDITED_AFTER_IMPORT = """
from pathlib import Path
import harness.analysis.instrument_versions as versions, metrics.resample
path = Path(metrics.resample.__file__)
before = versions.on_disk("words")["code"]
path.write_text(path.read_text() + "# another way of hearing\\n")
told = {one: versions.made_of(one)["code"] for one in versions.MODULES}
print(before, told["words"], versions.on_disk("words")["code"], told["voice"])
"""


def test_code_that_is_edited_while_calls_are_placed_is_not_known(tmp_path: Path) -> None:
    """What was loaded is the old code: its results must not pass for the new code's, which stands on disk."""
    root = Path(instrument_versions.__file__).parents[2]
    for package in ("harness", "metrics", "spoken_language"):
        shutil.copytree(root / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__"))
    ran = subprocess.run(
        [sys.executable, "-c", HEAVY + EDITED_AFTER_IMPORT],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"},
    )
    loaded, told, edited, untouched = ran.stdout.split()
    assert len({loaded, told, edited}) == 3
    assert untouched == made_of("voice")["code"]
