"""Model folders on disk: put in place whole or not at all, and checked file by file."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Iterable
from pathlib import Path

import pytest

from harness.models.checked_files import (
    STALE_AFTER_S,
    WrongContent,
    folder_problems,
    publish_folder,
    remove_folder,
)
from harness.models.table import ModelFile

pytestmark = pytest.mark.usefixtures("isolated_folders")

WEIGHTS = b"first half|second half"
FILES = (ModelFile(name="weights.bin", size=len(WEIGHTS), sha256=hashlib.sha256(WEIGHTS).hexdigest()),)


def test_writers_at_the_same_time_all_end_with_one_whole_folder(tmp_path: Path) -> None:
    writers = 4
    everyone_is_half_way = threading.Barrier(writers, timeout=60)
    target = tmp_path / "models" / "tiny"
    outcomes: list[object] = []

    def content(file: ModelFile) -> Iterable[bytes]:
        yield WEIGHTS[:11]
        everyone_is_half_way.wait()
        assert not target.exists() or (target / "weights.bin").read_bytes() == WEIGHTS
        yield WEIGHTS[11:]

    def write() -> None:
        try:
            publish_folder(target, FILES, content)
            outcomes.append("done")
        except BaseException as error:
            outcomes.append(error)

    threads = [threading.Thread(target=write) for _ in range(writers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=120)
    assert outcomes == ["done"] * writers
    assert (target / "weights.bin").read_bytes() == WEIGHTS
    assert [path.name for path in target.parent.iterdir()] == ["tiny"]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [(WEIGHTS + b"!", "longer than"), (WEIGHTS[:-1], "21 bytes, expected 22"), (WEIGHTS[::-1], "sha256")],
)
def test_wrong_content_is_never_put_in_place(tmp_path: Path, content: bytes, complaint: str) -> None:
    with pytest.raises(WrongContent, match=complaint):
        publish_folder(tmp_path / "models" / "tiny", FILES, lambda file: [content])
    assert list((tmp_path / "models").iterdir()) == []


def test_remains_of_a_killed_process_are_cleared_but_not_those_of_a_running_one(tmp_path: Path) -> None:
    old, young = tmp_path / "models/.incomplete-old", tmp_path / "models/.incomplete-young"
    for folder in (old, young):
        folder.mkdir(parents=True)
    long_ago = young.stat().st_mtime - 2 * STALE_AFTER_S
    os.utime(old, (long_ago, long_ago))
    publish_folder(tmp_path / "models" / "tiny", FILES, lambda file: [WEIGHTS])
    assert not old.exists()
    assert young.exists()


def test_every_needed_file_is_named_with_what_is_wrong(tmp_path: Path) -> None:
    others = tuple(ModelFile(name=name, size=3, sha256="0" * 64) for name in ("gone", "short", "other"))
    (tmp_path / "weights.bin").write_bytes(WEIGHTS)
    (tmp_path / "short").write_bytes(b"12")
    (tmp_path / "other").write_bytes(b"123")
    digest = "a665a45920422f9d417e4867efdc4fb8a04a1f3fff1fa07e998e86f7f7a27ae3"  # of "123", by sha256sum
    assert folder_problems(tmp_path, (*FILES, *others)) == [
        f"{tmp_path}/gone: not there",
        f"{tmp_path}/short: 2 bytes, expected 3",
        f"{tmp_path}/other: its sha256 is {digest}, expected {'0' * 64}",
    ]


def test_optional_files_are_not_asked_for(tmp_path: Path) -> None:
    licence = ModelFile(name="LICENCE", size=3, sha256="0" * 64, optional=True)
    (tmp_path / "weights.bin").write_bytes(WEIGHTS)
    assert folder_problems(tmp_path, (*FILES, licence)) == []


def test_removed_folder_is_gone_whole(tmp_path: Path) -> None:
    target = tmp_path / "models" / "tiny"
    publish_folder(target, FILES, lambda file: [WEIGHTS])
    remove_folder(target)
    remove_folder(target)
    assert list(target.parent.iterdir()) == []
