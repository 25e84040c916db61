"""``python -m bench.suites --out FOLDER [--only noise,echo] [--size full] [--pipecat] [--table PAGE]``.

Every probe suite, placed to light agents on this machine that are wrong in three of ten by what they hear,
and whose own log is the truth: our figures beside those of the log alone, and our verdicts beside what the
agent did. With ``--pipecat``: against the pipecat agent, a real recogniser and voice that plans no mistake;
what cannot be measured of it says why.

What is done is kept: the same command goes on. In full, the calls of all suites last four and a half hours;
eight at a time (``--parallel``) an hour with the scores, on two cores.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import yaml
from pydantic import BaseModel, ValidationError

from bench.suites import by_the_log, reacting
from bench.suites.by_the_log import Agreement
from bench.suites.repertoire import Repertoire, made_for
from harness.models.served_process import free_port, serving_command
from harness.plans.plan import expand_plan
from harness.plans.probes.suite import suite_names
from harness.records.call import CallStatus
from harness.records.scores import Summary
from harness.runs.reader import CallFiles, read_run
from harness.selfcheck.calibration.page import made_with, put_into
from harness.selfcheck.reference_agents import serving
from metrics.score import Score

Size = Literal["full", "quick", "few"]
CLI = [sys.executable, "-P", "-m", "harness.cli"]
TRIES = 3
FIGURES: dict[str, tuple[str, ...]] = {
    "noise": ("wer_noisy",),
    "accent": ("accent_adaptability",),
    "entities": ("proper_noun_accuracy",),
    "rejection": ("rejection_rate", "false_rejection_rate", "silence_at_noise_rate"),
    "attention": ("selective_attention_success_rate",),
    "restraint": ("false_stop_rate", "false_reply_rate"),
    "echo": ("echo_stop_rate", "echo_reply_rate"),
    "symbols": ("symbol_mispronunciation_rate",),
    "rate": ("speech_rate_adaptation",),
    "code_switch": ("code_switch_fluency", "code_switch_pause_ms", "code_switch_level_db"),
    "emotion": ("emotion_level_db", "emotion_rate", "emotion_f0_range_st"),
}
TIMING_ALONE = {"noise", "accent", "entities", "rejection", "attention", "restraint", "echo"}
"""The agent tells its words: nothing has to be recognised for these."""


class Done(BaseModel):
    """A suite that is done.

    Attributes:
        sources: What it was made with.
        calls, places, heard: Calls, places in them, and how many of those the agent knew.
        verdicts, right, wrong: See :class:`bench.suites.by_the_log.Agreement`.
        ours, log: Figures: by us, and by the log alone.
    """

    sources: str
    calls: int
    places: int
    heard: int
    verdicts: int
    right: int
    wrong: list[str]
    ours: dict[str, Score]
    log: dict[str, float]


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.suites", description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--only", default="", help="these suites, as in noise,echo")
    parser.add_argument("--size", choices=("full", "quick", "few"), default="full")
    parser.add_argument("--pipecat", action="store_true", help="against the pipecat agent")
    parser.add_argument("--parallel", type=int, default=8)
    parser.add_argument("--place-only", action="store_true", help="score nothing yet")
    parser.add_argument("--table", type=Path, help="put the table into this page")
    arguments = parser.parse_args()
    names = [name for name in arguments.only.split(",") if name] or list(FIGURES)
    if unknown := set(names) - set(FIGURES):
        parser.error(f"--only: no suite {', '.join(sorted(unknown))}; there are {', '.join(FIGURES)}")
    assert set(FIGURES) == set(suite_names()), "a suite without a row"
    done: dict[str, Done] = {}
    for name in names:
        print(f"== {name}", flush=True)
        folder = arguments.out / ("pipecat" if arguments.pipecat else "light") / arguments.size / name
        found = _tried(name, folder, arguments.size, pipecat=arguments.pipecat, parallel=arguments.parallel)
        if arguments.place_only:
            continue
        done[name] = _finished(name, folder, found, pipecat=arguments.pipecat)
        print("\n".join(_rows(name, done[name], pipecat=arguments.pipecat)), flush=True)
    if done and arguments.table:
        which = "pipecat" if arguments.pipecat else "light"
        begin, end = (
            f"<!-- suites {which}: written by python -m bench.suites -->",
            f"<!-- end of suites {which} -->",
        )
        part = "\n".join([begin, *_page(done, arguments.size, pipecat=arguments.pipecat), end])
        put_into(arguments.table, part, begin=begin, end=end)
    return 0


def _tried(name: str, folder: Path, size: Size, *, pipecat: bool, parallel: int) -> Repertoire | None:
    """Places the calls of a suite that are not there yet; gives what the light agent knew."""
    folder.mkdir(parents=True, exist_ok=True)
    repertoire = None
    if not pipecat and name not in reacting.SUITES:
        known = folder / "repertoire"
        if not (known / "repertoire.json").is_file():
            content = {"agent": "http://127.0.0.1:7860", "probes": [{"suite": name, "size": size}]}
            made_for(name, expand_plan(content).calls, known)
        repertoire = Repertoire.read(known)
    for _ in range(TRIES):
        with _agent(name, folder, repertoire, pipecat=pipecat) as address:
            plan = {"name": name, "agent": address, "probes": [{"suite": name, "size": size}]}
            written = folder / "plan.yaml"
            written.write_text(yaml.safe_dump(plan), encoding="utf-8")
            command = [*CLI, "run", str(written), "--out", str(folder / "run"), "--no-score"]
            subprocess.run([*command, "--parallel", str(parallel)], check=False)
        faults = [call.call_id for call in read_run(folder / "run").calls if _is_spoilt(call)]
        if not faults:
            return repertoire
        print(f"{name}: placed anew, as no side is tried in it: {', '.join(faults)}", flush=True)
        for one in faults:
            shutil.rmtree(folder / "run" / "calls" / one, ignore_errors=True)
    raise SystemExit(f"{name}: the machine is too busy to keep the time of a call")


def _is_spoilt(call: CallFiles) -> bool:
    """Our own side failed in it, or the agent's sound never began to flow."""
    record = call.record
    if record is None or record.status is CallStatus.HARNESS_FAULT:
        return True
    return record.media is None or record.media.packets_received == 0


