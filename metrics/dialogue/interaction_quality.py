"""General interaction capability: every agent reply on eight dimensions (Tables 5, 22, 23).

::

    dimension = mean over the replies where it applies of score / 2
    GIC       = sum of weight x dimension / sum of weight, over the dimensions that have a value

**Partial.** A dimension may have no value because no reply gave occasion for it (nobody was noisy, nobody
asked for secrets), or because this judge cannot judge it. Its weight is then shared out among the others, and
the score says "partial" and names it: two partial scores over different dimensions do not compare.

**Failed verdicts** of a dimension leave it open between two bounds (all of them 0, all of them 2). Up to
:data:`FAILED_SHARE_MAX` of its replies they are left out and counted in the reason; beyond that the dimension
is indeterminate, and GIC with it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from metrics.dialogue.share import Share, weighted
from metrics.dialogue.verdict_checks import checked_reply
from metrics.dialogue.verdicts import Dimension, ReplyVerdict
from metrics.score import Evidence, Score, not_measured
from spoken_language.dialogue import Dialogue

WEIGHTS: Mapping[Dimension, float] = {
    Dimension.NATURALNESS: 0.20,
    Dimension.COHERENCE: 0.20,
    Dimension.HALLUCINATION: 0.20,
    Dimension.REDUNDANCY: 0.10,
    Dimension.EMOTIONAL_RICHNESS: 0.10,
    Dimension.INTENT_UNDERSTANDING: 0.10,
    Dimension.NOISE_RESISTANCE: 0.06,
    Dimension.SAFETY: 0.04,
}
"""Table 5."""

FAILED_SHARE_MAX = 0.1
"""Of a dimension's replies: more failed verdicts than that, and it has no value."""

WORST_SHOWN = 5
_SHOWN = 200


@dataclass(frozen=True, kw_only=True)
class InteractionQuality:
    """The GIC scores of one session and what they rest on.

    Attributes:
        replies: The checked verdicts, as they were given.
        gic_share: GIC with its bounds, for the final score; None where no dimension has a value.
        no_occasion: Dimensions that the judge can judge, but that no reply gave occasion for.
        not_judged: Dimensions that the judge cannot judge.
        scores: gic, then gic_<dimension> in the order of Table 5.
    """

    replies: tuple[ReplyVerdict, ...]
    gic_share: Share | None
    no_occasion: tuple[Dimension, ...]
    not_judged: tuple[Dimension, ...]
    scores: tuple[Score, ...]

    @property
    def partial(self) -> bool:
        """Whether GIC has a value that not all eight dimensions went into."""
        return self.gic_share is not None and bool(self.no_occasion or self.not_judged)


def interaction_quality(
    dialogue: Dialogue,
    verdicts: Sequence[ReplyVerdict],
    *,
    judged: Collection[Dimension],
    judge: str,
    version: str,
    call_id: str | None = None,
) -> InteractionQuality:
    """GIC of one session (section 5.1.3, Table 5).

    Args:
        verdicts: One for each agent turn and dimension; those that are missing count as failed. They are
            checked here (:mod:`metrics.dialogue.verdict_checks`).
        judged: The dimensions that the judge can judge at all.
        judge: Its name, for the reasons.
        version: Of judge and formula, for the scores.
    """
    replies = _complete(dialogue, [checked_reply(dialogue, one) for one in verdicts], judged)
    shares: dict[Dimension, Share] = {}
    scores: dict[Dimension, Score] = {}
    for dimension in Dimension:
        mine = [one for one in replies if one.dimension is dimension]
        metric = f"gic_{dimension}"
        share = _share(mine) if dimension in judged else None
        if share is None:
            reason = _why_absent(dialogue, dimension, mine, judged=judged, judge=judge)
            scores[dimension] = not_measured(metric, "ratio", reason, version=version)
        else:
            shares[dimension] = share
            evidence = _worst(dialogue, mine, call_id)
            scores[dimension] = share.score(metric, version=version, evidence=evidence)
    not_judged = tuple(dimension for dimension in Dimension if dimension not in judged)
    no_occasion = tuple(one for one in Dimension if one in judged and one not in shares)
    gic = _gic(shares, no_occasion, not_judged, judge=judge)
    if gic is None:
        why = "no dimension has a value" if dialogue.replies() else "the agent said nothing"
        total = not_measured("gic", "ratio", why, version=version)
    else:
        total = gic.score("gic", version=version)
    return InteractionQuality(
        replies=replies,
        gic_share=gic,
        no_occasion=no_occasion,
        not_judged=not_judged,
        scores=(total, *scores.values()),
    )


