"""The models of this machine, as a table for a person and as one JSON document."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

from harness.models.resolve import ModelState, ModelStatus

_COLOURS = {
    ModelState.READY: "green",
    ModelState.INSTALLED: "green",
    ModelState.MISSING: "yellow",
    ModelState.CORRUPT: "red",
}


def print_models(models: Sequence[ModelStatus], console: Console) -> None:
    """One line a model, and below the table what to do about those that are not ready."""
    table = Table(title="Models", title_justify="left")
    table.add_column("model", no_wrap=True)
    table.add_column("kind")
    table.add_column("licence", overflow="fold")
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("state", no_wrap=True)
    table.add_column("from", overflow="fold")
    for model in models:
        usable = model.state in (ModelState.READY, ModelState.INSTALLED)
        table.add_row(
            Text(model.spec.name),
            Text(model.spec.kind),
            Text(licence_label(model)),
            f"{model.size_bytes / 1e6:.1f} MB",
            Text(model.state, style=_COLOURS[model.state]),
            Text(model.detail if usable else "see below"),
        )
    console.print(table)
    for model in models:
        if model.state in (ModelState.MISSING, ModelState.CORRUPT):
            console.print(Text(f"\n{model.detail}", style=_COLOURS[model.state]), soft_wrap=True)


def models_as_json(models: Sequence[ModelStatus]) -> dict[str, Any]:
    """One JSON document: ``{"models": [{name, kind, purpose, licence, …, state, path, detail}]}``."""
    return {
        "models": [
            {
                "name": model.spec.name,
                "kind": model.spec.kind,
                "purpose": model.spec.purpose,
                "licence": model.spec.licence,
                "non_commercial": model.spec.non_commercial,
                "needed": model.spec.needed,
                "size_bytes": model.size_bytes,
                "state": str(model.state),
                "path": str(model.path) if model.path is not None else None,
                "detail": model.detail,
            }
            for model in models
        ]
    }


def licence_label(model: ModelStatus) -> str:
    """The licence of the weights; one that forbids commercial use says so in words."""
    return f"{model.spec.licence} (non-commercial)" if model.spec.non_commercial else model.spec.licence
