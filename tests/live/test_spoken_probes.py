"""Spoken suites against an agent that knows their sounds when it hears them, and one that recognises words.

What the calibration agent did about each sound stands in its log: what is measured is held to it by line.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jiwer
import pytest
import yaml

from fixtures import PROBES_FOLDER
from harness.analysis.measures.probes.curve import COUNTED_DB
from harness.records.call import CallStatus
from harness.records.scores import Summary
from harness.runs.reader import CallFiles, read_run
from harness.selfcheck.reference_agents import serving
from metrics.recognition.normalize import normalize
from tests.live.probing import CLI

pytestmark = [pytest.mark.live, pytest.mark.long, pytest.mark.calls(places=2)]

SPEECH = ("reversed-en-1", "shreds-en-2", "babble-en-3", "foreign-en-1")
SOUNDS = ("noise-en-1", "cough-en-2")
GOOD = ("good-en-1", "good-en-2", "good-en-3")
AGAIN, CONTENT = "say_again", "refund"


def short_suite(folder: Path) -> str:
    """Nine lines of the suite in one call, with copies of its sounds."""
    shutil.copytree(PROBES_FOLDER / "rejection", folder)
    content = yaml.safe_load((folder / "suite.yaml").read_text(encoding="utf-8"))
    content["callers"] = {"en": content["callers"]["en"]}
    content["items"] = [one for one in content["items"] if one["id"] in {*SPEECH, *SOUNDS, *GOOD}]
    (folder / "suite.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    return f"{folder}/"


def behaviour(*, speech: str, good: str, at_sounds: bool) -> dict[str, Any]:
    answers = dict.fromkeys(("reversed", "shreds", "babble", "foreign"), 1)
    answers |= dict.fromkeys(("noise", "cough"), int(at_sounds))
    return {
        "greeting": {"after_ms": 400, "say": {"clip": "greeting"}},
        "quiet_ms": 450,
        "sounds": {"folder": "probes/rejection/sounds", "answers": answers, "say": {"clip": speech}},
        "turns": [{"answer_after_ms": 900, "say": {"clip": good}} for _ in range(20)],
    }


def called(
    folder: Path, plan: dict[str, Any], agent: str, *, unwanted: Sequence[CallStatus] = ()
) -> tuple[Summary, list[CallFiles]]:
    """Places the calls, and once more those that were a fault of ours or ended as is not wanted; then scores
    all but how voices sound, of which nothing is asked here."""
    written, run = folder / "plan.yaml", folder / "run"
    written.write_text(yaml.safe_dump(plan | {"agent": agent}), encoding="utf-8")
    bad = {CallStatus.HARNESS_FAULT, *unwanted}
    for _ in range(3 if unwanted else 2):
        done = _outboundeval("run", str(written), "--out", str(run), "--no-score")
        records = [call.record for call in read_run(run).calls if call.record is not None]
        statuses = {one.plan.call_id: one.status for one in records}
        assert statuses, done.stdout + done.stderr
        again = [call_id for call_id, status in statuses.items() if status in bad]
        if not again:
            break
        for call_id in again:
            shutil.rmtree(run / "calls" / call_id)
    else:
        pytest.fail(f"again and again {', '.join(statuses.values())}: {done.stdout}{done.stderr}")
    done = _outboundeval("score", str(run), "--only", "timing,words")
    files = read_run(run)
    assert files.summary is not None, done.stdout + done.stderr
    return files.summary, list(files.calls)


def _outboundeval(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*CLI, *arguments], check=False, capture_output=True, text=True, timeout=900)


@pytest.mark.parametrize(
    ("name", "speech", "good", "at_sounds", "wanted"),
    [
        ("asks", AGAIN, CONTENT, False, (1.0, 0.0, 1.0)),
        ("takes anything", CONTENT, AGAIN, True, (0.0, 1.0, 0.0)),
    ],
)
def test_what_an_agent_does_about_each_line_is_what_its_log_says(
    tmp_path: Path, name: str, speech: str, good: str, at_sounds: bool, wanted: tuple[float, float, float]
) -> None:
    written, log = tmp_path / "agent.yaml", tmp_path / "log"
    told = behaviour(speech=speech, good=good, at_sounds=at_sounds)
    written.write_text(yaml.safe_dump(told), encoding="utf-8")
    plan = {"name": name, "probes": [{"suite": short_suite(tmp_path / "suite"), "size": "full"}]}
    with serving("calibration", extra=["--behaviour", str(written), "--log", str(log)]) as agent:
        summary, calls = called(tmp_path, plan, agent)
    truth = next(json.loads(path.read_text(encoding="utf-8")) for path in log.glob("*.json"))
    [call] = calls
    assert call.record is not None
    assert call.scores is not None
    began_s = call.record.began_monotonic_s
    assert began_s is not None
    for one in call.scores.hearings:
        assert one.start_s is not None, one
        if one.usable == "good":
            continue
        known = [each for each in truth["sounds"] if abs(each["first_s"] - began_s - one.start_s) < 1.0]
        assert len(known) == 1, (one, truth["sounds"])
        assert (one.did != "silent") == known[0]["answered"], one
    figures = [
        summary.metrics[metric].value
        for metric in ("rejection_rate", "false_rejection_rate", "silence_at_noise_rate")
    ]
    assert figures == list(wanted), [
        summary.metrics[metric].reason for metric in ("rejection_rate", "false_rejection_rate")
    ]
    assert summary.metrics["rejection_rate"].n == len(SPEECH)


@pytest.mark.calls(places=6)
def test_the_error_rate_in_noise_is_that_of_what_the_agent_wrote(tmp_path: Path) -> None:
    """A real recogniser in quiet and at 5 dB; the rate by jiwer alone, from the agent's own messages."""
    noisy = (None, *COUNTED_DB)
    content = yaml.safe_load((PROBES_FOLDER / "noise" / "suite.yaml").read_text(encoding="utf-8"))
    wanted = {"clean", *(f"babble {level:g} dB" for level in COUNTED_DB)}
    content["callers"] = {"en": content["callers"]["en"]}
    content["settings"] = [one for one in content["settings"] if one["name"] in wanted]
    content["items"] = content["items"][:2]
    folder = tmp_path / "suite"
    folder.mkdir()
    (folder / "suite.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    # Four at once kept its recogniser so busy with the noise that it had not greeted within 15 s.
    plan = {"name": "noise", "parallel": 1, "probes": [{"suite": f"{folder}/", "size": "full"}]}
    # It takes the noise for somebody who speaks, cuts its greeting and at times says nothing any more.
    with serving("pipecat") as agent:
        summary, calls = called(tmp_path, plan, agent, unwanted=[CallStatus.CALLER_HANGUP])
    rates: dict[float | None, tuple[int, int]] = {}
    for call in calls:
        assert call.record is not None
        noise = call.record.plan.conditions.noise
        said = [normalize(one.text, "en") for one in call.record.utterances]
        heard = " ".join(
            normalize(str(event.data["text"]), "en")
            for event in call.events
            if event.kind == "user-transcription" and event.data.get("final") is True
        )
        told = jiwer.process_words(" ".join(said), heard)
        errors = told.substitutions + told.deletions + told.insertions
        rates[None if noise is None else noise.snr_db] = (errors, sum(len(one.split()) for one in said))
    assert set(rates) == set(noisy)
    score = summary.metrics["wer_noisy"]
    assert score.value is not None, score.reason
    assert score.value == pytest.approx(
        sum(rates[level][0] / rates[level][1] for level in COUNTED_DB) / 3, abs=0.05
    )
    errors, words = rates[None]
    assert f"quiet {errors / words:.3f}" in score.reason
