"""Every input of the kept corpus, those that once were findings included, is read or refused with words."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fuzz.targets import TARGETS, target_named
from tests.fuzz.targets.base import REFUSALS

CORPUS = Path(__file__).parent / "corpus"


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_the_corpus_is_read_or_refused(name: str, tmp_path: Path) -> None:
    target = target_named(name)
    inputs = sorted((CORPUS / name).iterdir())
    assert inputs
    read = 0
    for number, path in enumerate(inputs):
        folder = tmp_path / str(number)
        folder.mkdir()
        try:
            target.run(path.read_bytes(), folder)
            read += 1
        except REFUSALS:
            continue
    assert read, "no input comes through: the target reads nothing any more"


def test_every_target_has_a_corpus_and_no_corpus_is_without_target() -> None:
    assert {path.name for path in CORPUS.iterdir()} == set(TARGETS)
