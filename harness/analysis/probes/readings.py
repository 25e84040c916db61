"""Which sentences of a call of the form ``read_aloud`` the agent said, and where in the call."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.probes.replies import Reply, reply_to
from harness.plans.probes.to_read import ToRead
from harness.records.scores import ProbeReading, TranscriptLine
from metrics.recognition.normalize import Language
from metrics.recognition.said_aloud import SAID_SHARE, share_said
from metrics.speech import Talk
from spoken_language.outside_text import one_line

MAX_TEXT = 500


def readings(
    material: CallMaterial, *, lines: Sequence[TranscriptLine], talks: Sequence[Talk], recognised: bool
) -> list[ProbeReading]:
    """One for each sentence of a call, in order; none in a call of no suite.

    Args:
        lines: Of the transcript, from every source.
        talks: The agent's speech.
        recognised: Our own recogniser listened to the agent.
    """
    if material.probe is None:
        return []
    asked = {one.index: one for one in material.utterances}
    found = []
    for wanted in material.probe.to_read:
        utterance = asked.get(wanted.line)
        plain = ProbeReading(
            suite=material.probe.suite,
            item=wanted.item,
            kind=wanted.kind,
            language=material.language,
            text=wanted.text,
            key=wanted.key,
            control=wanted.control,
            key_language=wanted.key_language,
            is_symbol=bool(wanted.readings),
        )
        if utterance is None or utterance.cut_short:
            why = "the call ended before it" if utterance is None else "the call ended in it"
            found.append(plain.model_copy(update={"reason": why}))
            continue
        reply = reply_to(material, utterance, lines, talks, recognised=recognised)
        found.append(
            plain.model_copy(
                update=_said(wanted, material.probe.to_read, reply, cast(Language, material.language))
            )
        )
    return found


def _said(wanted: ToRead, told: Sequence[ToRead], reply: Reply, language: Language) -> dict[str, Any]:
    """What became of one sentence of those that the agent was told in the call."""
    if reply.span is None:
        why = "audio of the agent was lost there" if reply.lost else "it said nothing"
        return {"said": None if reply.lost else False, "reason": why}
    where = {"start_s": reply.span.start_s, "end_s": reply.span.end_s}
    # Told before heard: whether it is this sentence is no matter of how it sounded.
    text, source = (reply.own, "agent_text") if reply.own else (reply.heard, "recogniser")
    if text is None:
        return where | {"reason": "its words are not known: it tells none, and nothing was transcribed"}
    share = share_said(wanted.text, text, key=wanted.key, language=language)
    known = where | {"heard": one_line(text, most=MAX_TEXT), "source": source, "share": round(share, 3)}
    if share < SAID_SHARE:
        return known | {"said": False, "reason": "it said something else"}
    for other in told:
        if share_said(other.text, text, key=other.key, language=language) > share:
            return known | {"said": False, "reason": f"it read another sentence, {other.item}"}
    if reply.lost:
        return known | {"said": True, "reason": "audio of the agent was lost there"}
    return known | {"said": True}
