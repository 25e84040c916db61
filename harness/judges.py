"""The judges by name. Another one is one more line here."""

from __future__ import annotations

from harness.errors import UserError
from metrics.dialogue.rules.judge import RulesJudge
from metrics.dialogue.verdicts import Judge

RULES = "rules"


def make_judge(name: str) -> Judge:
    """The judge with this name.

    Raises:
        UserError: There is none.
    """
    if name == RULES:
        return RulesJudge()
    raise UserError(f"no judge '{name}'; there is: {RULES}")


def why_not_comparable(judge: str) -> str:
    """Why scores by a judge do not compare with the paper's; empty where nothing speaks against it."""
    return "rules judge: not comparable with published figures" if judge == RULES else ""
