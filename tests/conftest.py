"""Fixtures for all tests: the models as they are on this machine, and folders that are not the user's own."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from harness.models.resolve import ModelMissing, resolve_model
from harness.paths import CACHE_VARIABLE, HOME_VARIABLE
from harness.redaction import KNOWN
from tests import bare_machine, bytecode, long_ones, long_table, spreading

# What a shell started in the background ignores Ctrl-C, and so would all that it starts: tests press it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Before a console of ours is made: the same width in a terminal, in a pipe and in a worker of pytest-xdist.
os.environ["COLUMNS"] = "200"

# The same examples on every run, and no limit of time: a busy machine must not turn a test red.
settings.register_profile(
    "steady", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")
# Newer versions draw constants of ours, too, from whatever modules the tests before have loaded: that differs
# from one run to the next.
_PROVIDERS = "hypothesis.internal.conjecture.providers"
providers = import_module(_PROVIDERS) if find_spec(_PROVIDERS) else None
if hasattr(providers, "_get_local_constants"):
    providers._get_local_constants = lambda: providers._local_constants


def pytest_addoption(parser: pytest.Parser) -> None:
    long_table.add_option(parser)


def pytest_configure(config: pytest.Config) -> None:
    bytecode.keep_bytecode()
    bare_machine.hide_programs()
    spreading.spread(config)
    long_table.write_at_the_end(config)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return long_ones.has_none(collection_path, config.getoption("markexpr")) or None


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput"):
        bare_machine.show_programs()


@pytest.fixture(scope="session", autouse=True)
def _home_of_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test reads or overwrites what the user measured (calibrations). The cache of models is shared:
    it is checked by checksum, and joining the parts once is enough."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(HOME_VARIABLE, str(tmp_path_factory.mktemp("home")))
        yield


@pytest.fixture(autouse=True)
def _no_secret_of_another_test() -> Iterator[None]:
    """A process remembers every secret that it learns, and finds it in whatever is written later."""
    yield
    KNOWN.forget()


@pytest.fixture
def isolated_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache and an empty data folder of the test's own, below the returned folder."""
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "data"))
    return tmp_path


@pytest.fixture(scope="session")
def whisper_folder() -> Path:
    """faster-whisper's base model."""
    return _model_or_skip("whisper-base")


@pytest.fixture(scope="session")
def joe_folder() -> Path:
    """The Piper voice: ``joe.onnx`` and ``joe.onnx.json``."""
    return _model_or_skip("joe")


@pytest.fixture(scope="session")
def silero_onnx() -> Path:
    """The trained speech detector, as one ONNX file."""
    return _model_or_skip("silero-vad") / "silero_vad_v6.onnx"


@pytest.fixture(scope="session")
def nisqa_folder() -> Path:
    """The NISQA weights: ``nisqa.tar`` and ``nisqa_tts.tar``."""
    return _model_or_skip("nisqa")


def _model_or_skip(name: str) -> Path:
    """Only a model that is nowhere is skipped over; one with wrong files is an error."""
    try:
        return resolve_model(name)
    except ModelMissing as missing:
        pytest.skip(f"{str(missing).splitlines()[0]}: `outboundeval doctor` says how to get it")
