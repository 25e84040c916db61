"""Takes what the user's own systems tell while calls are held: a webhook of ours, for the run's time.

``POST /`` or ``POST /calls/ID`` with ``{"tool_call": NAME, "data": {...}}`` or ``{"event": KIND, ...}``.
What comes is bounded, validated, and written to ``RUN/witness.jsonl``; whoever sends too much is refused.
"""

from __future__ import annotations

import contextlib
import hmac
import json
import os
import re
import threading
import time
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from harness._files.json_file import BadJson, parse_json
from harness.errors import NotWritten, UserError
from harness.plans.call import ID_PATTERN
from harness.plans.run import Witness
from harness.plans.secrets import REFERENCE
from harness.records.witness import MAX_WITNESSED, WITNESS_FILE, Witnessed
from harness.redaction import KNOWN

MAX_BODY_BYTES = 65_536
TIMEOUT_S = 10.0


@contextlib.contextmanager
def witnessing(witness: Witness | None, folder: Path) -> Iterator[None]:
    """Listens while in the block.

    Raises:
        UserError: The port is taken, or the key is not set.
        NotWritten: The file cannot be opened.
    """
    if witness is None:
        yield
        return
    key = _key(witness.key)
    path = folder / WITNESS_FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = path.open("a", encoding="utf-8")
    except OSError as error:
        raise NotWritten.of(path, error) from error
    with file:
        try:
            server = _Server((witness.host, witness.port), _Handler)
        except OSError as error:
            raise UserError(
                f"witness: {witness.host}:{witness.port} cannot be listened on: {error.strerror or error}"
            ) from error
        server.key, server.write = key, _Writer(file).write
        thread = threading.Thread(target=server.serve_forever, name="witness", daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
            server.server_close()
            thread.join()


def _key(named: str) -> str:
    if not named:
        return ""
    found = REFERENCE.fullmatch(named)
    value = os.environ.get(found.group(1), "") if found else ""
    if not value:
        raise UserError(f"witness.key: {named} is not set")
    KNOWN.learn(value)
    return value


class _Writer:
    """Appends lines, one at a time, as many as are kept."""

    def __init__(self, file: Any) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._written = 0

    def write(self, told: Witnessed) -> bool:
        """Whether there was room for it."""
        line = json.dumps(KNOWN.scrub_data(told.model_dump(mode="json")), ensure_ascii=True)
        with self._lock:
            if self._written >= MAX_WITNESSED:
                return False
            self._written += 1
            self._file.write(f"{line}\n")
            self._file.flush()
        return True


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    key = ""
    write: Any = None

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Somebody went away in the middle: nobody else's business."""


class _Handler(BaseHTTPRequestHandler):
    timeout = TIMEOUT_S
    server: _Server
    server_version = "outboundeval"
    sys_version = ""

    def do_POST(self) -> None:
        now_s = time.monotonic()
        call = self._call()
        if call is None:
            self._answer(HTTPStatus.NOT_FOUND, "POST to / or to /calls/ID")
        elif self.server.key and not self._knows_the_key():
            self._answer(HTTPStatus.UNAUTHORIZED, "the key is missing or wrong (Authorization: Bearer ...)")
        elif (body := self._body()) is not None:
            self._take(body, call, now_s)

    def _take(self, body: bytes, call: str, now_s: float) -> None:
        try:
            content = parse_json(body)
            if not isinstance(content, dict):
                raise BadJson("a mapping is wanted")
            told = Witnessed.model_validate(
                {**content, "call": call or content.get("call", ""), "at_s": now_s}
            )
        except BadJson as error:
            self._answer(HTTPStatus.BAD_REQUEST, f"no JSON: {error}")
        except ValidationError as error:
            first = error.errors()[0]
            self._answer(HTTPStatus.BAD_REQUEST, f"{'.'.join(map(str, first['loc']))} {first['msg']}".strip())
        else:
            kept = self.server.write(told)
            self._answer(
                HTTPStatus.NO_CONTENT if kept else HTTPStatus.INSUFFICIENT_STORAGE,
                "" if kept else f"more than {MAX_WITNESSED} were told",
            )

    def _call(self) -> str | None:
        """The call that the address names; empty: none. None: it is no address of ours."""
        if self.path == "/":
            return ""
        name = self.path.removeprefix("/calls/")
        return name if name != self.path and re.fullmatch(ID_PATTERN, name) else None

    def _knows_the_key(self) -> bool:
        sent = self.headers.get("Authorization", "").removeprefix("Bearer ").encode()
        return hmac.compare_digest(sent, self.server.key.encode())

    def _body(self) -> bytes | None:
        length = self.headers.get("Content-Length", "")
        if not length.isdigit():
            self._answer(HTTPStatus.LENGTH_REQUIRED, "Content-Length is missing")
            return None
        if int(length) > MAX_BODY_BYTES:
            self._answer(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"at most {MAX_BODY_BYTES} bytes")
            return None
        return self.rfile.read(int(length))

    def _answer(self, status: HTTPStatus, why: str) -> None:
        text = f"{why}\n".encode() if why else b""
        self.send_response(status)
        self.send_header("Content-Type", "text/plain; charset=utf-8")
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(text)
        self.close_connection = True

    def log_message(self, *_: Any) -> None:
        """The terminal belongs to the run."""
