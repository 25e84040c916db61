"""The pytest plugin: the fixture ``voice_agent``, which places real calls.

::

    def test_refund(voice_agent):
        call = voice_agent.call(scenario="cs-ecommerce-return/hesitant")
        assert call.latency.p95 < 1500
        assert call.metric("interruption_success_500ms").value >= 0.9

Whom it calls: ``--voice-agent ADDRESS`` or ``--voice-agent-spawn COMMAND`` (``{port}`` in it is a free one),
or ``voice_agent`` and ``voice_agent_spawn`` in pytest's configuration. A test that uses it has the marker
``voice``: ``pytest -m "not voice"`` places no calls. ``@pytest.mark.voice_call(noise=15)`` gives options to
every call of a test. Each call's folder lies under ``--voice-artefacts`` (default ``voice-calls``), by the
name of its test; where a test fails, its report says which. Workers of pytest-xdist call beside each other.

It is loaded wherever outboundeval is installed, and imports nothing else of ours.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from outboundeval._called import Called
from outboundeval._commands import call as place_call
from outboundeval._errors import Error
from outboundeval._process import Option

_CALLS = pytest.StashKey[list[Called]]()
_LONGEST_NAME = 120


class VoiceAgent:
    """An agent that a test calls.

    Attributes:
        address: Where it is called; None: where its program serves.
        spawn: The program that is started for each call and stopped after it; None: it runs already.
        calls: Those of this test, in order.
    """

    def __init__(
        self, *, address: str | None, spawn: str | None, artefacts: Path, options: dict[str, Option]
    ) -> None:
        self.address = address
        self.spawn = spawn
        self.calls: list[Called] = []
        self._artefacts = artefacts
        self._options = options

    def call(
        self, *, scenario: str | None = None, say: str | list[str] | None = None, **options: Option
    ) -> Called:
        """Places one call, scores it, and gives what became of it.

        Args:
            scenario: Who is called, for instance ``cs-bank-complaint/hesitant``.
            say: In place of a scenario: the caller's lines.
            options: Of ``outboundeval call``, by their long names: ``noise=15``, ``interrupt="Wait!"``.

        Raises:
            Error: The call did not come about, or cannot be placed so.
        """
        # What the call itself says of lines and scenario stands for both that a marker gives.
        own = {name: value for name, value in (("scenario", scenario), ("say", say)) if value is not None}
        marked = {key: one for key, one in self._options.items() if not own or key not in ("scenario", "say")}
        given: dict[str, Any] = {**marked, **options, **own}
        folder = self._artefacts / f"call-{len(self.calls) + 1}"
        if self.spawn is not None:
            given |= {"spawn": self.spawn, "spawn_port": _free_port()}
        said = given.pop("say", None) or ()
        document = place_call(
            self.address or _at_its_port(given),
            scenario=given.pop("scenario", None),
            say=[said] if isinstance(said, str) else said,
            out=folder,
            **given,
        )
        called = Called(folder, document)
        self.calls.append(called)
        return called


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("outboundeval", "calls to a voice agent")
    group.addoption("--voice-agent", metavar="ADDRESS", help="the agent that voice_agent calls")
    group.addoption(
        "--voice-agent-spawn",
        metavar="COMMAND",
        help="start the agent with this for each call, and stop it afterwards; {port} stands for a free port",
    )
    group.addoption(
        "--voice-artefacts",
        metavar="DIR",
        default="voice-calls",
        help="folder for recordings and reports of calls (default: voice-calls)",
    )
    parser.addini("voice_agent", "address of the agent that voice_agent calls", default="")
    parser.addini("voice_agent_spawn", "command that starts it", default="")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "voice: places calls to a voice agent (given to users of voice_agent)")
    config.addinivalue_line("markers", "voice_call(**options): options of 'outboundeval call' for this test")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "voice_agent" in getattr(item, "fixturenames", ()):
            item.add_marker("voice")


@pytest.fixture
def voice_agent(request: pytest.FixtureRequest) -> VoiceAgent:
    """The agent of ``--voice-agent`` or ``--voice-agent-spawn``; see :mod:`outboundeval.pytest_plugin`."""
    config = request.config
    address = config.getoption("--voice-agent") or config.getini("voice_agent") or None
    spawn = config.getoption("--voice-agent-spawn") or config.getini("voice_agent_spawn") or None
    if address is None and spawn is None:
        raise Error(
            "no agent to call: give --voice-agent ADDRESS or --voice-agent-spawn COMMAND, or set voice_agent "
            "or voice_agent_spawn in pytest's configuration"
        )
    options: dict[str, Option] = {}
    for marker in request.node.iter_markers("voice_call"):
        # The nearest comes first: a test's own over its class's.
        options = {**marker.kwargs, **options}
    artefacts = Path(config.getoption("--voice-artefacts")) / _file_name(request.node.nodeid)
    agent = VoiceAgent(address=address, spawn=spawn, artefacts=_new_folder(artefacts), options=options)
    request.node.stash[_CALLS] = agent.calls
    return agent


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[Any]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    calls = item.stash.get(_CALLS, [])
    if report.when == "call" and calls:
        report.user_properties.extend(("voice_call", str(one.folder)) for one in calls)
        if report.failed:
            told = "\n".join(f"{one.folder}: {one.status}; listen: {one.report}" for one in calls)
            report.sections.append(("voice calls", told))
    return report


def _new_folder(folder: Path) -> Path:
    """The folder, or one beside it: calls of an earlier run of the tests stay what they are."""
    found, nth = folder, 1
    while found.exists():
        nth += 1
        found = folder.with_name(f"{folder.name}.{nth}")
    return found


def _file_name(nodeid: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", nodeid).strip("-.")[-_LONGEST_NAME:] or "test"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _at_its_port(given: dict[str, Option]) -> str:
    return f"http://127.0.0.1:{given['spawn_port']}"
