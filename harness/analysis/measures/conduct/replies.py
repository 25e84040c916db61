"""What is wrong with the agent's replies: none, cut by itself, empty, with a long silence, said before."""

from __future__ import annotations

from harness.analysis.measures.conduct.conducted import ConductShare, Place, share
from harness.records.scores import TurnConduct
from metrics.interaction.entry import FEWEST_WORDS, LONG_SILENCE_S

_NO_REPLY = "no reply of the agent to tell it of"


def _in_reply(one: TurnConduct, what: str) -> Place:
    start_s = one.end_s if one.reply_at_s is None else one.reply_at_s
    return start_s, start_s if one.reply_end_s is None else one.reply_end_s, what


def _silence(one: TurnConduct) -> Place:
    start_s, silence_s = one.silence_at_s or 0.0, one.silence_s or 0.0
    return start_s, start_s + silence_s, f"{silence_s:.1f} s of silence"


UNANSWERED = ConductShare(
    share(
        "unanswered_rate",
        "Unanswered turns",
        "Turns due an answer that got none before the caller spoke again or gave up, or the agent hung up, "
        "over all that were due one. One that the agent talked over is not counted here.",
        "no turn of the caller was due an answer, or all were talked over",
    ),
    did=lambda one: None if one.answered is None else not one.answered,
    place=lambda one: (one.start_s, one.end_s, "no answer followed"),
    why_not=lambda one: "talked over",
)
SELF_CUTS = ConductShare(
    share(
        "self_cut_rate",
        "Replies cut by the agent itself",
        "Replies that broke off while the caller was silent (at full level, in the middle of their words, "
        "by the agent's own report, or by its hanging up), over all replies. A cut where a sentence could "
        "have ended is not found.",
        _NO_REPLY,
        "reply",
    ),
    did=lambda one: bool(one.cut) if one.replied else None,
    place=lambda one: _in_reply(one, one.cut),
)
EMPTY_REPLIES = ConductShare(
    share(
        "empty_reply_rate",
        "Empty replies",
        'Replies of less than a second of speech whose words say nothing ("mm", "one moment") and that '
        "nothing followed on, over all replies.",
        _NO_REPLY,
        "reply",
    ),
    did=lambda one: one.empty if one.replied else None,
    place=lambda one: _in_reply(one, "the whole reply says nothing"),
)
LONG_SILENCES = ConductShare(
    share(
        "long_silence_rate",
        "Long silences",
        f"Replies with a silence of {LONG_SILENCE_S:g} s or more before or within them, over all replies. "
        "It ends where the caller's side makes a sound that is no turn (a probe's, a backchannel). "
        "A turn without any answer is counted as unanswered, not here.",
        _NO_REPLY,
        "reply",
    ),
    did=lambda one: None if one.silence_s is None else one.silence_s >= LONG_SILENCE_S,
    place=_silence,
    why_not=lambda one: "lost audio may hide speech" if one.replied else "",
    version="3",
)
REPEATS = ConductShare(
    share(
        "repeated_reply_rate",
        "Repeated replies",
        f"Replies of {FEWEST_WORDS} words or more that say what an earlier one said (9 words of 10, in the "
        "same order), over all such replies. Where the caller asked again, or said the same again, a "
        "repetition is right and not counted.",
        "no reply of which the words are known",
        "reply",
    ),
    did=lambda one: one.repeats,
    place=lambda one: _in_reply(one, f"said before: {one.repeats_reason}"),
    why_not=lambda one: one.repeats_reason,
)
