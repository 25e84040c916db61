"""A suite's section has the figures of what it does, whatever it is called."""

from __future__ import annotations

import pytest

from harness.plans.plan import expand_plan
from harness.plans.probes.expanding import ProbesWanted, probe_calls
from harness.plans.probes.suite import suite_names
from harness.plans.run import RunPlan
from harness.reports.probed.of_suites import metrics_of

FIGURES = {
    "restraint": {"false_stop_rate", "false_reply_rate"},
    "attention": {"selective_attention_success_rate"},
    "echo": {"echo_stop_rate", "echo_reply_rate"},
    "noise": {"wer_noisy"},
    "accent": {"accent_adaptability"},
    "rejection": {"rejection_rate", "false_rejection_rate", "silence_at_noise_rate"},
    "entities": {"proper_noun_accuracy"},
    "symbols": {"symbol_mispronunciation_rate"},
    "rate": {"speech_rate_adaptation"},
    "code_switch": {"code_switch_fluency", "code_switch_pause_ms", "code_switch_level_db"},
    "emotion": {"emotion_f0_range_st", "emotion_level_db", "emotion_rate"},
}


def _plan(name: str, size: str) -> RunPlan:
    wanted = ProbesWanted.model_validate({"suite": name, "size": size})
    return expand_plan({"agent": "http://x", "calls": probe_calls([wanted])})


@pytest.mark.parametrize("size", ["quick", "full"])
@pytest.mark.parametrize("name", sorted(FIGURES))
def test_those_of_every_suite_that_comes_along(name: str, size: str) -> None:
    assert set(FIGURES) == set(suite_names())
    assert set(metrics_of(_plan(name, size).calls)) == FIGURES[name]


def test_a_suite_of_two_things_has_the_figures_of_both() -> None:
    both = [
        *_plan("noise", "quick").calls,
        *_plan("accent", "quick").calls,
        *_plan("entities", "quick").calls,
    ]
    assert set(metrics_of(both)) == {"wer_noisy", "accent_adaptability", "proper_noun_accuracy"}


def test_calls_of_no_suite_have_none() -> None:
    assert metrics_of([one.model_copy(update={"probe": None}) for one in _plan("rate", "quick").calls]) == ()
    assert metrics_of([]) == ()
