"""Step 1, seed data curation: how good a source each transcript is, and the best few of them.

The paper scores completeness, logical consistency and informativeness. What can be measured without a model
is in ``measures``; a model may rate the same three beside it (``rating``), and then both count alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean

from pydantic import BaseModel, ConfigDict, Field

from voice_sim.authoring.measures import MEASURES, Quality, measure
from voice_sim.talk import Talk

VERSION = "2"

DEFAULT_TOP = 5


class Curated(BaseModel):
    """What curating says of one transcript.

    Attributes:
        measures: Name -> 0-1, None where a measure has nothing to look at.
        measured: Each quality as the mean of its measures, 0-1.
        rated: The model's, 0-1; empty where none was asked or its answer did not fit (``failure`` says so).
        score: The mean of the three qualities; over both sources where both are there.
        chosen: Whether it is seed data.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    id: str
    measures: dict[str, float | None]
    measured: dict[Quality, float]
    rated: dict[Quality, float] = Field(default_factory=dict)
    failure: str = ""
    score: float
    chosen: bool = False


def curate(
    talks: Sequence[Talk],
    *,
    top: int = DEFAULT_TOP,
    ratings: Mapping[str, Mapping[Quality, float] | str] | None = None,
) -> list[Curated]:
    """Scores every transcript; the best ``top`` are chosen. Best first; of equals the one given first.

    Args:
        ratings: Transcript id -> a model's ratings, 0-1, or the reason why there are none.
    """
    scored = []
    for talk in talks:
        found = measure(talk)
        measured = {quality: _mean(found, names) for quality, names in MEASURES.items()}
        rating = (ratings or {}).get(talk.id, {})
        rated = {} if isinstance(rating, str) else dict(rating)
        score = fmean([*measured.values(), *rated.values()])
        scored.append(
            Curated(
                id=talk.id,
                measures=found,
                measured=measured,
                rated=rated,
                failure=rating if isinstance(rating, str) else "",
                score=score,
            )
        )
    scored.sort(key=lambda one: -one.score)
    return [one.model_copy(update={"chosen": place < top}) for place, one in enumerate(scored)]


def _mean(found: Mapping[str, float | None], names: Sequence[str]) -> float:
    values = [value for name in names if (value := found[name]) is not None]
    return fmean(values) if values else 0.0
