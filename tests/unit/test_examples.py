"""Files for others' CI and machines: valid by the schemas of their readers, and their commands are ours.

They are not run here: neither GitHub nor GitLab nor Docker is at hand. What can be told without them is.
"""

from __future__ import annotations

import os
import re
import shlex
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml
from click.testing import CliRunner, Result

from harness.cli.failures import CLICK_ERROR
from harness.cli.lazily import open_command
from harness.cli.table import COMMANDS
from harness.plans.plan import load_plan
from tests.bare_machine import seeing

ROOT = Path(__file__).parents[2]
LINTED = {
    "action.yml": "vendor.github-actions",
    "docs/examples/github-nightly.yml": "vendor.github-workflows",
    "docs/examples/gitlab-ci.yml": "vendor.gitlab-ci",
    "docker/compose.yaml": "vendor.compose-spec",
}


def lint(path: Path, schema: str) -> Result:
    from check_jsonschema import main as check_jsonschema

    return CliRunner().invoke(check_jsonschema, ["--builtin-schema", schema, str(path)])


@pytest.mark.parametrize("path", LINTED)
def test_it_is_what_its_reader_takes(path: str, tmp_path: Path) -> None:
    found = lint(ROOT / path, LINTED[path])
    assert found.exit_code == 0, found.output
    # And the schema can tell: an order that nobody gives is refused.
    content = yaml.safe_load((ROOT / path).read_text(encoding="utf-8"))
    broken: dict[str, Any] = {"voice-nightly": {"script": 7}} if "gitlab" in path else {**content, "runs": 7}
    if path == "docs/examples/github-nightly.yml":
        broken = {**content, "jobs": {"calls": {"steps": 7}}}
    if path == "docker/compose.yaml":
        broken = {**content, "services": {"calls": {"command": {"run": 7}}}}
    (tmp_path / "broken.yml").write_text(yaml.safe_dump(broken), encoding="utf-8")
    assert lint(tmp_path / "broken.yml", LINTED[path]).exit_code == 1


def step(name: str) -> dict[str, Any]:
    action = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))
    found: dict[str, Any] = next(one for one in action["runs"]["steps"] if one.get("name") == name)
    return found


