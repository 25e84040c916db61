"""The code and the libraries of each instrument: nothing that it uses may be left out."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import packages_distributions

import pytest

from harness import instrument_versions
from harness.instrument_versions import LIBRARIES, MODULES, Instrument, made_of, source_texts

INDIRECT = {
    "speech": {"onnxruntime"},
    "words": {"ctranslate2", "tokenizers"},
    "voice": set[str](),
}
"""Libraries that do the work for one that is imported."""

HEAVY = """
import sys, unittest.mock
for name in ("torch", "torch.nn", "torch.nn.utils", "torch.nn.utils.rnn", "faster_whisper",
             "faster_whisper.utils", "faster_whisper.vad", "scipy", "scipy.signal", "webrtcvad", "opencc"):
    sys.modules[name] = unittest.mock.MagicMock()
"""
"""Libraries that take seconds to load; which of our modules are loaded does not depend on them."""

LOADED = """
print(*(name for name, module in sys.modules.items()
        if name.startswith("metrics.") and not hasattr(module, "__path__")))
"""


def _roots(texts: dict[str, str]) -> Iterator[str]:
    for name, text in texts.items():
        if name.startswith("metrics."):
            for node in ast.walk(ast.parse(text)):
                if isinstance(node, ast.Import):
                    yield from (alias.name.partition(".")[0] for alias in node.names)
                elif isinstance(node, ast.ImportFrom):
                    yield (node.module or "").partition(".")[0]


@pytest.mark.parametrize("instrument", list(MODULES))
def test_every_library_that_the_code_imports_counts(instrument: Instrument) -> None:
    found = set(_roots(source_texts(MODULES[instrument]))) - sys.stdlib_module_names - {"metrics"}
    distributions = packages_distributions()
    assert {distributions[name][0] for name in found} | INDIRECT[instrument] == set(LIBRARIES[instrument])
    assert "not installed" not in made_of(instrument).values()


def test_the_code_is_all_that_a_fresh_interpreter_loads() -> None:
    """An independent list: the modules of ``metrics`` that are there after importing the instruments'."""
    roots = [name for names in MODULES.values() for name in names if name.startswith("metrics.")]
    script = HEAVY + "".join(f"import {name}\n" for name in roots) + LOADED
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    ours = {name for names in MODULES.values() for name in source_texts(names)}
    assert {name for name in ours if name.startswith("metrics.")} == set(loaded.stdout.split())
    assert {"metrics.whisper_guards", "metrics.synthesis.nisqa_network"} <= ours


@pytest.mark.parametrize(
    ("touched", "affected"),
    [
        ("metrics.whisper_guards", {"words"}),
        ("metrics.speech", {"speech"}),
        ("metrics.spans", {"speech", "words", "voice"}),
        ("metrics.synthesis.mel", {"voice"}),
        ("harness.clip_rating", {"voice"}),
        ("harness.listening", {"speech", "words", "voice"}),
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
    fresh = made_of.__wrapped__
    assert {one for one in MODULES if fresh(one)["code"] != before[one]} == affected
    assert fresh("speech")["library numpy"] == made_of("speech")["library numpy"]


def test_code_that_cannot_be_read_is_never_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(instrument_versions, "find_spec", lambda name: None)
    fresh = made_of.__wrapped__
    assert fresh("speech")["code"] != fresh("speech")["code"]
