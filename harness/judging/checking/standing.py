"""Whether a judge's scores may be called final: only where its agreement with labels has been measured here.

A score is as good as its judge. Where nobody has compared this judge, in this version, with the labelled set
(``outboundeval judge check``), its scores are *provisional*; and so are those of a check in which the set had
another content.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from harness.judging.checking.judge_check import (
    PAPER_NODES,
    PAPER_REPLIES,
    JudgeCheck,
    known_check,
    percent,
    set_digest,
)
from harness.judging.checking.labelled_set import HELD_OUT_SET, OWN_SET
from harness.judging.defaults import RULES
from harness.judging.judges import by_rules, why_not_comparable


@dataclass(frozen=True, kw_only=True)
class JudgeStanding:
    """What is known of a judge.

    Attributes:
        check: Its last check, of this version; None where there is none.
        outdated: The labelled set has changed since that check.
        held_out: Its last check on the held-out set as it is now; None where there is none.
    """

    judge: str
    version: str
    check: JudgeCheck | None = None
    outdated: bool = False
    held_out: JudgeCheck | None = None

    @property
    def checked(self) -> bool:
        return self.check is not None and not self.outdated

    @property
    def final(self) -> bool:
        """Whether a score by this judge may be headed "final". Never one by rules, alone or in a panel: they
        judge a part only."""
        return self.checked and not by_rules(self.judge)

    @property
    def heading(self) -> str:
        """What stands over the scores."""
        return "final" if self.final else "provisional"

    def lines(self) -> list[str]:
        """For a person, under the scores: how often the judge is right, or that nobody knows."""
        return list(self._lines())

    def _lines(self) -> Iterator[str]:
        check = self.check
        # A panel is named after its members, not by one name that could be given.
        named = f" --judge {self.judge}" if " " not in self.judge else ""
        command = f"outboundeval judge check{named}"
        if names_no_model(self.judge):
            yield (
                f"Provisional: {self.judge} is an address; which model was served there was not kept. Score "
                "again, and the judge is named with its model."
            )
        elif check is None:
            yield f"Provisional: the judge {self.judge} {self.version} has not been checked here ({command})."
        elif self.outdated:
            yield (
                f"Provisional: the labelled set has changed since the judge {self.judge} was checked on "
                f"{check.date} ({command})."
            )
        else:
            yield f"Judge {self.judge} {self.version}, checked on {check.date}: {self._agreement(check)}."
        if by_rules(self.judge):
            yield f"Provisional and in part: {why_not_comparable(RULES)}; it cannot judge every dimension."

    def _agreement(self, check: JudgeCheck) -> str:
        """The held-out set first: with the other one the rules were made, and prompts may have been."""
        paper = f"the paper's judge: {100 * PAPER_NODES:.0f} % and {100 * PAPER_REPLIES:.0f} %"
        own = f"as labelled: {_agreements(check)}"
        if self.judge == RULES:
            own = f"in the set that the rules were written with: {_agreements(check)}"
        if self.held_out is not None:
            return f"on dialogues held out: {_agreements(self.held_out)}; {own}; {paper}"
        if self.judge == RULES:
            return f"{own}, and less elsewhere; on dialogues held out: not checked; {paper}"
        return f"{own}; {paper}"


def _agreements(check: JudgeCheck) -> str:
    nodes, replies = check.nodes, check.replies
    return f"nodes {percent(nodes)} (n {nodes.n}), replies {percent(replies)} (n {replies.n})"


def judge_standing(judge: str, version: str) -> JudgeStanding:
    """What is known of a judge here, from its last check. Of a server without its model, as earlier versions
    named one, nothing is: another model may have been checked there than the one that judged."""
    if names_no_model(judge):
        return JudgeStanding(judge=judge, version=version)
    check, held_out = known_check(judge, version), known_check(judge, version, held_out=True)
    if held_out is not None and held_out.set_digest != set_digest(HELD_OUT_SET):
        held_out = None
    outdated = check is not None and check.set_digest != set_digest(OWN_SET)
    return JudgeStanding(judge=judge, version=version, check=check, outdated=outdated, held_out=held_out)


def names_no_model(judge: str) -> bool:
    """Whether a judge, or a member of a panel, is named by a server's address alone."""
    words = [word.rstrip(",") for word in judge.split()]
    return any(word.startswith(("http://", "https://")) and "#" not in word for word in words)
