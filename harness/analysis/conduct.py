"""How the agent conducted each turn of a call, from sound first; its own messages are a second witness."""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.outcomes import line_of, turn_of
from harness.analysis.timing import WITNESSES, CallTiming
from harness.records.call import Event, SpokenUtterance
from harness.records.scores import TranscriptLine, TurnConduct, TurnTiming
from metrics.interaction.conduct import (
    HIDES_AN_ENTRY,
    came_in,
    hides_entries,
    longest_silence,
    pauses_in,
    says_the_same,
)
from metrics.interaction.entry import FEWEST_WORDS, Entry
from metrics.interaction.outcome import TurnOutcome
from metrics.interaction.turns import Line, Turn, broke_off, reply_to
from metrics.spans import Span
from metrics.speech import SpeechActivity

_WORD = re.compile(r"[㐀-鿿]|[^\W_㐀-鿿]+(?:'[^\W_]+)?")
_ASKED_EARLIER = re.compile(r"[?？]\s*\S")
_ASKS_AGAIN = re.compile(
    r"\b(?:again|repeat|pardon|what was that|say that|(?:did not|didn't|couldn't) (?:hear|catch|get)"
    r"|sorry\W+what|still there)\b|再说|重复|没听清|什么",
    re.IGNORECASE,
)
"""A caller that says this asks for the same once more."""
_ONLY_CALLS = re.compile(r"\W*(?:(?:sorry|hello|喂)\W*)+", re.IGNORECASE)
"""So does one who says no more than this. Before a question of its own it is a way to begin."""
_TOLD_EARLY_S = 0.1
"""A message that comes this much before the end of the turn was not about its end."""
READS_ALIKE = "the agent was to read sentences aloud, of which some differ in a word"
"""Why nothing is said of repeats in such a call."""


def conducted(
    turns: Sequence[TurnTiming],
    *,
    timing: CallTiming,
    material: CallMaterial,
    lines: Sequence[TranscriptLine],
    caller: SpeechActivity,
    recognised: bool,
) -> list[TurnConduct]:
    """Every turn that was due an answer, in order.

    Args:
        turns: With their outcomes.
        caller: Where its voice is.
        recognised: Our recogniser listened to the agent; without it nothing is said of its words.
    """
    line = line_of(timing, material, lines, recognised=recognised)
    by_index = {one.index: one for one in material.utterances}
    speech = [cluster for talk in caller.talks for cluster in talk.clusters]
    found: list[TurnConduct] = []
    replies: list[list[str]] = []
    said_before: list[str] = []
    for row in turns:
        said = by_index[row.index]
        if not row.outcome.due:
            continue
        turn = turn_of(said, row, material, timing)
        found.append(_one(row, said, turn, line, speech, material))
        if found[-1].replied and recognised:
            words = _words(lines, Span(start_s=turn.span.end_s, end_s=max(turn.span.end_s, turn.until_s)))
            if material.probe is not None and material.probe.to_read:
                found[-1] = found[-1].model_copy(update={"repeats_reason": READS_ALIKE})
            else:
                found[-1] = _with_repeats(found[-1], said, words, replies, said_before)
            replies.append(words)
        said_before.append(said.text.strip().casefold())
    every = [turn_of(by_index[row.index], row, material, timing) for row in turns]
    return [_uncounted(one) for one in found] if hides_entries(every, line) else found


def _uncounted(one: TurnConduct) -> TurnConduct:
    """A turn of a call in which an echo hides whether the agent came into another."""
    if one.entry is Entry.NOT_COUNTED:
        return one
    fields = {"entry": Entry.NOT_COUNTED, "entry_at_s": None, "entry_reason": HIDES_AN_ENTRY}
    return one.model_copy(update={**fields, "double_talk_s": 0.0})


def _one(
    row: TurnTiming,
    said: SpokenUtterance,
    turn: Turn,
    line: Line,
    speech: Sequence[Span],
    material: CallMaterial,
) -> TurnConduct:
    entered = came_in(turn, line, speech, asks_before_its_end=bool(_ASKED_EARLIER.search(said.text)))
    known = material.utterances_known and bool(said.text)
    fields = TurnConduct(
        index=row.index,
        start_s=said.start_s,
        end_s=said.end_s,
        entry=entered.entry,
        entry_at_s=entered.at_s,
        entry_reason=entered.reason,
        double_talk_s=entered.double_s,
        pauses=len(pauses_in(turn.span, speech)) if known else None,
        told=_told(material.events, turn),
        replied=row.outcome.replied,
        answered=None if row.outcome is TurnOutcome.TALKED_OVER else row.outcome.replied,
    )
    reply = reply_to(turn, line)
    if not row.outcome.replied or not reply:
        return fields
    # Its own turn, among them, is over when the first quiet begins.
    quiet = longest_silence(turn, line, reply, others=line.caller)
    cut = broke_off(turn, line, reply)
    return fields.model_copy(
        update={
            "cut": cut,
            "empty": row.outcome is TurnOutcome.IN_PART and not cut,
            "reply_at_s": reply[0].span.start_s,
            "reply_end_s": reply[-1].span.end_s,
            "silence_s": None if quiet is None else quiet.duration_s,
            "silence_at_s": None if quiet is None else quiet.start_s,
        }
    )


def _told(events: Sequence[Event], turn: Turn) -> bool | None:
    """Whether the agent told that the caller had stopped, and began to speak, before the turn's end."""
    ends = [one.t for one in events if one.source in WITNESSES and one.kind == "user-stopped-speaking"]
    starts = [one.t for one in events if one.source in WITNESSES and one.kind == "bot-started-speaking"]
    if not ends or not starts:
        return None
    until_s = turn.span.end_s - _TOLD_EARLY_S
    return any(turn.span.start_s < end <= start < until_s for end in ends for start in starts)


def _words(lines: Sequence[TranscriptLine], span: Span) -> list[str]:
    text = " ".join(
        word.word
        for line in lines
        if line.side == "agent" and line.source == "whisper"
        for word in line.words
        if span.start_s <= word.start_s < span.end_s
    )
    return _WORD.findall(text.casefold())


def _with_repeats(
    one: TurnConduct,
    said: SpokenUtterance,
    words: Sequence[str],
    earlier: Sequence[Sequence[str]],
    said_before: Sequence[str],
) -> TurnConduct:
    if len(words) < FEWEST_WORDS:
        return one.model_copy(update={"repeats_reason": f"under {FEWEST_WORDS} words were heard"})
    if not said.text:
        return one.model_copy(update={"repeats_reason": "what the caller said is not known"})
    if _asks_for_the_same(said.text, said_before):
        return one.model_copy(update={"repeats_reason": "the caller asked for it again, or the same again"})
    same = any(says_the_same(words, other) for other in earlier)
    reason = " ".join(words)[:80] if same else ""
    return one.model_copy(update={"repeats": same, "repeats_reason": reason})


def _asks_for_the_same(text: str, said_before: Sequence[str]) -> bool:
    same = text.strip().casefold() in said_before
    return same or bool(_ASKS_AGAIN.search(text) or _ONLY_CALLS.fullmatch(text))
