"""A scripted language model behind OpenAI's protocol, on 127.0.0.1: for everything that talks to one.

Each request to ``/v1/chat/completions`` takes the next :class:`Answer` of the script (the last one again and
again once the script is through), or whatever a function makes of the request's JSON::

    with serving_llm(Answer(status=429, headers={"Retry-After": "0"}), say("Hello.")) as server:
        async with open_language_model(server.url) as model:          # http://127.0.0.1:PORT/v1
            ...
    assert [each["messages"][-1]["content"] for each in server.requests] == [...]

What an answer can be: ``say("text")``; ``say("text", chunks=["te", "xt"])`` with pauses between the chunks;
``Answer(status=500)``; ``Answer(hang_s=60)`` (accepts the request and says nothing); ``Answer(cut_after=1)``
(the connection breaks after that many chunks, or inside the body of a whole reply);
``Answer(body=b"<html>")`` (a 200 that is no JSON). Whether the request asks for a stream decides the form, as
with a real server.

The server runs on a thread of its own; ``server.requests`` and ``server.headers`` are what it was sent.
"""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

MODEL = "scripted-1"


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What the server does with one request; see the module's docstring.

    Attributes:
        text: The reply.
        chunks: The reply as it is streamed; empty: word by word. What makes them as they are sent may wait.
        chunk_pause_s: Before each chunk but the first.
        first_pause_s: Before anything is sent.
        finish_reason: ``stop``, ``length``, ``content_filter``.
        status, headers: Anything but 200 is sent as an error.
        error: The error's message.
        body: Sent instead of a reply, as it stands.
        hang_s: Say nothing for so long, or until the server ends; then break the connection.
        cut_after: Break the connection after so many chunks.
        tokens: Input and output as reported; None: no usage is reported.
    """

    text: str = ""
    chunks: Iterable[str] = ()
    chunk_pause_s: float = 0.0
    first_pause_s: float = 0.0
    finish_reason: str = "stop"
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    error: str = "scripted failure"
    body: bytes | None = None
    hang_s: float = 0.0
    cut_after: int | None = None
    tokens: tuple[int, int] | None = (10, 5)


def say(text: str, **fields: Any) -> Answer:
    """A good answer with this text."""
    return Answer(text=text, **fields)


Script = Answer | Callable[[dict[str, Any]], Answer]


class ScriptedServer:
    """What the server was asked, in order, with its headers (names in lower case). ``most_at_once``: how many
    requests waited for their answers side by side. ``model``: what it lists."""

    def __init__(self, script: Sequence[Script]) -> None:
        self.url = ""
        self.model = MODEL
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.most_at_once = 0
        self.closing = threading.Event()
        self._script = script
        self._lock = threading.Lock()
        self._waiting = 0

    @contextlib.contextmanager
    def answer_to(self, request: dict[str, Any], headers: dict[str, str]) -> Iterator[Answer]:
        """Books a request and gives what to do with it; the block lasts until the answer begins.

        Not until it was sent: whoever has all of it may ask for the next before this thread knows that.
        """
        with self._lock:
            position = len(self.requests)
            self.requests.append(request)
            self.headers.append(headers)
            self._waiting += 1
            self.most_at_once = max(self.most_at_once, self._waiting)
        part = self._script[min(position, len(self._script) - 1)]
        try:
            yield part if isinstance(part, Answer) else part(request)
        finally:
            with self._lock:
                self._waiting -= 1


@contextlib.contextmanager
def serving_llm(*script: Script) -> Iterator[ScriptedServer]:
    """Serves while in the block. Without a script every answer is "Hello."."""
    scripted = ScriptedServer(script or (say("Hello."),))
    handler = type("Handler", (_Handler,), {"scripted": scripted})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    scripted.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield scripted
    finally:
        scripted.closing.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    scripted: ScriptedServer
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is printed."""

    def do_GET(self) -> None:
        if self.path == "/v1/models":
            self._send(
                200, json.dumps({"object": "list", "data": [{"id": self.scripted.model, "object": "model"}]})
            )
        else:
            self._send(404, json.dumps({"error": {"message": "no such path"}}))

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path != "/v1/chat/completions":
            self._send(404, json.dumps({"error": {"message": "no such path"}}))
            return
        if self.scripted.closing.is_set():  # gone, and so are the connections that it had
            self.close_connection = True
            return
        request = json.loads(content)
        headers = {name.lower(): value for name, value in self.headers.items()}
        with self.scripted.answer_to(request, headers) as answer:
            self.scripted.closing.wait(answer.hang_s or answer.first_pause_s)
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self._answer(answer, stream=bool(request.get("stream")))

    def _answer(self, answer: Answer, *, stream: bool) -> None:
        if answer.hang_s:
            self.close_connection = True
        elif answer.status != 200:
            error = {"error": {"message": answer.error, "type": "scripted", "code": None}}
            self._send(answer.status, json.dumps(error), answer.headers)
        elif answer.body is not None:
            self._send(200, answer.body, answer.headers)
        elif stream:
            self._stream(answer)
        else:
            body = json.dumps(_completion(answer)).encode()
            cut = None if answer.cut_after is None else len(body) // 2
            self._send(200, body, answer.headers, cut=cut)

    def _stream(self, answer: Answer) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.end_headers()
        for position, piece in enumerate(answer.chunks or _words(answer.text)):
            if position and answer.chunk_pause_s:
                self.scripted.closing.wait(answer.chunk_pause_s)
            if position == answer.cut_after:
                self.close_connection = True
                return
            self._event(_chunk({"content": piece}))
        self._event(_chunk({}, answer.finish_reason))
        if answer.tokens is not None:
            self._event({**_chunk({}), "choices": [], "usage": _usage(answer.tokens)})
        self._piece(b"data: [DONE]\n\n")
        self._piece(b"")

    def _event(self, data: dict[str, Any]) -> None:
        self._piece(f"data: {json.dumps(data)}\n\n".encode())

    def _piece(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _send(
        self,
        status: int,
        body: str | bytes,
        headers: Mapping[str, str] | None = None,
        *,
        cut: int | None = None,
    ) -> None:
        content = body.encode() if isinstance(body, str) else body
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content[:cut])
        if cut is not None:
            self.close_connection = True


def _words(text: str) -> list[str]:
    words = text.split(" ")
    return [word if position == 0 else f" {word}" for position, word in enumerate(words)]


def _completion(answer: Answer) -> dict[str, Any]:
    message = {"role": "assistant", "content": answer.text or "".join(answer.chunks)}
    choice = {"index": 0, "message": message, "finish_reason": answer.finish_reason}
    reply: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": MODEL,
        "choices": [choice],
    }
    if answer.tokens is not None:
        reply["usage"] = _usage(answer.tokens)
    return reply


def _chunk(delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": MODEL,
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
    }


def _usage(tokens: tuple[int, int]) -> dict[str, int]:
    return {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}
