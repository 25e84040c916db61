"""The suites about what is not meant for the agent (attention, restraint, echo), by the agent's own log.

The agent knows sounds, voices and itself when it hears them, and falls for three of ten. Verdicts are held to
its log as the tests do (``tests/live/test_attention.py``, ``test_echo.py``, ``test_probes.py``).
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import soundfile

from bench.suites.by_the_log import Agreement
from fixtures import PROBES_FOLDER
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.plans.probes.forms import load_suite
from harness.plans.probes.other_voice import OtherVoiceSuite
from harness.records.scores import ProbeAttention
from harness.runs.reader import read_run
from tests.live import test_attention, test_echo
from tests.live.probing import Probed

SUITES = ("attention", "restraint", "echo")
SHARE = 0.3
SAME_SOUND_S = 0.8
SAME_LINE_S = 0.05
WROTE_S, ANSWERED_S, OTHER_WITHIN_S = 0.3, 5.0, 15.0
"""What it writes of a line begins so little before it; it is answered, and somebody else speaks, so soon."""
CALL_TURNS = 40


def behaviour(suite: str, folder: Path) -> dict[str, Any]:
    """What the agent does in all calls of a suite; what it has to know of it is put into the folder."""
    turns = [
        copy.deepcopy({"answer_after_ms": 900, "say": {"clip": "answer_long"}}) for _ in range(CALL_TURNS)
    ]
    if suite == "echo":
        return test_echo.behaviour(stops=SHARE, answers=SHARE) | {"turns": turns}
    if suite == "attention":
        lines, others = _words_beside_sounds(folder)
        return test_attention.behaviour(lines, others, follows=SHARE, stops=SHARE) | {"turns": turns}
    return {
        "greeting": {"after_ms": 400, "say": {"clip": "greeting"}},
        "quiet_ms": 450,
        "sounds": {
            "folder": "probes/restraint/sounds",
            "stops_at": {"any": SHARE},
            "answers": {"any": SHARE},
            "say": {"clip": "refund"},
        },
        "turns": turns,
    }


def _words_beside_sounds(folder: Path) -> tuple[Path, Path]:
    suite = load_suite("attention")
    assert isinstance(suite, OtherVoiceSuite)
    lines, others = folder / "lines", folder / "others"
    lines.mkdir(parents=True, exist_ok=True)
    others.mkdir(parents=True, exist_ok=True)
    maker = ClipMaker()
    for one in suite.requests:
        said = maker.speak(suite.callers[one.language], one.say)
        soundfile.write(lines / f"{one.id}.flac", said.samples, said.sample_rate_hz)
        (lines / f"{one.id}.txt").write_text(one.say, encoding="utf-8")
    for other in suite.others:
        sound = others / f"{other.id}.flac"
        sound.unlink(missing_ok=True)
        sound.symlink_to((PROBES_FOLDER / "attention" / other.sound).resolve())
        (others / f"{other.id}.txt").write_text(other.says or "so they said", encoding="utf-8")
    return lines, others


def held(folder: Path) -> list[Probed]:
    """Each call with the agent's log of it: the one in which its lines were heard when they were said.

    Unlike the tests it bears lines that the agent heard in two parts, or one with what came behind it: most
    have to fit, and no other log's may.

    Raises:
        SystemExit: No log is a call's, or two are.
    """
    truths = [json.loads(path.read_text(encoding="utf-8")) for path in (folder / "log").glob("*.json")]
    found = []
    for call in read_run(folder / "run").calls:
        assert call.record is not None
        assert call.scores is not None, f"{call.call_id}: no scores"
        began_s = call.record.began_monotonic_s or 0.0
        said = [began_s + one.start_s for one in call.record.utterances]
        ranked = sorted((_apart_s(said, truth), n) for n, truth in enumerate(truths))
        (least_s, own), (next_s, _) = ranked[:2]
        if least_s > SAME_LINE_S or next_s < 2 * SAME_LINE_S:
            raise SystemExit(f"{call.call_id}: whose log? {least_s:.3f} and {next_s:.3f} s apart")
        found.append(Probed(record=call.record, scores=call.scores, truth=truths[own]))
    return found


def _apart_s(said: Sequence[float], truth: Mapping[str, Any]) -> float:
    """How far the lines are from what was heard, in the middle."""
    heard = np.array([one["first_s"] for one in (*truth["heard"], *truth["sounds"], *truth["wrote"])])
    return float(np.median([np.min(np.abs(heard - at)) for at in said])) if len(heard) and said else np.inf


def agreement(suite: str, calls: Sequence[Probed]) -> Agreement:
    """How often our verdict on a place is what the agent did."""
    verdicts = list(_verdicts(suite, calls))
    wrong = [f"{item}: {ours}, and really {really}" for item, ours, really in verdicts if ours != really]
    return Agreement(verdicts=len(verdicts), right=len(verdicts) - len(wrong), wrong=wrong)


def _verdicts(suite: str, calls: Sequence[Probed]) -> Iterator[tuple[str, bool, bool]]:
    for call in calls:
        if suite == "attention":
            for one in call.scores.attention:
                kept = _kept(call, one)
                if one.success is not None and kept is not None:
                    yield one.item, one.success, kept
            continue
        for place in call.scores.reactions:
            if place.control or place.start_s is None:
                continue
            did = _did(suite, call, place.item, place.start_s)
            if did is None:
                continue
            if place.stopped is not None and (suite == "echo" or place.over_agent):
                yield f"{place.item}, stopped", place.stopped, did["stopped"]
            if place.replied is not None:
                yield f"{place.item}, replied", place.replied, did["answered"]


def _kept(call: Probed, one: ProbeAttention) -> bool | None:
    """Whether it kept to its caller; None: the log does not say which line that was, or which sound."""
    if one.start_s is None or one.end_s is None:
        return None
    start_s, end_s = one.start_s, one.end_s
    wrote = [
        each
        for each in call.truth["wrote"]
        if start_s - WROTE_S < each["first_s"] - call.began_s < end_s and each["name"] == one.request
    ]
    if not wrote:
        return None
    spoke = [
        each["first_wire_s"] - call.began_s
        for each in call.truth["spoke"]
        if each["cause"].startswith("turn ") and each["first_wire_s"] is not None
    ]
    # A line with a pause may be written twice, once as somebody else's words, and answered in the pause.
    taken_up = any(not each["followed"] for each in wrote)
    took_others = any(each["followed"] and each["under"] in one.item.split() for each in wrote)
    if took_others or not taken_up or not any(start_s < at < end_s + ANSWERED_S for at in spoke):
        return False
    if one.place == "under_request" or not one.heard:
        return True
    others = [
        said.start_s
        for said in call.record.utterances
        if said.kind == "backchannel" and start_s < said.start_s < start_s + OTHER_WITHIN_S
    ]
    heard = [
        each
        for each in call.truth["sounds"]
        if others and abs(each["first_s"] - call.began_s - others[0]) < SAME_SOUND_S
    ]
    return not (heard[0]["stopped"] or heard[0]["answered"]) if len(heard) == 1 else None


def _did(suite: str, call: Probed, item: str, start_s: float) -> dict[str, Any] | None:
    """The log's entry of a place; None: the agent has not heard it, or several."""
    if suite == "echo":
        known = [
            one for one in call.truth["own_voice"] if abs(one["answer_s"] - call.began_s - start_s) < 1.0
        ]
    else:
        known = [
            one
            for one in call.truth["sounds"]
            if one["name"] == item and abs(one["first_s"] - call.began_s - start_s) < SAME_SOUND_S
        ]
    return known[0] if len(known) == 1 else None


def by_the_log(suite: str, calls: Sequence[Probed]) -> dict[str, float]:
    """The figures of a suite from the log alone."""
    if suite == "attention":
        kept = [
            known
            for call in calls
            for one in call.scores.attention
            if one.heard and one.success is not None and (known := _kept(call, one)) is not None
        ]
        return {test_attention.FIGURE: sum(kept) / len(kept)}
    if suite == "echo":
        logged = [one for call in calls for one in call.truth["own_voice"]]
        return {
            "echo_stop_rate": sum(one["stopped"] for one in logged) / len(logged),
            "echo_reply_rate": sum(one["answered"] for one in logged) / len(logged),
        }
    heard = [one for call in calls for one in call.truth["sounds"]]
    over = [one for one in heard if one["while_speaking"]]
    return {
        "false_stop_rate": sum(one["stopped"] for one in over) / len(over),
        "false_reply_rate": sum(one["answered"] for one in heard) / len(heard),
    }
