"""A call as it happens, in the terminal: who says what, and how fast the agent answers.

Live latencies come from the caller's ears and are marked ≈: the figures that count are measured after the
call, from packet times.
"""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.text import Text

from harness.records.call import Event
from spoken_language.outside_text import one_line

_MAX_CHARS = 400
_LONG_THOUGHT_S = 0.5


class CallPrinter:
    """Prints the events of calls, one call after the other; pass :meth:`show` as ``on_event``, and say with
    :meth:`begin` when the next one begins: each has a clock of its own."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.begin()

    def begin(self) -> None:
        """Forgets the call before: nothing of it is answered in the next."""
        self._lines: dict[int, tuple[str, str, str]] = {}
        self._user_end_s: float | None = None
        self._onset_s: float | None = None
        self._agent_tells = False
        self._agent_speaks = False
        self._user_start_s = 0.0

    def show(self, event: Event) -> None:
        """Prints what a person wants to see of an event; most events say nothing."""
        data = event.data
        match event.kind:
            case "connected":
                self._print(event.t, "──", "dim", "connected")
            case "speak":
                why = str(data.get("why", ""))
                self._lines[int(data["index"])] = (str(data["text"]), str(data["kind"]), why)
            case "utterance-began":
                self._user_start_s = float(data["start_s"])
                self._say_caller(self._user_start_s, int(data["index"]))
            case "utterance-ended":
                self._user_ended(float(data["end_s"]))
            case "speech-started":
                self._onset(float(data["at_s"]))
            case "speech-ended":
                self._agent_speaks = False
                if not self._agent_tells and self._onset_s is not None:
                    length_s = float(data["at_s"]) - self._onset_s
                    self._print(self._onset_s, "agent ", "green", f"(speaks for {length_s:.1f} s)")
            case "bot-output" if data.get("spoken") is True:
                self._agent_tells = True
                self._print(event.t, "agent ", "green", str(data.get("text", "")))
            case "user-transcription" if data.get("final") is True:
                self._print(event.t, "      ", "dim", f"agent heard: {str(data.get('text', '')).strip()}")
            case "agent-words" if self._agent_tells:
                self._print(event.t, "      ", "dim", f"caller heard: {data.get('text', '') or '(nothing)'}")
            case "agent-words":
                self._print(float(data["start_s"]), "agent ", "green", str(data.get("text", "")))
            case "think-ended" if data.get("outcome") != "done" or float(data["took_s"]) >= _LONG_THOUGHT_S:
                self._print(
                    event.t, "      ", "dim", f"caller thought for {data['took_s']} s: {data['outcome']}"
                )
            case "llm-retry":
                self._print(event.t, "──", "yellow", f"the caller's language model: {data.get('reason')}")
            case "hung-up":
                self._print(event.t, "──", "yellow", f"agent hung up ({data.get('how', '')})")
            case "connection-lost":
                self._print(event.t, "──", "yellow", f"connection lost ({data.get('how', '')})")
            case "signalling-lost":
                why = data.get("why", "")
                self._print(event.t, "──", "dim", f"signalling lost, and the call goes on ({why})")
            case "ended":
                reason = f" ({data['reason']})" if "reason" in data else ""
                self._print(event.t, "──", "dim", f"{data.get('status')}{reason}: {data.get('detail')}")

    def _say_caller(self, t_s: float, index: int) -> None:
        line = self._lines.pop(index, None)
        if line is not None:
            text, kind, why = line
            note = "" if kind == "turn" else f"  [{kind.replace('_', '-')}]"
            self._print(t_s, "caller", "cyan", text + note)
            if why:
                self._print(t_s, "      ", "dim", f"because: {why}")

    def _user_ended(self, end_s: float) -> None:
        self._user_end_s = end_s
        if self._agent_speaks and self._onset_s is not None and self._onset_s > self._user_start_s:
            self._answered(self._onset_s)

    def _onset(self, at_s: float) -> None:
        self._onset_s = at_s
        self._agent_speaks = True
        if self._user_end_s is not None:
            self._answered(at_s)

    def _answered(self, at_s: float) -> None:
        if self._user_end_s is not None:
            latency_s = at_s - self._user_end_s
            self._user_end_s = None
            self._print(at_s, "      ", "magenta", f"answers after ≈ {latency_s * 1000:.0f} ms")

    def _print(self, t_s: float, who: str, style: str, text: str) -> None:
        line = Text.assemble(
            (f"{int(t_s // 60):02d}:{t_s % 60:04.1f}  ", "dim"),
            (who, f"bold {style}"),
            "  ",
            (one_line(text, most=_MAX_CHARS), style),
        )
        self._console.print(line, highlight=False, soft_wrap=False)


def plain(text: str) -> str:
    """Text from outside, safe to print with rich markup on."""
    return escape(text)
