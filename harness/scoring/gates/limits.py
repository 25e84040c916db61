"""Absolute gates: a figure of the run within a limit, or measured at all."""

from __future__ import annotations

from collections.abc import Sequence

from harness.analysis.measures.table import MEASURES, catalogue
from harness.analysis.measures.units import RATIO
from harness.errors import UserError
from harness.plans.checks.checks import Checks
from harness.plans.checks.gates import CALLS, Gate
from harness.records.call import CallStatus
from harness.records.scores import Summary
from harness.records.verdict import MAX_CALLS_NAMED, CheckResult
from harness.scoring.comparison.observations import TIMES
from harness.scoring.gates.held_to import NOT_PLACED, OF_STATUS, HeldCall, told_lost
from metrics.score import PercentileName, Score, Status

OWN_FAULTS = "own_faults"
NOT_REACHED = "unplaced"
_COUNTED = (*(status.value for status in CallStatus), OWN_FAULTS, NOT_REACHED)
MOST_LOST = 0.1
"""Of the calls; where more came to nothing the others pass no limit, as in the shipped gates: an agent that
refuses its slow calls, or dies in them, would be fast."""
BEYOND_ALL = frozenset(
    {
        *("wer", "cer", "wer_noisy", "caller_intelligibility_wer", "agent_intelligibility_wer"),
        *("accent_adaptability", "speech_rate_adaptation", "emotion_rate"),
    }
)
"""Ratios that may be more than 1: words put in between are errors, and rates and changes are of another."""
_PARTS: dict[str, PercentileName] = {"p50": "p50", "p90": "p90", "p95": "p95"}


def check_known(checks: Checks, *, where: str) -> None:
    """Finds out before the first call what no figure is called, and what none can be.

    Raises:
        UserError: A gate is of a figure that does not exist, or that is the agent's own claim, or of a
            percentile of one that has none; a share is compared with more than 1 (a metric of the user's own
            may be so much); a call is expected to end as none does.
    """
    known = catalogue()
    for call_id, expected in checks.expect.items():
        for one in expected:
            if one.what.ends is not None and one.what.ends not in tuple(CallStatus):
                raise UserError(
                    f"{where}: call '{call_id}': expect: '{one.what.told}': no call ends so; one ends as "
                    f"{', '.join(CallStatus)}"
                )
    for gate in checks.theirs:
        name = gate.figure
        if name.startswith(f"{CALLS}."):
            if name.partition(".")[2] not in _COUNTED:
                raise UserError(
                    f"{where}: gate '{gate.text}': calls are counted as {', '.join(_COUNTED)}, not '{name}'"
                )
            if gate.kind == "relative":
                raise UserError(f"{where}: gate '{gate.text}': calls of a status have limits only")
            if gate.part:
                _check_share(gate, where)
        elif name not in known:
            raise UserError(
                f"{where}: gate '{gate.text}': there is no figure '{name}'; there are {', '.join(known)}"
            )
        elif known[name].claimed:
            raise UserError(
                f"{where}: gate '{gate.text}': '{name}' is what the agent says of itself, and no release may "
                "rest on that; set a gate on a figure that we measure, as response_latency_ms"
            )
        elif gate.part and name in MEASURES.parts and name not in TIMES:
            raise UserError(
                f"{where}: gate '{gate.text}': '{name}' has no percentiles; leave '.{gate.part}' away. "
                f"Percentiles have {', '.join(TIMES)}"
            )
        elif name in MEASURES.parts and known[name].unit is RATIO:
            _check_share(gate, where)


def _check_share(gate: Gate, where: str) -> None:
    """A limit in per cent would never fail, or always.

    Raises:
        UserError: It is beyond 1, or beyond 3 of a figure that may be more than 1.
    """
    number = gate.margin if gate.limit is None else gate.limit
    if number > (3 if gate.figure in BEYOND_ALL else 1):
        raise UserError(
            f"{where}: gate '{gate.text}': '{gate.name}' counts 1 as 100 %: {number:g} % is {number / 100:g}"
        )


