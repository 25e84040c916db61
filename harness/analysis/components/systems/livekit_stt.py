"""Any installed livekit-agents recogniser: ``livekit/openai/whisper-1``, ``livekit/MODULE:CLASS?model=x``.

Names are those of :mod:`voice_sim.tts.livekit_plugin`, with the plugin's ``STT`` in place of its ``TTS`` and
a model in place of a voice. Keys of a provider come from where its plugin looks for them, never from a name.
"""

from __future__ import annotations

import asyncio
import inspect
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np
from livekit import rtc
from livekit.agents import APIConnectOptions
from livekit.agents import stt as livekit_stt
from livekit.agents.utils import http_context

from harness.analysis.components.systems.base import RecognitionFailed
from harness.errors import UserError
from metrics.audio import Audio
from spoken_language.outside_text import harmless
from voice_sim.tts.base import SynthesisError
from voice_sim.tts.livekit_plugin import PluginVoice, parse_voice

TIMEOUT_S = 120.0
_CONNECT = APIConnectOptions(max_retry=2, retry_interval=1.0, timeout=30.0)
MAX_TEXT_CHARS = 20_000


class LivekitRecogniser:
    """A recogniser of a plugin; an instance of it lives for one clip.

    Raises:
        UserError: There is no such plugin, class or setting, or it does not open: it finds no key.
    """

    def __init__(self, name: str) -> None:
        try:
            wanted = parse_voice(name)
        except SynthesisError as error:
            raise UserError(f"--asr livekit/{name}: {error}") from error
        self._wanted = wanted
        self._name = name
        self._plugin = _class_of(name, wanted)
        self._arguments = _arguments(name, self._plugin, wanted)
        try:
            asyncio.run(self._opened())
        except Exception as error:  # a plugin's own, of every kind: mostly that it finds no key
            raise UserError(f"--asr livekit/{name}: {type(error).__name__}: {error}"[:400]) from error

    @property
    def identity(self) -> str:
        """See :class:`harness.analysis.components.systems.base.Recogniser`."""
        plugin = f"livekit-plugins-{self._wanted.module.rpartition('.')[2].replace('_', '-')}"
        try:
            told = f"{plugin} {version(plugin)}"
        except PackageNotFoundError:
            told = self._wanted.module
        return f"livekit-agents {version('livekit-agents')}, {told}, {self._name}"

    def recognise(self, audio: Audio, language: str) -> str:
        """See :class:`harness.analysis.components.systems.base.Recogniser`."""
        try:
            text = asyncio.run(self._recognised(audio, language))
        except TimeoutError as error:
            raise RecognitionFailed(f"no answer within {TIMEOUT_S:.0f} s") from error
        except Exception as error:  # a plugin's own, of every kind: no key, no network, no such model
            raise RecognitionFailed(f"{type(error).__name__}: {error}"[:400]) from error
        return harmless(text)[:MAX_TEXT_CHARS]

    async def _opened(self) -> None:
        """Makes one and closes it: what it lacks is to be told before any clip is tried."""
        async with asyncio.timeout(TIMEOUT_S), http_context.open():
            await self._plugin(**self._arguments).aclose()

    async def _recognised(self, audio: Audio, language: str) -> str:
        pcm = (np.clip(audio.samples, -1.0, 1.0) * 32767.0).astype(np.int16)
        frame = rtc.AudioFrame(pcm.tobytes(), audio.sample_rate_hz, 1, pcm.size)
        # Plugins take their connections from a context that, outside a job of livekit's, nobody has opened.
        async with asyncio.timeout(TIMEOUT_S), http_context.open():
            engine = self._plugin(**self._arguments)
            try:
                event = await engine.recognize([frame], language=language, conn_options=_CONNECT)
            finally:
                await engine.aclose()
        return event.alternatives[0].text if event.alternatives else ""


def _class_of(name: str, wanted: PluginVoice) -> type[livekit_stt.STT[Any]]:
    attribute = "STT" if wanted.attribute == "TTS" else wanted.attribute
    try:
        found = getattr(import_module(wanted.module), attribute, None)
    except ModuleNotFoundError as error:
        package = f"livekit-plugins-{wanted.module.rpartition('.')[2].replace('_', '-')}"
        raise UserError(f"--asr livekit/{name}: {error}: pip install {package}") from error
    except Exception as error:  # whatever importing somebody else's module brings about
        raise UserError(f"--asr livekit/{name}: {wanted.module} cannot be imported: {error}") from error
    if not (inspect.isclass(found) and issubclass(found, livekit_stt.STT)):
        raise UserError(f"--asr livekit/{name}: {wanted.module} has no recogniser '{attribute}'")
    return found


def _arguments(name: str, plugin: type[livekit_stt.STT[Any]], wanted: PluginVoice) -> dict[str, Any]:
    arguments = dict(wanted.options)
    if wanted.voice:
        arguments.setdefault("model", wanted.voice)
    known = inspect.signature(plugin.__init__).parameters
    open_ended = any(one.kind is inspect.Parameter.VAR_KEYWORD for one in known.values())
    unknown = [] if open_ended else [key for key in arguments if key not in known]
    if unknown:
        takes = ", ".join(key for key in known if key != "self")
        raise UserError(f"--asr livekit/{name}: it has no setting '{unknown[0]}'; it takes: {takes}")
    return arguments
