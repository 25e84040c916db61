"""A page for each dialogue of a leaderboard: what was said, and what every score of it rests on.

One file each, so that the pages of a thousand dialogues stay readable: ``report/dialogues/ID.html``, and
``report/dialogues/N/ID.html`` where several runs (N from 1) are ranked together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from harness._files.self_contained_page import render, write_page
from harness.judging.checking.standing import judge_standing
from harness.judging.material import of_chat
from harness.records.call import CallRecord, CallStatus
from harness.records.scores import DialogueScores
from harness.records.usage import SideUsage
from harness.reports import TEMPLATES
from harness.reports.leaderboard import figures
from harness.reports.parts.formats import count
from harness.reports.parts.judgement import JudgementPanel, StandingOf, judgement_panel, not_judged
from harness.reports.parts.judgement_places import page_place
from harness.reports.parts.judging_cost import judging_told
from harness.scoring.leaderboard.dialogues import RankedDialogue
from metrics.dialogue.text_scores import TextScores
from spoken_language.dialogue import DialogueTurn

FOLDER = "dialogues"

_TONES = {CallStatus.COMPLETED: "good", CallStatus.AGENT_HANGUP: "note", CallStatus.HARNESS_FAULT: "ours"}

Progress = Callable[[int, int], None]
"""Called with how many pages are written, and how many there will be."""


@dataclass(frozen=True, kw_only=True)
class DialogueLink:
    """A dialogue in the leaderboard's list.

    Attributes:
        href: From the leaderboard's page to the dialogue's.
        final, tfc, gic: None where there is none.
        why: Why it plays no part in Final; empty where it does.
    """

    href: str
    entry: str
    trial: int
    status: str
    turns: int
    final: float | None
    tfc: float | None
    gic: float | None
    failed: int
    why: str


@dataclass(frozen=True, kw_only=True)
class TurnMark:
    """Beside a turn: a node that it achieved, or points that it lost."""

    label: str
    tone: str


@dataclass(frozen=True, kw_only=True)
class TurnRow:
    """A turn of the transcript. ``number`` counts from 0, as verdicts and their reasons do."""

    number: int
    speaker: str
    text: str
    marks: tuple[TurnMark, ...]


def write_dialogue_pages(
    dialogues: Sequence[RankedDialogue],
    folder: Path,
    *,
    runs: Sequence[Path],
    on_progress: Progress = lambda done, total: None,
) -> dict[str, list[DialogueLink]]:
    """Writes a page for each dialogue.

    Args:
        folder: Where the leaderboard's page goes.
        runs: All that are ranked, in order.

    Returns:
        For each competitor its dialogues: lowest Final first, those without one at the end.

    Raises:
        UserError: A page cannot be written.
    """
    standing_of = cache(judge_standing)
    found: dict[str, list[DialogueLink]] = {}
    for done, one in enumerate(dialogues, 1):
        parts = [FOLDER, f"{one.record.plan.call_id}.html"]
        if len(runs) > 1:
            parts.insert(1, str(runs.index(one.folder) + 1))
        page = dialogue_page(one, board="../" * (len(parts) - 1) + "index.html", standing_of=standing_of)
        write_page(folder.joinpath(*parts), page)
        found.setdefault(one.competitor, []).append(_link(one, "/".join(parts)))
        on_progress(done, len(dialogues))
    for links in found.values():
        links.sort(key=lambda link: (link.final is None, link.final or 0.0))
    return found


def dialogue_page(
    one: RankedDialogue, *, board: str = "../index.html", standing_of: StandingOf = judge_standing
) -> str:
    """The page as HTML; ``board`` is where the leaderboard's page is, seen from it."""
    record = one.record
    return render(
        "dialogue.html.j2",
        folder=TEMPLATES,
        styles=["page.css", "judgement.css", "dialogue.css"],
        scripts=["page.js"],
        plan=record.plan,
        status=record.status.value.replace("_", " "),
        detail=record.status_detail,
        tone=_TONES.get(record.status, "bad"),
        facts=tuple(_facts(one)),
        turns=tuple(_turns(one)),
        panel=_panel(one, standing_of),
        board=board,
    )


def _panel(one: RankedDialogue, standing_of: StandingOf) -> JudgementPanel:
    if one.as_judged is None:
        why = one.left_out if one.record.status.took_place else f"{one.left_out}: {one.record.status_detail}"
        return not_judged(why)
    flow = one.record.plan.about.flow
    return judgement_panel(
        one.as_judged, flow, places=page_place, standing_of=standing_of, left_out=one.left_out
    )


def _link(one: RankedDialogue, href: str) -> DialogueLink:
    text = one.as_judged.text if one.as_judged else None
    return DialogueLink(
        href=href,
        entry=one.record.plan.about.entry,
        trial=one.record.plan.trial,
        status=one.record.status.value.replace("_", " "),
        turns=len(one.record.turns),
        final=one.final,
        tfc=_value(text, "tfc") if not one.left_out else None,
        gic=_value(text, "gic") if not one.left_out else None,
        failed=text.failed if text else 0,
        why=one.left_out or ("" if one.final is not None else "Final is open: judgements failed"),
    )


def _value(text: TextScores | None, metric: str) -> float | None:
    return text.score(metric).value if text else None


def _facts(one: RankedDialogue) -> Iterator[tuple[str, str]]:
    record, plan = one.record, one.record.plan
    yield "Agent", plan.competitor
    yield "Entry", plan.about.entry
    yield "Domain", plan.about.domain.replace("_", " ")
    yield "Caller", plan.caller_told
    yield "Seed and trial", f"{plan.seed}, {plan.trial}"
    for who, used in (("Agent's model", record.agent_usage), ("Caller's model", record.caller_usage)):
        if used.requests or used.failed_attempts:
            yield who, _used(used)
    judging = one.as_judged.judging if one.as_judged else None
    if judging is not None and not judging.nothing:
        yield "Judging", judging_told(judging)
    if record.earlier_attempts:
        yield "Held again", f"after {count(len(record.earlier_attempts), 'attempt')}"


def _used(used: SideUsage) -> str:
    tokens = f"{used.input_tokens:,} tokens in, {used.output_tokens:,} out"
    return f"{count(used.requests, 'request')}, {tokens}, cost {figures.cost(used)}"


def _turns(one: RankedDialogue) -> Iterator[TurnRow]:
    scores = one.as_judged
    for number, turn in enumerate(_said(one.record, scores)):
        marks = tuple(_marks(scores.text, number)) if scores and scores.text else ()
        yield TurnRow(number=number, speaker=turn.speaker, text=turn.text, marks=marks)


def _said(record: CallRecord, scores: DialogueScores | None) -> tuple[DialogueTurn, ...]:
    return scores.turns if scores else of_chat(record).dialogue.turns


def _marks(text: TextScores, turn: int) -> Iterator[TurnMark]:
    late = {one.node for one in text.order if not one.in_order}
    for node in text.nodes:
        if node.turn == turn:
            out = node.node in late
            yield TurnMark(
                label=f"{'↕' if out else '✓'} {node.node.replace('_', ' ')}", tone="open" if out else "good"
            )
    for reply in text.replies:
        if reply.turn == turn and reply.score is not None and reply.score < 2:
            name = reply.dimension.value.replace("_", " ")
            yield TurnMark(label=f"{name} {reply.score}", tone="bad" if reply.score == 0 else "open")