@pytest.mark.parametrize("code", [0, 1, 3])
def test_the_step_of_the_action_passes_on_what_it_was_given_and_the_exit_code(
    code: int, tmp_path: Path
) -> None:
    """Its very script, with a command in place of ours that says what it was given."""
    program = tmp_path / "outboundeval"
    program.write_text(f'#!/bin/sh\nfor one in "$@"; do echo "<$one>"; done\nexit {code}\n')
    program.chmod(0o755)
    given = {
        "PLAN": "plans/of the night.yaml",
        "AGENT": "",
        "SPAWN": 'python bot.py --port {port} "$(touch stolen)"',
        "OUT": "runs/7-1",
        "BASELINE": "last green",
    }
    output = tmp_path / "output"
    places = {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "GITHUB_OUTPUT": str(output)}
    ran = subprocess.run(
        ["bash", "-e", "-c", step("Place the calls")["run"]],
        env={**given, **places},
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert ran.returncode == code, ran.stderr
    assert ran.stdout.split("\n")[:-1] == [
        "<run>",
        f"<{given['PLAN']}>",
        *("<--out>", "<runs/7-1>", "<--spawn>", f"<{given['SPAWN']}>", "<--baseline>", "<last green>"),
    ]
    assert output.read_text() == f"exit-code={code}\n"
    assert not (tmp_path / "stolen").exists()


def commands() -> list[list[str]]:
    """Every call of ours in the examples, as words."""
    compose = yaml.safe_load((ROOT / "docker/compose.yaml").read_text(encoding="utf-8"))
    found = [one["command"] for one in compose["services"].values() if one.get("image") == "outboundeval"]
    gitlab = yaml.safe_load((ROOT / "docs/examples/gitlab-ci.yml").read_text(encoding="utf-8"))[
        "voice-nightly"
    ]
    github = yaml.safe_load((ROOT / "docs/examples/github-nightly.yml").read_text(encoding="utf-8"))
    lines = [*gitlab["script"], *gitlab["after_script"]]
    lines += [line for one in github["jobs"]["calls"]["steps"] for line in one.get("run", "").splitlines()]
    lines += (ROOT / "docs/examples/crontab").read_text(encoding="utf-8").splitlines()
    lines += (ROOT / "docs/examples/outboundeval-nightly.service").read_text(encoding="utf-8").splitlines()
    for line in lines:
        _, there, rest = line.partition("outboundeval ")
        if there and not line.startswith(("#", "Description")) and "pip install" not in line:
            words = rest.partition(" > ")[0].partition(" || ")[0].rstrip("'")
            found.append(shlex.split(words))
    return found


def test_every_command_in_them_is_one_of_ours() -> None:
    found = commands()
    assert len(found) >= 11
    for words in found:
        assert _is_understood(words), words
    assert not _is_understood(["run", "plan.yaml", "--no-such-option"])


def _is_understood(words: list[str]) -> bool:
    """Whether the command line takes these words; nothing is done."""
    command: Any = open_command(words[0], COMMANDS[words[0]])
    rest = words[1:]
    if hasattr(command, "commands"):
        command = command.commands[rest.pop(0)]
    try:
        command.make_context(words[0], rest)
    except CLICK_ERROR:
        return False
    return True


def test_the_night_in_the_container_is_a_plan() -> None:
    plan = load_plan(ROOT / "docker/nightly.yaml", agent="http://agent:7860")
    assert len(plan.calls) == 9
    assert plan.checks.baseline == "last green"


def test_the_calls_over_livekit_ask_for_the_worker_that_is_served_there() -> None:
    """One with a name is sent nowhere by itself."""
    compose = yaml.safe_load((ROOT / "docker/compose.yaml").read_text(encoding="utf-8"))
    agent = compose["services"]["calls-livekit"]["command"][-1]
    serves = (ROOT / "fixtures/agents/livekit_agent/__main__.py").read_text(encoding="utf-8")
    found = re.search(r'"--name", default="(\w+)"', serves)
    assert found is not None
    assert parse_qs(urlsplit(agent).query)["agent"] == [found.group(1)]


def test_the_first_night_of_cron_finds_nothing_there_and_places_its_calls(tmp_path: Path) -> None:
    line = next(
        one
        for one in (ROOT / "docs/examples/crontab").read_text(encoding="utf-8").splitlines()
        if " run nightly.yaml" in one
    )
    program = tmp_path / "voice" / ".venv" / "bin" / "outboundeval"
    program.parent.mkdir(parents=True)
    program.write_text('#!/bin/sh\necho "$1 $2 $TEAM"\n')
    program.chmod(0o755)
    command = line.split(maxsplit=5)[5].replace("\\%", "%")
    places = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    for environment, said in ((None, "run nightly.yaml \n"), ("TEAM=a\n", "run nightly.yaml a\n")):
        if environment is not None:
            (tmp_path / "voice" / "environment").write_text(environment)
        ran = subprocess.run(["sh", "-c", command], env=places, capture_output=True, text=True, timeout=60)
        assert ran.returncode == 0, ran.stderr
        assert (tmp_path / "voice" / "runs" / "last.log").read_text() == said


def test_systemd_takes_the_timer_and_the_service(tmp_path: Path) -> None:
    with seeing("systemd-analyze"):
        units = [ROOT / "docs" / "examples" / f"outboundeval-nightly.{kind}" for kind in ("service", "timer")]
        assert _verified(units) == ""
        broken = units[0].read_text(encoding="utf-8").replace("ExecStart", "ExecStrat")
        (tmp_path / "broken.service").write_text(broken, encoding="utf-8")
        assert "Unknown key" in _verified([tmp_path / "broken.service"])


def _verified(units: list[Path]) -> str:
    """What systemd has against units."""
    command = ["systemd-analyze", "verify", *map(str, units)]
    return subprocess.run(command, capture_output=True, text=True, timeout=60).stderr
