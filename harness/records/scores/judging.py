"""What judging took: kept with each dialogue's text scores, and summed up for a run."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import Field

from harness.records.base import FileModel
from harness.records.usage import SideUsage, summed_usage


class JudgingUse(FileModel):
    """What a language model took to judge a dialogue, or several. All zero for a judge by rules.

    Attributes:
        asked: By the last scoring.
        answers: That it asked for and got.
        kept: Answers that it found kept from before: they cost nothing then.
        before: By earlier scorings of the same words, by the same judge in the same version.
        answers_before: That those asked for and got.
        uncounted: Dialogues that were judged by a language model, but whose judging nobody counted.
    """

    asked: SideUsage = SideUsage()
    answers: int = Field(default=0, ge=0)
    kept: int = Field(default=0, ge=0)
    before: SideUsage = SideUsage()
    answers_before: int = Field(default=0, ge=0)
    uncounted: int = Field(default=0, ge=0)

    @property
    def total(self) -> SideUsage:
        """Everything that is known to have been used."""
        return summed_usage([self.asked, self.before])

    @property
    def from_elsewhere(self) -> int:
        """Kept answers at least that no counted scoring of these dialogues paid for: another run did, or a
        scoring that was cut off."""
        return max(0, self.kept - self.answers_before)

    @property
    def lower_bound(self) -> bool:
        """Whether :attr:`total` is less than what these judgements took."""
        return bool(self.from_elsewhere or self.uncounted or self.total.lower_bound)

    @property
    def nothing(self) -> bool:
        """No language model was asked, now or before."""
        return not (self.total.requests or self.total.failed_attempts or self.kept or self.uncounted)

    def after(self, earlier: JudgingUse) -> JudgingUse:
        """This scoring, told as one that followed an earlier one of the same."""
        return self.model_copy(
            update={
                "before": earlier.total,
                "answers_before": earlier.answers_before + earlier.answers,
            }
        )


def summed_judging(uses: Iterable[JudgingUse]) -> JudgingUse:
    """Several dialogues together."""
    found = list(uses)
    return JudgingUse(
        asked=summed_usage([one.asked for one in found]),
        answers=sum(one.answers for one in found),
        kept=sum(one.kept for one in found),
        before=summed_usage([one.before for one in found]),
        answers_before=sum(one.answers_before for one in found),
        uncounted=sum(one.uncounted for one in found),
    )
