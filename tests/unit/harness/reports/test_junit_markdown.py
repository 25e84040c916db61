"""What CI systems and pull requests are told."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from xml.etree import ElementTree

import pytest

from harness.records.call import CallStatus
from harness.reports.html import build_report
from harness.reports.junit import write_junit
from harness.reports.markdown import render_markdown
from harness.reports.run import run_page
from harness.scoring.gates.decide import decide
from tests.report.make_run import MadeCall, write_run
from tests.report.sample_calls import faulty_call, plain_call, sample_calls


@pytest.fixture(scope="module")
def run_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    calls = sample_calls()
    silent = MadeCall(
        id="gave-up",
        status=CallStatus.CALLER_HANGUP,
        detail="\x00\x1b[31mno reply| within `15 s`\ud7ff @everyone",
        duration_s=16.0,
    )
    return write_run(tmp_path_factory.mktemp("run") / "nightly", [*calls, silent])


def test_one_case_a_call_with_its_verdict(run_dir: Path) -> None:
    suite = ElementTree.parse(write_junit(run_dir)).getroot()[0]
    verdicts = {
        case.get("name"): next((child.tag for child in case if child.tag != "system-out"), "passed")
        for case in suite.iter("testcase")
    }
    # One is the agent's hang-up, one a line that was not answered: the shipped gates want both otherwise.
    assert verdicts == {
        "plain": "passed",
        "interruptions": "failure",
        "noisy": "failure",
        "script-tag": "passed",
        "silent-agent": "failure",
        "refused": "failure",
        "gave-up": "failure",
        "late-sender": "error",
    }
    assert (suite.get("tests"), suite.get("failures"), suite.get("errors")) == ("8", "5", "1")


def test_one_case_a_gate_and_the_list_alone_decides(run_dir: Path) -> None:
    gates = ElementTree.parse(write_junit(run_dir)).getroot()[1]
    verdicts = {case.get("name"): case[0].tag for case in gates.iter("testcase")}
    assert verdicts == {
        "(ours) every call came about": "failure",
        "(ours) the agent spoke in each call": "failure",
        "(ours) every due line answered and the end reached in >= 90 % of calls": "failure",
        "(ours) own faults <= 5 % of calls": "failure",
    }


def test_a_run_that_passes_has_no_failure_whatever_its_calls_are(run_dir: Path, tmp_path: Path) -> None:
    """A call that ran into its limit is nobody's failure where no gate fails for it."""
    held_to = tmp_path / "nightly"
    shutil.copytree(run_dir, held_to)
    checks = {"gates": ["calls.timeout <= 1"], "expect": {}}
    (held_to / "checks.json").write_text(json.dumps(checks), encoding="utf-8")
    decide(held_to)
    root = ElementTree.parse(write_junit(held_to)).getroot()
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("9", "0", "0")
    skipped = [case.get("name") for case in root.iter("testcase") if case.find("skipped") is not None]
    assert skipped == ["late-sender"]
    assert "**PASSED**" in render_markdown(held_to)


def test_what_nobody_can_tell_is_skipped_with_the_reason(run_dir: Path, tmp_path: Path) -> None:
    held_to = tmp_path / "nightly"
    shutil.copytree(run_dir, held_to)
    expect = {"plain": [{"what": {"said": {"meaning": "help", "judge": "http://127.0.0.1:9/v1#m"}}}]}
    checks = {"gates": ["response_rate: not worse by 0.1"], "expect": expect}
    (held_to / "checks.json").write_text(json.dumps(checks), encoding="utf-8")
    verdict = decide(held_to)
    assert (verdict.word, verdict.exit_code) == ("inconclusive", 1)
    root = ElementTree.parse(write_junit(held_to)).getroot()
    plain = root.find(".//testcase[@name='plain']/skipped")
    gate = root.find(".//testcase[@name='response_rate: not worse by 0.1']/skipped")
    assert plain is not None
    assert gate is not None
    assert "inconclusive: plain: said: meaning: help" in (plain.get("message") or "")
    assert (gate.get("message") or "").startswith("undecided: there is no baseline")


