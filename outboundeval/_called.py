"""One call that was placed and scored, for assertions: a figure that is missing fails them and says why."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from outboundeval._errors import Error
from outboundeval._run import Run, load_run

_KNOWN_AND_HEARD = (("caller", "said"), ("agent", "whisper"))
"""Side and source of the lines of a transcript; others are the same words as somebody else wrote them."""


class NotMeasured(AssertionError):
    """A figure was asked for that there is none of: no comparison passes, the test fails with the reason."""


class Figure:
    """One figure of a call, with its interval.

    ``value``, ``p50``, ``p90``, ``p95``, ``ci_low`` and ``ci_high`` are numbers; where one was not measured,
    asking for it raises :class:`NotMeasured`.

    Attributes:
        name: As in ``summary.json``.
        status: ``measured``, ``not_applicable``, ``indeterminate`` or ``failed``.
        reason: Why there is no value, or what to know of it.
        unit: For instance ``ms``.
        n: From so many observations.
    """

    def __init__(self, name: str, content: Mapping[str, Any]) -> None:
        self.name = name
        self.status = str(content.get("status", "not_applicable"))
        self.reason = str(content.get("reason") or "")
        self.unit = str(content.get("unit") or "")
        self.n = int(content.get("n") or 0)
        self._content = content

    def __repr__(self) -> str:
        value = self._content.get("value")
        told = self.reason or self.status if value is None else f"{value:.4g} {self.unit}"
        return f"<{self.name}: {told}, n = {self.n}>"

    @property
    def is_measured(self) -> bool:
        """Whether there is a value."""
        return self._content.get("value") is not None

    @property
    def value(self) -> float:
        return self._number("value")

    @property
    def p50(self) -> float:
        return self._number("p50")

    @property
    def p90(self) -> float:
        return self._number("p90")

    @property
    def p95(self) -> float:
        return self._number("p95")

    @property
    def ci_low(self) -> float:
        return self._number("ci_low")

    @property
    def ci_high(self) -> float:
        return self._number("ci_high")

    def _number(self, name: str) -> float:
        found = self._content.get(name)
        if isinstance(found, bool) or not isinstance(found, int | float):
            raise NotMeasured(f"{self.name}.{name}: not measured: {self.reason or self.status}")
        return float(found)


class Called:
    """What became of one call.

    Attributes:
        folder: Of its run: recording, timeline, transcript, scores, report.
        document: ``summary.json`` with the verdict, as the command printed it.
    """

    def __init__(self, folder: Path, document: Mapping[str, Any]) -> None:
        self.folder = folder
        self.document = document

    def __repr__(self) -> str:
        return f"<call {str(self.folder)!r}: {self.status}>"

    def metric(self, name: str) -> Figure:
        """A figure by its name in ``summary.json``.

        Raises:
            Error: There is none of that name; the message has those that there are.
        """
        metrics: Mapping[str, Any] = self.document.get("metrics") or {}
        if name not in metrics:
            raise Error(f"there is no figure {name!r}; there are: {', '.join(sorted(metrics))}")
        return Figure(name, metrics[name])

    @property
    def latency(self) -> Figure:
        """How fast it answered, in ms; an answer that never came counts as late."""
        return self.metric("response_latency_ms")

    @property
    def response_rate(self) -> Figure:
        """The share of the caller's turns that it answered."""
        return self.metric("response_rate")

    @property
    def passed(self) -> bool:
        """By the gates of its plan; without any, by those that hold everywhere."""
        verdict: Mapping[str, Any] = self.document.get("verdict") or {}
        return verdict.get("word") == "passed"

    @property
    def status(self) -> str:
        """How it ended: ``completed``, ``agent_hangup``, ``timeout`` …"""
        [one] = self.run.conversations
        return str(one.record.get("status", ""))

    @property
    def report(self) -> Path:
        """The page on which it can be listened to."""
        return self.folder / "report" / "index.html"

    @property
    def transcript(self) -> str:
        """Line by line what was said, as we heard it of the agent and know it of the caller."""
        [one] = self.run.conversations
        lines = [
            line
            for line in one.read("transcript.json").get("lines") or ()
            if (line.get("side"), line.get("source")) in _KNOWN_AND_HEARD
        ]
        lines.sort(key=lambda line: line.get("start_s") or 0.0)
        return "\n".join(f"{line['side']}: {line['text']}" for line in lines)

    @cached_property
    def run(self) -> Run:
        """Everything else that it left, also as tables."""
        return load_run(self.folder)
