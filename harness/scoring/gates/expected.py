"""Expectations of a call or of one of its lines, decided from what the call left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from harness.plans.checks.expectations import (
    EventSeen,
    Expectation,
    Expected,
    HttpCheck,
    Phrase,
    ToolCall,
)
from harness.records.call import Event
from harness.records.scores import InterruptionTiming, TranscriptLine, TurnTiming
from harness.records.timeline import tool_arguments, tool_name
from harness.records.verdict import CheckResult, HttpAnswer
from harness.scoring.gates.held_to import NOT_PLACED, HeldCall
from harness.scoring.gates.phrases import Found, not_said, quoted, said
from metrics.interaction.outcome import TurnOutcome
from spoken_language.outside_text import one_line

Meanings = Mapping[tuple[str, str, str], Found]
"""What judges said: (judge, meaning, words) -> result and reason (:mod:`harness.scoring.gates.meanings`)."""

NOBODY_WROTE: Found = (
    "inconclusive",
    "nobody wrote down what the agent said: no recogniser, and no text of its own",
)


def expected_checks(
    call: HeldCall | None, call_id: str, expected: Sequence[Expected], meanings: Meanings
) -> list[CheckResult]:
    """What came of everything that was expected of a call; None: it left nothing."""
    results = []
    http = 0
    for one in expected:
        if one.what.http is not None:
            http += 1
        result, told = _found(call, one, meanings, http - 1)
        results.append(
            CheckResult(
                name=one.what.told,
                of="expect",
                call_id=call_id,
                line=one.line,
                result=result,
                told=one_line(told, most=400),
                calls=(call_id,) if result in ("failed", "inconclusive") else (),
            )
        )
    return results


def words_for(call: HeldCall, line: int | None) -> str | None:
    """What the agent was heard to say after a line, or in the whole call; None where nothing tells it."""
    spoken = _agent_lines(call, line)
    return None if spoken is None else " ".join(one.text for one in _best(spoken))


def _found(call: HeldCall | None, one: Expected, meanings: Meanings, http: int) -> Found:
    if call is None:
        return "inconclusive", "the call was not placed"
    if call.ours:
        return "inconclusive", "our own side failed in this call"
    what = one.what
    if what.http is not None:
        return _http(what.http, call, http)
    if what.ends is not None:
        status = call.record.status.value
        return _yes(status == what.ends, f"it ended as {status}")
    if call.record.as_planned:
        return "inconclusive", "no call came about, as the plan has it"
    if call.record.status in NOT_PLACED:
        return "failed", f"no call came about: {call.record.status_detail}"
    if call.files.scores is None or call.files.transcript is None:
        return "inconclusive", "the call could not be scored"
    if one.line is not None and one.line >= len(call.record.utterances):
        return "failed", f"line {one.line + 1} was never said: {call.record.status_detail}"
    if what.said is not None:
        return _said(what.said, call, one.line, meanings)
    if what.not_said is not None:
        return _not_said(what.not_said, call, one.line, meanings)
    if what.presses is not None:
        return _pressed(what.presses, call, one.line)
    if what.event is not None or what.tool_call is not None:
        return _seen(what, call, one.line)
    if what.stops_within_ms is not None:
        return _stops(call.files.scores.interruptions, one.line, what.stops_within_ms)
    return _answers(call.files.scores.turns, one.line, what)


def _answers(turns: Sequence[TurnTiming], line: int | None, what: Expectation) -> Found:
    due = [turn for turn in turns if turn.outcome.due and line in (None, turn.index)]
    if not due:
        return "inconclusive", "no answer was due"
    results = [_answer(turn, what.within_ms) for turn in due]
    return _worst(results)


def _answer(turn: TurnTiming, within_ms: float | None) -> Found:
    name = f"line {turn.index + 1}"
    if not turn.outcome.replied and not (within_ms and turn.outcome is TurnOutcome.TALKED_OVER):
        return "failed", f"{name} was {turn.outcome.value.replace('_', ' ')}"
    if within_ms is None:
        return "passed", f"{name} was {turn.outcome.value.replace('_', ' ')}"
    return _in_time(name, turn.latency_ms, within_ms, turn.resolution_ms, turn.reason)


def _stops(interruptions: Sequence[InterruptionTiming], line: int | None, within_ms: float) -> Found:
    chosen = [one for one in interruptions if line in (None, one.index)]
    if not chosen:
        return "inconclusive", "nothing was interrupted"
    results: list[Found] = []
    for one in chosen:
        name = f"interruption in line {one.index + 1}"
        if one.outcome == "stopped":
            results.append(_in_time(name, one.delay_ms, within_ms, one.resolution_ms, one.reason))
        elif one.outcome == "not_stopped":
            beyond = f", heard to go on for {one.censored_after_ms:.0f} ms" if one.censored_after_ms else ""
            results.append(("failed", f"{name}: the agent did not stop{beyond}"))
        else:
            results.append(("inconclusive", f"{name}: {one.outcome.replace('_', ' ')} {one.reason}".rstrip()))
    return _worst(results)


def _in_time(name: str, value: float | None, limit: float, resolution: float | None, reason: str) -> Found:
    if value is None:
        return "inconclusive", f"{name}: {reason or 'no time can be told'}"
    told = f"{name}: {value:.0f} ms"
    if resolution is not None and abs(value - limit) < resolution:
        return "inconclusive", f"{told}; the error bar of ±{resolution:.1f} ms reaches over the limit"
    return _yes(value <= limit, told)


def _said(phrase: Phrase, call: HeldCall, line: int | None, meanings: Meanings) -> Found:
    spoken = _agent_lines(call, line)
    if spoken is None:
        return NOBODY_WROTE
    if phrase.meaning:
        heard = " ".join(one.text for one in _best(spoken))
        if not heard:
            return "failed", "the agent said nothing"
        return meanings.get((phrase.judge, phrase.meaning, heard), ("inconclusive", "no judge was asked"))
    return said(phrase, spoken, call.record.plan.language, listened=_listened(call))


def _not_said(phrase: Phrase, call: HeldCall, line: int | None, meanings: Meanings) -> Found:
    spoken = _agent_lines(call, line)
    if spoken is not None and not phrase.meaning:
        return not_said(phrase, spoken, call.record.plan.language)
    result, told = _said(phrase, call, line, meanings)
    return {"passed": "failed", "failed": "passed"}.get(result, result), told  # type: ignore[return-value]


def _listened(call: HeldCall) -> bool:
    """Whether our recogniser wrote down anything of this agent in the call, or there was nothing to hear."""
    transcript = call.files.transcript
    assert transcript is not None
    return not call.agent_spoke or any(
        one.side == "agent" and one.source == "whisper" for one in transcript.lines
    )


def _agent_lines(call: HeldCall, line: int | None) -> list[TranscriptLine] | None:
    """The agent's lines from the beginning of a line of the caller to that of its next; None: there are none
    of any source although the agent spoke."""
    transcript = call.files.transcript
    assert transcript is not None
    theirs = [one for one in transcript.lines if one.side == "agent"]
    if not theirs and call.agent_spoke:
        return None
    if line is None:
        return theirs
    lines = call.record.utterances
    begin = lines[line].start_s
    end = lines[line + 1].start_s if line + 1 < len(lines) else float("inf")
    return [one for one in theirs if begin <= one.start_s < end]


def _best(lines: Sequence[TranscriptLine]) -> list[TranscriptLine]:
    """Of the source that heard the sound, where there is one."""
    heard = [one for one in lines if one.source == "whisper"]
    return heard or [one for one in lines if one.source == "agent_text"]


def _events(call: HeldCall, line: int | None) -> list[Event]:
    """Those from the beginning of a line of the caller to that of its next; of the whole call without one."""
    lines = call.record.utterances
    begin = lines[line].start_s if line is not None else float("-inf")
    end = lines[line + 1].start_s if line is not None and line + 1 < len(lines) else float("inf")
    return [one for one in call.files.events if begin <= one.t < end]


def _pressed(keys: str, call: HeldCall, line: int | None) -> Found:
    """Whether the agent pressed keys, one after the other."""
    pressed = [
        str(one.data.get("digit", ""))
        for one in _events(call, line)
        if one.kind == "dtmf" and one.source == "wire" and one.side == "agent"
    ]
    told = "".join(pressed)
    return _yes(keys in told, f"it pressed {told}" if told else "it pressed no key")


def _seen(what: Expectation, call: HeldCall, line: int | None) -> Found:
    events = _events(call, line)
    wanted: EventSeen | ToolCall = what.event or what.tool_call  # type: ignore[assignment]
    for event in events:
        if _matches(event, wanted):
            return "passed", f"seen at {event.t:.1f} s"
    if isinstance(wanted, ToolCall):
        names = {name for one in events if (name := tool_name(one))}
        return "failed", f"tools that it told of: {', '.join(sorted(names)) or 'none'}"
    return "failed", f"no such event among {len(events)}"


def _matches(event: Event, wanted: EventSeen | ToolCall) -> bool:
    if isinstance(wanted, ToolCall):
        right, data = tool_name(event) == wanted.name, tool_arguments(event)
    else:
        right, data = event.kind == wanted.kind and wanted.source in ("", event.source), event.data
    return right and all(data.get(key) == value for key, value in wanted.data.items())


def _http(check: HttpCheck, call: HeldCall, position: int) -> Found:
    answers = call.after.answers if call.after is not None else ()
    if position >= len(answers):
        return "inconclusive", "it was not asked when the call was over"
    answer = answers[position]
    if answer.status is None:
        return "inconclusive", f"no answer: {answer.error}"
    if answer.status != check.status:
        return "failed", f"HTTP {answer.status} in place of {check.status}"
    if not answer.has(check.contains):
        return "failed", f"'{check.contains}' is not in the answer: {quoted(answer.body)}"
    for path, value in check.answer.items():
        found = _at(answer, path)
        if found != value or isinstance(found, bool) != isinstance(value, bool):
            return "failed", f"{path} is {found!r:.100}, not {value!r}"
    return "passed", f"HTTP {answer.status}"


def _at(answer: HttpAnswer, path: str) -> Any:
    return next((value for name, value in answer.found.items() if name == path), None)


def _yes(ok: bool, told: str) -> Found:
    return ("passed" if ok else "failed"), told


def _worst(results: Sequence[Found]) -> Found:
    for bad in ("failed", "inconclusive"):
        for result in results:
            if result[0] == bad:
                return result
    last = results[-1][1]
    return "passed", last if len(results) == 1 else f"all {len(results)}; the last: {last}"
