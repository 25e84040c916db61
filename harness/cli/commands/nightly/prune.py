"""``outboundeval prune``: what it does. Its options: :mod:`harness.cli.options.nightly.prune`."""

from __future__ import annotations

import datetime
import re

from harness.cli.options.nightly.prune import PruneOptions
from harness.cli.screen.console import print_json, stdout
from harness.errors import UserError
from harness.runs.prune import Pruned
from harness.runs.prune import prune as pruned


def prune(options: PruneOptions) -> None:
    """Prunes the runs, and says what went."""
    audio, words = _days(options.keep_audio, "--keep-audio"), _days(options.keep_words, "--keep-words")
    if audio is None and words is None:
        raise UserError("say what is kept: --keep-audio 30d, --keep-words 90d, or both")
    now = datetime.datetime.now(datetime.UTC)
    found: list[Pruned] = []
    for one in pruned(
        options.runs, now=now, keep_audio_days=audio, keep_words_days=words, dry=options.dry_run
    ):
        found.append(one)
        if not options.as_json:
            would = "would go" if options.dry_run else "gone"
            what = one.why_not or f"{one.audio} recordings and {one.words} files of words {would}"
            stdout.print(f"{one.folder}: {what}", markup=False, highlight=False, soft_wrap=True)
    if options.as_json:
        runs = [
            {"run": str(one.folder), "audio": one.audio, "words": one.words, "why_not": one.why_not or None}
            for one in found
        ]
        print_json({"dry_run": options.dry_run, "runs": runs})


def _days(written: str | None, option: str) -> float | None:
    if written is None:
        return None
    if re.fullmatch(r"\d{1,5}(\.\d+)?d", written) is None:
        raise UserError(f"{option} '{written}': give days, for instance 30d")
    return float(written[:-1])
