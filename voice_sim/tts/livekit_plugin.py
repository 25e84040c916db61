"""Any installed livekit-agents speech plugin as the caller's voice: OpenAI, Cartesia, ElevenLabs, Azure, ...

The voice's name says which plugin, which of its voices, and its other settings::

    openai/alloy                              livekit.plugins.openai.TTS(voice="alloy")
    cartesia/VOICE-ID?model=sonic-2           ... with model="sonic-2"
    my_company.speech:TTS?voice=ann&warm=true  a class of your own module

Settings are read as true, false, none, a number, or text. Keys of a provider come from where its plugin looks
for them (OPENAI_API_KEY and the like), never from a plan, which is kept with every call.

Voices in a cloud are not the same to the bit from one synthesis to the next, nor for ever: what makes a run's
lines repeatable is the synthesis cache alone. The plugins have no rate in common, so the rate is set
afterwards (:mod:`voice_sim.tts.stretch`), which changes no pitch.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
from livekit.agents import APIConnectOptions
from livekit.agents import tts as livekit_tts
from livekit.agents.utils import http_context

from voice_sim.tts.base import MAX_SPEECH_S, Speech, SynthesisError, checked_rate, checked_text
from voice_sim.tts.stretch import stretched

TIMEOUT_S = 60.0
_CONNECT = APIConnectOptions(max_retry=2, retry_interval=1.0, timeout=20.0)
_VOICE_PARAMETERS = ("voice", "voice_id", "voice_name", "speaker", "model")
_SECRETS = ("key", "secret", "token", "password", "credential")
_WORDS: Mapping[str, Any] = {"true": True, "false": False, "none": None}


@dataclass(frozen=True, kw_only=True)
class PluginVoice:
    """A voice's name, taken apart.

    Attributes:
        module: Python module of the plugin.
        attribute: The class in it.
        voice: As its provider calls it; empty for the plugin's own default.
        options: Further arguments of the class.
    """

    module: str
    attribute: str
    voice: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)


class LivekitEngine:
    """Speaks through livekit-agents plugins. An instance of a plugin lives for one line."""

    name = "livekit"

    def __init__(self, *, folder: Path | None = None) -> None:
        self._lock = threading.Lock()

    def identity(self, voice: str) -> str:
        """See :class:`voice_sim.tts.base.TTSEngine`."""
        wanted = parse_voice(voice)
        plugin = _plugin_class(wanted)
        agents = version("livekit-agents")
        return f"livekit-agents {agents}, {_versions(wanted.module)}, {plugin.__qualname__}"

    def check_opens(self, voice: str) -> None:
        """See :class:`voice_sim.tts.base.OpensFirst`: makes the plugin's engine and closes it."""
        wanted = parse_voice(voice)
        plugin = _plugin_class(wanted)
        arguments = _arguments(plugin, wanted)
        try:
            asyncio.run(_opened(plugin, arguments))
        except Exception as error:  # a plugin's own, of every kind
            raise SynthesisError(f"livekit: '{voice}': {type(error).__name__}: {error}") from error

    def synthesize(self, text: str, *, voice: str, rate: float) -> Speech:
        """See :class:`voice_sim.tts.base.TTSEngine`; only what is cached is the same again."""
        words = checked_text(text, engine=self.name)
        checked_rate(rate, engine=self.name)
        wanted = parse_voice(voice)
        plugin = _plugin_class(wanted)
        arguments = _arguments(plugin, wanted)
        # In a thread of its own: the caller may be inside an event loop, and a plugin needs one for itself.
        with self._lock, ThreadPoolExecutor(max_workers=1, thread_name_prefix="livekit-tts") as thread:
            try:
                speech = thread.submit(lambda: asyncio.run(_speak(plugin, arguments, words))).result()
            except SynthesisError as error:
                raise SynthesisError(f"livekit: '{voice}' on {words[:60]!r}: {error}") from error
            except TimeoutError as error:
                raise SynthesisError(f"livekit: '{voice}' did not finish within {TIMEOUT_S:.0f} s") from error
            except Exception as error:  # a plugin's own, of every kind: no key, no network, no such voice
                raise SynthesisError(f"livekit: '{voice}': {type(error).__name__}: {error}") from error
        return stretched(speech, rate=rate)


