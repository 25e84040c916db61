"""Whose turn it is: what of the agent's speech is the reply that the caller waits for.

The caller's ears report an onset some 0.1-0.2 s after it happened and an end only after the agent has been
quiet for their hangover; both come with the time at which they happened, and only those times are compared.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Literal

from voice_sim.policies.base import Heard

EARLY_ONSET_S = 0.3
"""Speech that sets in this shortly before the end of our line answers it: people do that too."""

LONG_TAIL_S = 2.0
"""Speech that was under way when our line ended is not a reply to it, unless it goes on this long after."""

DOUBTFUL_S = 5.0
"""Where speech outlasted our line by less than :data:`LONG_TAIL_S`, and nothing follows it for this long, it
is taken as the reply after all: the ears join a cut-off sentence and a quick short answer into one."""


LAST_PROMPT_S = 3.0
"""Later than this before its patience ends the caller does not ask after the agent: answers take time."""


@dataclass(frozen=True, kw_only=True)
class Patience:
    """How long the caller waits, in seconds.

    Attributes:
        first_speech_s: For the agent's first words, from the moment the call is connected.
        silence_s: For a reply, from the end of the agent's last speech or of our first line after it,
            whichever came later. Asking after a silent agent ("Hello?") does not make this longer.
        call_s: For everything: the caller hangs up at this call time.
        prompt_s: Asks after a silent agent when nobody has spoken for this long, and again after as much
            silence; not within :data:`LAST_PROMPT_S` of the end of its patience. None: waits without a word.
    """

    first_speech_s: float = 15.0
    silence_s: float = 15.0
    call_s: float = 300.0
    prompt_s: float | None = None

    def __post_init__(self) -> None:
        waits = [self.first_speech_s, self.silence_s, self.call_s]
        if self.prompt_s is not None:
            waits.append(self.prompt_s)
        if not all(0.0 < value < math.inf for value in waits):
            raise ValueError(f"patience is a positive number of seconds: {self}")

    @property
    def doubtful_s(self) -> float:
        """:data:`DOUBTFUL_S`, or less: rather take doubtful speech for the reply than ask after one."""
        return min(DOUBTFUL_S, self.silence_s, math.inf if self.prompt_s is None else self.prompt_s)


class Reply(Enum):
    """How far the agent's reply has come."""

    AWAITED = "awaited"
    UNDER_WAY = "under way"
    ENDED = "ended"


class ReplyWatch:
    """Follows the agent's speech and tells the reply from what is left of an interrupted sentence.

    Args:
        ear_hangover_s: How long after its end the ears report the end of a speech.
        doubtful_s: See :data:`DOUBTFUL_S`.

    Attributes:
        speaking: Whether the agent speaks, as far as the ears have told.
        onset_s, end_s: Of the agent's latest speech; None before the first, ``end_s`` also while it lasts.
    """

    def __init__(self, *, ear_hangover_s: float, doubtful_s: float = DOUBTFUL_S) -> None:
        self.speaking = False
        self.onset_s: float | None = None
        self.end_s: float | None = None
        self._ear_hangover_s = ear_hangover_s
        self._doubtful_s = doubtful_s
        # Before we have said anything, whatever the agent says is what we wait for: the greeting.
        self._since_s = -math.inf
        self._reply_from_s = -math.inf

    def expect_reply(self, *, line_start_s: float, line_end_s: float) -> None:
        """Our line was said; from now on its reply is awaited."""
        self._since_s = line_end_s
        self._reply_from_s = max(line_start_s, line_end_s - EARLY_ONSET_S)

    def started(self, onset_s: float) -> None:
        """The agent began to speak at ``onset_s``; nothing new if it is speaking already."""
        if not self.speaking:
            self.speaking, self.onset_s, self.end_s = True, onset_s, None

    def ended(self, end_s: float) -> Heard | None:
        """The agent stopped at ``end_s``: returns its speech, or None if it was not speaking."""
        if not self.speaking or self.onset_s is None:
            return None
        self.speaking, self.end_s = False, max(end_s, self.onset_s)
        return Heard(onset_s=self.onset_s, end_s=self.end_s)

    def reply(self, now_s: float) -> Reply:
        """How far the reply to our last line has come, judged at ``now_s``."""
        decided_at_s = self._decided_at_s()
        if decided_at_s is None or now_s < decided_at_s:
            return Reply.AWAITED
        return Reply.UNDER_WAY if self.speaking else Reply.ENDED

    def next_change_s(self, now_s: float) -> float | None:
        """When the answer of :meth:`reply` will change by itself, if the ears report nothing new."""
        decided_at_s = self._decided_at_s()
        return decided_at_s if decided_at_s is not None and decided_at_s > now_s else None

    @property
    def quiet_since_s(self) -> float:
        """Since when nobody speaks: the end of our line or of the agent's speech, whichever came later."""
        return self._since_s if self.end_s is None else max(self._since_s, self.end_s)

    def _decided_at_s(self) -> float | None:
        """From when on the agent's latest speech counts as the reply; None if it does not by itself."""
        if self.onset_s is None:
            return None
        if self.end_s is not None and self.end_s < self._since_s:
            return None
        if self.onset_s >= self._reply_from_s:
            return -math.inf
        if self.end_s is None:
            return self._since_s + LONG_TAIL_S + self._ear_hangover_s
        if self.end_s >= self._since_s + LONG_TAIL_S:
            return -math.inf
        return self.end_s + self._doubtful_s


