"""The agent's speech in a call of which both sides are known: without the caller's own voice come back."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from metrics.detection.line_echo import LineEcho, late_copies, with_copies, without_echo
from metrics.spans import Span
from metrics.speech import SpeechActivity, Talk, detect_speech

WAYS = 3

Samples = NDArray[np.float32]


def detect_beside(
    caller: Samples,
    agent: Samples,
    sample_rate_hz: int,
    *,
    said: SpeechActivity,
    present: Span | None = None,
    absent: tuple[Span, ...] = (),
) -> SpeechActivity:
    """Finds the agent's speech; see :func:`metrics.speech.detect_speech`.

    Where nothing of the caller comes back, it is what that function finds, to the bit. A copy of the caller's
    voice is no speech of the agent's, and an edge of speech that an echo may hide is doubtful.

    Args:
        caller, agent: Both sides, mono, from the same instant on.
        said: What the detectors say of the caller.
    """
    heard = detect_speech(agent, sample_rate_hz, present=present, absent=absent)
    # A tone is like itself at any delay: no copy can be told from another.
    if heard.marker_tones or said.marker_tones or not heard.energy or not said.energy:
        return heard
    echo: LineEcho | None = None
    # A way that changes its delay in the middle of a word, and a second way, show when the first is gone.
    for _ in range(WAYS):
        if not heard.energy:
            break
        cleaned = without_echo(
            caller,
            agent,
            sample_rate_hz,
            said=said.energy,
            sounds=heard.energy,
            threshold=10 ** (heard.threshold_dbfs / 20),
            floor=0.0 if heard.noise_floor_dbfs is None else 10 ** (heard.noise_floor_dbfs / 20),
        )
        if cleaned is None:
            break
        agent, found = cleaned
        echo = found if echo is None else replace(echo, hidden=(*echo.hidden, *found.hidden))
        heard = detect_speech(agent, sample_rate_hz, present=present, absent=absent, marker_tones=False)
    if echo is not None:
        heard = replace(heard, talks=tuple(_doubted(one, echo) for one in heard.talks))
    copies = late_copies(
        caller, agent, sample_rate_hz, said=said.energy, talks=[one.span for one in heard.talks]
    )
    copied = {span for span, _, _ in copies}
    talks = tuple(one for one in heard.talks if one.span not in copied)
    return replace(heard, talks=talks, echo=with_copies(echo, copies))


def _doubted(talk: Talk, echo: LineEcho) -> Talk:
    return replace(
        talk,
        onset_doubt=talk.onset_doubt or echo.hides(talk.span.start_s, end=False),
        end_doubt=talk.end_doubt or echo.hides(talk.span.end_s, end=True),
    )
