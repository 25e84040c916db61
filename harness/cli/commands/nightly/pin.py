"""``outboundeval pin``: what it does. Its options: :mod:`harness.cli.options.nightly.pin`."""

from __future__ import annotations

from pathlib import Path

import yaml

from harness._files.atomic_file import write_bytes, write_text
from harness.analysis.instruments import Instruments
from harness.cli.options.nightly.pin import PinOptions
from harness.cli.screen.console import print_json, stdout
from harness.errors import NotWritten, UserError
from harness.judging.reading.files import SUFFIXES
from harness.plans.plan import load_plan
from harness.runs.reader import read_run
from harness.runs.store import RunStore
from harness.scoring.material import sides_of
from harness.scoring.pin.case import Case
from harness.scoring.pin.of_call import pinned_call
from harness.scoring.pin.of_recording import pinned_recording
from harness.scoring.pin.of_transcript import pinned_transcript

ANY_AGENT = "http://127.0.0.1:7860"
"""Stands in where the plan is read back: a recording does not say whom it called."""


def pin(options: PinOptions) -> None:
    """Writes the plan with its recordings, and says what it expects."""
    case = _case(options)
    name = str(case.content["name"])
    out = options.out if options.out is not None else Path(f"{name}.yaml")
    taken = next((path for path in (out, *(out.parent / one for one in case.sounds)) if path.exists()), None)
    if taken is not None:
        raise UserError(f"{taken}: is there already; give another --out")
    _write(case, out)
    named = case.content.get("agent")
    plan = load_plan(out, agent=None if named else ANY_AGENT)
    expected = [one for found in plan.checks.expect.values() for one in found]
    if options.as_json:
        print_json(
            {
                "plan": str(out),
                "call": name,
                "sounds": [str(out.parent / one) for one in case.sounds],
                "expect": [{"line": one.line, "what": one.what.told} for one in expected],
            }
        )
        return
    lines = len(case.content["calls"][0]["script"]["lines"])
    recorded = f", {len(case.sounds)} recordings beside it" if case.sounds else ""
    _print(f"{out}: {lines} lines{recorded}")
    for one in expected:
        _print(f"  {'the call' if one.line is None else f'line {one.line + 1}'}: {one.what.told}")
    if not named:
        _print(f"Whom it calls is not known: outboundeval run {out} --agent ADDRESS")


def _case(options: PinOptions) -> Case:
    source = options.call
    is_recording = source.is_file() and source.suffix.lower() not in SUFFIXES
    if not is_recording and (options.language or options.caller):
        raise UserError(f"{source}: --language and --caller are for a recording")
    if source.is_file():
        if options.sound:
            raise UserError(f"{source}: --sound is for a call of a run; a recording has its sound anyway")
        if not is_recording:
            return pinned_transcript(source)
        return pinned_recording(
            source,
            instruments=Instruments(),
            language=options.language or "en",
            caller_is_left=options.caller != "right",
        )
    run, call_id = _place(source)
    files = next((call for call in read_run(run).calls if call.call_id == call_id), None)
    if files is None:
        raise UserError(f"{run}: has no call '{call_id}'")
    if not options.sound:
        return pinned_call(files)
    recording = RunStore(run).recording(call_id)
    if recording is None:
        raise UserError(f"{source}: has no recording; without --sound its lines are spoken anew")
    return pinned_call(files, caller=sides_of(recording)[0])


def _write(case: Case, out: Path) -> None:
    content = yaml.safe_dump(case.content, sort_keys=False, allow_unicode=True, width=110)
    try:
        for path, sound in case.sounds.items():
            write_bytes(out.parent / path, sound)
        write_text(out, content)
    except OSError as error:
        raise NotWritten.of(out, error) from error


def _place(call: Path) -> tuple[Path, str]:
    if (call / "call.json").is_file():
        return call.resolve().parent.parent, call.resolve().name
    return call.parent, call.name


def _print(line: str) -> None:
    stdout.print(line, markup=False, highlight=False, soft_wrap=True)
