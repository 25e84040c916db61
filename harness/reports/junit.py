"""``RUN/junit.xml``: a test case for each gate and each call, in the form that CI systems read.

The run's verdict decides, and nothing else: a gate that failed is a ``failure``, and so is each call that
made it fail or that did not do what was expected of it. What nobody can tell, and a gate that has nothing to
compare with, is ``skipped`` with the reason. A harness fault, and a call of which nothing can be read, is an
``error`` where the run fails for it, else ``skipped``: it says nothing about the agent. The figures of the
run are properties of the suite.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from harness._files.atomic_file import write_text
from harness.errors import NotWritten
from harness.records.call import CallStatus
from harness.records.verdict import CheckResult, Verdict
from harness.reports.call import UNREADABLE, CallPanel
from harness.reports.run import RunPage, run_page
from harness.reports.verdict import named, told

ERRORS = (CallStatus.HARNESS_FAULT, UNREADABLE)
SKIPPED = (CallStatus.INTERRUPTED,)
"""Cut off at the terminal: nobody's failure; the next start places it again."""

# XML 1.0 has no way to write these, not even escaped.
_NOT_IN_XML = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def write_junit(run_dir: Path) -> Path:
    """Writes the file and returns where it is.

    Raises:
        UserError: ``run_dir`` is no run.
        NotWritten: The file cannot be written.
    """
    path = run_dir / "junit.xml"
    suites = junit(run_page(run_dir, drawn=False))
    try:
        write_text(path, tostring(suites, encoding="utf-8", xml_declaration=True).decode())
    except OSError as error:
        raise NotWritten.of(path, error) from error
    return path


def junit(run: RunPage) -> Element:
    """The ``testsuites`` element of a run."""
    calls = run.calls + run.faulty
    known = [length for call in calls if (length := call.sort["length"]) is not None]
    suite = Element("testsuite", name=_text(run.name), time=f"{sum(known):.3f}")
    properties = SubElement(suite, "properties")
    for figure in run.measured:
        SubElement(properties, "property", name=_text(figure.name), value=repr(figure.value))
    red = failed_calls(run.verdict_list)
    for call in calls:
        suite.append(_case(run.name, call, red))
    gates = Element("testsuite", name=_text(f"{run.name}: gates"))
    for check in run.verdict_list.checks:
        if check.of == "gate":
            gates.append(_gate(run.name, check))
    suites = Element("testsuites", name=_text(run.name), time=f"{sum(known):.3f}")
    for one in (suite, gates):
        suites.append(_counted(one))
    _counted(suites)
    indent(suites)
    return suites


def failed_calls(verdict: Verdict) -> dict[str, list[CheckResult]]:
    """The calls that made a run red, each with the checks that it failed."""
    red: dict[str, list[CheckResult]] = {}
    for check in verdict.checks:
        for call_id in check.calls if check.red else ():
            red.setdefault(call_id, []).append(check)
    return red


def _counted(element: Element) -> Element:
    cases = list(element.iter("testcase"))
    element.set("tests", str(len(cases)))
    for name, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        element.set(name, str(sum(case.find(tag) is not None for case in cases)))
    return element


def _gate(run: str, check: CheckResult) -> Element:
    case = Element("testcase", classname=_text(f"{run}.gates"), name=_text(named(check)))
    what = _text(told(check))
    if check.result == "failed":
        SubElement(case, "failure", type="gate", message=what).text = what
    elif check.result == "passed":
        SubElement(case, "system-out").text = what
    else:
        SubElement(case, "skipped", message=_text(f"{check.result}: {what}")).text = what
    return case


def _case(run: str, call: CallPanel, red: Mapping[str, Sequence[CheckResult]]) -> Element:
    case = Element("testcase", classname=_text(run), name=_text(call.id))
    seconds = call.sort["length"]
    if seconds is not None:
        case.set("time", f"{seconds:.3f}")
    message = f"{call.status_label}: {call.detail}"
    checks = red.get(call.id, ())
    failed = [f"{named(check)}: {told(check)}" for check in checks]
    content = _text("\n".join([message, *failed, *_told(call)]))
    own = [check for check in checks if check.of == "expect"]
    if own:
        message = f"{named(own[0])}: {own[0].told}"
    if checks and all(check.result == "inconclusive" for check in checks):
        SubElement(case, "skipped", message=_text(f"inconclusive: {message}")).text = content
    elif checks or call.status == UNREADABLE:
        kind = "error" if call.status in ERRORS else "failure"
        SubElement(case, kind, type=call.status, message=_text(message)).text = content
    elif call.status in (*SKIPPED, *ERRORS):
        SubElement(case, "skipped", message=_text(message)).text = content
    else:
        SubElement(case, "system-out").text = content
    return case


def _told(call: CallPanel) -> list[str]:
    """What a person reads when they open the case in their CI."""
    figures = (
        ("turns answered", call.turns),
        ("p50 latency", call.p50),
        ("interruptions", call.interruptions),
        ("WER", call.wer),
        ("NISQA naturalness", call.naturalness),
    )
    lines = [call.title] if call.title else []
    if call.status not in ERRORS:
        lines += [f"{name}: {value}" for name, value in figures if value]
    return [*lines, *(f"{problem.file} {problem.what}" for problem in call.problems)]


def _text(text: str) -> str:
    return _NOT_IN_XML.sub("\ufffd", text)
