"""``RUN/junit.xml``: one test case a call, in the form that CI systems read.

A call in which the agent let the caller down (no session, no answer within its patience, no end within the
time limit) is a ``failure``. A harness fault, and a call of which nothing can be read, is an ``error``: it
says nothing about the agent. The figures of the run are properties of the suite.
"""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from harness._files.atomic_file import write_text
from harness.errors import NotWritten
from harness.records.call import CallStatus
from harness.reports.call import UNREADABLE, CallPanel
from harness.reports.run import RunPage, run_page

FAILURES = (CallStatus.SETUP_FAILED, CallStatus.TIMEOUT, CallStatus.CALLER_HANGUP)
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
    counts = {
        "tests": str(len(calls)),
        "failures": str(sum(call.status in FAILURES for call in calls)),
        "errors": str(sum(call.status in ERRORS for call in calls)),
        "skipped": str(sum(call.status in SKIPPED for call in calls)),
        "time": f"{sum(known):.3f}",
    }
    suites = Element("testsuites", {"name": _text(run.name), **counts})
    suite = SubElement(suites, "testsuite", {"name": _text(run.name), **counts})
    properties = SubElement(suite, "properties")
    for figure in run.measured:
        SubElement(properties, "property", name=_text(figure.name), value=repr(figure.value))
    for call in calls:
        suite.append(_case(run.name, call))
    indent(suites)
    return suites


def _case(run: str, call: CallPanel) -> Element:
    case = Element("testcase", classname=_text(run), name=_text(call.id))
    seconds = call.sort["length"]
    if seconds is not None:
        case.set("time", f"{seconds:.3f}")
    message = f"{call.status_label}: {call.detail}"
    told = _text("\n".join([message, *_told(call)]))
    if call.status in FAILURES or call.status in ERRORS:
        kind = "failure" if call.status in FAILURES else "error"
        SubElement(case, kind, type=call.status, message=_text(message)).text = told
    elif call.status in SKIPPED:
        SubElement(case, "skipped", message=_text(message)).text = told
    else:
        SubElement(case, "system-out").text = told
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
