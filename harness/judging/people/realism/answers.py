"""What people answered, as verdicts. Answers were held to the sheet when they were read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.judging.people.answers import Ratings
from harness.judging.people.realism.sheet import RealismKey
from voice_sim.realism.verdicts import Compared, Detected, Scored, Source, Verdicts

NOT_ANSWERED = "not answered"


def verdicts_of(key: RealismKey, ratings: Sequence[Ratings]) -> Verdicts:
    """The verdicts of all raters; what one left out is a failure, not a value."""
    scored: list[Scored] = []
    detected: list[Detected] = []
    compared: list[Compared] = []
    for one in ratings:
        for item in key.sheet.items:
            for question in item.questions:
                answer = one.answer(item.id, question.id)
                value = answer.value if answer else ""
                shown = key.items[item.id]
                failure = "" if answer else NOT_ANSWERED
                if question.id == "score":
                    score = int(value) if value else None
                    talk, source = shown[0].talk, shown[0].source
                    scored.append(
                        Scored(talk=talk, source=source, rater=one.rater, score=score, failure=failure)
                    )
                elif question.id == "detect":
                    talk, source = shown[0].talk, shown[0].source
                    verdict = _source(value)
                    detected.append(
                        Detected(talk=talk, source=source, rater=one.rater, verdict=verdict, failure=failure)
                    )
                else:
                    chosen = shown[0 if value == "A" else 1].source if value else None
                    talks = {side.source: side.talk for side in shown}
                    compared.append(
                        Compared(
                            human=talks["human"],
                            simulated=talks["simulated"],
                            rater=one.rater,
                            first=shown[0].source,
                            more_human=chosen,
                            failure=failure,
                        )
                    )
    return Verdicts(by="people", scored=tuple(scored), detected=tuple(detected), compared=tuple(compared))


def missing(key: RealismKey, ratings: Sequence[Ratings]) -> Iterator[tuple[str, list[str]]]:
    """Rater -> items that they left out, or did not answer whole."""
    for one in ratings:
        left = [
            item.id
            for item in key.sheet.items
            if any(one.answer(item.id, question.id) is None for question in item.questions)
        ]
        if left:
            yield one.rater, left


def _source(value: str) -> Source | None:
    return "human" if value == "human" else "simulated" if value == "simulated" else None
