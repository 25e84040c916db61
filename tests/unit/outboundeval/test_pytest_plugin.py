"""The plugin in somebody's project: their tests run in a process of their own, calls are put in."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import xml.etree.ElementTree as ET
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from outboundeval._called import Figure, NotMeasured

PLACED = """
    import json
    import outboundeval.pytest_plugin as plugin

    P95 = {"fast": 800.0, "slow": 2100.0, "mute": None}

    def place(agent, *, scenario, say, out, **options):
        folder = out / "calls" / "call"
        folder.mkdir(parents=True)
        asked = [agent, scenario, list(say), options]
        (out / "run.json").write_text(json.dumps({"call_ids": ["call"], "asked": asked}))
        (folder / "call.json").write_text(json.dumps({"status": "completed"}))
        lines = [
            {"side": "agent", "source": "whisper", "start_s": 2.0, "text": "How can I help?"},
            {"side": "caller", "source": "said", "start_s": 1.0, "text": "Hello."},
            {"side": "caller", "source": "agent_asr", "start_s": 1.0, "text": "Yellow."},
            {"side": "caller", "source": "whisper", "start_s": 1.0, "text": "Hollow."},
            {"side": "agent", "source": "agent_text", "start_s": 2.0, "text": "not what was heard"},
        ]
        (folder / "transcript.json").write_text(json.dumps({"lines": lines}))
        p95 = P95[scenario or "fast"]
        figure = {"unit": "ms", "value": p95, "n": 3, "status": "measured", "p50": p95, "p95": p95}
        if p95 is None:
            figure |= {"status": "not_applicable", "reason": "the agent never answered"}
        word = "passed" if p95 else "failed"
        return {"metrics": {"response_latency_ms": figure}, "verdict": {"word": word}}

    plugin.place_call = place
"""
TESTS = """
    import json
    import sys
    import pytest

    def asked(call):
        return json.loads((call.folder / "run.json").read_text())["asked"]

    def test_fast(voice_agent):
        call = voice_agent.call(scenario="fast")
        assert call.latency.p95 < 1500
        assert call.passed and call.status == "completed"
        assert call.transcript == "caller: Hello.\\nagent: How can I help?"
        assert asked(call) == ["http://127.0.0.1:9", "fast", [], {}]

    def test_slow(voice_agent):
        assert voice_agent.call(scenario="slow").latency.p95 < 1500

    def test_mute(voice_agent):
        assert voice_agent.call(scenario="mute").latency.p95 < 1500

    @pytest.mark.voice_call(noise=15, trials=2)
    def test_options(voice_agent):
        first = voice_agent.call(say="Hello?", noise=5)
        second = voice_agent.call(say=["One.", "Two."])
        assert asked(first)[2:] == [["Hello?"], {"noise": 5, "trials": 2}]
        assert asked(second)[2:] == [["One.", "Two."], {"noise": 15, "trials": 2}]
        assert first.folder != second.folder

    @pytest.mark.voice_call(say=["One.", "Two."], noise=15)
    def test_lines(voice_agent):
        assert asked(voice_agent.call())[1:] == [None, ["One.", "Two."], {"noise": 15}]
        assert asked(voice_agent.call(say="Three."))[1:] == [None, ["Three."], {"noise": 15}]
        assert asked(voice_agent.call(scenario="fast"))[1:] == ["fast", [], {"noise": 15}]

    @pytest.mark.voice_call(scenario="fast")
    def test_person(voice_agent):
        assert asked(voice_agent.call())[1:] == ["fast", [], {}]

    def test_unknown_figure(voice_agent):
        voice_agent.call(scenario="fast").metric("latency")

    def test_without_calls():
        ours = {name.partition(".")[0] for name in sys.modules}
        assert not ours & {"harness", "metrics", "voice_sim", "torch", "pandas"}
