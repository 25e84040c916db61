"""Where files go: new runs, and the folders outside them (the cache, what was measured once, own models)."""

from __future__ import annotations

import datetime
import os
import re
from pathlib import Path

import platformdirs

from harness.errors import UserError

CACHE_VARIABLE = "OUTBOUNDEVAL_CACHE"
HOME_VARIABLE = "OUTBOUNDEVAL_HOME"
MODELS_VARIABLE = "OUTBOUNDEVAL_MODELS"

_NAME = "outboundeval"
_TRANSPORT_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,49}")


def new_run_folder(name: str) -> Path:
    """A folder below runs/ that is not there yet, named after the run and the time."""
    stamp = datetime.datetime.now().strftime("%Y%m%d-%H%M%S")
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.") or "run"
    return Path("runs") / f"{plain}-{stamp}"


def cache_dir() -> Path:
    """Joined and downloaded models: ``$OUTBOUNDEVAL_CACHE``, else a folder in the user's cache folder.

    The folder need not exist yet.
    """
    return _own(CACHE_VARIABLE) or platformdirs.user_cache_path(_NAME, appauthor=False)


def vectors_file() -> Path:
    """Vectors of example lines, so that each is encoded once on a machine. It need not exist yet."""
    return cache_dir() / "vectors.sqlite"


def data_dir() -> Path:
    """What is kept between runs: ``$OUTBOUNDEVAL_HOME``, else a folder in the user's data folder.

    The folder need not exist yet.
    """
    return _own(HOME_VARIABLE) or platformdirs.user_data_path(_NAME, appauthor=False)


def own_models_dir() -> Path | None:
    """The folder of models that the user named with ``$OUTBOUNDEVAL_MODELS``; None where none is named.

    Raises:
        UserError: It is named, but there is no such folder.
    """
    folder = _own(MODELS_VARIABLE)
    if folder is not None and not folder.is_dir():
        raise UserError(f"{MODELS_VARIABLE}={os.environ[MODELS_VARIABLE]}: there is no such folder")
    return folder


def calibration_path(transport: str, codec: str = "opus", network: str = "clean") -> Path:
    """Where the measured error bar of a transport is stored, as JSON: of each codec and network by itself.
    The file need not exist.

    Raises:
        UserError: A name is none.
    """
    for name, what in ((transport, "transport"), (codec, "codec"), (network, "network")):
        if not _TRANSPORT_NAME.fullmatch(name):
            raise UserError(f"'{name}' is not the name of a {what}: small letters, digits, - and _")
    of_all = (codec, network) == ("opus", "clean")
    name = transport if of_all else f"{transport}.{codec}.{network}"
    return data_dir() / "calibration" / f"{name}.json"


def _own(variable: str) -> Path | None:
    """The folder that the user named; None where none is named."""
    value = os.environ.get(variable)
    return Path(value).expanduser().absolute() if value else None
