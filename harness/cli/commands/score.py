"""``outboundeval score``: what it does. Its options: :mod:`harness.cli.options.score`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import get_args

from rich.console import Console
from rich.markup import escape

from harness.analysis.instruments import KINDS, Instruments, Kind
from harness.cli.options.score import ScoreOptions
from harness.cli.own_folder import going_on, own_folder
from harness.cli.screen.console import print_json, progress_console, stderr, stdout
from harness.cli.screen.nightly.verdict import print_verdict
from harness.cli.screen.score_document import of_calls, of_dialogues, of_recording
from harness.cli.screen.scores import print_metrics, print_summary, print_turns
from harness.cli.screen.text_scores import print_dialogue, print_judge_note, print_text_summary
from harness.cli.steps_of_calls import score_and_report
from harness.errors import EXIT_CHECK_FAILED, UserError
from harness.judging.cache import VerdictStore
from harness.judging.defaults import ATTEMPT_S, RULES
from harness.judging.judges import JudgeChoice
from harness.judging.material import DialogueMaterial
from harness.judging.reading.files import MAX_BYTES, SUFFIXES, read_dialogues
from harness.models.language.metered import Limits
from harness.models.language.prices import read_prices
from harness.runs.store import RunStore, is_chat_run
from harness.scoring.comparison.runs import relative_as_before
from harness.scoring.figures_over_texts import summarize_texts
from harness.scoring.recording import RecordingScores, score_recording
from harness.scoring.score_dialogues import judge_dialogues, score_chat_run
from spoken_language.outside_text import one_line


def score(options: ScoreOptions) -> None:
    """Scores what the source turns out to be, and shows its figures."""
    source, parallel, as_json = options.source, options.parallel, options.as_json
    chosen = JudgeChoice(
        names=options.judge or (RULES,),
        samples=options.samples,
        limits=Limits(attempt_s=ATTEMPT_S, concurrency=parallel),
        prices=read_prices(options.prices) if options.prices else {},
        store=VerdictStore(fresh=options.fresh),
    )
    is_transcript = str(source) == "-" or source.suffix.lower() in SUFFIXES
    if (source.is_dir() or is_transcript) and (options.language or options.caller):
        raise UserError(f"{source}: --language and --caller are for a sound file")
    if source.is_dir():
        if options.scenario or options.look_in:
            raise UserError(f"{source}: --scenario and --from are for transcripts; a run knows its own")
        _score_run(source, chosen, options)
    elif is_transcript:
        text = _piped() if str(source) == "-" else None
        place = Path("stdin") if text is not None else _existing(source)
        materials = read_dialogues(place, text=text, scenario=options.scenario, folders=options.look_in or ())
        _score_transcripts(str(source), materials, chosen, parallel=parallel, as_json=as_json)
    else:
        if options.scenario:
            raise UserError(
                f"{source}: --scenario is for transcripts; a transcript ends in {', '.join(SUFFIXES)}"
            )
        result = score_recording(
            _existing(source),
            instruments=Instruments(),
            language=options.language or "en",
            caller_is_left=options.caller != "right",
        )
        if as_json:
            print_json(of_recording(result))
        else:
            _print_recording(result)
    if as_json:  # else they stand among what the judging took
        for line in chosen.problems():
            stderr.print(line, style="yellow", markup=False, highlight=False, soft_wrap=True)


def _piped() -> str:
    content = sys.stdin.buffer.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise UserError(f"stdin: more than {MAX_BYTES} bytes; that is the most that is read")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UserError(f"stdin: is not UTF-8 text (byte {error.start})") from error


def _existing(source: Path) -> Path:
    if not source.is_file():
        raise UserError(f"{source}: there is no such file or folder")
    return source


def _score_run(folder: Path, judge: JudgeChoice, options: ScoreOptions) -> None:
    console = progress_console(as_json=options.as_json)
    go_on = f"What was heard and judged is kept. Go on with: outboundeval score {folder}"
    with own_folder(folder, doing="score", console=console, go_on=go_on, new=False):
        _score_own_run(folder, judge, console, options)


def _score_own_run(folder: Path, judge: JudgeChoice, console: Console, options: ScoreOptions) -> None:
    as_json = options.as_json
    if is_chat_run(folder):
        with console.status("judging") as status:
            summary = score_chat_run(
                RunStore(folder),
                judge,
                parallel=options.parallel,
                on_progress=lambda name, done, total: status.update(
                    f"judged {escape(name)} ({done} of {total})"
                ),
            )
        if as_json:
            print_json(of_dialogues(str(folder), "chat", summary, judge=judge))
            return
        print_text_summary(stdout, summary)
        print_judge_note(stdout, summary)
        _print_lines(*judge.told())
        return
    outcome = score_and_report(
        folder,
        instruments=Instruments(only=_kinds(options.only), caller_words=options.caller_words),
        judge=judge,
        console=console,
        fresh=options.fresh,
        processes=options.processes,
        relative=relative_as_before(folder),
    )
    if as_json:
        print_json(of_calls(str(folder), outcome.summary, audio=outcome.audio, judge=judge, cut=outcome.cut))
        return
    print_summary(stdout, outcome.summary, outcome.records, outcome.report)
    print_verdict(stdout, outcome.verdict)
    _print_lines(outcome.audio.told())
    if outcome.summary.text is not None:
        print_judge_note(stdout, outcome.summary.text)
        _print_lines(*judge.told())


def _kinds(named: str | None) -> frozenset[Kind]:
    """Raises UserError for what is none."""
    if named is None:
        return KINDS
    wanted = {part.strip() for part in named.split(",") if part.strip()}
    if not wanted or not wanted <= KINDS:
        known = ", ".join(get_args(Kind))
        raise UserError(f"--only {one_line(named, most=80)}: of {known}, one or several (timing,words)")
    return frozenset(kind for kind in KINDS if kind in wanted)


def _score_transcripts(
    source: str, materials: list[DialogueMaterial], judge: JudgeChoice, *, parallel: int, as_json: bool
) -> None:
    kept = going_on("What a language model has answered is kept: the same command goes on from there.")
    with kept, progress_console(as_json=as_json).status("judging") as status:
        scored = judge_dialogues(
            materials,
            judge,
            parallel=parallel,
            on_progress=lambda name, done, total: status.update(f"judged {escape(name)} ({done} of {total})"),
        )
    summary = summarize_texts(scored)
    if summary is None:
        raise UserError(f"{source}: holds no dialogue", exit_code=EXIT_CHECK_FAILED)
    if as_json:
        print_json(of_dialogues(source, "transcript", summary, scored, judge=judge))
        return
    if len(scored) == 1:
        criteria = {node.id: node.criterion for node in materials[0].flow.nodes}
        print_dialogue(stdout, scored[0], criteria)
        stdout.print(f"\njudged by {escape(summary.judge)} {escape(summary.judge_version)}", highlight=False)
    else:
        print_text_summary(stdout, summary)
    print_judge_note(stdout, summary)
    _print_lines(*judge.told())


def _print_lines(*lines: str) -> None:
    for line in lines:
        stdout.print(line, style="dim", markup=False, highlight=False, soft_wrap=True)


def _print_recording(result: RecordingScores) -> None:
    stdout.print(f"[bold]{escape(one_line(result.source))}[/] ({result.kind})", highlight=False)
    if result.cut:
        stdout.print(result.cut, style="yellow", markup=False, highlight=False, soft_wrap=True)
    if result.kind == "stereo":
        print_turns(stdout, result.scores)
    for line in result.transcript.lines:
        who = line.side if result.kind == "stereo" else "voice"
        stdout.print(f"  {line.start_s:7.2f}  {who:6}  {line.text}", highlight=False, markup=False)
    calibration = result.scores.calibration
    print_metrics(stdout, result.metrics, [calibration] if calibration is not None else [])
    for clip in result.scores.clips:
        for warning in clip.warnings:
            stdout.print(
                f"  {clip.start_s:.2f}-{clip.end_s:.2f} s: {warning}", style="yellow", highlight=False
            )