def parse_voice(name: str) -> PluginVoice:
    """A voice's name as the plugin, the voice and the settings that it stands for.

    Raises:
        SynthesisError: It is no such name, or holds a key or a password.
    """
    place, _, query = name.partition("?")
    options = {key: _value(text) for key, text in parse_qsl(query, keep_blank_values=True)}
    for key in options:
        if not key.isidentifier():
            raise SynthesisError(f"livekit: '{key}' in '{name}' is no name of a setting")
        if any(secret in key.lower() for secret in _SECRETS):
            raise SynthesisError(
                f"livekit: '{key}' does not belong in a plan, which is kept with every call; "
                "put it into the environment variable that the plugin reads"
            )
    module, colon, attribute = place.partition(":")
    voice = ""
    if not colon:
        module, _, voice = place.partition("/")
        if not module.isidentifier():
            raise SynthesisError(f"livekit: '{name}' is no voice; write PLUGIN/VOICE or MODULE:CLASS")
        module, attribute = f"livekit.plugins.{module}", "TTS"
    elif not all(part.isidentifier() for part in [*module.split("."), attribute]):
        raise SynthesisError(f"livekit: '{name}' is no voice; write PLUGIN/VOICE or MODULE:CLASS")
    return PluginVoice(module=module, attribute=attribute, voice=voice, options=options)


def _value(text: str) -> Any:
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for number in (int, float):
        try:
            return number(text)
        except ValueError:
            continue
    return text


def _plugin_class(wanted: PluginVoice) -> type[livekit_tts.TTS[Any]]:
    try:
        module = import_module(wanted.module)
    except ModuleNotFoundError as error:
        if wanted.module.startswith("livekit.plugins.") and (error.name or "") in wanted.module:
            package = f"livekit-plugins-{wanted.module.rpartition('.')[2].replace('_', '-')}"
            raise SynthesisError(f"livekit: the plugin is not installed: pip install {package}") from error
        raise SynthesisError(f"livekit: {wanted.module} cannot be imported: {error}") from error
    except Exception as error:  # whatever importing somebody else's module brings about
        raise SynthesisError(f"livekit: {wanted.module} cannot be imported: {error}") from error
    found = getattr(module, wanted.attribute, None)
    if not (inspect.isclass(found) and issubclass(found, livekit_tts.TTS)):
        raise SynthesisError(f"livekit: {wanted.module} has no speech engine '{wanted.attribute}'")
    return found


def _arguments(plugin: type[livekit_tts.TTS[Any]], wanted: PluginVoice) -> dict[str, Any]:
    arguments = dict(wanted.options)
    known = inspect.signature(plugin.__init__).parameters
    if wanted.voice:
        names = [name for name in _VOICE_PARAMETERS if name in known and name not in arguments]
        if not names:
            raise SynthesisError(
                f"livekit: {wanted.module} takes no voice '{wanted.voice}'; give its settings behind '?'"
            )
        arguments[names[0]] = wanted.voice
    open_ended = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in known.values())
    unknown = [] if open_ended else [name for name in arguments if name not in known]
    if unknown:
        takes = ", ".join(name for name in known if name != "self")
        raise SynthesisError(f"livekit: {wanted.module} has no setting '{unknown[0]}'; it takes: {takes}")
    return arguments


async def _opened(plugin: type[livekit_tts.TTS[Any]], arguments: dict[str, Any]) -> None:
    async with asyncio.timeout(TIMEOUT_S), http_context.open():
        await plugin(**arguments).aclose()


async def _speak(plugin: type[livekit_tts.TTS[Any]], arguments: dict[str, Any], text: str) -> Speech:
    # Plugins take their connections from a context that, outside a job of livekit's, nobody has opened.
    async with asyncio.timeout(TIMEOUT_S), http_context.open():
        engine = plugin(**arguments)
        parts: list[np.ndarray[Any, np.dtype[np.float32]]] = []
        rate_hz, total_s = 0, 0.0
        try:
            async with engine.synthesize(text, conn_options=_CONNECT) as stream:
                async for event in stream:
                    frame = event.frame
                    if rate_hz not in (0, frame.sample_rate):
                        raise SynthesisError(f"audio at {rate_hz} and at {frame.sample_rate} Hz")
                    rate_hz = frame.sample_rate
                    pcm = np.frombuffer(frame.data, np.int16).reshape(-1, frame.num_channels)
                    parts.append((pcm.mean(axis=1, dtype=np.float64) / 32768.0).astype(np.float32))
                    total_s += len(pcm) / rate_hz
                    if total_s > MAX_SPEECH_S:
                        raise SynthesisError(f"more than {MAX_SPEECH_S:.0f} s of audio")
        finally:
            await engine.aclose()
    if not parts or total_s == 0.0:
        raise SynthesisError("no audio came")
    try:
        return Speech(samples=np.concatenate(parts), sample_rate_hz=rate_hz)
    except ValueError as error:
        raise SynthesisError(str(error)) from error


def _versions(module: str) -> str:
    """Name and version of the package that the module came with."""
    top = module.split(".")[0]
    guess = f"livekit-plugins-{module.rpartition('.')[2].replace('_', '-')}"
    for package in (guess, *packages_distributions().get(top, [])):
        try:
            return f"{package} {version(package)}"
        except PackageNotFoundError:
            continue
    return f"{module} without a version"
