"""What the agent made of each line of a call of the form ``spoken``: by its own transcript or what it did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast, get_args

from harness.analysis.analysed_call import CallMaterial
from harness.analysis.probes.read_back import said_back
from harness.analysis.probes.replies import (
    ANSWERS_WITHIN_S,
    Reply,
    ended_first,
    lost_messages,
    reply_to,
    transcript_of,
)
from harness.analysis.words import has_content
from harness.plans.probes.asked import Asked
from harness.records.call import SpokenUtterance
from harness.records.scores import ProbeHearing, TranscriptLine
from harness.records.scores.hearings import Did
from metrics.recognition.error_rate import TextTooLong, character_error_rate, word_error_rate
from metrics.recognition.normalize import Language
from metrics.recognition.proper_nouns import find_entity
from metrics.speech import Talk
from spoken_language.asking_again.reply import asks_again
from spoken_language.entity_kinds import EntityKind
from spoken_language.outside_text import one_line

MAX_TEXT = 500
LANGUAGES: tuple[Language, ...] = get_args(Language)
"""In which an agent may ask again, whatever it was spoken to in."""
NO_TRANSCRIPT = "the agent does not expose its own transcript of the caller"
ENDED_FIRST = "the call ended before it could be written down"
DROPPED = "messages of the agent were dropped: its transcript of this line may have been among them"


def hearings(
    material: CallMaterial, *, lines: Sequence[TranscriptLine], talks: Sequence[Talk], recognised: bool
) -> list[ProbeHearing]:
    """One for each line of a call, in order; none in a call of no suite.

    Args:
        lines: Of the transcript, from every source.
        talks: The agent's speech.
        recognised: Our own recogniser listened to the agent.
    """
    if material.probe is None:
        return []
    said = {one.index: one for one in material.utterances}
    told = any(line.source == "agent_asr" for line in lines)
    dropped = lost_messages(material)
    first_s = min((one.start_s for one in material.utterances), default=0.0)
    greeting = " ".join(line.text for line in lines if line.side == "agent" and line.start_s < first_s)
    found = []
    for asked in material.probe.asked:
        utterance = said.get(asked.line)
        plain = _plain(material, asked, utterance)
        if utterance is None or utterance.cut_short:
            why = "the call ended before it" if utterance is None else "the call ended in it"
            found.append(plain.model_copy(update={"reason": why}))
            continue
        transcript = transcript_of(lines, utterance) if told else None
        if not transcript and not asked.usable and ended_first(material, utterance):
            found.append(plain.model_copy(update={"reason": ENDED_FIRST}))
            continue
        if not transcript and dropped:
            # It may have been in one of them: nobody can tell whether the words were heard.
            transcript = None
        without = DROPPED if told else NO_TRANSCRIPT
        reply = reply_to(material, utterance, lines, talks, recognised=recognised)
        if asked.usable:
            update = _rejection(reply)
        elif asked.entity:
            language = cast(Language, material.language)
            update = _entity(asked, transcript, reply, language, greeting=greeting, without=without)
        else:
            update = _sentence(utterance.text, transcript, cast(Language, material.language), without=without)
        if transcript is None and dropped:
            update.pop("length", None)
        heard_nothing = not told and not dropped and not asked.usable
        found.append(plain.model_copy(update=update | {"unheard": heard_nothing}))
    return found


def _plain(material: CallMaterial, asked: Asked, utterance: SpokenUtterance | None) -> ProbeHearing:
    assert material.probe is not None
    return ProbeHearing(
        suite=material.probe.suite,
        item=asked.item,
        kind=asked.kind,
        language=material.language,
        setting=material.probe.setting,
        against=material.probe.against,
        snr_db=None if material.noise is None else material.noise.snr_db,
        said="" if utterance is None else utterance.text,
        start_s=None if utterance is None else utterance.start_s,
        end_s=None if utterance is None else utterance.end_s,
        entity=asked.entity,
        usable=asked.usable,
    )


def _sentence(said: str, heard: str | None, language: Language, *, without: str) -> dict[str, Any]:
    rate_of = character_error_rate if language == "zh" else word_error_rate
    try:
        rate = rate_of(said, heard or "", language=language)
    except TextTooLong as error:
        return {"reason": str(error)}
    if heard is None:
        return {"reason": without, "length": rate.reference_length}
    return {
        "heard": one_line(heard, most=MAX_TEXT),
        "source": "transcript",
        "errors": rate.errors,
        "length": rate.reference_length,
    }


def _entity(
    asked: Asked,
    transcript: str | None,
    reply: Reply,
    language: Language,
    *,
    greeting: str,
    without: str,
) -> dict[str, Any]:
    if asked.kind not in get_args(EntityKind):
        return {"reason": f"'{asked.kind}' is no kind of entity"}
    kind = cast(EntityKind, asked.kind)
    if transcript is not None:
        found = find_entity(asked.entity, transcript, kind=kind, language=language)
        told = {"heard": one_line(transcript, most=MAX_TEXT), "source": "transcript"}
        return told | {"right": found.right, "near_miss": found.near_miss}
    text, source = (reply.own, "agent_text") if reply.own is not None else (reply.heard, "recogniser")
    if text is None:
        return {"reason": f"{without}, and nothing was transcribed"}
    told = {"heard": one_line(text, most=MAX_TEXT), "source": source}
    if not reply.spoke:
        return told | {"reason": "it said nothing"}
    found = find_entity(asked.entity, text, kind=kind, language=language)
    said = found.right or found.near_miss
    if not said and not said_back(text, asked.entity, kind, language, greeting=greeting):
        return told | {"reason": "it did not say it back"}
    return told | {"right": found.right, "near_miss": found.near_miss}


def _rejection(reply: Reply) -> dict[str, Any]:
    if not reply.spoke:
        if reply.lost:
            return {"reason": "audio of the agent was lost there"}
        if reply.waited_s < ANSWERS_WITHIN_S:
            return {"reason": "the call ended before an answer could come"}
        return {"did": "silent"}
    # Heard before told: what counts is what it did.
    text, source = (reply.heard, "recogniser") if reply.heard is not None else (reply.own, "agent_text")
    if not text:
        return {"reason": "it made a sound, and its words are not known"}
    did: Did = "answered"
    if any(asks_again(text, one) for one in LANGUAGES):
        did = "asked_again"
    elif not has_content(text):
        did = "silent"
    return {"did": did, "heard": one_line(text, most=MAX_TEXT), "source": source}
