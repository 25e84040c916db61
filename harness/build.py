"""From a call plan to live objects: with ``cli`` the only place that names concrete classes.

Everything slow happens here, before the call: synthesis, mixing, encoding.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlsplit

import numpy as np
from numpy.typing import NDArray

from harness.call import PreparedCall
from harness.errors import UserError
from harness.models import resolve
from harness.opus import SAMPLE_RATE_HZ
from harness.paths import cache_dir
from harness.plan import CallPlan, NoisePlan, VoicePlan
from harness.transports.base import Transport
from harness.transports.smallwebrtc import SmallWebRTCTransport
from harness.uplink import Background, noise_background, prepare_clip, silence
from harness.versions import library_versions
from voice_sim.cache import SynthesisCache
from voice_sim.caller import Caller
from voice_sim.conditions import NOISES
from voice_sim.conditions.noise import NoiseError, noise_loop
from voice_sim.policies.script import ScriptPolicy
from voice_sim.registry import MissingExtraError, UnknownPartError
from voice_sim.tts import create_engine
from voice_sim.tts.base import SynthesisError, TTSEngine
from voice_sim.turn_taking import Patience
from voice_sim.utterance import Utterance, UtteranceError
from voice_sim.voice import Voice

NOISE_LOOP_S = 20.0

TRANSPORTS: dict[str, Callable[[], Transport]] = {
    "http": SmallWebRTCTransport,
    "https": SmallWebRTCTransport,
}
"""By the scheme of the agent's address. A new way of reaching agents is a new file in ``transports`` and a
line here."""

_ENGINE_MODELS = {"piper"}
"""Engines whose voices are models of ``harness.models``."""


def transport_for(agent: str) -> Transport:
    """The transport that reaches an address.

    Raises:
        UserError: The address has no scheme that we can dial.
    """
    try:
        parts = urlsplit(agent)
        dialable = bool(parts.hostname) and parts.port != 0
    except ValueError:
        dialable = False
    if not dialable or parts.scheme not in TRANSPORTS:
        raise UserError(
            f"'{agent}' is no agent address that can be dialled; known: "
            + ", ".join(f"{scheme}://HOST:PORT" for scheme in TRANSPORTS)
        )
    return TRANSPORTS[parts.scheme]()


class CallBuilder:
    """Prepares calls; keeps engines between them, so that a voice is loaded once.

    Raises (all methods): UserError for anything the plan asks for that is not to be had.
    """

    def __init__(self) -> None:
        self._engines: dict[tuple[str, str], TTSEngine] = {}
        self._cache = SynthesisCache(cache_dir() / "speech")

    def check(self, plan: CallPlan) -> None:
        """Finds out before the first call what would stop a later one: an address, a voice, a noise."""
        transport_for(plan.agent)
        try:
            self._engine(plan.voice)
            if plan.conditions.noise is not None:
                NOISES.load(plan.conditions.noise.kind)
        except (SynthesisError, UnknownPartError, MissingExtraError) as error:
            raise UserError(f"call {plan.call_id}: {error}") from error

    def prepare(self, plan: CallPlan) -> PreparedCall:
        """The call with all its lines spoken and encoded."""
        utterances = [self._speak(plan, line.say) for line in plan.script.lines]
        bed = _noise_bed(plan.conditions.noise, utterances, plan) if plan.conditions.noise else None
        background: Background = silence() if bed is None else noise_background(bed)
        limits = plan.limits
        return PreparedCall(
            plan=plan,
            caller=Caller(
                policy=ScriptPolicy(plan.script),
                patience=Patience(
                    first_speech_s=limits.first_speech_s, silence_s=limits.silence_s, call_s=limits.call_s
                ),
            ),
            clips=[prepare_clip(utterance.samples, bed=bed) for utterance in utterances],
            background=background,
            versions=library_versions() | self._voice_versions(plan.voice),
        )

    def _speak(self, plan: CallPlan, text: str) -> Utterance:
        wanted = plan.voice
        try:
            voice = Voice(
                engine=self._engine(wanted),
                name=wanted.name,
                rate=wanted.rate,
                level_dbfs=wanted.level_dbfs,
                cache=self._cache,
            )
            return voice.speak(text)
        except (SynthesisError, UtteranceError, UnknownPartError, MissingExtraError) as error:
            raise UserError(f"call {plan.call_id}: voice {wanted.engine}/{wanted.name}: {error}") from error

    def _engine(self, wanted: VoicePlan) -> TTSEngine:
        key = (wanted.engine, wanted.name)
        if key not in self._engines:
            folder = resolve(wanted.name).path if wanted.engine in _ENGINE_MODELS else None
            self._engines[key] = create_engine(wanted.engine, folder=folder)
        return self._engines[key]

    def _voice_versions(self, wanted: VoicePlan) -> dict[str, str]:
        if wanted.engine not in _ENGINE_MODELS:
            return {}
        return {f"voice {wanted.name}": resolve(wanted.name).digest}


def _noise_bed(noise: NoisePlan, utterances: list[Utterance], plan: CallPlan) -> NDArray[np.float32]:
    try:
        loop = noise_loop(
            noise.kind,
            snr_db=noise.snr_db,
            # What the voice reached: a peaky one stays below the level that was asked for.
            speech_level_dbfs=float(np.median([utterance.level_dbfs for utterance in utterances])),
            duration_s=NOISE_LOOP_S,
            seed=plan.seed,
            speech=[utterance.samples for utterance in utterances],
            sample_rate_hz=SAMPLE_RATE_HZ,
        )
    except (NoiseError, UnknownPartError, ValueError) as error:
        raise UserError(f"call {plan.call_id}: conditions.noise: {error}") from error
    return loop.samples
