"""The acts of an utterance as its words tell them, set right by what its sentences are nearest to."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from voice_sim.understanding.acts import Acts
from voice_sim.understanding.process_talk.lines import ProcessAct

_FLAGS: dict[ProcessAct, str] = {
    "identity": "asks_identity",
    "time": "asks_for_time",
    "more": "asks_for_more",
    "deflect": "admits_ignorance",
}
# Not the farewell: its words are few and sure, and what ends a call must not hang on nearness.
_OF_AN_OPENING: tuple[ProcessAct, ...] = ("identity", "time")
_DOUBTED: tuple[ProcessAct, ...] = ("time", "more")
"""Words alone take a question for one of these too easily."""
_WANT_AN_ANSWER: tuple[ProcessAct, ...] = (
    "identity",
    "time",
    "more",
    "offer",
    "choice",
    "check",
    "clear",
    "go_on",
)


def plausible(acts: Acts, does: ProcessAct | None) -> ProcessAct | None:
    """What the last sentence does, where that can be: a greeting asks who is there and whether they can talk.

    No line of process talk introduces anybody, and so an introduction is nearest to whatever it may be.
    """
    return does if not acts.greets or does in _OF_AN_OPENING else None


def with_last_act(acts: Acts, does: ProcessAct | None, *, possible: Collection[ProcessAct]) -> Acts:
    """Acts by words, with what the nearest lines say.

    Args:
        does: What the last sentence does; None: nothing that is known.
        possible: What any of its sentences may do.
    """
    flags = {_FLAGS[act]: False for act in _DOUBTED if act not in possible}
    sentences = acts.sentences
    if does is not None:
        if does in _FLAGS:
            flags[_FLAGS[does]] = True
        if does == "wait" and len(sentences) == 1:
            flags["asks_to_wait"] = True
        if does == "lost":
            flags["asks_to_repeat"] = True
        if does in _WANT_AN_ANSWER and sentences:
            last = replace(sentences[-1], asks=True, proposes=sentences[-1].proposes or does == "offer")
            sentences = (*sentences[:-1], last)
    return replace(acts, sentences=sentences, **flags)
