"""From a call plan to live objects: with ``cli`` the only place that names concrete classes.

Everything slow happens here, before the call: synthesis, mixing, encoding.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from harness.calls.callers import (
    caller_policy,
    check_language_model,
    patience_of,
    policy_of,
)
from harness.calls.voice.place import PreparedCall
from harness.calls.voice.retries import RetryBell
from harness.calls.voice.speaking.clip_maker import ClipMaker, line_of
from harness.calls.voice.speaking.keys import keys_clip
from harness.calls.voice.speaking.noise_clips import noise_clips, noise_recordings
from harness.calls.voice.speaking.two_voices import with_other_voice
from harness.errors import HarnessFault, UserError
from harness.models.resolve import resolve_model
from harness.models.voices import refuse_foreign_text
from harness.plans.call import CallPlan, NoisePlan
from harness.plans.on_the_wire import OnTheWire, on_the_wire
from harness.plans.understanding_here import check_understanding
from harness.records.call import SAMPLE_RATE_HZ
from harness.transports.by_scheme import transport_for
from harness.transports.clips.clip import Clip
from harness.transports.codecs.base import Codec, Encode, encoded
from harness.transports.codecs.prepared import UNENCODED, prepared_in
from harness.transports.codecs.table import CODECS, codec_named
from harness.transports.sip.headers import NOT_CALLED, call_headers
from harness.transports.uplink import Background, noise_background, silence
from harness.versions import library_versions
from voice_sim.caller.caller import Caller
from voice_sim.conditions import NOISES
from voice_sim.conditions.line import Line
from voice_sim.conditions.noise import NoiseError, noise_loop
from voice_sim.policies.script import LineSound
from voice_sim.registry import MissingExtraError, UnknownPartError
from voice_sim.voice.utterance import Utterance

NOISE_LOOP_S = 20.0
MOST_SHARED = 100
"""Lines kept: some 60 MB."""
_Other = tuple[LineSound, float]
"""Who is heard under a line, and how long after its first sound."""
PRESSES = "sip"
"""The transport whose sessions press keys (``PressesKeys``)."""
ENCODES_WHILE_IT_RUNS = ("opus", UNENCODED)
"""Codecs of the transports that can encode plain sound in a call, and so put an echo into it."""


class CallBuilder:
    """Prepares calls; keeps engines between them, so that a voice is loaded once.

    Raises (all methods): UserError for anything the plan asks for that is not to be had.
    """

    def __init__(self, clips: ClipMaker | None = None, *, most_shared: int = MOST_SHARED) -> None:
        self._clips = clips or ClipMaker()
        self._finished: OrderedDict[tuple[str, ...], Clip] = OrderedDict()
        """Lines that calls share, as trials of a script do: made and encoded once."""
        self._most_shared = most_shared
        self._lock = threading.Lock()

    def check(self, plan: CallPlan) -> None:
        """Finds out before the first call what would stop a later one: an address, a voice, a noise, what
        the caller decides and understands by."""
        transport = transport_for(plan.agent)
        with _naming(plan):
            if (
                transport.name != PRESSES
                and plan.script is not None
                and any(line.press for line in plan.script.lines)
            ):
                raise UserError("script: keys can be pressed over SIP alone (press)")
            if plan.conditions.echo is not None and transport.codec not in ENCODES_WHILE_IT_RUNS:
                raise UserError(f"conditions.echo: nothing can be sent back over {transport.name}")
            _check_codecs(plan.reach.codecs)
            to = on_the_wire(plan.agent, plan.headers, plan.request_data, plan.reach)
            # Of a call that comes in neither goes out over SIP.
            if transport.name == PRESSES and plan.answer is None:
                _check_sip_headers(to)
            refuse_foreign_text(plan.voice.engine, plan.voice.name, plan.language)
            if _is_spoken(plan):
                self._clips.load(plan.voice)
            unders = [under[0] for under in _others(plan) if under is not None]
            for sound in filter(None, [*_sounds(plan), *unders]):
                self._clips.play(plan.voice, sound)
            if plan.conditions.noise is not None:
                NOISES.load(plan.conditions.noise.kind)
                if plan.conditions.noise.path is not None:
                    noise_recordings(plan.conditions.noise.path)
            if plan.language_model is not None:
                check_language_model(plan.language_model)
            check_understanding(plan.understanding, plan.language)
            if plan.script is None:
                caller_policy(plan.policy)
                understanding_model()

    def prepare(
        self,
        plan: CallPlan,
        *,
        model: Any = None,
        retries: RetryBell | None = None,
        on_progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> PreparedCall:
        """The call with every line spoken and encoded that can be known before it.

        Args:
            model: The caller's language model, where the plan has one.
            retries: Rings when an attempt of that model fails.
            on_progress: Called with the number of lines that are done, and of all.
        """
        transport = transport_for(plan.agent)
        codec = codec_named(
            prepared_in(transport.codec, plan.reach.codecs, echo=plan.conditions.echo is not None)
        )
        policy = policy_of(plan, model=model)
        texts = policy.prepared_lines()
        keys = [line.press for line in plan.script.lines] if plan.script is not None else [""] * len(texts)
        sounds = _sounds(plan) or [None] * len(texts)
        unders = _others(plan) or [None] * len(texts)
        noise = plan.conditions.noise
        utterances: list[Utterance | None] = []
        clips: list[Clip] = []
        with _naming(plan):
            each = zip(texts, keys, sounds, unders, strict=True)
            for done, (text, pressed, sound, under) in enumerate(each):
                on_progress(done, len(texts))
                only_keys = bool(pressed) and sound is None
                if noise is not None:
                    utterances.append(None if only_keys else self._said(plan, text, sound, under))
                elif only_keys:
                    clips.append(keys_clip(pressed, codec=codec, bed=None))
                else:
                    clips.append(self._clip(plan, text, sound, under, codec))
            spoken = [one for one in utterances if one is not None]
            bed = self._noise_bed(noise, spoken, plan) if noise is not None else None
            clips += [
                keys_clip(pressed, codec=codec, bed=bed)
                if utterance is None
                else self._clips.finish(utterance, codec=codec, bed=bed, conditions=plan.conditions)
                for utterance, pressed in zip(utterances, keys, strict=noise is not None)
            ]
        background = background_of(codec, bed, line_of(plan.conditions), encode=self._clips.encode)
        on_progress(len(texts), len(texts))
        fixed = plan.script is not None
        return PreparedCall(
            plan=plan,
            transport=transport,
            caller=Caller(policy=policy, patience=patience_of(plan)),
            clips=clips if fixed else dict(zip(texts, clips, strict=True)),
            background=background,
            versions=library_versions() | (self._clips.versions(plan.voice) if _is_spoken(plan) else {}),
            policy=None if fixed else policy,
            bed=bed,
            retries=retries,
        )

    def _said(
        self, plan: CallPlan, text: str, sound: LineSound | None, under: _Other | None = None
    ) -> Utterance:
        """A line as it is at the microphone."""
        how: dict[str, Any] = {"conditions": plan.conditions, "seed": plan.seed}
        if sound is None:
            said = self._clips.speak(plan.voice, text, **how)
        else:
            said = self._clips.play(plan.voice, sound, **how)
        if under is None:
            return said
        other, after_s = under
        return with_other_voice(said, self._clips.play(plan.voice, other, **how), after_s=after_s)

    def _clip(
        self, plan: CallPlan, text: str, sound: LineSound | None, under: _Other | None, codec: Codec
    ) -> Clip:
        """A line without noise, as any call sends it in this voice, at this distance, over this line."""
        conditions = plan.conditions
        if sound is not None or under is not None:
            said = self._said(plan, text, sound, under)
            return self._clips.finish(said, codec=codec, bed=None, conditions=conditions)
        room = str(plan.seed) if conditions.distance_m is not None else ""
        key = (codec.name, text, plan.voice.model_dump_json(), conditions.model_dump_json(), room)
        with self._lock:
            if (known := self._finished.get(key)) is not None:
                self._finished.move_to_end(key)
                return known
        said = self._said(plan, text, None)
        clip = self._clips.finish(said, codec=codec, bed=None, conditions=conditions)
        with self._lock:
            self._finished[key] = clip
            while len(self._finished) > self._most_shared:
                self._finished.popitem(last=False)
        return clip

    def _noise_bed(
        self, noise: NoisePlan, utterances: list[Utterance], plan: CallPlan
    ) -> NDArray[np.float32]:
        clips = noise_clips(noise, utterances, maker=self._clips, caller=plan.voice, language=plan.language)
        try:
            loop = noise_loop(
                noise.kind,
                snr_db=noise.snr_db,
                # What the voice reached: a peaky one stays below the level that was asked for.
                speech_level_dbfs=float(np.median([utterance.level_dbfs for utterance in utterances])),
                duration_s=NOISE_LOOP_S,
                seed=plan.seed,
                speech=clips,
                sample_rate_hz=SAMPLE_RATE_HZ,
            )
        except (NoiseError, UnknownPartError, ValueError) as error:
            raise UserError(f"conditions.noise: {error}") from error
        return loop.samples


def _sounds(plan: CallPlan) -> list[LineSound | None]:
    """The recording of each line of a script; of whoever has no script, nothing."""
    return [line.sound for line in plan.script.lines] if plan.script is not None else []


def _others(plan: CallPlan) -> list[_Other | None]:
    """Who is heard under each line of a script, and from when."""
    lines = plan.script.lines if plan.script is not None else ()
    return [None if line.under is None else (line.under, line.under_after_s) for line in lines]


def _is_spoken(plan: CallPlan) -> bool:
    """Whether a voice says anything: a script may have nothing but recordings."""
    return plan.script is None or None in _sounds(plan)


def understanding_model() -> Path:
    """The folder of the model by which a caller understands the agent.

    Raises:
        UserError: It is not there.
    """
    return resolve_model("whisper-base")


def _check_codecs(names: Sequence[str]) -> None:
    for name in names:
        if name not in CODECS.names():
            raise UserError(f"reach.codecs: there is no codec '{name}'; known: {', '.join(CODECS.names())}")


def _check_sip_headers(to: OnTheWire) -> None:
    try:
        call_headers(to)
    except HarnessFault as fault:
        raise UserError(str(fault).removesuffix(NOT_CALLED)) from fault


@contextmanager
def _naming(plan: CallPlan) -> Iterator[None]:
    """Says which call it was that could not be prepared."""
    try:
        yield
    except (UserError, UnknownPartError, MissingExtraError) as error:
        raise UserError(f"call {plan.call_id}: {error}") from error


def background_of(
    codec: Codec, bed: NDArray[np.float32] | None, line: Line, *, encode: Encode = encoded
) -> Background:
    """What is sent while the caller does not speak: the noise, or silence, as either leaves the line."""
    if line.is_clear:
        return silence(codec) if bed is None else noise_background(codec, bed, encode=encode)
    quiet = np.zeros(codec.frame_samples, np.float32) if bed is None else bed
    return noise_background(codec, line.carry_loop(quiet), encode=encode)
