"""Which error bar a call's figures have: of its transport, its codec, its network."""

from __future__ import annotations

from typing import Any

import pytest

from harness.analysis.cells import NETWORKS, Cell, cell_of
from harness.plans.call import CallPlan, ConditionsPlan
from harness.records.call import CallRecord, CallStatus, Media
from voice_sim.policies.script import Script


def _record(conditions: dict[str, Any], *, path: str = "direct", codec: str = "opus") -> CallRecord:
    return CallRecord(
        plan=CallPlan(
            call_id="one",
            agent="http://a.example",
            script=Script.model_validate({"lines": [{"say": "Hello?"}]}),
            conditions=ConditionsPlan(**conditions),
        ),
        status=CallStatus.COMPLETED,
        status_detail="",
        started_at="",
        duration_s=1.0,
        media=Media(
            codec=codec,
            packets_received=1,
            packets_lost=0,
            packets_duplicate=0,
            packets_reordered=0,
            jitter_ms=None,
            kernel_timestamps=True,
            path=path,
        ),
    )


@pytest.mark.parametrize(
    ("conditions", "path", "network"),
    [
        ({}, "direct", "clean"),
        # What is the same for all packets moves none against another.
        ({"delay_ms": 100}, "direct", "clean"),
        ({"distance_m": 2.0, "telephone": "ulaw"}, "direct", "clean"),
        ({"loss": 0.01}, "direct", "lossy"),
        ({"loss": 0.03, "jitter_ms": 20, "delay_ms": 500}, "direct", "lossy"),
        ({"loss": 0.04}, "direct", ""),
        ({"loss": 0.01, "loss_burst": 3}, "direct", ""),
        ({"jitter_ms": 30}, "direct", ""),
        ({"reorder": 0.01}, "direct", ""),
        ({"duplicates": 0.01}, "direct", ""),
        ({"outage_at_s": (3.0,)}, "direct", ""),
        ({"outages_per_minute": 1}, "direct", ""),
        ({}, "relay-udp", "relay-udp"),
        ({}, "relay-tls", "relay-tls"),
        ({"loss": 0.01}, "relay-udp", ""),
    ],
)
def test_a_call_has_the_bar_of_a_network_that_is_no_better(
    conditions: dict[str, Any], path: str, network: str
) -> None:
    assert cell_of(_record(conditions, path=path)).network == network


def test_a_codec_has_a_bar_of_its_own() -> None:
    cell = cell_of(_record({}, codec="pcmu"))
    assert cell == Cell(transport="smallwebrtc", codec="pcmu", network="clean")
    assert cell.name == "smallwebrtc pcmu clean"


def test_every_network_is_covered_by_itself_first() -> None:
    for name, network in NETWORKS.items():
        met = network.conditions.model_dump(exclude_defaults=True)
        assert cell_of(_record(met, path=network.path)).network == name
