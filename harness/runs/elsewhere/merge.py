"""Shards of a run put together: one folder, as if it had been one run."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

from harness._files.json_file import read_model
from harness.errors import NotWritten, UserError
from harness.plans.checks.checks import CHECKS_FILE, Checks
from harness.plans.run import Notify, Shard
from harness.records.run import RunInfo
from harness.records.verdict import VERDICT_FILE
from harness.runs.elsewhere.copies import copy_calls, copy_placings
from harness.runs.lock import must_be_usable
from harness.runs.reader import AGAIN
from harness.runs.store import RunStore
from harness.versions import joined_versions

MADE_OF_CALLS = ("summary.json", VERDICT_FILE, "junit.xml", "metrics.prom")
"""What scoring makes of all calls of a run, beside its page."""


@dataclass(frozen=True, kw_only=True)
class Merged:
    """What came of it.

    Attributes:
        missing: Shards that were not given.
        not_placed: Calls of the plan that left no record.
        notify, otel: Who is to be told, as the plan had it.
    """

    calls: int
    missing: tuple[int, ...]
    not_placed: tuple[str, ...]
    notify: Notify | None = None
    otel: bool = False


@dataclass(frozen=True, kw_only=True)
class _Part:
    folder: Path
    info: RunInfo
    shard: Shard
    checks: Checks


def merge_shards(folders: Sequence[Path], out: Path, *, incomplete: bool = False) -> Merged:
    """Copies the calls of all shards into one run, in the order of the whole plan: their second attempts and
    what the user's own systems told of them, too.

    Args:
        incomplete: Also where shards are missing: the run then has calls that were not placed.

    Raises:
        UserError: A folder is no shard, one is there twice, they are of different runs, versions or checks,
            or one is missing.
        NotWritten: ``out`` cannot be written.
    """
    parts = [_part(folder) for folder in folders]
    by_place = _by_place(parts)
    first = parts[0]
    missing = tuple(place for place in range(1, first.shard.of + 1) if place not in by_place)
    # A plan with fewer calls than shards leaves the last ones empty.
    missing = tuple(place for place in missing if place <= len(first.shard.call_ids))
    if missing and not incomplete:
        told = ", ".join(f"{place}/{first.shard.of}" for place in missing)
        raise UserError(
            f"{first.folder}: of its run these shards are missing: {told}",
            hint="give their folders as well, or --incomplete to go on without them",
        )
    must_be_usable(out)
    store = RunStore(out)
    known = store.read_info()
    if known is not None and known.shard is not None:
        # What it has of its calls would make way for what is copied, and that may be the same.
        raise UserError(f"{out}: is a shard itself; give another --out")
    if known is not None and known.plan_digest != first.shard.plan_digest:
        raise UserError(f"{out}: holds another run; give another --out")
    if known is not None and not _is_of(known, parts):
        _check_not_mixed(first.shard, parts, store)
    try:
        in_order = [by_place[place] for place in sorted(by_place)]
        _drop_what_was_made(out)
        for part in in_order:
            copy_calls(part.folder, part.info.call_ids, store)
        copy_placings([part.folder for part in in_order], out)
        if known is not None and not _is_of(known, parts) and (out / AGAIN).is_dir():
            # Of another night.
            shutil.rmtree(out / AGAIN)
        _drop_stale_again(in_order, RunStore(out / AGAIN))
        _merge_again(in_order, RunStore(out / AGAIN))
    except OSError as error:
        raise NotWritten.of(out, error) from error
    whole = _whole(by_place, known)
    store.write_checks(whole[1])
    not_placed = tuple(one for one in first.shard.call_ids if store.read_record(one) is None)
    finished = None if not_placed else whole[0].finished_at
    store.write_info(whole[0].model_copy(update={"finished_at": finished}))
    one = by_place[min(by_place)].shard
    return Merged(
        calls=len(first.shard.call_ids) - len(not_placed),
        missing=missing,
        not_placed=not_placed,
        notify=one.notify,
        otel=one.otel,
    )


def _drop_what_was_made(out: Path) -> None:
    """Takes away figures, verdict and pages of what lay there before: of other calls, or of fewer."""
    for name in MADE_OF_CALLS:
        (out / name).unlink(missing_ok=True)
    if (out / "report").is_dir():
        shutil.rmtree(out / "report")


def _part(folder: Path) -> _Part:
    info = RunStore(folder).read_info() if (folder / "run.json").is_file() else None
    if info is None:
        raise UserError(f"{folder}: no run: give the folder of a shard that 'run --shard i/n' wrote")
    if info.shard is None:
        raise UserError(f"{folder}: is a whole run and no shard: only what 'run --shard i/n' wrote is merged")
    path = folder / CHECKS_FILE
    checks = read_model(path, Checks, within=folder) if path.is_file() else Checks()
    return _Part(folder=folder, info=info, shard=info.shard, checks=checks)


def _by_place(parts: Sequence[_Part]) -> Mapping[int, _Part]:
    first = parts[0]
    found: dict[int, _Part] = {}
    for part in parts:
        if _of_run(part.shard) != _of_run(first.shard):
            raise UserError(f"{part.folder}: is a shard of another run than {first.folder}")
        twice = found.setdefault(part.shard.place, part)
        if twice is not part:
            raise UserError(
                f"{part.folder}: shard {part.shard.place}/{part.shard.of} is there twice, the other is "
                f"{twice.folder}; give one of them"
            )
        if part.info.outboundeval != first.info.outboundeval or _bench(part) != _bench(first):
            raise UserError(
                f"{part.folder}: was placed by another version ({part.info.outboundeval}, benchmark "
                f"{_bench(part)}) than {first.folder} ({first.info.outboundeval}, {_bench(first)})"
            )
        if part.checks.model_copy(update={"expect": {}}) != first.checks.model_copy(update={"expect": {}}):
            raise UserError(f"{part.folder}: is held to other gates than {first.folder}")
    return found


def _of_run(shard: Shard) -> tuple[object, ...]:
    return shard.of, shard.plan_digest, shard.call_ids


def _bench(part: _Part) -> str:
    return part.info.versions.get("benchmark", "unknown")


def _whole(parts: Mapping[int, _Part], known: RunInfo | None) -> tuple[RunInfo, Checks]:
    infos = [part.info for part in parts.values()]
    first, shard = infos[0], next(iter(parts.values())).shard
    ends = [info.finished_at for info in infos]
    expect = {call: one for part in parts.values() for call, one in part.checks.expect.items()}
    info = first.model_copy(
        update={
            "run_id": _id(infos, known),
            "started_at": min(info.started_at for info in infos),
            "finished_at": None if None in ends else max(end for end in ends if end is not None),
            "plan_digest": shard.plan_digest,
            "agents": sorted({agent for info in infos for agent in info.agents}),
            "call_ids": list(shard.call_ids),
            "versions": reduce(joined_versions, [info.versions for info in infos]),
            "shard": None,
        }
    )
    checks = next(iter(parts.values())).checks.model_copy(update={"expect": expect})
    return info, checks


def _drop_stale_again(parts: Sequence[_Part], merged: RunStore) -> None:
    """Takes away the second attempts of a shard's calls that it does not have any more: it was placed again,
    and what failed before must not stand beside the calls of now."""
    known = merged.read_info()
    if known is None:
        return
    stale: set[str] = set()
    for part in parts:
        own = RunStore(part.folder / AGAIN)
        info = own.read_info()
        planned = set(info.call_ids) if info is not None else set[str]()
        stale.update(set(part.info.call_ids) - planned)
        for call_id in part.info.call_ids:
            has_it = call_id in planned and own.call_folder(call_id).is_dir()
            if not has_it and merged.call_folder(call_id).is_dir():
                shutil.rmtree(merged.call_folder(call_id))
    kept = [one for one in known.call_ids if one not in stale]
    if not kept:
        shutil.rmtree(merged.folder)
    elif kept != known.call_ids:
        path = merged.folder / CHECKS_FILE
        checks = read_model(path, Checks, within=merged.folder) if path.is_file() else Checks()
        expect = {call: one for call, one in checks.expect.items() if call in kept}
        merged.write_checks(checks.model_copy(update={"expect": expect}))
        merged.write_info(known.model_copy(update={"call_ids": kept}))


def _merge_again(parts: Sequence[_Part], into: RunStore) -> None:
    """The second attempts of all shards, a run of its own as each of them is."""
    stores = [RunStore(part.folder / AGAIN) for part in parts if (part.folder / AGAIN / "run.json").is_file()]
    found = [(store, info) for store in stores if (info := store.read_info()) is not None]
    if not found:
        return
    infos = [info for _, info in found]
    # Also of shards that were put in here before and are not given now.
    known = into.read_info()
    if known is not None:
        infos.append(known)
    ids = {call_id for info in infos for call_id in info.call_ids}
    ends = [info.finished_at for info in infos]
    expect = {
        call: one
        for store in (into, *stores)
        if (store.folder / CHECKS_FILE).is_file()
        for call, one in read_model(store.folder / CHECKS_FILE, Checks, within=store.folder).expect.items()
    }
    for store, info in found:
        copy_calls(store.folder, info.call_ids, into)
    copy_placings([store.folder for store in stores], into.folder)
    into.write_checks(Checks(expect=expect))
    into.write_info(
        infos[0].model_copy(
            update={
                "run_id": min(infos, key=lambda info: info.started_at).run_id,
                "started_at": min(info.started_at for info in infos),
                "finished_at": None if None in ends else max(end for end in ends if end is not None),
                "agents": sorted({agent for info in infos for agent in info.agents}),
                "call_ids": [one for one in parts[0].shard.call_ids if one in ids],
                "versions": reduce(joined_versions, [info.versions for info in infos]),
            }
        )
    )


def _is_of(known: RunInfo, parts: Sequence[_Part]) -> bool:
    """Whether a merged run was put together from some of these shards: it began when one of them did."""
    return known.started_at in [part.info.started_at for part in parts]


def _check_not_mixed(shard: Shard, parts: Sequence[_Part], store: RunStore) -> None:
    """Raises UserError where calls of another night would stand for those that these shards do not have."""
    have = {
        call_id
        for part in parts
        for call_id in part.info.call_ids
        if RunStore(part.folder).call_folder(call_id).is_dir()
    }
    stale = next((one for one in shard.call_ids if one not in have and store.call_folder(one).is_dir()), None)
    if stale is not None:
        raise UserError(
            f"{store.folder}: holds another night of these calls, and no shard has '{stale}'; "
            "give another --out"
        )


def _id(infos: Sequence[RunInfo], known: RunInfo | None) -> str:
    """The whole is the run of its earliest shard, by whatever machine it is put together. What lay there
    already keeps its own where it was put together from fewer of the same shards."""
    if known is not None and known.run_id and known.started_at in [info.started_at for info in infos]:
        return known.run_id
    return min(infos, key=lambda info: info.started_at).run_id
