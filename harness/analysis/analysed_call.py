"""A call as the measures meet it: what was said and sent, and what the instruments heard in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from harness.analysis.sound.nisqa_clips import RatedClip
from harness.analysis.sound.predicted_clips import PredictedClip
from harness.calls.voice.packet_times import PacketTimes
from harness.plans.call import Limits, NoisePlan
from harness.plans.probes.planted import ProbePlan
from harness.records.call import CallStatus, Event, Gap, Side, SpokenUtterance
from harness.records.scores import (
    InterruptionTiming,
    ProbeAttention,
    ProbeHearing,
    ProbeReaction,
    ProbeReading,
    TranscriptLine,
    TurnConduct,
    TurnTiming,
    TurnTold,
)
from harness.records.timeline import MESSAGES_DROPPED
from voice_sim.caller.events import HangUpReason

if TYPE_CHECKING:
    from metrics.speech import SpeechActivity
    from metrics.synthesis.artefacts import StretchArtefacts

Samples = NDArray[np.float32]


class Need(StrEnum):
    """What a measure may need of a call; the value tells a person that it is lacking."""

    SOUND = "there is no sound"
    TURNS = "the caller said nothing"
    INTERRUPTIONS = "no interruption was planned"
    EVENTS = "the call left no timeline"
    CALLER_TEXT = "what the caller said is not known as text"
    AGENT_TRANSCRIPT = "the agent does not expose its own transcript of the caller"
    AGENT_TEXT = "the agent does not tell what it said, sentence by sentence"
    RECOGNISER = "nothing was transcribed"
    VOICE_RATING = "no voice was rated"
    VOICE_PREDICTION = "no voice was rated by DNSMOS and PLCMOS"
    VOICE_ARTEFACTS = "nobody looked for artefacts in the voice"
    JUDGE = "its words were not judged"
    PROBE = "it is no call of a probe suite"
    HEARING = "it is no call of a probe suite in which things are said to the agent"
    OTHER_VOICE = "it is no call of a probe suite in which somebody else is heard"
    READING = "it is no call of a probe suite in which the agent is to read aloud"


@dataclass(frozen=True, kw_only=True)
class Ending:
    """How a call ended, for what became of its last turn.

    Attributes:
        status: None for a recording from elsewhere.
        reason: Why the side that hung up did so; None where nobody did, or nobody knows.
        with_leave: The caller's last words were its goodbye.
        patience_s: How long the caller waits for an answer.
    """

    status: CallStatus | None = None
    reason: HangUpReason | None = None
    with_leave: bool = False
    patience_s: float = Limits().silence_s


NOTHING_KNOWN = Ending()


@dataclass(frozen=True, kw_only=True)
class CallMaterial:
    """What is known of a call beside its sound, from whatever source.

    Attributes:
        utterances: What the caller sent; found by the detectors where the source does not know
            (``utterances_known`` is False then, and texts are empty).
        ending: How the call ended, as far as that is known.
        probe: What was planted in it, where it is a call of a probe suite.
        asides: By index, utterances that ask for no answer because the plan says so.
        noise: What is heard at the caller's microphone besides.
        caller_is_checked: What is heard of the caller is held to what it was to say, by our own guard.
    """

    call_id: str
    utterances: Sequence[SpokenUtterance]
    utterances_known: bool = True
    gaps: Sequence[Gap] = ()
    events: Sequence[Event] = ()
    sent: PacketTimes = field(default_factory=PacketTimes)
    received: PacketTimes = field(default_factory=PacketTimes)
    end_s: float = 0.0
    language: str = "en"
    seed: int = 0
    ending: Ending = NOTHING_KNOWN
    probe: ProbePlan | None = None
    asides: frozenset[int] = frozenset()
    noise: NoisePlan | None = None
    caller_is_checked: bool = False


@dataclass(frozen=True, kw_only=True)
class AnalysedCall:
    """What a measure may use.

    Attributes:
        turns, interruptions: Their timing, as it stands in ``scores.json``.
        lines: Of the transcript, from every source.
        activity: When the agent spoke, by each detector; None where nobody listened for it.
        reactions: What the agent did about each thing that was planted, in a call of a probe suite.
        hearings: What it made of each line, in a call of a suite that is spoken.
        attention: Whom it attended to in each dialogue, in a call of a suite with another voice.
        readings: What became of each sentence, in a call of a suite that is read aloud.
        conduct: How the agent conducted each turn that was due an answer.
        told: Where the time of each answer went, by what the agent tells of itself.
        rated: What NISQA says of stretches of the agent's voice; None: there is no NISQA.
        predicted: What DNSMOS and PLCMOS say of the same stretches; None: there are none.
        artefacts: What is wrong in the same stretches; None: nobody looked.
        sound: Gives a side's samples at 48 kHz, read when first asked for; None: there is no sound.
        why_no_recogniser, why_no_caller_words: Why we heard no words of the agent, and none of the caller.
        why_no_rating, why_no_prediction, why_no_artefacts: Why ``rated``, ``predicted`` and ``artefacts`` are
            None.
    """

    material: CallMaterial
    turns: Sequence[TurnTiming] = ()
    interruptions: Sequence[InterruptionTiming] = ()
    lines: Sequence[TranscriptLine] = ()
    activity: SpeechActivity | None = None
    rated: Sequence[RatedClip] | None = None
    predicted: Sequence[PredictedClip] | None = None
    artefacts: Sequence[StretchArtefacts] | None = None
    reactions: Sequence[ProbeReaction] = ()
    hearings: Sequence[ProbeHearing] = ()
    attention: Sequence[ProbeAttention] = ()
    readings: Sequence[ProbeReading] = ()
    conduct: Sequence[TurnConduct] = ()
    told: Sequence[TurnTold] = ()
    sound: Callable[[Side], Samples] | None = None
    why_no_recogniser: str = ""
    why_no_caller_words: str = ""
    why_no_rating: str = ""
    why_no_prediction: str = ""
    why_no_artefacts: str = ""

    @property
    def spoken(self) -> list[SpokenUtterance]:
        """What the caller is known to have said to its end, and not only heard to have said."""
        known = self.material.utterances if self.material.utterances_known else ()
        return [one for one in known if one.text and not one.cut_short and not one.text_heard]

    def lacks(self, need: Need) -> str:
        """Why the call does not have what a measure needs; empty where it does."""
        has = {
            Need.SOUND: self.sound is not None,
            Need.TURNS: bool(self.turns),
            Need.INTERRUPTIONS: bool(self.interruptions),
            Need.EVENTS: bool(self.material.events),
            Need.CALLER_TEXT: bool(self.spoken),
            Need.AGENT_TRANSCRIPT: any(line.source == "agent_asr" for line in self.lines),
            Need.AGENT_TEXT: any(line.source == "agent_text" for line in self.lines),
            Need.RECOGNISER: not self.why_no_recogniser,
            Need.VOICE_RATING: self.rated is not None,
            Need.VOICE_PREDICTION: self.predicted is not None,
            Need.VOICE_ARTEFACTS: self.artefacts is not None,
            # Words are judged when the sound has been analysed.
            Need.JUDGE: False,
            Need.PROBE: bool(self.reactions),
            Need.HEARING: bool(self.hearings),
            Need.OTHER_VOICE: bool(self.attention),
            Need.READING: bool(self.readings),
        }
        if has[need]:
            return ""
        told = {
            Need.RECOGNISER: self.why_no_recogniser,
            Need.VOICE_RATING: self.why_no_rating,
            Need.VOICE_PREDICTION: self.why_no_prediction,
            Need.VOICE_ARTEFACTS: self.why_no_artefacts,
            # It may be that the agent told it, in what did not reach us.
            Need.AGENT_TRANSCRIPT: "; ".join(
                filter(None, [Need.AGENT_TRANSCRIPT.value, self.dropped_messages])
            ),
            Need.AGENT_TEXT: "; ".join(filter(None, [Need.AGENT_TEXT.value, self.dropped_messages])),
        }
        return told.get(need) or need.value

    @property
    def dropped_messages(self) -> str:
        """How many messages of the agent about its words were dropped, and why; empty where none was."""
        counted: Counter[str] = Counter()
        for event in self.material.events:
            if event.kind == MESSAGES_DROPPED and event.source == "wire":
                counted.update(
                    {why: n for why, n in event.data.items() if isinstance(n, int) and 0 < n < 10**9}
                )
        if not counted:
            return ""
        total, reasons = counted.total(), ", ".join(f"{n} {why}" for why, n in counted.most_common(5))
        return f"{total} {'message was' if total == 1 else 'messages were'} dropped ({reasons})"
