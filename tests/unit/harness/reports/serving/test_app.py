"""The site of a store: what it shows, and what it gives to nobody."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from aiohttp import ClientSession, web

from harness.cli.commands.nightly.serve import serve
from harness.cli.options.nightly.serve import ServeOptions
from harness.errors import UserError
from harness.reports.html import build_report
from harness.reports.serving.app import application
from harness.reports.serving.run_files import run_key
from harness.runs.database.index import put_run
from harness.runs.database.nights import names
from tests.nights import night_call
from tests.report.make_run import ATTACK, write_run

BRANCH = "fix/<b>&greeting"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write_run(tmp_path_factory.mktemp("runs") / "n1", [night_call("refund", [600.0])])
    info = json.loads((folder / "run.json").read_text())
    (folder / "run.json").write_text(json.dumps(info | {"name": ATTACK, "branch": BRANCH}))
    build_report(folder)
    (folder / "agent.log").write_text("what the agent printed")
    put_run(str(folder.parent / "nights.sqlite"), folder)
    return folder


@asynccontextmanager
async def site(store: Path, *, loopback_only: bool = True) -> AsyncIterator[str]:
    runner = web.AppRunner(application(str(store), loopback_only=loopback_only), access_log=None)
    await runner.setup()
    listener = web.TCPSite(runner, "127.0.0.1", 0)
    await listener.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


async def raw(address: str, lines: Sequence[str]) -> str:
    """A request as it is written, with nothing made right by a client."""
    host, port = address.removeprefix("http://").split(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write(("\r\n".join([*lines, "Connection: close", "", ""])).encode())
    answer = await asyncio.wait_for(reader.read(), 10)
    writer.close()
    await writer.wait_closed()
    return answer.decode(errors="replace")


async def test_from_the_plans_to_the_sound(run: Path) -> None:
    async with site(run.parent / "nights.sqlite") as address, ClientSession(address) as client:
        front = await (await client.get("/")).text()
        assert "<script>alert" not in front
        assert "1 nights" in front
        [name] = names(str(run.parent / "nights.sqlite"))  # as it is once it came through the gate
        nights = await client.get("/nights", params={"name": name})
        assert nights.status == 200
        assert "fix/&lt;b&gt;&amp;greeting" in await nights.text()
        of_branch = await client.get("/nights", params={"name": name, "branch": BRANCH})
        assert of_branch.status == 200
        page = f"/runs/{run_key(run)}/report/index.html"
        assert page in await nights.text()
        answer = await client.get(page)
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert (run / "report" / "index.html").read_text() == await answer.text()
        sound = await client.get(
            f"/runs/{run_key(run)}/calls/refund/audio.flac", headers={"Range": "bytes=0-3"}
        )
        # Players seek: a part of the file is given where a part is asked for.
        assert (sound.status, await sound.read()) == (206, b"fLaC")


@pytest.mark.parametrize(
    "path",
    [
        "/runs/KEY/agent.log",
        "/runs/KEY/run.json",
        "/runs/KEY/calls/refund/call.json",
        "/runs/KEY/calls/..%2F..%2F/audio.flac",
        "/runs/KEY/calls/%2e%2e/audio.flac",
        "/runs/KEY/report/../agent.log",
        "/runs/KEY/report/..%2fagent.log",
        "/runs/0123456789abcdef/report/index.html",
        "/../../../../etc/passwd",
        "/nights?name=nobody",
        "/nights?name=nobody&branch=main",
        "/nights?name=" + "a" * 5000,
        "/nights",
    ],
)
async def test_nothing_else_of_a_run_or_the_disk_is_given(path: str, run: Path) -> None:
    async with site(run.parent / "nights.sqlite") as address:
        wanted = path.replace("KEY", run_key(run))
        answer = await raw(address, [f"GET {wanted} HTTP/1.1", f"Host: {address.removeprefix('http://')}"])
    assert answer.split()[1] == "404", answer
    assert "what the agent printed" not in answer


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "OPTIONS"])
async def test_it_is_read_only(method: str, run: Path) -> None:
    async with site(run.parent / "nights.sqlite") as address, ClientSession(address) as client:
        assert (await client.request(method, "/")).status == 405


async def test_on_loopback_a_strangers_name_for_it_is_refused(run: Path) -> None:
    store = run.parent / "nights.sqlite"
    async with site(store) as address:
        port = address.rpartition(":")[2]
        for host, status in (
            (f"evil.example:{port}", "403"),
            ("127.0.0.1.evil.example", "403"),
            (f"localhost:{port}", "200"),
            (f"[::1]:{port}", "200"),
        ):
            assert (await raw(address, ["GET / HTTP/1.1", f"Host: {host}"])).split()[1] == status, host
    async with site(store, loopback_only=False) as address:
        assert (await raw(address, ["GET / HTTP/1.1", "Host: nights.example"])).split()[1] == "200"


async def test_a_link_out_of_the_run_is_not_followed(run: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("a secret")
    call = run / "calls" / "linked"
    call.mkdir()
    (call / "audio.flac").symlink_to(secret)
    async with site(run.parent / "nights.sqlite") as address, ClientSession(address) as client:
        answer = await client.get(f"/runs/{run_key(run)}/calls/linked/audio.flac")
        assert (answer.status, "secret" in await answer.text()) == (404, False)


async def test_a_store_that_cannot_be_read_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "nights.sqlite").write_bytes(b"no database at all, but bytes" * 50)
    async with site(tmp_path / "nights.sqlite") as address, ClientSession(address) as client:
        answer = await client.get("/")
        text = await answer.text()
    assert answer.status == 503
    assert len(text.splitlines()) == 1
    assert "cannot be used" in text


def test_a_port_that_is_taken_is_one_line(run: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UserError, match="cannot be listened on"):
            serve(ServeOptions(store=str(run.parent / "nights.sqlite"), port=port))
    with pytest.raises(UserError, match="there is no such store"):
        serve(ServeOptions(store="/nowhere/nights.sqlite"))
