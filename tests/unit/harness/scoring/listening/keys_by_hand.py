"""Pages whose items are named one by one, and what raters said of them, without any sound."""

from __future__ import annotations

from collections.abc import Mapping

from harness.scoring.listening.key import KeyItem, ListeningKey, Place
from harness.scoring.listening.ratings.answers import Answer, RaterFile
from harness.scoring.listening.sheet import Method, Sheet, SheetItem

SHA = "a" * 64


def place(run: int) -> Place:
    return Place(run=run, call_id="one", recording_sha256=SHA, start_s=0.0, end_s=2.0)


def clip(*runs: int) -> KeyItem:
    return KeyItem(kind="clip", places=tuple(place(run) for run in runs))


def anchor(q_db: float | None) -> KeyItem:
    return KeyItem(kind="anchor", places=(place(0),), q_db=q_db)


def key_of(items: Mapping[str, KeyItem], *runs: str, method: Method = "acr") -> ListeningKey:
    """A page without a headphone test; every item plays the same sound."""
    many = 1 if method == "acr" else 2
    sheet = Sheet(
        method=method,
        volume="v000",
        tones=(),
        training=(),
        items=tuple(SheetItem(id=name, sounds=("s000",) * many) for name in items),
        sounds={"v000": SHA, "s000": SHA},
    )
    return ListeningKey(seed=1, runs=runs, this_run=0, level_dbov=-26.0, sheet=sheet, items=dict(items))


def file_of(key: ListeningKey, rater: str, values: Mapping[str, int]) -> RaterFile:
    """What somebody saved; values as they were given."""
    return RaterFile(
        format="outboundeval-listening",
        version=1,
        sheet=key.sheet.id,
        rater=rater,
        order=(),
        tones=(),
        answers={item: Answer(value=value, heard=1) for item, value in values.items()},
    )
