"""The judge's prompts: files with a version in their name, and how the material is laid out for them.

Whoever changes a prompt gives it a new version: the file's name and :data:`VERSIONS` change together, and
answers that were kept for the old one are not used again. ``tests/golden`` holds each file to its checksum.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from metrics.dialogue.language_model.answers import FORM
from metrics.dialogue.task_flow import TaskFlow
from metrics.dialogue.verdicts import Dimension
from spoken_language.dialogue import Dialogue

FOLDER = Path(__file__).parent / "prompts"

VERSIONS: Mapping[str, int] = {
    "frame": 2,
    "flow": 1,
    "reply": 1,
    **{dimension.value: 1 for dimension in Dimension},
}
"""Prompt -> version. A dimension is asked with ``frame``, ``reply`` and its own file; the flow with ``frame``
and ``flow``."""

ALWAYS_APPLICABLE = frozenset(
    {
        Dimension.NATURALNESS,
        Dimension.COHERENCE,
        Dimension.HALLUCINATION,
        Dimension.REDUNDANCY,
        Dimension.EMOTIONAL_RICHNESS,
    }
)
"""Dimensions whose rubric (Tables 22, 23) names no trigger without which there is nothing to judge."""

PLANTED = "The caller's turn before this reply was said on purpose to try this dimension: it applies."
"""Added to the question of a reply to a planted place; part of what the answer is kept under."""

MAX_BRIEFING_CHARS = 60_000
MAX_CALL_CHARS = 120_000


_TAG = re.compile(r"[<＜](\s*+(?:/\s*+)?(?:briefing|call)\b[^<>＜＞]*)[>＞]?", re.IGNORECASE)
"""Possessive: a sign and 60 thousand blanks took more than a minute otherwise."""
_TURN = re.compile(r"[\[［【](\s*\d+\s*)[\]］】](\s*(?:AGENT|CALLER))\s*[:：]", re.IGNORECASE)


@cache
def prompt(name: str) -> str:
    """The text of a prompt in its present version."""
    return (FOLDER / f"{name}.v{VERSIONS[name]}.md").read_text(encoding="utf-8").strip()


def flow_version() -> str:
    """Version of everything that the flow is asked with."""
    return f"form{FORM}.frame{VERSIONS['frame']}.flow{VERSIONS['flow']}"


def dimension_version(dimension: Dimension) -> str:
    """Version of everything that a dimension is asked with."""
    kind = f"form{FORM}.frame{VERSIONS['frame']}.reply{VERSIONS['reply']}"
    return f"{kind}.{dimension.value}{VERSIONS[dimension.value]}"


def judge_version() -> str:
    """Version of all prompts together and of the form of the answers, for reports."""
    dimensions = "".join(str(VERSIONS[dimension.value]) for dimension in Dimension)
    return f"p{VERSIONS['frame']}.{VERSIONS['flow']}.{VERSIONS['reply']}.{dimensions}.f{FORM}"


def flow_question(dialogue: Dialogue, flow: TaskFlow, *, agent_prompt: str) -> str:
    """What the judge is asked about a whole session."""
    nodes = []
    for node in flow.nodes:
        condition = f" (applies only if: {node.branch.when})" if node.branch else ""
        nodes.append(f"- {node.id}: {node.criterion}{condition}")
    task = [prompt("flow"), "NODES", "\n".join(nodes)]
    return "\n\n".join([_material(dialogue, agent_prompt), *task])


def reply_question(dialogue: Dialogue, turn: int, dimension: Dimension, *, agent_prompt: str) -> str:
    """What the judge is asked about one reply. The material comes first: it is the same for all dimensions,
    and providers that keep what they have read need not read it again."""
    so_far = Dialogue(turns=dialogue.turns[: turn + 1])
    task = [prompt("reply"), prompt(dimension.value), f"The reply to judge is turn {turn}."]
    if dimension in dialogue.tried_by(turn):
        task.append(PLANTED)
    return "\n\n".join([_material(so_far, agent_prompt), *task])


def _material(dialogue: Dialogue, agent_prompt: str) -> str:
    """Briefing and call. A very long call loses its beginning, a long briefing its end.

    Neither side's words can end the call or look like another turn: what marks these is written otherwise in
    them. Only signs change, so that a quote still has the words that were said.
    """
    lines = [
        f"[{number}] {turn.speaker.upper()}: {_harmless(' '.join(turn.text.split()))}"
        for number, turn in enumerate(dialogue.turns)
    ]
    call = "\n".join(lines) or "(nothing was said)"
    if len(call) > MAX_CALL_CHARS:
        call = "(beginning left out) ..." + call[-MAX_CALL_CHARS:]
    briefing = _TAG.sub(r"(\1)", agent_prompt.strip()) or "(none is known)"
    if len(briefing) > MAX_BRIEFING_CHARS:
        briefing = briefing[:MAX_BRIEFING_CHARS] + "... (end left out)"
    return f"<briefing>\n{briefing}\n</briefing>\n\n<call>\n{call}\n</call>"


def _harmless(said: str) -> str:
    return _TURN.sub(r"(\1)\2 -", _TAG.sub(r"(\1)", said))
