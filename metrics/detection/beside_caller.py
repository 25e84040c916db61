"""The agent's speech in a call of which both sides are known, and what the caller's voice leaves in doubt.

Nothing is taken out of the sound. Where a line echo is certain (:mod:`metrics.detection.echo_path`), what of
the agent's channel is nothing but the echo is no speech of the agent's and is told as what it is; all else
stays, and an edge that lies where an echo is heard is doubtful. Without an echo nothing is another, to the
bit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from metrics.detection.echo_path import echo_path
from metrics.detection.echo_places import EchoPlaces, echo_places, less
from metrics.detection.line_echo import CLOSE_S, EchoPath, LineEcho, lies_in
from metrics.spans import Span, merge_spans
from metrics.speech import SpeechActivity, Talk, detect_speech, talks_of

AFTER_S = 0.1
"""So long Silero goes on calling it speech after an echo has ended."""

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

    Args:
        caller, agent: Both sides, mono, from the same instant on.
        said: What the detectors say of the caller.
    """
    heard = detect_speech(agent, sample_rate_hz, present=present, absent=absent)
    # A tone is like itself at any delay: no copy can be told from another.
    if heard.marker_tones or said.marker_tones:
        return heard
    spoken = [talk.span for talk in said.talks]
    found = echo_path(caller, agent, sample_rate_hz, said=spoken, sounds=heard.energy)
    if found is None:
        return heard
    path = found.path
    if path.mixed:
        return replace(heard, echo=LineEcho(path=path))
    places = echo_places(
        caller,
        agent,
        sample_rate_hz,
        found=found,
        sounds=heard.energy,
        threshold=10 ** (heard.threshold_dbfs / 20),
    )
    theirs = _beside_own(places)
    silero = _agents(heard.silero, places, theirs)
    talks = talks_of(
        agent,
        sample_rate_hz,
        heard,
        sounds=places.own,
        silero=silero,
        theirs=theirs,
        present=present,
        absent=absent,
    )
    return replace(
        heard,
        talks=tuple(_doubted(one, path, places) for one in talks),
        silero=silero,
        echo=LineEcho(path=path, heard=places.echo, hidden=places.hidden, masks=places.masks),
    )


def _beside_own(places: EchoPlaces) -> list[Span]:
    """Where the caller's voice comes back, audible or not, and the agent has no sound of its own."""
    theirs = merge_spans(
        [Span(start_s=one.start_s, end_s=one.end_s + AFTER_S) for one in (*places.back, *places.echo)]
    )
    for own in places.own:
        theirs = [part for one in theirs for part in less(one, own)]
    return theirs


def _agents(silero: Sequence[Span], places: EchoPlaces, theirs: Sequence[Span]) -> tuple[Span, ...]:
    """What of Silero's speech is not the echo's."""
    found: list[Span] = []
    for span in silero:
        left = [span]
        for echo in theirs:
            left = [part for one in left for part in less(one, echo)]
        touched = left != [span]
        found += [one for one in left if not touched or any(one.overlap_s(own) > 0 for own in places.own)]
    return tuple(found)


def _hides(hidden: Sequence[Span], onset_s: float) -> Span | None:
    """What of an echo an onset lies in: the speech may have begun anywhere there."""
    return next((one for one in hidden if lies_in(onset_s, (one,))), None)


def _doubted(talk: Talk, path: EchoPath, places: EchoPlaces) -> Talk:
    around = Span(start_s=talk.span.start_s - 2 * CLOSE_S, end_s=talk.span.end_s + 2 * CLOSE_S)
    near = tuple(one for one in places.hidden if one.overlap_s(around) > 0)
    if not near:
        return talk
    own = tuple(
        Span(start_s=max(one.start_s, talk.span.start_s), end_s=min(one.end_s, talk.span.end_s))
        for one in places.sure
        if one.overlap_s(talk.span) > 0
    )
    beside = replace(talk, echo=path, hidden=near, own=own)
    onset_doubt = beside.echo_doubt(talk.span.start_s, "onset")
    return replace(
        beside,
        onset_doubt=onset_doubt or talk.onset_doubt,
        onset_in=_hides(near, talk.span.start_s) if onset_doubt else talk.onset_in,
        end_doubt=beside.echo_doubt(talk.span.end_s, "end") or talk.end_doubt,
    )
