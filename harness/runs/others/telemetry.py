"""Sends results to an OpenTelemetry collector: an event ``gen_ai.evaluation.result`` for each.

As the semantic conventions for generative AI have it (in development there): ``gen_ai.evaluation.name``,
``.score.value``, ``.score.label`` and ``.explanation``. Where to, and with which headers, is said by OTLP's
own environment variables (``OTEL_EXPORTER_OTLP_ENDPOINT``, ``OTEL_EXPORTER_OTLP_HEADERS``): HTTP, protobuf.
Needs the extra ``otel``.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from importlib.util import find_spec
from typing import Any

from harness.errors import UserError
from harness.redaction import KNOWN
from spoken_language.outside_text import one_line

EVENT = "gen_ai.evaluation.result"
ENDPOINTS = ("OTEL_EXPORTER_OTLP_LOGS_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
TIMEOUT_S = 15.0
MOST_AT_ONCE = 500


@dataclass(frozen=True, kw_only=True)
class EvaluationResult:
    """One result.

    Attributes:
        name: Of the figure or check.
        value: None where nothing was measured: then there is no score in the event.
        label: ``measured``, or why there is no value, or how a check came out.
        attributes: What else is to be known: run, call, unit, interval.
    """

    name: str
    value: float | None
    label: str
    explanation: str = ""
    attributes: dict[str, str | float | int] = field(default_factory=dict)

    @property
    def as_attributes(self) -> dict[str, str | float | int]:
        """Of the event."""
        found: dict[str, str | float | int] = {
            "gen_ai.evaluation.name": self.name,
            "gen_ai.evaluation.score.label": self.label,
            **self.attributes,
        }
        if self.value is not None:
            found["gen_ai.evaluation.score.value"] = self.value
        if self.explanation:
            found["gen_ai.evaluation.explanation"] = KNOWN.scrub(one_line(self.explanation, most=1000))
        return found


def check_exporter() -> None:
    """Finds out before the first call what would be missing after the last.

    Raises:
        UserError: The extra is not installed, or nobody said where the collector is.
    """
    if find_spec("opentelemetry") is None or find_spec("opentelemetry.exporter") is None:
        raise UserError("otel: needs its extra: pip install 'outboundeval[otel]'")
    if not any(os.environ.get(name) for name in ENDPOINTS):
        raise UserError(f"otel: where the collector is, is said by {ENDPOINTS[1]}, which is not set")


def send_results(results: Sequence[EvaluationResult]) -> str:
    """Sends them; returns why they did not arrive, empty where they did."""
    try:
        from opentelemetry._logs import LogRecord
        from opentelemetry.exporter.otlp.proto.http._log_exporter import OTLPLogExporter
        from opentelemetry.sdk._logs import LoggerProvider
        from opentelemetry.sdk._logs.export import (
            InMemoryLogRecordExporter,
            LogRecordExportResult,
            SimpleLogRecordProcessor,
        )
        from opentelemetry.sdk.resources import Resource
    except ImportError as error:
        return f"otel: {error}; pip install 'outboundeval[otel]'"
    in_memory: Any = InMemoryLogRecordExporter  # Some of theirs have no types.
    kept = in_memory()
    resource = Resource.create({"service.name": "outboundeval", "service.version": version("outboundeval")})
    provider: Any = LoggerProvider(resource=resource, shutdown_on_exit=False)
    provider.add_log_record_processor(SimpleLogRecordProcessor(kept))
    logger = provider.get_logger("outboundeval", version("outboundeval"))
    for one in results:
        logger.emit(LogRecord(event_name=EVENT, attributes=one.as_attributes))
    records = kept.get_finished_logs()
    # It tells of what it meets by logging it, with a traceback.
    quiet = logging.getLogger("opentelemetry.exporter")
    before, quiet.disabled = quiet.level, True
    quiet.setLevel(logging.CRITICAL + 1)
    exporter: Any = OTLPLogExporter(timeout=TIMEOUT_S)
    try:
        for begin in range(0, len(records), MOST_AT_ONCE):
            if exporter.export(records[begin : begin + MOST_AT_ONCE]) is not LogRecordExportResult.SUCCESS:
                return "otel: the collector was not reached, or refused the results"
        return ""
    finally:
        exporter.shutdown()
        provider.shutdown()
        quiet.disabled = False
        quiet.setLevel(before)
