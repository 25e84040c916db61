"""What text scores are made from, wherever the dialogue comes from: a chat, a live call, a transcript file.

**Words of a live call.** The caller's are those that were said. The agent's are those that it reports to
have spoken, where it reports any (RTVI); otherwise our own transcript of its audio. A transcript mishears
names and figures, and what was misheard may count as invented: the source is kept beside the scores.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

from harness.plans.task import TaskPlan
from harness.records.call import CallRecord
from harness.records.scores import Transcript, TranscriptLine
from metrics.dialogue.task_flow import TaskFlow
from metrics.dialogue.verdicts import Dimension
from spoken_language.dialogue import MAX_TURNS, Dialogue, DialogueTurn
from voice_sim.person.persona import Persona
from voice_sim.person.planted import planted_in
from voice_sim.person.stimulus import StimulusDimension

AgentWords = Literal["text", "agent_text", "whisper"]

_NOTES: dict[AgentWords, str] = {
    "text": "",
    "agent_text": "",
    # By how much: python -m bench.telephone_words (docs/text-scores.md).
    "whisper": "the agent's words are our transcript of its audio: what was misheard may count as invented, "
    "and a name as not said (TFC 0.12 lower over 24 dialogues)",
}
_TURN_CHARS = 20_000
_TRIED: Mapping[StimulusDimension, Dimension] = {
    "intent": Dimension.INTENT_UNDERSTANDING,
    "noise": Dimension.NOISE_RESISTANCE,
    "safety": Dimension.SAFETY,
}


@dataclass(frozen=True, kw_only=True)
class DialogueMaterial:
    """One dialogue, and what it is judged by.

    Attributes:
        id: Of the call or dialogue, or the place in a file.
        entry: For instance ``cs-bank-complaint/hesitant``; empty where the file brings its own flow.
        domain, archetype: Empty where they are not known.
        competitor: Who is judged: a model, an agent's address.
        agent_prompt: What the agent was given; empty where nobody knows, and then nothing can be told from
            invention.
        status: How it ended, in the words of where it comes from.
        not_judged: Why no judge is asked; empty where one is.
        notes: What qualifies the scores.
    """

    id: str
    entry: str = ""
    domain: str = ""
    archetype: str = ""
    competitor: str = ""
    language: Literal["en", "zh"] = "en"
    agent_prompt: str = ""
    flow: TaskFlow
    dialogue: Dialogue
    status: str = ""
    not_judged: str = ""
    notes: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        """Sixteen hex digits over everything that a judge sees."""
        seen = [
            self.dialogue.model_dump_json(),
            self.flow.model_dump_json(),
            self.agent_prompt,
            self.language,
        ]
        return hashlib.sha256("\x00".join(seen).encode()).hexdigest()[:16]


def of_chat(record: CallRecord) -> DialogueMaterial:
    """A dialogue that was held in text."""
    why = "" if record.status.took_place else f"{record.status}: {record.status_detail}"
    return _of_task(
        record.plan.about,
        id=record.plan.call_id,
        competitor=record.plan.competitor,
        dialogue=joined_turns(record.dialogue.turns),
        status=str(record.status),
        not_judged=why,
    )


def of_call(record: CallRecord, transcript: Transcript) -> DialogueMaterial | None:
    """A live call; None where nobody told what it was about."""
    task = record.plan.task
    if task is None:
        return None
    words, lines = _agent_lines(transcript)
    why = ""
    if not record.status.is_whole:
        why = f"{record.status}: {record.status_detail}"
    elif words is None:
        why = "the agent's words are not known: it does not tell them, and the call was not transcribed"
    in_order = _in_order(record, lines)
    turns = [DialogueTurn(speaker=line.side, text=line.text[:_TURN_CHARS]) for line in in_order]
    note = _NOTES[words] if words else ""
    return _of_task(
        task,
        id=record.plan.call_id,
        competitor=record.plan.agent,
        dialogue=joined_turns(tuple(turns)),
        status=str(record.status),
        not_judged=why,
        notes=(note,) if note else (),
    )


def turn_starts_s(record: CallRecord, transcript: Transcript) -> tuple[float, ...]:
    """When each turn of :func:`of_call`'s dialogue begins in the call, in seconds."""
    in_order = [line for line in _in_order(record, _agent_lines(transcript)[1]) if line.text.strip()]
    starts = [next(part).start_s for _, part in groupby(in_order, key=lambda line: line.side)]
    return tuple(starts[:MAX_TURNS])


def joined_turns(turns: tuple[DialogueTurn, ...]) -> Dialogue:
    """A dialogue whose sides alternate: what one side said in pieces is one turn, silence is none.

    Turns beyond :data:`~spoken_language.dialogue.MAX_TURNS` are left out.
    """
    spoken = [turn for turn in turns if turn.text]
    joined = [
        DialogueTurn(speaker=speaker, text=" ".join(turn.text for turn in part)[:_TURN_CHARS])
        for speaker, part in groupby(spoken, key=lambda turn: turn.speaker)
    ]
    return Dialogue(turns=tuple(joined[:MAX_TURNS]))


def with_planted_places(dialogue: Dialogue, persona: Persona) -> Dialogue:
    """The dialogue with every turn of the caller marked in which the person's planted places are said."""
    turns = []
    for turn in dialogue.turns:
        places = planted_in(turn.text, persona) if turn.speaker == "caller" else ()
        planted = dict.fromkeys(str(_TRIED[place.dimension]) for place in places)
        turns.append(turn.model_copy(update={"planted": tuple(planted)}) if planted else turn)
    return Dialogue(turns=tuple(turns))


def _of_task(
    task: TaskPlan,
    *,
    id: str,
    competitor: str,
    dialogue: Dialogue,
    status: str,
    not_judged: str,
    notes: tuple[str, ...] = (),
) -> DialogueMaterial:
    return DialogueMaterial(
        id=id,
        entry=task.entry,
        domain=task.domain,
        archetype=task.persona.archetype.value,
        competitor=competitor,
        language=task.language,
        agent_prompt=task.agent_prompt,
        flow=task.flow,
        dialogue=with_planted_places(dialogue, task.persona),
        status=status,
        not_judged=not_judged,
        notes=notes,
    )


def _in_order(record: CallRecord, agent_lines: list[TranscriptLine]) -> list[TranscriptLine]:
    said = [
        TranscriptLine(side="caller", source="said", start_s=one.start_s, end_s=one.end_s, text=one.text)
        for one in record.utterances
        if one.kind != "backchannel"
    ]
    return sorted([*said, *agent_lines], key=lambda line: line.start_s)


def _agent_lines(transcript: Transcript) -> tuple[AgentWords | None, list[TranscriptLine]]:
    """The agent's lines from the best source that there is; None where there is none.

    Our own transcript has the caller's audio too, so an agent without a line in it said nothing.
    """
    own = [line for line in transcript.lines if line.side == "agent" and line.source == "agent_text"]
    if own:
        return "agent_text", own
    heard = [line for line in transcript.lines if line.source == "whisper"]
    if not heard:
        return None, []
    return "whisper", [line for line in heard if line.side == "agent"]