class SilenceWatch:
    """Follows how long nobody has spoken: when to ask after the agent, and when to give up.

    Attributes:
        connected_s: When the call stood.
        prompts: How often the caller has asked after the agent since it last spoke.
    """

    def __init__(self, patience: Patience) -> None:
        self.connected_s = 0.0
        self.prompts = 0
        self._patience = patience
        self._content = False
        self._last_sound_s = -math.inf
        self._waits_since_s = -math.inf

    def connected(self, at_s: float) -> None:
        """The call stands: the agent may greet."""
        self.connected_s = at_s

    def agent_spoke(self) -> None:
        """The agent began to speak."""
        self.prompts, self._content = 0, False

    def agent_stopped(self, end_s: float) -> None:
        """The agent stopped."""
        self._last_sound_s = max(self._last_sound_s, end_s)
        self._waits_since_s = max(self._waits_since_s, end_s)

    def said(self, *, end_s: float, prompt: bool) -> None:
        """We said something; ``prompt``: only to ask after the agent."""
        self._last_sound_s = max(self._last_sound_s, end_s)
        if not prompt:
            self._waits_since_s = max(self._waits_since_s, end_s)

    def prompted(self, acted: bool) -> None:
        """The agent's silence was put to the policy; where it did nothing, it goes on waiting."""
        self.prompts += acted
        self._content = not acted

    @property
    def patience_ends_s(self) -> float:
        """When the caller gives the agent up, if nobody says anything before."""
        if math.isinf(self._waits_since_s):
            return self.connected_s + self._patience.first_speech_s
        return max(self.connected_s, self._waits_since_s) + self._patience.silence_s

    @property
    def prompt_due_s(self) -> float | None:
        """When to ask after the agent next; None where it is not asked any more."""
        if self._patience.prompt_s is None or self._content:
            return None
        due_s = max(self.connected_s, self._last_sound_s) + self._patience.prompt_s
        return due_s if due_s <= self.patience_ends_s - LAST_PROMPT_S else None

    def outcome(self, *, line: int) -> tuple[Literal["no_greeting", "agent_silent"], str]:
        """Why the caller gives up, for a person; ``line``: how many lines it has said."""
        times = "once" if self.prompts == 1 else f"{self.prompts} times"
        asked = f", asked after {times}" if self.prompts else ""
        if math.isinf(self._waits_since_s):
            waited = f"for {self._patience.first_speech_s:g} s after the call was connected"
            return "no_greeting", f"the agent did not say a word {waited}{asked}"
        waited = f"for {self._patience.silence_s:g} s after line {line - self.prompts}"
        return "agent_silent", f"the agent was silent {waited}{asked}"
