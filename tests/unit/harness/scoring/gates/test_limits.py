"""Absolute gates on figures by hand: what is within a limit, what is told, which calls are beyond it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from harness.analysis.measures.table import catalogue
from harness.errors import UserError
from harness.plans.checks.checks import Checks
from harness.plans.checks.gates import Gate
from harness.records.call import CallStatus
from harness.records.scores import Summary, WordCounts
from harness.records.verdict import CheckResult
from harness.scoring.gates.held_to import HeldCall
from harness.scoring.gates.limits import check_known, limit_check
from metrics.score import Evidence, PercentileName, Score, Status
from tests.nights import held, night_call


def _score(**fields: Any) -> Score:
    made = {"metric": "m", "unit": "ms", "value": 600.0, "status": Status.MEASURED, "n": 20} | fields
    return Score(**made)


def _checked(gate: Any, score: Score | None = None, calls: list[HeldCall] | None = None) -> CheckResult:
    summary = Summary(run="", metrics={"m": score} if score is not None else {})
    return limit_check(Gate.model_validate(gate), calls or [], summary)


def test_a_value_is_told_with_its_interval_and_how_many_it_rests_on() -> None:
    score = _score(ci_low=512.34, ci_high=700.06, value=612.345)
    assert _checked("m <= 700", score) == CheckResult(
        name="m <= 700", of="gate", result="passed", told="612.3 ms (95 % interval 512.3 to 700.1), n 20"
    )
    assert _checked("m <= 600", score).result == "failed"
    for part in ({"ci_low": 1.0}, {"ci_high": 1.0}, {}):
        assert _checked("m <= 700", _score(**part)).told == "600 ms, n 20"
    assert _checked("m <= 1", _score(unit="ratio", value=0.5)).told == "0.5, n 20"


def test_a_percentile_has_its_own_value_and_its_own_interval() -> None:
    score = _score(
        p50=600.0,
        p90=900.0,
        p95=1000.0,
        percentile_intervals={"p95": (950.0, 1200.0)},
        ci_low=1.0,
        ci_high=2.0,
    )
    for part, value, told in (
        ("p50", 600.0, "600 ms, n 20"),
        ("p90", 900.0, "900 ms, n 20"),
        ("p95", 1000.0, "1000 ms (95 % interval 950 to 1200), n 20"),
    ):
        found = _checked(f"m.{part} == {value:g}", score)
        assert (found.result, found.told) == ("passed", told)


def test_what_is_closer_to_its_limit_than_the_error_bar_is_not_told() -> None:
    score = _score(value=600.0, resolution=10.0)
    for limit, result in (
        ("609", "inconclusive"),
        ("610", "passed"),
        ("591", "inconclusive"),
        ("590", "failed"),
    ):
        assert _checked(f"m <= {limit}", score).result == result
    assert _checked("m <= 605", score) == CheckResult(
        name="m <= 605",
        of="gate",
        result="inconclusive",
        told="600 ms, n 20; the error bar of ±10.0 ms reaches over the limit",
    )
    assert _checked({"gate": "m <= 605", "inconclusive": "warn"}, score).warns
    assert not _checked("m <= 605", score).warns


def test_what_has_no_value_passes_nothing_and_says_why() -> None:
    lacking = Score(metric="m", unit="ms", status=Status.FAILED, reason="it broke\nat line 3")
    assert _checked("m <= 600", lacking).told == "it broke"
    assert _checked("m measured", lacking).result == "failed"
    assert _checked("m <= 600").told == "not measured"
    assert _checked("m.p90 <= 600", _score()).told == "has no value"


def test_what_is_not_reached_lies_beyond_and_passes_nothing() -> None:
    """A median that is not reached is the value that is not; and p90 may be known where p95 is not."""
    score = Score(
        metric="m",
        unit="ms",
        status=Status.NOT_APPLICABLE,
        reason="not reached",
        not_reached={"p50": 8000.0, "p95": 9000.0},
        p90=700.0,
    )
    for gate, told in (("m <= 9999", "> 8000"), ("m.p50 <= 9999", "> 8000"), ("m.p95 measured", "> 9000")):
        found = _checked(gate, score)
        assert (found.result, found.told) == ("failed", f"not reached ({told} ms)")
    assert _checked("m.p90 <= 800", score).result == "passed"


def test_measured_is_any_value() -> None:
    found = _checked("m measured", _score(resolution=5.0))
    assert (found.result, found.told, found.calls) == ("passed", "600 ms, n 20", ())


# --- what is left when calls are lost


@pytest.mark.parametrize(
    ("status", "told"),
    [
        (CallStatus.NOT_ANSWERED, "did not come about"),
        (CallStatus.SETUP_FAILED, "did not come about"),
        (CallStatus.AGENT_FAILED, "did not come about"),
        (CallStatus.CONNECTION_LOST, "lost their connection"),
    ],
)
def test_the_few_calls_that_are_left_pass_no_limit(status: CallStatus, told: str) -> None:
    """An agent that takes only the calls in which it is fast, or dies in the others."""
    lost = [held(night_call(f"lost-{n}", status=status)) for n in range(9)]
    whole = [held(night_call(f"c{n}")) for n in range(81)]
    found = _checked("m <= 600", _score(), [*lost, *whole[:80]])
    assert (found.result, found.calls) == ("inconclusive", tuple(one.id for one in lost))
    assert found.told == f"600 ms, n 20; 9 of 89 calls {told}: the rest are a choice"
    # A tenth may be.
    assert _checked("m <= 600", _score(), [*lost, *whole]).result == "passed"
    # What is too slow in those that are left is too slow.
    assert _checked("m <= 599", _score(), [*lost, *whole[:80]]).result == "failed"
    assert _checked("m measured", _score(), lost).result == "passed"
    # Both ways at once.
    both = [*lost[:6], held(night_call("x", status=CallStatus.CONNECTION_LOST)), *whole[:20]]
    also = "" if status is CallStatus.CONNECTION_LOST else "did not come about or "
    assert f"7 of 27 calls {also}lost their connection: " in _checked("m <= 600", _score(), both).told


def test_calls_that_a_figure_counts_itself_leave_nothing_out_of_it() -> None:
    calls = [held(night_call(f"lost-{n}", status=CallStatus.NOT_ANSWERED)) for n in range(4)]
    calls += [held(night_call(f"c{n}")) for n in range(6)]
    summary = Summary(run="", metrics={"answered_calls": _score(unit="ratio", value=0.6)})
    gate = Gate.model_validate("answered_calls >= 0.5")
    assert limit_check(gate, calls, summary).result == "passed"
    calls[0] = held(night_call("lost", status=CallStatus.CONNECTION_LOST))
    calls[1] = held(night_call("refused", status=CallStatus.SETUP_FAILED))
    assert limit_check(gate, calls, summary).result == "inconclusive"


# --- the calls beyond a limit


def _call(
    id_: str, *scores: Score, guilty: bool = False, status: CallStatus = CallStatus.COMPLETED
) -> HeldCall:
    call = held(night_call(id_, status=status))
    assert call.files.scores is not None
    files = replace(call.files, scores=call.files.scores.model_copy(update={"scores": list(scores)}))
    return replace(call, files=files, guilty=guilty)


def _own(value: float | None, *observed: float | None, metric: str = "m") -> Score:
    evidence = tuple(Evidence(value=one) for one in observed)
    if value is None:
        return Score(metric=metric, unit="ms", status=Status.NOT_APPLICABLE, reason="none", evidence=evidence)
    return _score(metric=metric, value=value, evidence=evidence)


def _never(*parts: PercentileName) -> Score:
    """Of a call in which too much never came."""
    why = {"status": Status.INDETERMINATE, "reason": "never came"}
    return Score(metric="m", unit="ms", not_reached=dict.fromkeys(parts, 8000.0), **why)  # type: ignore[arg-type]


def test_a_gate_that_failed_names_the_calls_that_are_beyond_it_themselves() -> None:
    unscored = replace(held(night_call("unscored")), files=replace(held(night_call("x")).files, scores=None))
    calls = [
        _call("within", _own(500.0, 400.0, 900.0)),
        _call("beyond", _own(900.0, 100.0), _own(1.0, metric="other")),
        _call("of-another", _own(900.0, metric="other")),
        _call("without", _own(None, 100.0)),
        _call("unknown", _own(500.0, None, 400.0)),
        _call("never", _never("p50", "p90", "p95")),
        _call("guilty", _own(900.0), guilty=True),
        _call("ours", _own(900.0), status=CallStatus.HARNESS_FAULT),
        unscored,
    ]
    score = _score(value=900.0, p95=900.0)
    assert _checked("m <= 600", score, calls).calls == ("beyond", "never")
    # Of a percentile it is the observations.
    assert _checked("m.p95 <= 600", score, calls).calls == ("within", "never")
    assert _checked("m <= 1000", score, calls).calls == ()
    reached = Score(
        metric="m", unit="ms", status=Status.NOT_APPLICABLE, reason="-", not_reached={"p50": 8000.0}
    )
    assert _checked("m <= 600", reached, calls).calls == ("beyond", "never")
    assert _checked("m measured", reached, calls).calls == ()


def test_what_is_not_reached_in_a_call_counts_for_that_percentile_alone() -> None:
    own = _own(500.0, 400.0)
    late = own.model_copy(update={"p95": None, "not_reached": {"p95": 8000.0}})
    score = _score(value=900.0, p95=900.0)
    assert _checked("m <= 600", score, [_call("late", late)]).calls == ()
    assert _checked("m.p95 <= 600", score, [_call("late", late)]).calls == ("late",)


def test_a_call_of_which_the_agent_wrote_down_nothing_is_beyond_a_limit_on_errors() -> None:
    call = _call("unheard", _own(None))
    assert call.files.scores is not None
    lost = {"m": WordCounts(substitutions=0, deletions=4, insertions=0, reference=4)}
    scores = call.files.scores.model_copy(update={"unheard": lost})
    call = replace(call, files=replace(call.files, scores=scores))
    assert _checked("m <= 0.1", _score(unit="ratio", value=0.5), [call]).calls == ("unheard",)


def test_no_more_than_a_thousand_calls_are_named() -> None:
    calls = [held(night_call("late", status=CallStatus.TIMEOUT))] * 1001
    assert len(_checked("calls.timeout <= 0", calls=calls).calls) == 1000


# --- counted calls


def test_calls_are_counted_by_how_they_ended() -> None:
    ended = [CallStatus.COMPLETED, CallStatus.COMPLETED, CallStatus.SETUP_FAILED, CallStatus.HARNESS_FAULT]
    calls = [held(night_call(f"c{n}", status=status)) for n, status in enumerate(ended)]
    calls.append(replace(held(night_call("guilty")), guilty=True))
    for figure, count, named in (
        ("completed", 3, ("c0", "c1", "guilty")),
        ("setup_failed", 1, ("c2",)),
        ("unplaced", 1, ("c2",)),
        ("own_faults", 2, ("c3", "guilty")),
        ("timeout", 0, ()),
    ):
        passed = _checked(f"calls.{figure} == {count}", calls=calls)
        assert (passed.result, passed.calls) == ("passed", ())
        assert _checked(f"calls.{figure}.share == {count / 5}", calls=calls).result == "passed"
        for beyond in ("== -1", "<= -1", "< 0"):
            failed = _checked(f"calls.{figure} {beyond}", calls=calls)
            assert (failed.result, failed.told, failed.calls) == ("failed", f"{count} of 5 calls", named)
        assert _checked(f"calls.{figure} measured", calls=calls).result == "passed"
    none = _checked("calls.timeout <= 0")
    assert (none.result, none.told) == ("failed", "no call was placed")


def test_where_too_few_calls_ended_so_it_is_the_others_that_failed_the_gate() -> None:
    ended = [CallStatus.COMPLETED, CallStatus.AGENT_HANGUP, CallStatus.COMPLETED, CallStatus.TIMEOUT]
    calls = [held(night_call(f"c{n}", status=status)) for n, status in enumerate(ended)]
    for gate in ("completed >= 3", "completed > 2", "completed == 3", "completed.share >= 0.9"):
        found = _checked(f"calls.{gate}", calls=calls)
        assert (gate, found.result, found.told) == (gate, "failed", "2 of 4 calls")
        assert (gate, found.calls) == (gate, ("c1", "c3"))


def test_gates_of_what_is_counted_or_measured_are_known() -> None:
    gates = ["calls.own_faults <= 1", "calls.unplaced <= 1", "response_rate >= 0.9"]
    # What may be more than 1.
    gates += ["response_rate: not worse by 0.1", "wer <= 3", "speech_rate_adaptation >= 1.1"]
    check_known(Checks.model_validate({"gates": gates}), where="plan.yaml")
    for gate, message in (
        ("calls.bored <= 3", "calls are counted as completed, "),
        ("calls.timeout: not worse by 1", "calls of a status have limits only"),
        ("latency <= 3", "there is no figure 'latency'; there are "),
        (
            "told_model_ms <= 300",
            "'told_model_ms' is what the agent says of itself, and no release may ",
        ),
        ("not_told_ms.p95 <= 300", "'not_told_ms' is what the agent says of itself, and "),
        # In per cent: it would always pass, or never.
        ("unanswered_rate <= 5", "'unanswered_rate' counts 1 as 100 %: 5 % is 0.05"),
        ("wer <= 5", "'wer' counts 1 as 100 %: 5 % is 0.05"),
        ("wer <= 3.5", "'wer' counts 1 as 100 %: 3.5 % is 0.035"),
        ("response_rate >= 1.5", "'response_rate' counts 1 as 100 %: 1.5 % is 0.015"),
        ("response_rate >= 97.5", "'response_rate' counts 1 as 100 %: 97.5 % is 0.975"),
        ("wer.p95 <= 0.3", "'wer' has no percentiles; leave '.p95' away. Percentiles have response_lat"),
        ("nisqa_mos.p50: not worse by 0.2", "'nisqa_mos' has no percentiles; leave '.p50' away"),
        ("response_rate: not worse by 5", "'response_rate' counts 1 as 100 %: 5 % is 0.05"),
        ("calls.timeout.share <= 5", "'calls.timeout.share' counts 1 as 100 %: 5 % is 0.05"),
    ):
        with pytest.raises(UserError, match=f"^plan.yaml: gate '{gate}': {message}"):
            check_known(Checks.model_validate({"gates": [gate]}), where="plan.yaml")


def test_a_metric_of_somebody_else_s_may_be_what_it_likes(monkeypatch: pytest.MonkeyPatch) -> None:
    """No share is known of it, nor whether it has percentiles."""
    own = replace(catalogue()["response_rate"], name="own_rate")
    monkeypatch.setattr("harness.scoring.gates.limits.catalogue", lambda: {"own_rate": own})
    gates = ["own_rate >= 97.5", "own_rate.p95 >= 0.9", "own_rate: not worse by 5"]
    check_known(Checks.model_validate({"gates": gates}), where="plan.yaml")


def test_limits_that_a_figure_can_have_are_taken() -> None:
    gates = ["calls.timeout <= 5", "response_rate >= 1", "nisqa_mos >= 3.5", "response_latency_ms <= 1500"]
    gates += ["drop_outs_per_minute: not worse by 2", "wer measured", "content_latency_ms.p90 <= 2000"]
    gates += ["interruption_delay_ms.p50: not worse by 20"]
    check_known(Checks.model_validate({"gates": gates}), where="plan.yaml")


def test_how_no_call_ends_is_told() -> None:
    expect: dict[str, list[Any]] = {
        "a": [{"what": {"ends": "completed"}}, {"what": {"ends": "agent_hangup"}}]
    }
    expect["b"] = [{"what": "answered"}]
    check_known(Checks.model_validate({"expect": expect}), where="plan.yaml")
    expect["a"].append({"what": {"ends": "complete"}})
    with pytest.raises(
        UserError, match=r"^plan\.yaml: call 'a': expect: 'ends: complete': no call ends so; one"
    ):
        check_known(Checks.model_validate({"expect": expect}), where="plan.yaml")
