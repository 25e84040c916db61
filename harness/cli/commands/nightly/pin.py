"""``outboundeval pin``: what it does. Its options: :mod:`harness.cli.options.nightly.pin`."""

from __future__ import annotations

from pathlib import Path

import yaml

from harness._files.atomic_file import write_text
from harness.cli.options.nightly.pin import PinOptions
from harness.cli.screen.console import print_json, stdout
from harness.errors import NotWritten, UserError
from harness.plans.plan import expand_plan
from harness.runs.reader import read_run
from harness.scoring.pin import pinned


def pin(options: PinOptions) -> None:
    """Writes the plan, and says what it expects."""
    run, call_id = _place(options.call)
    files = next((call for call in read_run(run).calls if call.call_id == call_id), None)
    if files is None:
        raise UserError(f"{run}: has no call '{call_id}'")
    content = pinned(files)
    plan = expand_plan(content, where=str(options.call))
    out = options.out if options.out is not None else Path(f"{content['name']}.yaml")
    if out.exists():
        raise UserError(f"{out}: is there already; give another --out")
    try:
        write_text(out, yaml.safe_dump(content, sort_keys=False, allow_unicode=True, width=110))
    except OSError as error:
        raise NotWritten.of(out, error) from error
    expected = [one for found in plan.checks.expect.values() for one in found]
    if options.as_json:
        print_json(
            {
                "plan": str(out),
                "call": content["calls"][0]["id"],
                "expect": [{"line": one.line, "what": one.what.told} for one in expected],
            }
        )
        return
    stdout.print(f"{out}: {len(content['calls'][0]['script']['lines'])} lines", markup=False, highlight=False)
    for one in expected:
        where = "the call" if one.line is None else f"line {one.line + 1}"
        stdout.print(f"  {where}: {one.what.told}", markup=False, highlight=False)


def _place(call: Path) -> tuple[Path, str]:
    if (call / "call.json").is_file():
        return call.resolve().parent.parent, call.resolve().name
    return call.parent, call.name
