"""``outboundeval persona understanding`` and ``persona examples``: what they do.

Their options: :mod:`harness.cli.options.persona.understanding`.
"""

from __future__ import annotations

from typing import Any

import typer

from harness.cli.options.persona.understanding import ExamplesOptions, UnderstandingOptions
from harness.cli.screen.console import print_json, progress_console
from harness.cli.screen.understanding import (
    examples_document,
    print_examples,
    print_set,
    print_taken_for,
    set_document,
    taken_for_document,
)
from harness.errors import EXIT_CHECK_FAILED, UserError
from harness.scenarios.folders import find_scenario, load_entry
from harness.scenarios.person_called import person_called
from harness.selfcheck.understanding.check import LanguageFigures, sets_to_try, try_set
from harness.selfcheck.understanding.figures import AS_MEANT_AT_LEAST, FALSE_AT_MOST
from harness.selfcheck.understanding.one_line import taken_for
from voice_sim.person.examples import has_examples
from voice_sim.understanding.encoders.base import MissingEncoderError


def try_sets(options: UnderstandingOptions) -> None:
    """Tries labelled lines on the caller, and tells what came of them."""
    console = progress_console(as_json=options.as_json)
    documents: list[dict[str, Any]] = []
    first: list[LanguageFigures] | None = None
    for folder in sets_to_try(options.folder):
        with console.status("") as status:

            def told(done: int, of: int, name: str = folder.name) -> None:
                status.update(f"{name}: {done} of {of} lines", spinner_style="dim")

            figures = try_set(folder, on_line=told)
        first = first or figures
        if options.as_json:
            documents.append(set_document(folder, figures, misses=options.misses))
        else:
            print_set(folder, figures, misses=options.misses)
    if options.as_json:
        bars = {"as_meant_at_least": AS_MEANT_AT_LEAST, "false_at_most": FALSE_AT_MOST}
        print_json({"bars": bars, "sets": documents})
    raise typer.Exit(0 if all(one.passes for one in first or ()) else EXIT_CHECK_FAILED)


def examples(options: ExamplesOptions) -> None:
    """Shows what is meant by what, and what a line would be taken for."""
    if "/" not in options.entry:
        have = [entry.id for entry in find_scenario(options.entry, options.look_in or []).entries()]
        raise UserError(f"{options.entry}: say who is called, one of: {', '.join(have)}")
    persona = person_called(load_entry(options.entry, options.look_in or []))
    if options.says is None:
        if options.as_json:
            print_json(examples_document(options.entry, persona))
        else:
            print_examples(options.entry, persona)
        return
    says = options.says.strip()
    if not any(character.isalnum() for character in says):
        raise UserError("--says: these are no words")
    if not has_examples(persona):
        raise UserError(
            f"{options.entry}: this person has no examples and is understood by cue phrases; write some "
            "('examples:' beside 'cues:', or outboundeval persona build)"
        )
    try:
        found = taken_for(persona, says)
    except MissingEncoderError as error:
        raise UserError(str(error)) from error
    if options.as_json:
        print_json(taken_for_document(options.entry, says, found))
    else:
        print_taken_for(persona, found)
