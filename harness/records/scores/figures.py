"""Figures as they stand in a file: scores by name, each without the name that it stands under."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BeforeValidator, PlainSerializer, SerializationInfo

from metrics.score import Score


def figures_json(figures: Mapping[str, Score], *, mode: str = "json") -> dict[str, Any]:
    """Scores by name as files hold them: none repeats its name, or lists what it has nothing of."""
    return {name: _plain(score, mode) for name, score in figures.items()}


def _plain(score: Score, mode: str) -> dict[str, Any]:
    left_out = {"metric"} | {name for name in ("evidence", "not_reached") if not getattr(score, name)}
    return score.model_dump(mode=mode, exclude=left_out)


def _dumped(figures: dict[str, Score], info: SerializationInfo) -> dict[str, Any]:
    return figures_json(figures, mode=info.mode)


def _named(raw: Any) -> Any:
    return {name: _with_name(score, name) for name, score in raw.items()} if isinstance(raw, Mapping) else raw


def _finals(raw: Any) -> Any:
    return {name: _with_name(one, "final") for name, one in raw.items()} if isinstance(raw, Mapping) else raw


def _with_name(score: Any, metric: Any) -> Any:
    return {"metric": metric, **score} if isinstance(score, Mapping) else score


Figures = Annotated[dict[str, Score], BeforeValidator(_named), PlainSerializer(_dumped)]
"""Scores by the name of their metric."""

FinalsByGroup = Annotated[dict[str, Score], BeforeValidator(_finals), PlainSerializer(_dumped)]
"""Final text scores by what they are about: a domain, a type of user."""
