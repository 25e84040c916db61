"""What is printed and logged has no secret in it, whoever prints."""

from __future__ import annotations

import io
import logging
import sys

import pytest

from harness.cli.screen.guarded_output import guard_output, scrubbed_record
from harness.redaction import KNOWN


def _guarded(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    """Everything that is printed from now on, on either stream."""
    printed = io.StringIO()
    before = logging.getLogRecordFactory()
    monkeypatch.setattr(sys, "stdout", printed)
    monkeypatch.setattr(sys, "stderr", printed)
    monkeypatch.setattr(logging, "setLogRecordFactory", lambda factory: None)
    monkeypatch.setenv("SOME_API_KEY", "canary-key-1")
    monkeypatch.setenv("OTHER_API_KEY", "EMPTY")
    guard_output()
    assert logging.getLogRecordFactory() is before
    return printed


def test_prints_of_either_stream_are_scrubbed(monkeypatch: pytest.MonkeyPatch) -> None:
    guarded = _guarded(monkeypatch)
    KNOWN.learn("canary-token-2")
    print("key canary-key-1", "and EMPTY")
    print("token canary-token-2", file=sys.stderr)
    sys.stdout.writelines(["canary-token-2"])
    assert guarded.getvalue() == "key *** and EMPTY\ntoken ***\n***"


def test_once_is_enough_and_the_rest_is_the_stream_s_own(monkeypatch: pytest.MonkeyPatch) -> None:
    _guarded(monkeypatch)
    stream = sys.stdout
    guard_output()
    assert sys.stdout is stream
    assert not sys.stdout.isatty()
    assert sys.stdout.write("abc") == 3


def test_a_log_line_and_its_traceback_are_scrubbed() -> None:
    KNOWN.learn("canary-token-3")
    try:
        raise ValueError("http://h/?token=canary-token-3")
    except ValueError:
        about = sys.exc_info()
    record = scrubbed_record("httpx", logging.ERROR, "file", 1, "%s %s", ("POST", "canary-token-3"), about)
    shown = logging.Formatter().format(record)
    assert "canary" not in shown
    assert shown.startswith("POST ***")
    assert "ValueError: http://h/?token=***" in shown
    assert "Traceback" in shown


def test_a_log_line_without_secrets_stays_what_it_was() -> None:
    record = scrubbed_record("x", logging.INFO, "file", 1, "%s", ("word",), None)
    assert (record.msg, record.args) == ("%s", ("word",))
