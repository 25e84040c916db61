"""The unit of work: one conversation, complete, as a worker anywhere takes it up.

As JSON it goes to other processes and other machines. What is secret in a plan is named there
(:mod:`harness.plans.secrets`); what was written out is withheld from that JSON, and only
:func:`for_own_process` has it: for the pipe to a process that we started ourselves, and for nothing that is
kept.
"""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict
from pydantic_core import to_json

from harness.plans.call import CallPlan
from harness.plans.secrets import Withheld
from harness.scenarios.scenario import Entry


class Unit(BaseModel):
    """One conversation that is to be held, complete: it can be written as JSON, sent elsewhere, held there.

    Attributes:
        plan: Everything that decides the caller.
        entry: The whole entry of the benchmark, where the agent is played from its card (in text); the plan
            keeps of it only what the caller and the judges need.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    plan: CallPlan
    entry: Entry | None = None

    @property
    def id(self) -> str:
        """Of the call."""
        return self.plan.call_id


def for_own_process(unit: Unit) -> bytes:
    """The unit as JSON with what its plan withholds, so that a process of ours can dial as we could.

    Whatever reads it back (``Unit.model_validate_json``) withholds the same, and has the same digest.
    """
    return to_json(_with_givens(unit.model_dump(by_alias=True)))


def has_secrets_written_out(unit: Unit) -> bool:
    """Whether it can be dialled only by who was given it: something in it is known as ``***`` elsewhere."""
    return for_own_process(unit) != to_json(unit.model_dump(by_alias=True))


def _with_givens(content: Any) -> Any:
    if isinstance(content, Withheld):
        return str(content) if content.given is None else content.given
    if isinstance(content, dict):
        return {name: _with_givens(one) for name, one in content.items()}
    if isinstance(content, (list, tuple)):
        return [_with_givens(one) for one in content]
    return content