@contextmanager
def _agent(name: str, folder: Path, repertoire: Repertoire | None, *, pipecat: bool) -> Iterator[str]:
    """At one port for as long as the folder is there: a run goes on only with the agent it was begun with."""
    kept = folder / "port"
    port = int(kept.read_text(encoding="utf-8")) if kept.is_file() else free_port()
    kept.write_text(str(port), encoding="utf-8")
    if pipecat:
        with serving("pipecat", port=port) as address:
            yield address
    elif repertoire is None:
        told = folder / "agent.yaml"
        told.write_text(yaml.safe_dump(reacting.behaviour(name, folder)), encoding="utf-8")
        options = ["--behaviour", str(told), "--log", str(folder / "log")]
        with serving("calibration", extra=options, port=port) as address:
            yield address
    else:
        command = [sys.executable, "-m", "bench.suites.knowing_agent", "--port", str(port)]
        command += ["--repertoire", str(repertoire.folder), "--log", str(folder / "log.jsonl")]
        with serving_command(command, name="the light agent", port=port, ready="/status") as address:
            yield address


def _finished(name: str, folder: Path, repertoire: Repertoire | None, *, pipecat: bool) -> Done:
    """The scores of a suite, and its log; what is there is not made again."""
    kept = folder / "done.json"
    try:
        done = Done.model_validate_json(kept.read_bytes())
        if done.sources == made_with():
            return done
    except (OSError, ValidationError):
        pass
    only = "timing" if name in TIMING_ALONE and not pipecat else "timing,words"
    subprocess.run(
        [*CLI, "score", str(folder / "run"), "--only", only], check=False, stdout=subprocess.DEVNULL
    )
    summary = read_run(folder / "run").summary
    assert summary is not None, f"{folder}: not scored"
    done = _done(name, folder, repertoire, summary, pipecat=pipecat)
    kept.write_text(done.model_dump_json(indent=1), encoding="utf-8")
    return done


def _done(name: str, folder: Path, repertoire: Repertoire | None, summary: Summary, *, pipecat: bool) -> Done:
    agreed, log = Agreement(verdicts=0, right=0, wrong=[]), dict[str, float]()
    heard = 0
    files = list(read_run(folder / "run").calls)
    places = sum(
        len(call.scores.hearings)
        + len(call.scores.readings)
        + len(call.scores.attention)
        + len(call.scores.reactions)
        for call in files
        if call.scores is not None
    )
    if repertoire is not None:
        found = by_the_log.places_of(folder / "run", folder / "log.jsonl", repertoire)
        heard = sum(place.heard for place in found)
        agreed = by_the_log.agreement(name, found, repertoire)
        log = by_the_log.by_the_log(name, found, repertoire)
    elif not pipecat:
        calls = reacting.held(folder)
        agreed, log = reacting.agreement(name, calls), reacting.by_the_log(name, calls)
        heard = agreed.verdicts
    return Done(
        sources=made_with(),
        calls=len(files),
        places=places,
        heard=heard,
        verdicts=agreed.verdicts,
        right=agreed.right,
        wrong=agreed.wrong,
        ours={figure: summary.metrics[figure] for figure in FIGURES[name] if figure in summary.metrics},
        log=log,
    )


def _rows(name: str, done: Done, *, pipecat: bool) -> list[str]:
    rows = []
    for place, (figure, score) in enumerate(done.ours.items()):
        cells = [
            name if place == 0 else "",
            f"{done.calls}, {done.places}" if place == 0 else "",
            f"`{figure}`",
        ]
        if pipecat:
            cells += [_shown(score), _told(score)]
        else:
            by_log = done.log.get(figure)
            cells += [_shown(score), "" if by_log is None else f"{by_log:.3f}"]
            cells.append(f"{done.right} of {done.verdicts}" if place == 0 else "")
        rows.append("| " + " | ".join(cells) + " |")
    return rows


def _page(done: dict[str, Done], size: Size, *, pipecat: bool) -> Sequence[str]:
    sources = sorted({one.sources for one in done.values()})
    title = f"`python -m bench.suites --size {size}{' --pipecat' if pipecat else ''}`, {', '.join(sources)}."
    head = ["suite", "calls, places", "figure", "measured (95 %)"]
    head += ["what is told beside it"] if pipecat else ["by the agent's log", "verdicts that are the log's"]
    return [
        title,
        "",
        "| " + " | ".join(head) + " |",
        "|" + "---|" * len(head),
        *(row for name, one in done.items() for row in _rows(name, one, pipecat=pipecat)),
    ]


def _shown(score: Score) -> str:
    if score.value is None:
        return f"{score.status}"
    interval = (
        ""
        if score.ci_low is None or score.ci_high is None
        else f" ({score.ci_low:.3f} to {score.ci_high:.3f})"
    )
    return f"**{score.value:.3f}**{interval}, n {score.n}"


def _told(score: Score) -> str:
    return score.reason.replace("|", "/").replace("\n", " ")[:240]


if __name__ == "__main__":
    raise SystemExit(main())
