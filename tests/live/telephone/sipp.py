"""Runs sipp, a tester of telephone exchanges, as the agent, called or calling, and keeps what was sent."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.models.served_process import free_port
from tests.live.telephone.steps import scenario

ATTEMPTS, TAKEN = 3, "Address already in use"
"""A port that was free when it was chosen may be somebody else's when sipp takes it."""
RECEIVE_MS = 2500
"""So long sipp waits for each message."""
_MESSAGE = re.compile(
    r"^-{20,}.*?\n(?:UDP|TCP) message (sent|received)[^\n]*\n\n(.*?)(?=^-{20,}|\Z)", re.M | re.S
)


@dataclass(frozen=True, kw_only=True)
class Seen:
    """A message that sipp got from us, or sent."""

    ours: bool
    text: str

    @property
    def first(self) -> str:
        return self.text.split("\n")[0].strip()

    def header(self, name: str) -> str:
        found = re.search(rf"^{name}:[ \t]*(.*?)\s*$", self.text, re.M | re.I)
        return found[1] if found else ""

    def headers(self, name: str) -> list[str]:
        return re.findall(rf"^{name}:[ \t]*(.*?)\s*$", self.text, re.M | re.I)

    @property
    def branch(self) -> str:
        return self.header("Via").partition("branch=")[2].partition(";")[0]

    @property
    def body(self) -> str:
        return self.text.replace("\r", "").partition("\n\n")[2]


@dataclass(frozen=True, kw_only=True)
class Played:
    """A scenario that was played to its end.

    Attributes:
        right: Whether sipp got what it waited for, and nothing else.
    """

    right: bool
    complaint: str
    messages: Sequence[Seen]

    def ours(self, first: str) -> list[Seen]:
        """What we sent, of those whose first line begins like that."""
        return [one for one in self.messages if one.ours and one.first.startswith(first)]


class Sipp:
    """One process of it. Use as a context manager; :attr:`port` is where it takes calls.

    Args:
        calls: The port at which it calls us, where it is the one who calls.
        password: Of its user ``sipp``, where it calls.
    """

    def __init__(
        self,
        folder: Path,
        steps: Sequence[str],
        *,
        tcp: bool = False,
        calls: int | None = None,
        password: str = "",
    ) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        (folder / "scenario.xml").write_text(scenario(steps), encoding="utf-8")
        self.port = free_port()
        self._media_port = free_port() & ~1
        self._tcp = tcp
        self._calls = calls
        self._password = password

    def __enter__(self) -> Sipp:
        for attempt in range(ATTEMPTS):
            self._start()
            if self._is_up():
                return self
            told = (self._folder / "stderr").read_text()
            assert TAKEN in told, told
            assert attempt + 1 < ATTEMPTS, told
            if self._calls is None:
                self.port = free_port()
            self._media_port = free_port() & ~1
        raise AssertionError("sipp was never started")

    def _start(self) -> None:
        whom = [f"127.0.0.1:{self._calls}", "-s", "4912345"] if self._calls is not None else []
        whom += ["-au", "sipp", "-ap", self._password] if self._password else []
        command = [
            "sipp",
            *whom,
            "-sf",
            "scenario.xml",
            "-i",
            "127.0.0.1",
            "-bind_local",
            "-p",
            str(self.port),
        ]
        command += ["-mi", "127.0.0.1", "-mp", str(self._media_port), "-rtp_echo", "-m", "1", "-nostdin"]
        command += ["-ci", "127.0.0.1", "-cp", str(free_port()), "-timeout", "12", "-timeout_error"]
        command += ["-recv_timeout", str(RECEIVE_MS), "-trace_msg", "-message_file", "messages"]
        command += ["-trace_err", "-error_file", "errors", *(["-t", "t1"] if self._tcp else [])]
        with (self._folder / "stderr").open("wb") as told:
            self._process = subprocess.Popen(
                command,
                cwd=self._folder,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=told,
                start_new_session=True,
                env={**os.environ, "TERM": "dumb"},
            )

    def _is_up(self) -> bool:
        """Whether it takes calls; false where it has ended."""
        deadline = time.monotonic() + 10
        while self._calls is None and not _is_bound(self.port, tcp=self._tcp):
            if self._process.poll() is not None:
                return False
            assert time.monotonic() < deadline, "sipp was not ready after 10 s"
            time.sleep(0.02)
        return True

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    async def played(self, within_s: float = 6.0) -> Played:
        """How it went, when it is over."""
        for _ in range(round(within_s / 0.02)):
            if self._process.poll() is not None:
                break
            await asyncio.sleep(0.02)
        right = self._process.poll() == 0
        if self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGTERM)
            self._process.wait()
        return Played(right=right, complaint=self._read("errors")[-600:], messages=self._messages())

    def _messages(self) -> list[Seen]:
        text = self._read("messages")
        return [Seen(ours=way == "received", text=body) for way, body in _MESSAGE.findall(text)]

    def _read(self, name: str) -> str:
        path = self._folder / name
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else ""


def _is_bound(port: int, *, tcp: bool) -> bool:
    wanted = f":{port:04X}"
    for line in Path(f"/proc/net/{'tcp' if tcp else 'udp'}").read_text().splitlines()[1:]:
        if line.split()[1].endswith(wanted):
            return True
    return False
