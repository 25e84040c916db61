"""How often a judge is right, as it was measured on a labelled set, and where that is kept.

It is kept (``OUTBOUNDEVAL_HOME``), so that reports can print it beside the judge's scores. It belongs to one
version of one judge and one state of the set: with another, the judge counts as unchecked.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from harness._files.atomic_file import write_model
from harness._files.json_file import read_model
from harness.errors import UserError
from harness.judging.checking.labelled_set import PARTS
from harness.paths import data_dir
from metrics.dialogue.agreement import Agreement

PAPER_NODES, PAPER_REPLIES = 0.95, 0.90
"""Agreement with experts that the paper reports (5.1.5): of flow nodes, and of GIC scores."""

MAX_FAILED_SHARE = 0.05
"""Of a judge's verdicts, of replies or of nodes: where more failed, what is left says little about the judge,
and such a check is not kept. A leaderboard marks a competitor of whose judgements more failed."""


class Disagreement(BaseModel):
    """One item on which a judge and the label differ.

    Attributes:
        item: Id; for a node ``ID, NODE``.
        what: Dimension, or ``nodes``.
        label, judged: What was settled, and what the judge said.
        why, judge_why: The arguments of both.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    item: str
    what: str
    trait: str = ""
    label: str
    judged: str
    why: str = ""
    judge_why: str = ""


class JudgeCheck(BaseModel):
    """How well a judge agrees with a labelled set.

    Attributes:
        set_digest: Of all items and labels.
        dimensions: Dimension -> agreement; those that the judge does not claim are absent.
        not_claimed: Dimensions that it does not judge.
        replies, nodes: Pooled over the dimensions; over all nodes.
        turns: Nodes that both call achieved: how often the cited turn is the same.
        by_language: Language -> what was pooled over it ("replies", "nodes").
        people: How well the two passes of labels agree with each other: dimension or ``nodes`` -> agreement.
        partial: True where only a part of the set was judged (``--limit``).
        replies_in_set, dialogues_in_set: How many there are, of replies on the judge's dimensions; None in
            checks that were kept before this was counted.
        dialogues: How many of them were judged; of replies ``replies.n`` says so.
        failures: ``replies`` or ``nodes`` -> reason -> verdicts that failed for it; their sum is ``failed``.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    version: Literal[1] = 1
    judge: str
    judge_version: str
    date: str
    set_digest: str
    dimensions: dict[str, Agreement] = Field(default_factory=dict)
    not_claimed: tuple[str, ...] = ()
    replies: Agreement
    nodes: Agreement
    turns: Agreement
    by_language: dict[str, dict[str, Agreement]] = Field(default_factory=dict)
    people: dict[str, Agreement] = Field(default_factory=dict)
    disagreements: tuple[Disagreement, ...] = ()
    partial: bool = False
    replies_in_set: int | None = None
    dialogues_in_set: int | None = None
    dialogues: int | None = None
    failures: dict[str, dict[str, int]] = Field(default_factory=dict)

    @property
    def too_many_failed(self) -> bool:
        """Whether more than :data:`MAX_FAILED_SHARE` of the replies, or of the nodes, have no verdict: a
        wrong key, a spent quota, a dead server, or a model that cannot do it. So too where nothing was
        judged at all."""
        parts = [one for one in (self.replies, self.nodes) if one.n]
        return not parts or any(one.failed > MAX_FAILED_SHARE * one.n for one in parts)

    def told(self) -> str:
        """One line for the foot of a report."""
        parts = [
            f"{what} {percent(one)}"
            for what, one in (("nodes", self.nodes), ("replies", self.replies))
            if one.accuracy is not None
        ]
        return f"agreement with the labelled set: {', '.join(parts)}" + (", in part" if self.partial else "")


def percent(one: Agreement) -> str:
    """``87 % [80, 92]``, without an interval where there is none; a dash where nothing was compared."""
    if one.accuracy is None:
        return "-"
    if one.ci_low is None or one.ci_high is None:
        return f"{100 * one.accuracy:.0f} %"
    return f"{100 * one.accuracy:.0f} % [{100 * one.ci_low:.0f}, {100 * one.ci_high:.0f}]"


def keep_check(check: JudgeCheck, *, held_out: bool = False) -> Path | None:
    """Writes a check to where reports look for it; returns where. One in part is not kept, nor one in which
    too many verdicts failed (None): the one that was kept before stays.

    ``held_out``: of :data:`HELD_OUT_SET`; it is kept beside that of the set itself.
    """
    if check.partial or check.too_many_failed:
        return None
    path = check_path(check.judge, check.judge_version, held_out=held_out)
    write_model(path, check)
    return path


def known_check(judge: str, version: str, *, held_out: bool = False) -> JudgeCheck | None:
    """The kept check of this version of a judge; None where it has not been checked, or by a version of this
    program that wrote it otherwise, or that kept a check in which too many verdicts failed."""
    path = check_path(judge, version, held_out=held_out)
    try:
        check = read_model(path, JudgeCheck) if path.is_file() else None
    except UserError:
        return None
    return None if check is None or check.too_many_failed else check


def check_path(judge: str, version: str, *, held_out: bool = False) -> Path:
    """Where the check of a judge is kept."""
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", judge).strip("-")[:60] or "judge"
    digest = hashlib.sha256(f"{judge}\n{version}".encode()).hexdigest()[:12]
    return data_dir() / "judges" / f"{plain}-{digest}{'-held-out' * held_out}.json"


def set_digest(folder: Path) -> str:
    """Sixteen hex digits over all files of a set; not over other sets that lie in its folder."""
    digest = hashlib.sha256()
    for path in sorted(path for part in PARTS for path in (folder / part).rglob("*.yaml")):
        digest.update(path.relative_to(folder).as_posix().encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