def limit_check(gate: Gate, calls: Sequence[HeldCall], summary: Summary) -> CheckResult:
    """What comes of a gate of the kinds ``limit`` and ``measured``."""
    if gate.figure.startswith(f"{CALLS}."):
        return _of_calls(gate, calls)
    score = summary.metrics.get(gate.figure)
    if score is None or (score.status is not Status.MEASURED and not score.not_reached):
        reason = score.reason if score is not None else "not measured"
        return _result(gate, False, reason.partition("\n")[0], ())
    value = getattr(score, _PARTS[gate.part]) if gate.part else score.value
    part = _PARTS.get(gate.part, "p50")
    if value is None:
        beyond = score.not_reached.get(part)
        told = f"not reached (> {beyond:g} {score.unit})" if beyond is not None else "has no value"
        return _result(gate, False, told, _beyond(gate, calls))
    told = f"{value:.4g} {_unit(score)}".rstrip() + f"{_interval(score, gate)}, n {score.n}"
    if gate.kind == "measured":
        return _result(gate, True, told, ())
    assert gate.limit is not None
    if score.resolution is not None and abs(value - gate.limit) < score.resolution:
        told += f"; the error bar of ±{score.resolution:.1f} {score.unit} reaches over the limit"
        return _result(gate, None, told, ())
    if not gate.holds(value):
        return _result(gate, False, told, _beyond(gate, calls))
    lost = _lost(gate.figure, calls)
    if len(lost) > MOST_LOST * len(calls):
        told += f"; {len(lost)} of {len(calls)} calls {told_lost(lost)}: the rest are a choice"
        return _result(gate, None, told, [call.id for call in lost])
    return _result(gate, True, told, ())


def _lost(figure: str, calls: Sequence[HeldCall]) -> list[HeldCall]:
    """Calls of which the figure may know nothing, by the agent's side or by the network."""
    of_status = OF_STATUS.get(figure, ())
    return [
        call
        for call in calls
        if (call.record.status in NOT_PLACED or call.connection_lost) and call.record.status not in of_status
    ]


def _of_calls(gate: Gate, calls: Sequence[HeldCall]) -> CheckResult:
    status = gate.figure.partition(".")[2]
    found = [call for call in calls if _is(call, status)]
    if not calls:
        return _result(gate, False, "no call was placed", ())
    value = len(found) / len(calls) if gate.part else float(len(found))
    ok = True if gate.kind == "measured" else gate.holds(value)
    if not ok and _too_few(gate, value):
        failed = [one.id for one in calls if not _is(one, status)]
    else:
        failed = [] if ok else [one.id for one in found]
    return _result(gate, ok, f"{len(found)} of {len(calls)} calls", failed)


def _too_few(gate: Gate, value: float) -> bool:
    """Whether a gate that failed wants more of these calls: then it is the others that failed it."""
    assert gate.limit is not None
    return value < gate.limit or gate.comparison == ">"


def _is(call: HeldCall, status: str) -> bool:
    if status == OWN_FAULTS:
        return call.ours
    return call.record.status in NOT_PLACED if status == NOT_REACHED else call.record.status.value == status


def _beyond(gate: Gate, calls: Sequence[HeldCall]) -> list[str]:
    """Calls whose own value, or one of whose observations, is beyond the limit: not those in which there was
    nothing to measure."""
    found = []
    part = _PARTS.get(gate.part, "p50")
    for call in calls:
        if call.files.scores is None or not call.counts or gate.limit is None:
            continue
        own = next((one for one in call.files.scores.scores if one.metric == gate.figure), None)
        if own is None:
            continue
        values = [one.value for one in own.evidence if one.value is not None]
        if own.value is not None and not gate.part:
            values = [own.value]
        # Where the agent wrote down nothing of a call, the figure counts all of it as missed.
        never = part in own.not_reached or gate.figure in call.files.scores.unheard
        if never or not all(map(gate.holds, values)):
            found.append(call.id)
    return found


def _unit(score: Score) -> str:
    return "" if score.unit == "ratio" else score.unit


def _interval(score: Score, gate: Gate) -> str:
    low, high = (
        score.percentile_intervals.get(_PARTS[gate.part], (None, None))
        if gate.part
        else (score.ci_low, score.ci_high)
    )
    if low is None or high is None:
        return ""
    return f" (95 % interval {low:.4g} to {high:.4g})"


def _result(gate: Gate, ok: bool | None, told: str, failed: Sequence[str]) -> CheckResult:
    return CheckResult(
        name=gate.text,
        of="gate",
        result="inconclusive" if ok is None else "passed" if ok else "failed",
        warns=gate.inconclusive == "warn",
        told=told,
        calls=tuple(failed[:MAX_CALLS_NAMED]),
    )
