"""Targets with planted faults, each of which sets in once the input has been broken in a certain place."""

from __future__ import annotations

import json
import time
from pathlib import Path

from harness.errors import UserError
from tests.fuzz.targets.base import Target

SEED = b'{"name": "a", "number": 1}'


def _read(data: bytes) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise UserError("no JSON") from error


def raises(data: bytes, folder: Path) -> None:
    content = _read(data)
    if isinstance(content, dict) and isinstance(content.get("name"), list):
        content["name"].upper()


def is_slow(data: bytes, folder: Path) -> None:
    if _read(data) != json.loads(SEED):
        until = time.process_time() + 2.2
        while time.process_time() < until:
            pass


def is_big(data: bytes, folder: Path) -> None:
    if _read(data) != json.loads(SEED):
        kept = bytearray(600_000_000)
        time.sleep(1)
        del kept


def hangs(data: bytes, folder: Path) -> None:
    if _read(data) != json.loads(SEED):
        time.sleep(600)


def refuses(data: bytes, folder: Path) -> None:
    _read(data)
    raise UserError("never")


_RUNS = {"traceback": raises, "slow": is_slow, "big": is_big, "hangs": hangs, "refuses": refuses}


def target_named(name: str) -> Target:
    return Target(run=_RUNS[name], form="json")
