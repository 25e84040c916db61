"""All text scores of one session: TFC, GIC and Final = 0.55 TFC + 0.45 GIC (section 5.1.3).

**Nothing said.** An agent that said nothing has a TFC (0: no node was achieved) but no GIC: there is no reply
to judge. Final counts its GIC as 0, and says so; to leave such sessions out would reward silence in every
average.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from pydantic import BaseModel, ConfigDict, Field

from metrics.dialogue.flow_compliance import NodeOrder, flow_compliance
from metrics.dialogue.interaction_quality import InteractionQuality, interaction_quality
from metrics.dialogue.share import ZERO, Share, weighted
from metrics.dialogue.task_flow import TaskFlow
from metrics.dialogue.verdicts import Dimension, Judge, NodeVerdict, ReplyVerdict
from metrics.score import Score, not_measured
from spoken_language.dialogue import Dialogue, DialogueTurn

FORMULA_VERSION = "1"

TFC_WEIGHT, GIC_WEIGHT = 0.55, 0.45


class TextScores(BaseModel):
    """What a judge made of one session.

    Attributes:
        judge, judge_version: Who judged; another version is another judge.
        nodes: One checked verdict for each node of the flow.
        order: For each achieved node, whether its prerequisites came before it.
        replies: One checked verdict for each agent reply and dimension.
        not_judged: Dimensions that this judge cannot judge.
        no_occasion: Dimensions that it can, but that no reply gave occasion for.
        scores: key_node_completion, node_completion, coverage, process, tfc, gic, gic_<dimension>, final.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    judge: str
    judge_version: str
    nodes: tuple[NodeVerdict, ...]
    order: tuple[NodeOrder, ...] = ()
    replies: tuple[ReplyVerdict, ...]
    not_judged: tuple[Dimension, ...] = ()
    no_occasion: tuple[Dimension, ...] = ()
    scores: tuple[Score, ...] = Field(default=())

    @property
    def partial(self) -> bool:
        """Whether GIC and Final lack a dimension."""
        return bool(self.not_judged or self.no_occasion)

    @property
    def failed(self) -> int:
        """Judgements that failed."""
        outcomes = [one.outcome for one in self.nodes] + [one.outcome for one in self.replies]
        return outcomes.count("failed")

    def score(self, metric: str) -> Score:
        """The score of a metric.

        Raises:
            KeyError: It is no text score.
        """
        for one in self.scores:
            if one.metric == metric:
                return one
        raise KeyError(metric)


def text_scores(
    dialogue: Dialogue,
    flow: TaskFlow,
    node_verdicts: Sequence[NodeVerdict],
    reply_verdicts: Sequence[ReplyVerdict],
    *,
    judge: Judge,
    call_id: str | None = None,
) -> TextScores:
    """Every text score of a session from its verdicts, which are checked on the way."""
    version = f"{FORMULA_VERSION}/{judge.name}:{judge.version}"
    task = flow_compliance(dialogue, flow, node_verdicts, version=version, call_id=call_id)
    talk = interaction_quality(
        dialogue, reply_verdicts, judged=judge.dimensions, judge=judge.name, version=version, call_id=call_id
    )
    final = final_score(
        task.tfc_share,
        talk.gic_share,
        said_nothing=not dialogue.replies(),
        notes=_notes(talk),
        version=version,
    )
    return TextScores(
        judge=judge.name,
        judge_version=judge.version,
        nodes=task.nodes,
        order=task.order,
        replies=talk.replies,
        not_judged=talk.not_judged,
        no_occasion=talk.no_occasion,
        scores=(*task.scores, *talk.scores, final),
    )


def without_replies(scores: TextScores, dialogue: Dialogue, left_out: Collection[int]) -> TextScores:
    """The scores of a session without some of its replies; those of the task stay as they are.

    Args:
        dialogue: As it was judged.
        left_out: Positions of the replies.
    """
    version = f"{FORMULA_VERSION}/{scores.judge}:{scores.judge_version}"
    # All evidence of a session names the same call, or none.
    call_id = next((proof.call_id for one in scores.scores for proof in one.evidence), None)
    kept = Dialogue(turns=tuple(_silenced(dialogue, left_out)))
    talk = interaction_quality(
        kept,
        [verdict for verdict in scores.replies if verdict.turn not in left_out],
        judged=frozenset(Dimension) - set(scores.not_judged),
        judge=scores.judge,
        version=version,
        call_id=call_id,
    )
    old = {one.metric: one for one in scores.scores}
    of_task = [one for one in scores.scores if one.metric != "final" and not one.metric.startswith("gic")]
    tfc = old["tfc"]
    if tfc.value is None:
        final = old["final"]
    else:
        share = Share(low=tfc.value, high=tfc.value, n=tfc.n)
        final = final_score(share, talk.gic_share, notes=_notes(talk), version=version)
    return scores.model_copy(
        update={
            "replies": talk.replies,
            "no_occasion": talk.no_occasion,
            "scores": (*of_task, *talk.scores, final),
        }
    )


def _silenced(dialogue: Dialogue, left_out: Collection[int]) -> Iterator[DialogueTurn]:
    """The turns at their places; what is left out is no reply any more."""
    for position, turn in enumerate(dialogue.turns):
        if position in left_out:
            yield turn.model_copy(update={"speaker": "caller"})
        else:
            yield turn


def final_score(
    tfc: Share | None,
    gic: Share | None,
    *,
    version: str,
    said_nothing: bool = False,
    notes: Sequence[str] = (),
) -> Score:
    """0.55 TFC + 0.45 GIC; without a value where one of the two has none (see the module for silence)."""
    told = list(notes)
    if gic is None and said_nothing:
        gic = ZERO
        told.append("the agent said nothing: interaction counts as 0")
    if tfc is None or gic is None:
        lacking = [name for name, share in (("TFC", tfc), ("GIC", gic)) if share is None]
        reason = f"{' and '.join(lacking)} could not be measured"
        return not_measured("final", "ratio", reason, version=version)
    return weighted([(TFC_WEIGHT, tfc), (GIC_WEIGHT, gic)], n=1, notes=told).score("final", version=version)


def _notes(talk: InteractionQuality) -> list[str]:
    return [note for note in talk.gic_share.notes if note.startswith("partial")] if talk.gic_share else []
