"""How often raters agree with each other, and a judge with them; and where not, with everybody's argument."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from pydantic import BaseModel, ConfigDict, Field

from harness.judging.people.annotating.key import NODES
from harness.judging.people.annotating.labels import Label, Point
from metrics.dialogue.agreement import Agreement, agreement
from metrics.dialogue.verdicts import Dimension

REPLIES = "replies"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Argument(_Part):
    """What somebody says of a point, and why."""

    who: str
    label: str
    turn: int | None = None
    why: str = ""


class Difference(_Part):
    """A point on which raters differ, or a judge differs from people.

    Attributes:
        what: Dimension, or ``nodes``.
        about: The reply, or the node's criterion.
        people: What raters say together; empty where that is not settled.
        arguments: Of each rater.
        judge: What the judge says; None where it was not asked.
    """

    item: str
    what: str
    dialogue: str
    entry: str = ""
    turn: int | None = None
    about: str
    people: str = ""
    arguments: tuple[Argument, ...]
    judge: Argument | None = None

    @property
    def judge_differs(self) -> bool:
        return self.judge is not None and self.people not in ("", self.judge.label)


class PeopleCheck(_Part):
    """What came of a sheet.

    Each table goes by dimension, ``replies`` (all dimensions together) and ``nodes``.

    Attributes:
        raters: Rater -> how many points each answered.
        settled_by: Whose word counted where the others did not agree.
        points: Rated by anybody; ``settled`` of them have a label of all people together.
        pairs: ``A / B`` -> table of two raters.
        people: All pairs of raters pooled. From three raters on the pairs of one point are not independent,
            so it has no interval.
        turns: Nodes that two raters both call achieved: how often they name the same turn.
        judge, judge_version: Empty where no judge's scores were given.
        judge_people: The judge against what people say together.
        judge_raters: Rater -> the judge against this rater.
        judge_turns: Nodes that people and the judge call achieved: how often the turn is the same.
        not_judged: Settled points that the judge did not judge, or of another text.
    """

    sheet: str
    source: str
    raters: dict[str, int]
    settled_by: str = ""
    points: int
    settled: int
    pairs: dict[str, dict[str, Agreement]] = Field(default_factory=dict)
    people: dict[str, Agreement] = Field(default_factory=dict)
    turns: Agreement
    judge: str = ""
    judge_version: str = ""
    judge_people: dict[str, Agreement] = Field(default_factory=dict)
    judge_raters: dict[str, dict[str, Agreement]] = Field(default_factory=dict)
    judge_turns: Agreement
    not_judged: int = 0
    differences: tuple[Difference, ...] = ()


def check_people(
    points: Sequence[Point],
    *,
    sheet: str,
    source: str,
    settled_by: str = "",
    judge: str = "",
    judge_version: str = "",
) -> PeopleCheck:
    """All agreements over the points, and the points on which somebody differs."""
    raters = list(dict.fromkeys(name for point in points for name in point.given))
    settled = [point for point in points if point.people is not None]
    two = list(combinations(raters, 2))
    together = [(point, *pair) for point in points for pair in combinations(point.given.values(), 2)]
    return PeopleCheck(
        sheet=sheet,
        source=source,
        raters={name: sum(name in point.given for point in points) for name in raters},
        settled_by=settled_by,
        points=len(points),
        settled=len(settled),
        pairs={f"{one} / {other}": _table(points, [(one, other)]) for one, other in two},
        people=_table(points, two),
        turns=_turns(together),
        judge=judge,
        judge_version=judge_version,
        judge_people=_by_what([(one, one.people, one.judged) for one in settled]),
        judge_raters={
            name: table
            for name in raters
            if (table := _by_what([(one, one.given.get(name), one.judged) for one in points]))
        },
        judge_turns=_turns([(one, one.people, one.judged) for one in settled if one.people and one.judged]),
        not_judged=sum(point.judged is None for point in settled) if judge else 0,
        differences=tuple(_differences(points)),
    )


def _table(points: Sequence[Point], raters: Sequence[tuple[str, str]]) -> dict[str, Agreement]:
    rows = [
        (point, point.given.get(one), point.given.get(other)) for point in points for one, other in raters
    ]
    table = _by_what(rows)
    if len(raters) < 2:
        return table
    open_ended = {"ci_low": None, "ci_high": None}
    return {what: one.model_copy(update=open_ended) for what, one in table.items()}


def _by_what(rows: Sequence[tuple[Point, Label | None, Label | None]]) -> dict[str, Agreement]:
    """Agreement by what was rated, over rows where both gave a label."""
    groups: dict[str, list[tuple[Point, Label, Label]]] = {}
    for point, one, other in rows:
        if one is not None and other is not None:
            groups.setdefault(point.place.what, []).append((point, one, other))
            if point.place.what != NODES:
                groups.setdefault(REPLIES, []).append((point, one, other))
    order = [*(dimension.value for dimension in Dimension), REPLIES, NODES]
    return {
        what: agreement(
            [(one.value, other.value) for _, one, other in groups[what]],
            dialogues=[point.place.dialogue for point, _, _ in groups[what]],
        )
        for what in order
        if what in groups
    }


def _turns(pairs: Sequence[tuple[Point, Label, Label]]) -> Agreement:
    """Turns are places, not labels: only whether they are the same counts."""
    achieved = [pair for pair in pairs if pair[1].value == pair[2].value == "achieved"]
    found = agreement(
        [("same", "same" if one.turn == other.turn else "another") for _, one, other in achieved],
        dialogues=[point.place.dialogue for point, _, _ in achieved],
    )
    return found.model_copy(update={"kappa": None})


def _differences(points: Sequence[Point]) -> Iterator[Difference]:
    """Those between judge and people first, the farthest apart before the others."""
    ranked = sorted(points, key=lambda point: (-_distance(point), point.item.id))
    for point in ranked:
        people = point.people.value if point.people is not None else ""
        judge_differs = point.judged is not None and people not in ("", point.judged.value)
        if not (point.differ or judge_differs):
            continue
        yield Difference(
            item=point.name,
            what=point.place.what,
            dialogue=point.place.dialogue,
            entry=point.place.entry,
            turn=point.place.turn,
            about=point.question.asks,
            people=people,
            arguments=tuple(_argument(name, label) for name, label in point.given.items()),
            judge=_argument("judge", point.judged) if point.judged is not None else None,
        )


def _distance(point: Point) -> int:
    """3 and more where a judge differs from people, by how much; 1 where only raters differ."""
    if point.people is None or point.judged is None or point.people.value == point.judged.value:
        return int(point.differ)
    one, other = point.people.value, point.judged.value
    return 2 + (abs(int(one) - int(other)) if one.isdigit() and other.isdigit() else 1)


def _argument(who: str, label: Label) -> Argument:
    return Argument(who=who, label=label.value, turn=label.turn, why=label.why)