"""


def _project(folder: Path) -> None:
    (folder / "conftest.py").write_text(textwrap.dedent(PLACED))
    (folder / "test_calls.py").write_text(textwrap.dedent(TESTS))
    (folder / "pytest.ini").write_text("[pytest]\n")


def _pytest(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    plugins = [] if _is_entry_point() else ["-p", "outboundeval.pytest_plugin"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", *plugins, *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=240,
    )


def _is_entry_point() -> bool:
    return any(one.value == "outboundeval.pytest_plugin" for one in entry_points(group="pytest11"))


def test_figures_decide_and_what_is_missing_fails(tmp_path: Path) -> None:
    _project(tmp_path)
    done = _pytest(tmp_path, "--voice-agent", "http://127.0.0.1:9", "--junitxml", "junit.xml", "-rA")
    results = {
        case.get("name"): next((child.tag for child in case if child.tag in ("failure", "error")), "passed")
        for case in ET.parse(tmp_path / "junit.xml").iter("testcase")
    }
    assert results == {
        "test_fast": "passed",
        "test_slow": "failure",
        "test_mute": "failure",
        "test_options": "passed",
        "test_lines": "passed",
        "test_person": "passed",
        "test_unknown_figure": "failure",
        "test_without_calls": "passed",
    }, done.stdout + done.stderr
    assert "2100.0 < 1500" in done.stdout
    assert "response_latency_ms.p95: not measured: the agent never answered" in done.stdout
    assert "there is no figure 'latency'; there are: response_latency_ms" in done.stdout
    # A test that failed says where its call can be listened to, also to JUnit.
    assert "voice-calls/test_calls.py-test_slow/call-1/report/index.html" in done.stdout
    assert "voice-calls/test_calls.py-test_slow/call-1" in (tmp_path / "junit.xml").read_text()


def test_calls_can_be_left_out_and_earlier_ones_stay(tmp_path: Path) -> None:
    _project(tmp_path)
    done = _pytest(tmp_path, "-m", "not voice", "--strict-markers")
    assert "1 passed, 7 deselected" in done.stdout, done.stdout + done.stderr
    for _ in range(2):
        assert _pytest(tmp_path, "--voice-agent", "http://127.0.0.1:9", "-k", "fast").returncode == 0
    found = sorted(path.name for path in (tmp_path / "voice-calls").iterdir())
    assert found == ["test_calls.py-test_fast", "test_calls.py-test_fast.2"]


def test_without_an_agent_it_is_said_how_to_name_one(tmp_path: Path) -> None:
    _project(tmp_path)
    done = _pytest(tmp_path, "-k", "fast")
    assert done.returncode == 1
    assert "no agent to call: give --voice-agent ADDRESS" in done.stdout


def test_a_program_is_started_at_a_free_port(tmp_path: Path) -> None:
    _project(tmp_path)
    (tmp_path / "pytest.ini").write_text("[pytest]\nvoice_agent_spawn = bot --port {port}\n")
    (tmp_path / "test_calls.py").write_text(
        textwrap.dedent(
            """
            import json

            def test_it(voice_agent):
                call = voice_agent.call(say="Hello.")
                agent, _, _, options = json.loads((call.folder / "run.json").read_text())["asked"]
                assert options["spawn"] == "bot --port {port}"
                assert agent == f"http://127.0.0.1:{options['spawn_port']}"
            """
        )
    )
    done = _pytest(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_a_figure_tells_itself() -> None:
    figure = Figure("response_rate", {"value": 0.75, "unit": "", "n": 4, "status": "measured"})
    assert repr(figure) == "<response_rate: 0.75 , n = 4>"
    missing = Figure("mos", {"value": None, "status": "not_applicable", "reason": "needs people"})
    assert repr(missing) == "<mos: needs people, n = 0>"
    assert (figure.is_measured, missing.is_measured) == (True, False)
    with pytest.raises(NotMeasured, match=r"mos\.value: not measured: needs people"):
        _ = missing.value
