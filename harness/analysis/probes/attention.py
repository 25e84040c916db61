"""Whom the agent attended to in each dialogue of a call of the form ``other_voice``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast, get_args

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.probes.own_error import is_enough
from harness.analysis.probes.replies import Reply, ended_first, lost_messages, reply_to, transcript_of
from harness.plans.probes.attended import Attended as Planned
from harness.records.call import CallStatus, SpokenUtterance
from harness.records.scores import ProbeAttention, ProbeReaction, TranscriptLine
from harness.records.scores.hearings import HearingSource
from metrics.interaction.attention import attended
from metrics.recognition.normalize import Language, normalize
from metrics.recognition.proper_nouns import find_entity
from metrics.speech import Talk
from spoken_language.entity_kinds import EntityKind
from spoken_language.outside_text import one_line

MAX_TEXT = 500


def attention(
    material: CallMaterial,
    *,
    lines: Sequence[TranscriptLine],
    talks: Sequence[Talk],
    reactions: Sequence[ProbeReaction],
    recognised: bool,
) -> list[ProbeAttention]:
    """One for each dialogue of a call, in order; none in a call of another form.

    Args:
        lines: Of the transcript, from every source.
        talks: The agent's speech.
        reactions: What it did at each place, where something fell into its speech.
        recognised: Our own recogniser listened to the agent.
    """
    if material.probe is None:
        return []
    said = {one.index: one for one in material.utterances}
    others = {one.line for one in material.probe.planted if one.is_line}
    did = {one.item: one for one in reactions}
    told = any(line.source == "agent_asr" for line in lines)
    found = []
    for planned in material.probe.attended:
        utterance = said.get(planned.line)
        plain = _plain(material, planned, utterance)
        if utterance is not None and utterance.cut_short and _left(material):
            why = "the agent hung up while the caller asked"
            found.append(plain.model_copy(update={"success": False, "reason": why}))
            continue
        if utterance is None or utterance.cut_short:
            why = "the call ended before it" if utterance is None else "the call ended in it"
            found.append(plain.model_copy(update={"reason": why}))
            continue
        reply = reply_to(material, utterance, lines, talks, recognised=recognised, passing_over=others)
        # What the agent wrote while the other spoke, it may have put down to either line.
        heard = [utterance] + [said[line] for line in (planned.line + 1,) if line in others and line in said]
        wrote = " ".join(filter(None, (transcript_of(lines, one) for one in heard))) if told else None
        if not wrote and lost_messages(material):
            wrote = None
        if not reply.spoke and ended_first(material, utterance) and not _left(material):
            why = "the call ended before an answer could come"
            found.append(plain.model_copy(update={"reason": why}))
            continue
        found.append(_judged(plain, planned, wrote, reply, did.get(planned.item)))
    return found


def _left(material: CallMaterial) -> bool:
    return material.ending.status is CallStatus.AGENT_HANGUP


def _plain(material: CallMaterial, planned: Planned, utterance: SpokenUtterance | None) -> ProbeAttention:
    assert material.probe is not None
    return ProbeAttention(
        suite=material.probe.suite,
        item=planned.item,
        request=planned.request,
        place=planned.place,
        heard=planned.heard,
        snr_db=planned.snr_db,
        kind=planned.kind,
        entity=planned.entity,
        language=material.language,
        start_s=None if utterance is None else utterance.start_s,
        end_s=None if utterance is None else utterance.end_s,
    )


def _judged(
    plain: ProbeAttention,
    planned: Planned,
    wrote: str | None,
    reply: Reply,
    reaction: ProbeReaction | None,
) -> ProbeAttention:
    language = cast(Language, plain.language)
    taken_up, source, text = _taken_up(planned, wrote, reply, language)
    if taken_up is False and reply.lost and wrote is None and reply.own is None:
        # What we did not hear it say may be in what we did not hear.
        taken_up = None
    texts = [one for one in (wrote, reply.own, reply.heard) if one]
    took = tuple(word for word in planned.words if any(_has(one, word, language) for one in texts))
    into_speech = planned.place == "over_agent"
    known = plain.model_copy(
        update={
            "taken_up": taken_up,
            "source": source,
            "text": None if text is None else one_line(text, most=MAX_TEXT),
            "took_words": took,
            "stopped": reaction.stopped if reaction is not None else None,
            "replied": reaction.replied if reaction is not None else None,
        }
    )
    if not reply.spoke and reply.lost:
        return known.model_copy(update={"reason": "audio of the agent was lost there"})
    if into_speech and reply.spoke and (reaction is None or not reaction.over_agent):
        why = "the agent was not speaking when the other voice came"
        return known.model_copy(update={"reason": (reaction.reason if reaction else "") or why})
    verdict = attended(
        answered=reply.spoke,
        taken_up=taken_up,
        took_words=took,
        into_speech=into_speech,
        stopped=known.stopped,
        replied=known.replied,
    )
    return known.model_copy(update={"success": verdict.success, "reason": verdict.reason})


def _taken_up(
    planned: Planned, wrote: str | None, reply: Reply, language: Language
) -> tuple[bool | None, HearingSource, str | None]:
    """Whether the agent has what the request is about: in its own transcript, else in what it says that it
    said, else in what we heard it say, where our recogniser knows such things well enough."""
    if planned.kind not in get_args(EntityKind):
        return None, "", None
    kind = cast(EntityKind, planned.kind)
    by: tuple[tuple[HearingSource, str | None], ...] = (
        ("transcript", wrote),
        ("agent_text", reply.own),
        ("recogniser", reply.heard if is_enough(kind, language) else None),
    )
    known = [(source, text) for source, text in by if text is not None]
    for source, text in known:
        if find_entity(planned.entity, text, kind=kind, language=language).right:
            return True, source, text
    return (False, known[0][0], known[0][1]) if known else (None, "", None)


def _has(text: str, word: str, language: Language) -> bool:
    wanted, there = normalize(word, language), normalize(text, language)
    return wanted in there if language == "zh" else f" {wanted} " in f" {there} "
