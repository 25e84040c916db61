"""What calls hold of a figure, as the run's summary pools it, and what no scatter in it is worth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from harness.analysis.measures.base import ScoredCall
from harness.analysis.measures.table import measures
from harness.plans.checks.gates import Gate
from harness.records.scores import ProbeHearing, ProbeReaction, TurnConduct, WordCounts
from harness.records.verdict import CheckResult
from harness.scoring.comparison.decide import changes, gate_results
from harness.scoring.comparison.observations import of_figure
from harness.scoring.comparison.pairs import Pairing, paired
from harness.scoring.gates.held_to import HeldCall
from metrics.comparison.paired import Effort
from metrics.score import Evidence, Score, Status
from tests.nights import held, night_call

QUICK = Effort(swaps=499, resamples=500)


def with_scores(n: int, **scores: Any) -> HeldCall:
    """A call whose file of scores holds this."""
    call = held(night_call(f"c{n}"))
    assert call.files.scores is not None
    return replace(call, files=replace(call.files, scores=call.files.scores.model_copy(update=scores)))


def conducted(n: int, unanswered: int, turns: int) -> HeldCall:
    rows = [
        TurnConduct(
            index=k,
            start_s=10.0 * k,
            end_s=10.0 * k + 2.0,
            answered=k >= unanswered,
            double_talk_s=1.0 if k < unanswered else 0.0,
        )
        for k in range(turns)
    ]
    return with_scores(n, conduct=rows)


def of_value(n: int, metric: str, unit: str, value: float, **more: Any) -> HeldCall:
    score = Score(metric=metric, unit=unit, value=value, status=Status.MEASURED, n=1, **more)
    return with_scores(n, scores=[score])


def gate(text: str, pairing: Pairing) -> CheckResult:
    return gate_results([Gate.model_validate(text)], pairing, effort=QUICK)[0]


def change(figure: str, pairing: Pairing) -> Any:
    return changes([(figure, "")], pairing, effort=QUICK)[0]


# --- pooled as the summary pools it


def test_shares_of_turns_are_turns_over_turns_and_not_means_of_calls() -> None:
    """One of ten turns in each of 12 calls; then none of two in six calls and 3 of 20 in six: 18 of 132. The
    mean of the calls' own shares falls from 0.1 to 0.075."""
    before = [conducted(n, 1, 10) for n in range(12)]
    after = [conducted(n, *((3, 20) if n % 2 else (0, 2))) for n in range(12)]
    found = change("unanswered_rate", paired(before, after))
    assert (found.baseline, found.candidate) == pytest.approx((0.1, 18 / 132))
    assert found.lower_is_better
    # Both spoke for 1 s of the 2 s of such a turn: seconds over seconds.
    found = change("double_talk_share", paired(before, after))
    assert (found.baseline, found.candidate) == pytest.approx((0.05, 9 / 132))


def test_places_without_a_sound_are_in_no_rate_of_false_replies() -> None:
    """As in the summary: two places with a sound, one of which was answered, and one without, where the agent
    spoke by itself."""

    def reactions(n: int) -> HeldCall:
        common = {"suite": "restraint", "item": "i", "kind": "cough", "planned": "in_silence"}
        told = [(False, True), (False, False), (True, True)]
        made = [ProbeReaction(**common, control=control, replied=replied) for control, replied in told]
        score = Score(metric="false_reply_rate", unit="ratio", value=2 / 3, status=Status.MEASURED, n=3)
        return with_scores(n, reactions=made, scores=[score])

    calls = [reactions(n) for n in range(12)]
    found = change("false_reply_rate", paired(calls, calls))
    assert (found.baseline, found.candidate) == (0.5, 0.5)


def test_rates_of_lines_that_have_no_score_of_a_call_are_compared() -> None:
    def heard(n: int, did: str) -> HeldCall:
        one = ProbeHearing(
            suite="rejection", item="i", kind="reversed", language="en", usable="speech", did=did
        )
        return with_scores(n, hearings=[one])

    before = [heard(n, "asked_again") for n in range(20)]
    after = [heard(n, "answered" if n < 15 else "asked_again") for n in range(20)]
    pairing = paired(before, after)
    found = change("rejection_rate", pairing)
    assert (found.baseline, found.candidate, found.word) == (1.0, 0.25, "worse")
    assert found.method.startswith("McNemar")
    assert gate("rejection_rate: not worse by 0.1", pairing).result == "failed"


def entity(n: int, right: bool | None, *, source: str = "transcript") -> HeldCall:
    """One name; with None in a call in which the agent wrote nothing."""
    one = ProbeHearing(
        suite="entities",
        item="i",
        kind="name",
        language="en",
        entity="Kang",
        right=right,
        unheard=right is None,
        source="" if right is None else source,
    )
    return with_scores(n, hearings=[one])


def test_what_the_agent_did_not_hear_is_wrong_as_in_the_summary() -> None:
    """Ten right, and ten in calls in which it wrote nothing, where it writes in others: half. Before, those
    ten pairs were dropped, and nothing had changed."""
    before = [entity(n, True) for n in range(20)]
    after = [entity(n, True if n < 10 else None) for n in range(20)]
    pairing = paired(before, after)
    found = change("proper_noun_accuracy", pairing)
    pooled = next(one for one in measures() if one.entry.name == "proper_noun_accuracy").pool(
        [ScoredCall(scores=call.files.scores) for call in after if call.files.scores]
    )
    assert pooled.value == 0.5
    assert (found.baseline, found.candidate, found.pairs, found.word) == (1.0, 0.5, 20, "worse")
    assert gate("proper_noun_accuracy: not worse by 0.1", pairing).result == "failed"


