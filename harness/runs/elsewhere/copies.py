"""From the folder of a shard into the run that it is a part of: calls, what was told of them, placings."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from harness._files.atomic_file import write_text
from harness._files.outside_file import check_within
from harness.records.placed.placings import PLACINGS_FILE
from harness.records.timeline import timeline_text
from harness.records.witness import OF_A_CALL_FILE
from harness.runs.others.witnessed import witnessed_of
from harness.runs.store import RunStore


def copy_calls(shard: Path, call_ids: Sequence[str], into: RunStore) -> None:
    """Copies all that a shard has of its calls, in place of what the run had of them.

    What the user's systems told (``witness.jsonl``) has the times of the shard's machine, so each call gets
    its own on its own clock.

    Raises:
        OSError: Something cannot be read or written.
    """
    source = RunStore(shard)
    records = [record for one in call_ids if (record := source.read_record(one)) is not None]
    told = witnessed_of(shard, records)
    for call_id in call_ids:
        if source.call_folder(call_id).is_dir():
            _copy_call(source, call_id, into)
            if call_id in told:
                write_text(into.call_folder(call_id) / OF_A_CALL_FILE, timeline_text(told[call_id]))


def copy_placings(shards: Sequence[Path], out: Path) -> None:
    """One start of the run after the other, as if each shard had gone on with the one before."""
    found = [path for shard in shards if (path := shard / PLACINGS_FILE).is_file()]
    if found:
        # Of shards that have placed nothing yet, no call has made it.
        out.mkdir(parents=True, exist_ok=True)
        with (out / PLACINGS_FILE).open("wb") as file:
            for path in found:
                check_within(path, path.parent)
                file.write(path.read_bytes())


def _copy_call(source: RunStore, call_id: str, into: RunStore) -> None:
    folder = source.call_folder(call_id)
    target = into.call_folder(call_id)
    if target.exists():
        shutil.rmtree(target)
    for path in sorted(folder.rglob("*")):
        # What a link leads to is nobody's recording; a hidden file is what a killed process had begun.
        if path.is_symlink() or not path.is_file() or path.name.startswith("."):
            continue
        check_within(path, source.folder)
        copy = target / path.relative_to(folder)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
