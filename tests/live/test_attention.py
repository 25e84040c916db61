"""``--probes attention`` against an agent that knows voices when it hears them: its log is the truth.

It writes what it hears, by the sound alone, and tells it as pipecat's agents do. Bad ones write the other's
words in place of the caller's, or stop for the other voice.
"""

from __future__ import annotations

import copy
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import soundfile
import yaml

from fixtures import PROBES_FOLDER
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.call import VoicePlan
from harness.records.scores import ProbeAttention, Summary
from tests.live.probing import Probed, probed, suite_copy

pytestmark = [pytest.mark.live, pytest.mark.long, pytest.mark.alone, pytest.mark.timeout(900)]

SOUNDS = PROBES_FOLDER / "attention" / "sounds"
SUITE = yaml.safe_load((PROBES_FOLDER / "attention" / "suite.yaml").read_text(encoding="utf-8"))
ASKED = [f"{place}-en-{number}" for place in ("under", "over") for number in (1, 2, 3, 4)]
FIGURE = "selective_attention_success_rate"


def words_beside_sounds(folder: Path) -> tuple[Path, Path]:
    """What the callers and the others say, as sound and as words: all that the agent knows."""
    lines, others = folder / "lines", folder / "others"
    lines.mkdir()
    others.mkdir()
    maker, voice = ClipMaker(), VoicePlan(**SUITE["callers"]["en"])
    for one in SUITE["requests"]:
        if one["id"] in ASKED:
            said = maker.speak(voice, one["say"])
            soundfile.write(lines / f"{one['id']}.flac", said.samples, said.sample_rate_hz)
            (lines / f"{one['id']}.txt").write_text(one["say"], encoding="utf-8")
    for one in SUITE["others"]:
        if one["language"] == "en":
            (others / f"{one['id']}.flac").symlink_to(SOUNDS / f"{one['id']}.flac")
            (others / f"{one['id']}.txt").write_text(one.get("says", "so they said"), encoding="utf-8")
    return lines, others


def behaviour(
    lines: Path, others: Path, *, follows: float = 0.0, stops: float = 0.0, answers: float = 0.0
) -> dict[str, Any]:
    turn = {"answer_after_ms": 900, "say": {"clip": "answer_long"}}
    return {
        "greeting": {"after_ms": 400, "say": {"clip": "greeting"}},
        "quiet_ms": 450,
        "writes": {"lines": str(lines), "others": str(others), "follows": follows},
        "sounds": {
            "folder": "probes/attention/sounds",
            "stops_at": {"any": stops},
            "answers": {"any": answers},
            "say": {"clip": "refund"},
        },
        "turns": [copy.deepcopy(turn) for _ in range(12)],
    }


def kept_to_its_caller(call: Probed, one: ProbeAttention) -> bool:
    """By the agent's own log."""
    assert one.start_s is not None
    (wrote,) = (
        each for each in call.truth["wrote"] if abs(each["first_s"] - call.began_s - one.start_s) < 0.3
    )
    if one.place == "under_request":
        assert bool(wrote["under"]) == bool(one.heard), (one, wrote)
        return not wrote["followed"]
    assert wrote["under"] == "", (one, wrote)
    if not one.heard:
        return True
    (other,) = (
        said
        for said in call.record.utterances
        if said.kind == "backchannel" and said.start_s > one.start_s and said.start_s < one.start_s + 15.0
    )
    (heard,) = (
        each for each in call.truth["sounds"] if abs(each["first_s"] - call.began_s - other.start_s) < 0.8
    )
    return not (heard["stopped"] or heard["answered"])


def test_agents_that_follow_another_voice(tmp_path: Path) -> None:
    requests = [one for one in SUITE["requests"] if one["id"] in ASKED]
    callers = {"en": SUITE["callers"]["en"]}
    others = [one for one in SUITE["others"] if one["language"] == "en"]
    suite = suite_copy(
        "attention",
        tmp_path / "suite",
        callers=callers,
        requests=requests,
        others=others,
        snrs_db=[15, 0],
    )
    known = words_beside_sounds(tmp_path)
    agents: dict[str, dict[str, float]] = {
        "keeps": {},
        "weaker": {"follows": 0.3, "stops": 0.3},
        "follows": {"follows": 1.0},
        "stops": {"stops": 1.0},
    }
    with ThreadPoolExecutor(2) as runs:
        held = {
            name: runs.submit(
                probed,
                tmp_path / name,
                suite=suite,
                behaviour=behaviour(*known, **own),
                size="full",
                only="timing",
            )
            for name, own in agents.items()
        }
        found: dict[str, tuple[Summary, list[Probed]]] = {name: run.result() for name, run in held.items()}
    for name, (summary, calls) in found.items():
        print(name, summary.metrics[FIGURE].value, summary.metrics[FIGURE].n, summary.metrics[FIGURE].reason)
        for call in calls:
            for one in call.scores.attention:
                print(one.item, one.success, kept_to_its_caller(call, one), one.reason)
        for metric in ("response_latency_ms", "response_rate", "wer", "false_stop_rate"):
            print(metric, summary.metrics[metric].value if metric in summary.metrics else None)
