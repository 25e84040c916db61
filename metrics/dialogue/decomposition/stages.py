"""What each stage of the decomposition hands to the next; also the form in which a model must answer."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

_Id = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,47}$")]
_Sentence = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=600)]
_Condition = Annotated[str, StringConstraints(strip_whitespace=True, max_length=600)]


class _Stage(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class WorkflowStep(_Stage):
    """One thing that the agent has to do. ``source``: the words of the text that it comes from."""

    id: _Id
    title: _Sentence
    source: _Condition
    condition: _Condition = ""


class Structure(_Stage):
    """First stage: the text as steps."""

    steps: list[WorkflowStep] = Field(min_length=1, max_length=80)


class Criterion(_Stage):
    """One node before its prerequisites are known."""

    id: _Id
    criterion: _Sentence
    key: bool = False
    steps: list[_Id] = Field(default_factory=list, max_length=20)
    applies_if: _Condition = ""


class Criteria(_Stage):
    """Second stage, and the outcome of each repair."""

    nodes: list[Criterion] = Field(min_length=1, max_length=60)


class Prerequisite(_Stage):
    """The nodes that have to come before one."""

    node: _Id
    requires: list[_Id] = Field(default_factory=list, max_length=20)


class Prerequisites(_Stage):
    """Last stage."""

    nodes: list[Prerequisite] = Field(max_length=60)


class Problems(_Stage):
    """What the checks found after a round; empty when all is well."""

    found: list[str] = Field(default_factory=list)
