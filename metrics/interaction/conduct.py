"""How an agent conducts a turn: whether it comes in while the caller is speaking, cuts its own reply, leaves
a silence in it, or says the same again. What became of the turn is :mod:`metrics.interaction.outcome`.

**Coming in** (exclusive; the first onset of the agent inside the turn that is one of these is the turn's):

1. *split*: it followed on a pause of the caller, who had more to say: the caller had been quiet for at least
   0.2 s, and had not spoken again for more than 0.3 s when the agent began.
2. *false start*: it began while the caller spoke and broke off at full level before the caller
   had finished.
3. *overlap*: it began while the caller spoke, and went on beyond the end of the turn, or for a second
   or more.

Less than a second of speech that ends by itself inside the turn is a listener's noise. Both sides that begin
within 0.3 s of each other could not know of each other. An agent that was speaking already does not come in.
A question with which the caller goes on after a pause asked for an answer before it: not counted.
The bounds (0.2, 0.3, 1 s) are ours; 0.2 s is where a silence is taken for a pause elsewhere in this package.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from metrics.interaction.entry import FEWEST_WORDS, Entry
from metrics.interaction.interruption import ANSWER_GAP_S
from metrics.interaction.latency import HIDES_AN_ANSWER_S
from metrics.interaction.turns import LOST_TOGETHER_S, SHORT_S, Line, Turn
from metrics.spans import Span, merge_spans
from metrics.speech import Talk

PAUSE_S = 0.2
"""A quiet of the caller as long as this is a pause."""
ON_ITS_WAY_S = 0.3
"""Speech that begins this soon after the other side's could not know of it: it was on its way."""
HIDES_AN_ENTRY = (
    "the caller's own voice, come back, hides whether the agent came into another turn of the call, so none "
    "of them counts"
)
SAME_WORDS = 0.9
"""Two replies are the same from this share of words in the same order."""


@dataclass(frozen=True, kw_only=True)
class CameIn:
    """Whether the agent came into a turn.

    Attributes:
        at_s: Of its onset; None where it did not come in.
        double_s: Seconds of the turn in which both spoke, of that stretch of the agent's speech.
        reason: What it rests on, or why the turn is not counted.
    """

    entry: Entry
    at_s: float | None = None
    double_s: float = 0.0
    reason: str = ""


def pauses_in(turn: Span, speech: Sequence[Span]) -> list[Span]:
    """The pauses (0.2 s or more) of a turn, from where the caller's voice is within it."""
    inside = merge_spans([one for one in speech if one.overlap_s(turn) > 0])
    return [
        Span(start_s=before.end_s, end_s=after.start_s)
        for before, after in pairwise(inside)
        if after.start_s - before.end_s >= PAUSE_S
    ]


def hides_entries(turns: Sequence[Turn], line: Line) -> bool:
    """Whether the caller's own voice, come back, hides if the agent came into one of the turns. What it hides
    is where both speak: of the turns that are left none would show it."""
    if line.echo is None:
        return False
    return line.echo.masks or any(
        turn.span.start_s < talk.span.start_s < turn.span.end_s - turn.resolution_s
        and talk.echo_doubt(talk.span.start_s, "onset")
        for turn in turns
        for talk in line.talks
    )


def came_in(turn: Turn, line: Line, speech: Sequence[Span], *, asks_before_its_end: bool = False) -> CameIn:
    """Whether and how the agent came into a turn of the caller.

    Args:
        speech: Where the caller's voice is: what of the turn is pause.
        asks_before_its_end: A question stands in the turn with more behind it.
    """
    said = turn.span
    if any(
        one.span.start_s <= said.start_s and one.span.end_s > said.start_s - ANSWER_GAP_S
        for one in line.talks
    ):
        return CameIn(entry=Entry.NOT_COUNTED, reason="the agent was speaking when the turn began")
    pauses = pauses_in(said, speech)
    unclear = ""
    for talk in line.talks:
        if not said.start_s < talk.span.start_s < said.end_s - turn.resolution_s:
            continue
        if hidden := talk.echo_doubt(talk.span.start_s, "onset"):
            unclear = hidden
            continue
        if talk.span.start_s < said.start_s + ON_ITS_WAY_S:
            unclear = "both began within 0.3 s of each other"
            continue
        found = _onset(talk, turn, pauses, line, asks=asks_before_its_end)
        if found.entry is Entry.NONE:
            continue
        if found.entry is Entry.NOT_COUNTED:
            unclear = found.reason
            continue
        double_s = _double_s(talk, said, speech)
        return CameIn(entry=found.entry, at_s=talk.span.start_s, double_s=double_s, reason=found.reason)
    return CameIn(entry=Entry.NOT_COUNTED if unclear else Entry.NONE, reason=unclear)


