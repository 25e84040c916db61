"""What a backend answers when a call is over: right at once, right after a while, wrong, broken, absent."""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from harness.models.served_process import free_port
from harness.plans.checks.expectations import Expected
from harness.records.verdict import AFTER_CALL_FILE, AfterCall, HttpAnswer
from harness.runs.others.after_call import MAX_BYTES, ask_after_call

TOKEN = "b4ckend-t0ken"


@pytest.fixture
def backend() -> Iterator[str]:
    asked: dict[str, int] = {}
    gone = threading.Event()

    class Backend(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked[self.path] = times = asked.get(self.path, 0) + 1
            if self.path == "/secret" and self.headers.get("Authorization") != f"Bearer {TOKEN}":
                self.send_error(401)
                return
            content = {
                "/late": json.dumps({"order": {"items": [{"state": "refunded" if times > 1 else "open"}]}}),
                "/open": json.dumps({"order": {"items": [{"state": "open"}]}}),
                "/secret": json.dumps({"order": {"items": [{"state": "refunded"}]}}),
                "/tired": json.dumps({"order": {"items": [{"state": "open"}]}}),
                "/garbage": "{" * 1000,
                "/long": "x" * 5000 + "\norder 7\nis refunded",
                "/huge": "x" * (MAX_BYTES + 10),
            }.get(self.path)
            if content is None:
                self.send_error(404)
                return
            if self.path == "/tired" and times > 1:
                gone.wait(10)
            self.send_response(200)
            self.end_headers()
            with contextlib.suppress(OSError):
                self.wfile.write(content.encode())

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Backend)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    gone.set()
    server.shutdown()
    thread.join()
    server.server_close()


def asked(folder: Path, url: str, **more: Any) -> HttpAnswer:
    """Within half a minute, which only what never comes right would take."""
    check = {"url": url, "json": {"order.items.0.state": "refunded"}, "within_s": 30.0} | more
    expected = [Expected.model_validate({"what": {"http": check}})]
    asyncio.run(ask_after_call(folder, expected))
    kept = AfterCall.model_validate_json((folder / AFTER_CALL_FILE).read_text(encoding="utf-8"))
    return kept.answers[0]


def test_it_is_asked_until_it_is_right(backend: str, tmp_path: Path) -> None:
    found = asked(tmp_path, f"{backend}/late")
    assert (found.status, found.found) == (200, {"order.items.0.state": "refunded"})


@pytest.mark.parametrize(
    ("path", "status", "found", "error"),
    [
        ("/open", 200, {"order.items.0.state": "open"}, ""),
        ("/none", 404, {}, ""),
        ("/garbage", 200, {}, ""),
        ("/huge", None, {}, "longer than"),
    ],
)
def test_what_stays_wrong_is_kept_as_it_was(
    backend: str, tmp_path: Path, path: str, status: int | None, found: dict[str, str], error: str
) -> None:
    # The first answer has to come in the time, however busy the machine is.
    answer = asked(tmp_path, backend + path, within_s=2.0)
    assert (answer.status, answer.found) == (status, found)
    assert error in answer.error


def test_words_are_looked_for_in_all_of_a_long_answer(backend: str, tmp_path: Path) -> None:
    found = asked(tmp_path, f"{backend}/long", json={}, contains="order 7\nis refunded")
    assert (found.contains, found.has("order 7\nis refunded")) == ("order 7\nis refunded", True)
    none = asked(tmp_path, f"{backend}/long", json={}, contains="order 8", within_s=2.0)
    assert (none.contains, none.has("order 8")) == ("", False)


def test_an_answer_is_kept_though_the_last_question_had_no_time_left(backend: str, tmp_path: Path) -> None:
    answer = asked(tmp_path, f"{backend}/tired", within_s=2.0)
    assert (answer.status, answer.found, answer.error) == (200, {"order.items.0.state": "open"}, "")


def test_a_secret_reaches_the_backend_and_no_file(
    backend: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BACKEND_TOKEN", TOKEN)
    headers = {"Authorization": "Bearer {env:BACKEND_TOKEN}"}
    assert asked(tmp_path, f"{backend}/secret", headers=headers).status == 200
    assert TOKEN not in (tmp_path / AFTER_CALL_FILE).read_text(encoding="utf-8")


def test_nobody_there_and_a_variable_that_is_not_set_are_told(tmp_path: Path) -> None:
    nobody = asked(tmp_path, f"http://127.0.0.1:{free_port()}/", within_s=0.9)
    assert nobody.status is None
    assert nobody.error
    unset = asked(tmp_path, "http://127.0.0.1:9/?token={env:NO_SUCH_TOKEN}", within_s=0.9)
    assert "NO_SUCH_TOKEN" in unset.error


def test_without_such_a_check_there_is_no_file(tmp_path: Path) -> None:
    asyncio.run(ask_after_call(tmp_path, [Expected.model_validate({"what": "answered"})]))
    assert not (tmp_path / AFTER_CALL_FILE).exists()