def test_messages_and_figures_are_in_it(run_dir: Path) -> None:
    root = ElementTree.parse(write_junit(run_dir)).getroot()
    refused = root.find(".//testcase[@name='refused']/failure")
    assert refused is not None
    assert refused.get("type") == "setup_failed"
    assert "connection refused <b>& more</b>" in (refused.get("message") or "")
    fault = root.find(".//testcase[@name='late-sender']/error")
    assert fault is not None
    # The fault says nothing about the agent, so none of its figures stand here.
    assert "60,000" not in (fault.text or "")
    properties = {each.get("name"): float(each.get("value") or "nan") for each in root.iter("property")}
    summary = json.loads((run_dir / "summary.json").read_text())["metrics"]
    assert properties == {
        name: metric["value"] for name, metric in summary.items() if metric["value"] is not None
    }


def test_characters_that_xml_lacks_do_not_break_the_file(run_dir: Path) -> None:
    gave_up = ElementTree.parse(write_junit(run_dir)).getroot().find(".//testcase[@name='gave-up']/failure")
    assert gave_up is not None
    assert "\ufffd\ufffd[31mno reply" in (gave_up.get("message") or "")


def test_markdown_has_verdict_figures_and_failures(run_dir: Path) -> None:
    text = render_markdown(run_dir)
    assert "**FAILED**. 6 of 8 calls measured; 1 harness fault left out" in text
    assert "- ✗ `(ours) every call came about` `7 of 8; refused: http" in text
    assert (
        "| Response latency | **910 ms** (p90 1,460\u202fms, p95 not reached (>\u202f1,460\u202fms)) |"
        in text
    )
    assert "| Interruption success, 500 ms | **66.7 %** | 20.8 – 93.9\u202f% | 2 of 3 stops |" in text
    assert "`refused` not set up" in text
    assert "`late-sender` harness fault" in text
    assert len(text) < 5000


def test_a_call_that_was_cut_off_is_no_fault_of_ours(tmp_path: Path) -> None:
    cut = MadeCall(
        id="stopped",
        status=CallStatus.INTERRUPTED,
        detail="interrupted at the terminal",
        duration_s=2.0,
        scored=False,
    )
    run_dir = write_run(tmp_path / "run", [plain_call(), faulty_call(), cut])
    view = run_page(run_dir, drawn=False)
    assert [call.id for call in view.faults] == ["late-sender"]
    assert [call.id for call in view.cut_off] == ["stopped"]
    text = render_markdown(run_dir)
    assert "**Harness faults (ours, in no figure)**\n\n- `late-sender` harness fault" in text
    assert "**Cut off (nobody's fault, in no figure)**\n\n- `stopped` interrupted: `interrupted at" in text
    page = build_report(run_dir).read_text(encoding="utf-8")
    _, _, ours = page.partition('id="faults"')
    ours, _, others = ours.partition('id="cut-off"')
    assert ("late-sender" in ours, "stopped" in ours) == (True, False)
    assert "stopped" in others.partition("</div>")[0]
    only = write_run(tmp_path / "only", [plain_call(), cut])
    assert 'id="faults"' not in build_report(only).read_text(encoding="utf-8")
    assert "Harness faults" not in render_markdown(only)


def test_text_from_outside_is_neither_markup_nor_mention(run_dir: Path) -> None:
    told = next(text for text in render_markdown(run_dir).splitlines() if text.startswith("- `gave-up"))
    assert told == "- `gave-up` caller gave up: `\ufffd\ufffd[31mno reply¦ within '15 s' @everyone`"


def test_markdown_of_nothing_measured_has_no_number(tmp_path: Path) -> None:
    refused = next(call for call in sample_calls() if call.id == "refused")
    text = render_markdown(write_run(tmp_path / "run", [refused]))
    assert "| Response latency | *not measured* | | `no call could be measured (1 setup_failed)` |" in text
    assert "**NOT PLACED: no call came about, so there is no figure**. 0 of 1 call measured" in text