def _double_s(talk: Talk, turn: Span, speech: Sequence[Span]) -> float:
    """What of a stretch of the agent's speech fell on the caller's voice in this turn; of speech that goes on
    into the caller's next turn the rest is that turn's."""
    both = (
        Span(start_s=max(one.start_s, two.start_s), end_s=min(one.end_s, two.end_s))
        for one in talk.clusters
        for two in merge_spans(speech)
        if one.overlap_s(two) > 0
    )
    return sum(one.overlap_s(turn) for one in both)


def _onset(talk: Talk, turn: Turn, pauses: Sequence[Span], line: Line, *, asks: bool) -> CameIn:
    start_s, said = talk.span.start_s, turn.span
    inside = talk.span.end_s < said.end_s
    short = inside and talk.span.duration_s < SHORT_S
    hidden = bool(talk.end_doubt) or any(
        gap.start_s <= talk.span.end_s + 0.02 <= gap.end_s for gap in line.lost
    )
    cut = not line.tones and not talk.soft_end and not hidden
    if short and not cut:
        return CameIn(entry=Entry.NONE)
    pause = next(
        (one for one in pauses if one.start_s + PAUSE_S <= start_s <= one.end_s + ON_ITS_WAY_S), None
    )
    if pause is not None and asks:
        reason = "the caller asked something before its end, and may have been answered"
        return CameIn(entry=Entry.NOT_COUNTED, reason=reason)
    if pause is not None:
        after_s = start_s - pause.start_s
        reason = f"the agent began {after_s:.2f} s into a pause of {pause.duration_s:.2f} s"
        return CameIn(entry=Entry.SPLIT, reason=reason)
    if inside and cut:
        reason = f"the agent broke off after {talk.span.duration_s:.2f} s, while the caller spoke on"
        return CameIn(entry=Entry.FALSE_START, reason=reason)
    return CameIn(
        entry=Entry.OVERLAP, reason=f"the agent began {said.end_s - start_s:.2f} s before the caller's end"
    )


def longest_silence(
    turn: Turn, line: Line, reply: Sequence[Talk], *, others: Sequence[Span] = ()
) -> Span | None:
    """The longest quiet before and within an answer; None where lost audio may hide speech in it, or the
    caller's own voice come back an edge of it.

    What follows on the last of the reply is the caller's own time, and so is what follows, until the agent
    speaks again, on a sound of the caller's side that is no turn.

    Args:
        others: Those sounds: backchannels, asides, what a probe planted.
    """
    if any(one.echo_doubt(edge, "") for one in reply for edge in (one.span.start_s, one.span.end_s)):
        return None
    places = [turn.span.end_s, *(edge for one in reply for edge in (one.span.start_s, one.span.end_s))]
    quiet = [
        Span(start_s=before, end_s=_until_another(before, max(before, after), others))
        for before, after in zip(places[::2], places[1::2], strict=False)
    ]
    longest = max(quiet, key=lambda one: one.duration_s, default=None)
    if longest is None:
        return None
    lost = merge_spans(line.lost, max_gap_s=LOST_TOGETHER_S)
    return None if any(one.overlap_s(longest) >= HIDES_AN_ANSWER_S for one in lost) else longest


def _until_another(start_s: float, end_s: float, others: Sequence[Span]) -> float:
    """Where a quiet ends for the agent: at once, where a sound of the other side lasts at its beginning."""
    lasting = [one.start_s for one in others if one.end_s > start_s]
    return max(start_s, min([end_s, *lasting]))


def says_the_same(words: Sequence[str], earlier: Sequence[str]) -> bool:
    """Whether a reply repeats another: the longest common subsequence of words over the longer of both."""
    if min(len(words), len(earlier)) < FEWEST_WORDS:
        return False
    row = [0] * (len(earlier) + 1)
    for word in words:
        diagonal = 0
        for place, other in enumerate(earlier, start=1):
            above = row[place]
            row[place] = diagonal + 1 if word == other else max(above, row[place - 1])
            diagonal = above
    return row[-1] / max(len(words), len(earlier)) >= SAME_WORDS