def _complete(
    dialogue: Dialogue, given: Sequence[ReplyVerdict], judged: Collection[Dimension]
) -> tuple[ReplyVerdict, ...]:
    """One verdict for each reply and judged dimension: the first one given, or a failed one."""
    first: dict[tuple[int, Dimension], ReplyVerdict] = {}
    for verdict in given:
        first.setdefault((verdict.turn, verdict.dimension), verdict)
    for turn in dialogue.replies():
        for dimension in Dimension:
            if dimension in judged and (turn, dimension) not in first:
                missing = ReplyVerdict(
                    turn=turn, dimension=dimension, outcome="failed", reason="the judge gave no verdict"
                )
                first[turn, dimension] = missing
    order = list(Dimension)
    return tuple(first[key] for key in sorted(first, key=lambda key: (key[0], order.index(key[1]))))


def _share(verdicts: Sequence[ReplyVerdict]) -> Share | None:
    """None where the dimension applied to no reply."""
    values = [one.score / 2 for one in verdicts if one.score is not None]
    failed = sum(one.outcome == "failed" for one in verdicts)
    n = len(values)
    if not n + failed:
        return None
    if failed > FAILED_SHARE_MAX * (n + failed):
        total = sum(values)
        return Share(
            low=total / (n + failed),
            high=(total + failed) / (n + failed),
            n=n,
            failed=failed,
            none=not n,
        )
    notes = [f"{failed} of {n + failed} replies could not be judged"] if failed else []
    mean = sum(values) / n
    return Share(low=mean, high=mean, n=n, notes=tuple(notes))


def _gic(
    shares: Mapping[Dimension, Share],
    no_occasion: Sequence[Dimension],
    not_judged: Sequence[Dimension],
    *,
    judge: str,
) -> Share | None:
    if not shares:
        return None
    notes = []
    if not_judged:
        notes.append(f"partial: {judge} cannot judge {', '.join(not_judged)}")
    if no_occasion:
        notes.append(f"partial: no occasion for {', '.join(no_occasion)}")
    notes += [f"{dimension}: {note}" for dimension, share in shares.items() for note in share.notes]
    n = max(share.n for share in shares.values())
    return weighted([(WEIGHTS[dimension], share) for dimension, share in shares.items()], n=n, notes=notes)


def _why_absent(
    dialogue: Dialogue,
    dimension: Dimension,
    verdicts: Sequence[ReplyVerdict],
    *,
    judged: Collection[Dimension],
    judge: str,
) -> str:
    if dimension not in judged:
        tried = sum(dimension in dialogue.tried_by(reply) for reply in dialogue.replies())
        return f"{judge} cannot judge it" + (f" ({_replies(tried)} to a planted place)" if tried else "")
    return "no reply gave occasion for it" if verdicts else "the agent said nothing"


def _worst(dialogue: Dialogue, verdicts: Sequence[ReplyVerdict], call_id: str | None) -> tuple[Evidence, ...]:
    """The replies below full marks, worst first, with the words and the reason."""
    lacking = sorted(
        (one.score, one.turn, one) for one in verdicts if one.score is not None and one.score < 2
    )
    return tuple(
        Evidence(
            call_id=call_id,
            value=score,
            text=f"turn {turn}: {_short(one.reason)}: “{_short(one.quote or dialogue.turns[turn].text)}”",
        )
        for score, turn, one in lacking[:WORST_SHOWN]
    )


def _replies(count: int) -> str:
    return "1 reply" if count == 1 else f"{count} replies"


def _short(text: str) -> str:
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
