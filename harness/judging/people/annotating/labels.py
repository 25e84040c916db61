"""Every point that was rated, with what each rater and the judge say of it.

A point is the score of one reply on one dimension, or one node of one dialogue. What people say together is
the label of more than half of those who gave one; where no label has that, one rater may be named whose word
settles it. A point that is not settled is compared with no judge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from harness.errors import UserError
from harness.judging.people.annotating.key import NODES, Place, SheetKey
from harness.judging.people.annotating.sources import Judged
from harness.judging.people.answers import Answer, Ratings
from harness.judging.people.sheet import Question, SheetItem
from metrics.dialogue.agreement import FAILED
from metrics.dialogue.verdicts import NodeVerdict, ReplyVerdict


@dataclass(frozen=True, kw_only=True)
class Label:
    """What somebody says of a point: a score, or an outcome with its turn."""

    value: str
    turn: int | None = None
    why: str = ""


@dataclass(frozen=True, kw_only=True)
class Point:
    """See the module.

    Attributes:
        given: Rater -> label, in the order of the files; without the one who settles.
        people: What they say together; None where that is not settled.
        judged: The judge's label; None where it did not judge this point, or another text, or had no say.
    """

    item: SheetItem
    question: Question
    place: Place
    given: Mapping[str, Label] = field(default_factory=dict)
    people: Label | None = None
    judged: Label | None = None

    @property
    def name(self) -> str:
        """For a person: ``i0004``, or ``i0004, greet``."""
        return self.item.id if self.place.what != NODES else f"{self.item.id}, {self.question.id}"

    @property
    def differ(self) -> bool:
        """Whether raters gave different labels."""
        return len({label.value for label in self.given.values()}) > 1


def points_of(
    key: SheetKey,
    ratings: Sequence[Ratings],
    *,
    verdicts: Mapping[str, Judged] | None = None,
    settled_by: str | None = None,
) -> list[Point]:
    """Every point that at least one rater answered, in the order of the sheet.

    Args:
        settled_by: The rater whose label decides where the others do not agree, and who else does not count.

    Raises:
        UserError: There is no such rater, or nobody else; the judge judged other dialogues.
    """
    names = [one.rater for one in ratings]
    if settled_by is not None and settled_by not in names:
        raise UserError(f"no rater '{settled_by}' to settle differences; there are: {', '.join(names)}")
    raters = [one for one in ratings if one.rater != settled_by]
    if not raters:
        raise UserError(f"'{settled_by}' settles what others say, but there is no other rater")
    last_word = next((one for one in ratings if one.rater == settled_by), None)
    found = []
    for item in key.sheet.items:
        place = key.places[item.id]
        for question in item.questions:
            given = {
                one.rater: _label(answer) for one in raters if (answer := one.answer(item.id, question.id))
            }
            if not given:
                continue
            final = last_word.answer(item.id, question.id) if last_word is not None else None
            found.append(
                Point(
                    item=item,
                    question=question,
                    place=place,
                    given=given,
                    people=_together(list(given.values()), _label(final) if final else None),
                    judged=_judged(place, question, verdicts or {}),
                )
            )
    if verdicts and not any(point.judged for point in found):
        raise UserError(
            "the judge judged none of what was rated: other dialogues, or other words in them. "
            f"The sheet was made from {key.source}"
        )
    return found


def _label(answer: Answer) -> Label:
    return Label(value=answer.value, turn=answer.turn, why=answer.why)


def _together(given: Sequence[Label], last_word: Label | None) -> Label | None:
    """The label of more than half, with its most frequent turn and the first argument for it."""
    value, count = Counter(label.value for label in given).most_common(1)[0]
    if 2 * count <= len(given):
        return last_word
    same = [label for label in given if label.value == value]
    turn = Counter(label.turn for label in same).most_common(1)[0][0]
    why = next((label.why for label in same if label.why), "")
    return Label(value=value, turn=turn, why=why)


def _judged(place: Place, question: Question, verdicts: Mapping[str, Judged]) -> Label | None:
    judged = verdicts.get(place.dialogue)
    if judged is None or judged.digest != place.digest:
        return None
    if place.what == NODES:
        return next(
            (_of_node(one) for one in judged.nodes if one.node == question.id and _is_asked(one, question)),
            None,
        )
    return next(
        (_of_reply(one) for one in judged.replies if (one.turn, one.dimension) == (place.turn, place.what)),
        None,
    )


def _is_asked(verdict: NodeVerdict, question: Question) -> bool:
    """Not of a node that needs the yes of somebody who cannot be won: by rule it does not apply, so the judge
    has no say in it, and raters, who are not told, cannot answer so."""
    return verdict.outcome != "not_applicable" or verdict.outcome in question.values


def _of_node(verdict: NodeVerdict) -> Label:
    return Label(value=verdict.outcome, turn=verdict.turn, why=verdict.reason)


def _of_reply(verdict: ReplyVerdict) -> Label:
    value = str(verdict.score) if verdict.score is not None else verdict.outcome
    return Label(value=FAILED if verdict.outcome == "failed" else value, why=verdict.reason)