def test_of_an_agent_that_never_writes_nothing_is_held_unheard() -> None:
    """Each side by itself: what the other writes says nothing of it."""
    before = [entity(n, True) for n in range(20)]
    silent = [entity(n, True, source="agent_text") if n < 10 else entity(n, None) for n in range(20)]
    found = change("proper_noun_accuracy", paired(before, silent))
    assert (found.baseline, found.candidate, found.pairs) == (1.0, 1.0, 10)


def test_a_call_is_pooled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    measure = next(one for one in measures() if one.entry.name == "proper_noun_accuracy")
    pool = type(measure).pool

    def counting(self: Any, calls: Any) -> Score:
        asked.extend(one.scores.call_id for one in calls)
        return pool(self, calls)

    monkeypatch.setattr(type(measure), "pool", counting)
    calls = [entity(n, True) for n in range(12)]
    groups = {
        call.id: [(call, other)]
        for call, other in zip(calls, [entity(n, True) for n in range(12)], strict=True)
    }
    assert of_figure("proper_noun_accuracy", "", groups).groups == 12
    assert len(asked) == 24


# --- what does not vary


@pytest.mark.parametrize(("margin", "result"), [(0.01, "inconclusive"), (0.3, "passed")])
def test_ten_error_rates_that_are_all_nothing_do_not_claim_certainty(margin: float, result: str) -> None:
    """None of ten: Wilson's 90 % interval ends at 2.706 / (10 + 2.706) = 0.213."""
    counts = WordCounts(substitutions=0, deletions=0, insertions=0, reference=8)
    calls = [with_scores(n, word_counts={"wer": counts}) for n in range(10)]
    pairing = paired(calls, calls)
    assert gate(f"wer: not worse by {margin}", pairing).result == result
    found = change("wer", pairing)
    assert (found.low, found.high) == pytest.approx((-0.213, 0.213), abs=0.001)
    assert (found.word, found.detectable is not None) == ("no difference seen", True)


def test_a_figure_in_which_few_calls_differ_is_not_more_certain_than_one_in_which_none_does() -> None:
    """One word of a hundred in one call of ten: its resamples would say +0.00 to +0.00."""
    none = WordCounts(substitutions=0, deletions=0, insertions=0, reference=10)
    before = [with_scores(n, word_counts={"wer": none}) for n in range(10)]
    one = none.model_copy(update={"substitutions": 1})
    after = [with_scores(n, word_counts={"wer": none if n else one}) for n in range(10)]
    assert gate("wer: not worse by 0.05", paired(before, after)).result == "inconclusive"


def test_a_share_that_never_happens_may_still() -> None:
    """Two places a call, all silent: a rise could have been seen, and 5 % is too fine for 12 calls."""

    def silent(n: int) -> HeldCall:
        common = {"suite": "restraint", "item": "i", "kind": "cough", "planned": "in_silence"}
        return with_scores(n, reactions=[ProbeReaction(**common, replied=False)] * 2)

    calls = [silent(n) for n in range(12)]
    pairing = paired(calls, calls)
    assert gate("false_reply_rate: not worse by 0.05", pairing).result == "inconclusive"
    assert gate("false_reply_rate: not worse by 0.3", pairing).result == "passed"
    found = change("false_reply_rate", pairing)
    assert found.detectable is not None
    # Of one verdict a call as well: what could have been seen is a rise, since a fall from 0 is none.
    single = [with_scores(n, reactions=silent(n).files.scores.reactions[:1]) for n in range(12)]
    found = change("false_reply_rate", paired(single, single))
    assert found.method.startswith("McNemar")
    assert found.detectable is not None
    assert gate("false_reply_rate: not worse by 0.05", paired(single, single)).calls_needed


def test_times_that_are_all_alike_say_nothing_of_their_scatter() -> None:
    def night(latency_ms: float) -> list[HeldCall]:
        return [held(night_call(f"c{n}", [latency_ms] * 2)) for n in range(12)]

    same = paired(night(500.0), night(500.0))
    found = gate("response_latency_ms: not worse by 100", same)
    assert (found.result, "all pairs are alike" in found.told) == ("inconclusive", True)
    (told,) = changes([("response_latency_ms", "")], same, effort=QUICK)
    assert (told.word, told.reason) == (
        "inconclusive",
        "all pairs are alike: nothing tells how much it varies",
    )


def dropping(per_minute: float) -> list[HeldCall]:
    """Twelve calls of half a minute of speech."""
    return [
        of_value(
            n,
            "drop_outs_per_minute",
            "per_minute",
            per_minute,
            evidence=(Evidence(call_id=f"c{n}", start_s=0.0, end_s=30.0, value=per_minute),),
        )
        for n in range(12)
    ]


def test_what_changes_in_every_call_alike_is_told_all_the_same() -> None:
    """Twelve calls of one sign are no chance: 1 of 4,096."""
    worse, better = paired(dropping(1.0), dropping(3.0)), paired(dropping(3.0), dropping(1.0))
    assert gate("drop_outs_per_minute: not worse by 1", worse).result == "failed"
    assert gate("drop_outs_per_minute: not worse by 1", better).result == "passed"
    assert gate("drop_outs_per_minute: not worse by 1", paired(dropping(2.0), dropping(2.0))).red


@pytest.mark.parametrize(("margin", "result"), [(0.4, "inconclusive"), (1.0, "passed")])
def test_nothing_in_six_minutes_is_what_poisson_says(margin: float, result: str) -> None:
    """None in 6 minutes: up to -ln 0.05 / 6 = 0.499 a minute."""
    calls = dropping(0.0)
    pairing = paired(calls, calls)
    assert change("drop_outs_per_minute", pairing).high == pytest.approx(0.4993, abs=1e-4)
    assert gate(f"drop_outs_per_minute: not worse by {margin}", pairing).result == result
