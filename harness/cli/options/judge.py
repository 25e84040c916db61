"""Options of ``outboundeval judge``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from harness.cli.options.shared import AsJson
from harness.judging.defaults import ATTEMPT_S, QUESTION_S, RULES


@dataclass(frozen=True, kw_only=True)
class JudgeCheckOptions:
    """Have a judge judge a labelled set, and say how often it agrees, with intervals.

    The result is kept and printed beside scores by this judge in this version. Beside it stand the paper's
    figures (5.1.5), and how well the two passes of labels agree with each other. Where more than 5 % of the
    verdicts failed, nothing is kept and the exit code is 1.

    The rules are also checked on the set that was held out, since they were written with the other one; of a
    language model that is asked for by --set held_out.

    Example: outboundeval judge check --judge rules

    Answers are kept as they come: after Ctrl-C the same command goes on where it was.

    Example: outboundeval judge check --judge openai:gpt-4.1 --parallel 16

    Example: outboundeval judge check --judge local:qwen2.5-coder-1.5b --set short
    """

    judge: Annotated[
        list[str] | None,
        typer.Option(
            "--judge",
            help=f"{RULES} (the default), or a language model: PROVIDER:MODEL, http://HOST:PORT/v1 or "
            "local:NAME. Several make a panel.",
        ),
    ] = None
    samples: Annotated[int, typer.Option(help="Ask a language model so often, as a panel.")] = 1
    labelled_set: Annotated[
        str | None,
        typer.Option(
            "--set",
            help="Another labelled set: short (short briefings, for small models), held_out, or a folder.",
        ),
    ] = None
    limit: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Only so many replies of each dimension, balanced over scores and domains, and so many "
            "dialogues: a quick look, no estimate of the whole set.",
        ),
    ] = None
    timeout: Annotated[
        float,
        typer.Option(
            min=1,
            max=3600,
            help="Seconds that the model may take for one question, with all that is tried again; one "
            f"attempt has {ATTEMPT_S:g} at most.",
        ),
    ] = QUESTION_S
    parallel: Annotated[int, typer.Option(min=1, max=200, help="Questions open at once.")] = 8
    prices: Annotated[Path | None, typer.Option(help="YAML file with prices of models, for the cost.")] = None
    fresh: Annotated[
        bool,
        typer.Option("--fresh", help="Ask everything again; the answers take the place of what was kept."),
    ] = False
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="List every disagreement with both arguments.")
    ] = False
    as_json: AsJson = False
