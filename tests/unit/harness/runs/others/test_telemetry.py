"""Evaluation results as a collector gets them: read by OpenTelemetry's own messages."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

from harness.errors import UserError
from harness.models.served_process import free_port
from harness.reports.evaluation_results import evaluation_results
from harness.runs.others.telemetry import check_exporter, send_results
from harness.scoring.gates.decide import decide
from tests.nights import night_call
from tests.report.make_run import write_run

logs_service = pytest.importorskip("opentelemetry.proto.collector.logs.v1.logs_service_pb2")
ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"


@pytest.fixture
def collector(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """What a collector on loopback was sent."""
    got: list[Any] = []

    class Collector(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if self.headers.get("Content-Encoding") == "gzip":
                body = gzip.decompress(body)
            got.append((self.path, logs_service.ExportLogsServiceRequest.FromString(body)))
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Collector)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    monkeypatch.setenv(ENDPOINT, f"http://127.0.0.1:{server.server_address[1]}")
    yield got
    server.shutdown()
    server.server_close()
    thread.join()


def test_each_figure_and_check_is_an_event(collector: list[Any], tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", [night_call(f"c{n}", [600.0 + 100 * n, None]) for n in range(3)])
    decide(run)
    assert send_results(evaluation_results(run)) == ""
    ((path, request),) = collector
    assert path == "/v1/logs"
    (resource,) = request.resource_logs
    assert ("service.name", "outboundeval") in [
        (one.key, one.value.string_value) for one in resource.resource.attributes
    ]
    (scope,) = resource.scope_logs
    events = [{one.key: one.value for one in record.attributes} for record in scope.log_records]
    assert {record.event_name for record in scope.log_records} == {"gen_ai.evaluation.result"}

    def of(name: str) -> list[dict[str, Any]]:
        return [one for one in events if one["gen_ai.evaluation.name"].string_value == name]

    rate, *_ = of("response_rate")
    assert rate["gen_ai.evaluation.score.value"].double_value == pytest.approx(0.5)
    assert rate["gen_ai.evaluation.score.label"].string_value == "measured"
    assert "outboundeval.call" not in rate
    # Nobody measured a word error rate: there is no score, and a reason.
    (wer,) = of("wer")
    assert "gen_ai.evaluation.score.value" not in wer
    assert wer["gen_ai.evaluation.explanation"].string_value
    checks = [one for one in events if "outboundeval.check" in one]
    assert {one["gen_ai.evaluation.score.label"].string_value for one in checks} == {"passed", "failed"}


def test_a_collector_that_is_not_there_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    run = write_run(tmp_path / "run", [night_call("c", [600.0])])
    monkeypatch.setenv(ENDPOINT, f"http://127.0.0.1:{free_port()}")
    monkeypatch.setattr("harness.runs.others.telemetry.TIMEOUT_S", 0.5)
    assert (
        send_results(evaluation_results(run)[:1])
        == "otel: the collector was not reached, or refused the results"
    )
    assert caplog.text == ""
    monkeypatch.delenv(ENDPOINT)
    with pytest.raises(UserError, match="which is not set"):
        check_exporter()
