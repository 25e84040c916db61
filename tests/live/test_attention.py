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
from harness.records.scores import ProbeAttention
from tests.live.probing import Probed, is_drawn, place, probed, suite_copy

pytestmark = [pytest.mark.live, pytest.mark.long, pytest.mark.calls(places=2), pytest.mark.timeout(900)]

SOUNDS = PROBES_FOLDER / "attention" / "sounds"
SUITE = yaml.safe_load((PROBES_FOLDER / "attention" / "suite.yaml").read_text(encoding="utf-8"))
ASKED = [f"{place}-en-{number}" for place in ("under", "over") for number in (1, 2)]
AT_ONCE = 2
"""Calls to each of the agents."""
UNMOVED = {"response_latency_ms": (900.0, 20.0), "response_rate": (1.0, 0.0)}
"""What no other voice moves: its value, and within what."""
FIGURE = "selective_attention_success_rate"
AGENTS: dict[str, dict[str, float]] = {
    "weaker": {"follows": 0.3, "stops": 0.3},
    "follows": {"follows": 1.0},
    "stops": {"stops": 1.0},
}


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
    assert one.end_s is not None
    answered = any(
        spoke["cause"].startswith("turn ")
        and one.end_s < spoke["first_wire_s"] - call.began_s < one.end_s + 5.0
        for spoke in call.truth["spoke"]
        if spoke["first_wire_s"] is not None
    )
    if not answered:
        return False
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


@pytest.fixture(scope="module")
def placed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each agent, with the calls to it: of all agents side by side."""
    folder = tmp_path_factory.mktemp("attention")
    suite = suite_copy(
        "attention",
        folder / "suite",
        callers={"en": SUITE["callers"]["en"]},
        requests=[one for one in SUITE["requests"] if one["id"] in ASKED],
        others=[one for one in SUITE["others"] if one["language"] == "en"],
        snrs_db=[15, 0],
    )
    known = words_beside_sounds(folder)
    with ThreadPoolExecutor(len(AGENTS)) as runs:
        held = [
            runs.submit(
                place,
                folder / name,
                suite=suite,
                behaviour=behaviour(*known, **own),
                size="full",
                parallel=AT_ONCE,
            )
            for name, own in AGENTS.items()
        ]
        for run in held:
            run.result()
    return folder


# The first one waits for all calls; to score them takes as few places as any command does.
@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.calls(places=AT_ONCE * len(AGENTS))] if not number else [])
        for number, name in enumerate(AGENTS)
    ],
)
def test_agents_that_follow_another_voice(name: str, placed: Path) -> None:
    """The figure is the share that the agent's own log has; each verdict is the log's."""
    summary, calls = probed(placed / name, only="timing")
    told = [
        (one, kept_to_its_caller(call, one))
        for call in calls
        for one in call.scores.attention
        if one.success is not None
    ]
    right = sum(one.success == really for one, really in told)
    assert right >= 0.95 * len(told), name
    figure = summary.metrics[FIGURE]
    assert figure.value is not None, figure.reason
    assert figure.n >= 11
    disturbed = [really for one, really in told if one.heard]
    assert figure.value == pytest.approx(sum(disturbed) / len(disturbed), abs=0.05)
    # With nobody else heard the same agent has no such defect.
    assert "alone, 4 of 4 requests were taken up" in figure.reason, figure.reason
    for where, disturbs in (("under the request", "follows"), ("into its speech", "stops")):
        for heard in ("voice at 15 dB", "voice at 0 dB", "babble at 5 dB"):
            expected = {disturbs: "0 of 2", "weaker": None}.get(name, "2 of 2")
            assert expected is None or f"{where}, {heard} {expected}" in figure.reason, figure.reason
    if name == "weaker":
        assert is_drawn(figure.value, 0.7, n=len(disturbed))
    for unmoved, (clean, apart) in UNMOVED.items():
        assert summary.metrics[unmoved].value == pytest.approx(clean, abs=apart), (name, unmoved)
    # What it writes is wrong where it is somebody else's, and nowhere else.
    assert (summary.metrics["wer"].value == 0.0) == (name == "stops")
