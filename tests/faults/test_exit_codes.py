"""Exit codes and terminal of commands that do not get as far as a call that stands."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from harness.cli import main as cli
from harness.models.served_process import free_port
from tests.faults.command_line import IMPATIENT, call, start, write_plan
from tests.faults.faulty_agents import REPLIES

pytestmark = [pytest.mark.live, pytest.mark.calls(places=2)]


def test_3_where_no_call_could_be_placed(faulty: str, joe_folder: Path, tmp_path: Path) -> None:
    nothing = f"http://127.0.0.1:{free_port()}"
    kinds = ("web-page", "server-error", "never-answers")
    assert set(kinds) <= set(REPLIES)
    calls = [call("nothing", nothing), *(call(kind, f"{faulty}/{kind}", limits=IMPATIENT) for kind in kinds)]
    plan = write_plan(tmp_path / "hopeless.yaml", calls)
    running = start("run", str(plan), "--out", "run", "--json", folder=tmp_path)
    assert running.ends() == 3, running.stderr
    assert "Traceback" not in running.stderr
    summary = json.loads(running.stdout)
    assert summary["calls"] == {"setup_failed": 4}
    assert all(metric["value"] is None for metric in summary["metrics"].values())
    assert (tmp_path / "run" / "report" / "index.html").is_file()
    junit = (tmp_path / "run" / "junit.xml").read_text(encoding="utf-8")
    assert junit.count('<failure type="setup_failed"') == 4
    assert "NOT PLACED" in (tmp_path / "run" / "report" / "index.html").read_text(encoding="utf-8")


def test_3_for_one_call_to_nothing(joe_folder: Path, tmp_path: Path) -> None:
    nothing = f"http://127.0.0.1:{free_port()}"
    running = start("call", "--agent", nothing, "--say", "Hello there.", "--out", "run", folder=tmp_path)
    assert running.ends() == 3, running.stderr
    assert f"{nothing}/api/offer: nothing answers there" in running.stdout
    assert "Traceback" not in running.stdout + running.stderr


@pytest.mark.usefixtures("joe_folder")
@pytest.mark.parametrize(
    ("agent", "says"),
    [
        ("ftp://127.0.0.1:1", "is no agent address that can be dialled"),
        ("127.0.0.1:7860", "is no agent address that can be dialled"),
        ("http://", "is no agent address that can be dialled"),
    ],
)
def test_2_for_an_address_that_is_none(
    agent: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where it is the address of a later call, and before anything is placed or written."""
    plan = write_plan(tmp_path / "plan.yaml", [call("one", "http://127.0.0.1:1"), call("two", agent)])
    code, said = _main(monkeypatch, capsys, "run", str(plan), "--out", str(tmp_path / "run"))
    assert code == 2
    assert says in said
    assert "Traceback" not in said
    assert not (tmp_path / "run").exists()


@pytest.mark.usefixtures("joe_folder")
def test_2_for_a_folder_that_holds_another_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "notes.txt").write_text("mine", encoding="utf-8")
    plan = write_plan(tmp_path / "plan.yaml", [call("one", "http://127.0.0.1:1")])
    code, said = _main(monkeypatch, capsys, "run", str(plan), "--out", str(tmp_path / "run"))
    assert code == 2
    assert "is not empty and holds no run" in said


@pytest.mark.usefixtures("joe_folder")
def test_1_where_our_own_side_cannot_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without the process that listens for the caller no call is placed; that is no fault of any agent."""
    plan = write_plan(tmp_path / "plan.yaml", [call("one", "http://127.0.0.1:1")])
    monkeypatch.setattr("harness.calls.voice.workers.process.sys.executable", "/bin/false")
    code, said = _main(monkeypatch, capsys, "run", str(plan), "--out", str(tmp_path / "run"))
    assert code == 1
    assert "harness_fault" in said
    assert "the process that listens for the caller did not start" in said
    assert "Traceback" not in said


def _main(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str
) -> tuple[object, str]:
    """Exit code and output of a command that is run in this process."""
    monkeypatch.setattr(sys, "argv", ["outboundeval", *arguments])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    captured = capsys.readouterr()
    return ended.value.code, " ".join((captured.out + captured.err).split())
