"""The simulated caller: who it is, what it says, how it sounds, when it speaks.

Imports neither harness nor metrics.

    from voice_sim import Caller, Persona, AgendaPolicy

What is named here is for programs of somebody else (``docs/library.md``), and comes when it is first asked
for. Inside the package everybody imports from where a thing lives, never from here.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from voice_sim.caller.caller import Caller
    from voice_sim.caller.events import (
        AgentHungUp,
        AgentSpeechEnded,
        AgentSpeechStarted,
        AgentWords,
        Cancel,
        Connected,
        HangUp,
        Speak,
        Tick,
        UtteranceFinished,
    )
    from voice_sim.caller.turn_taking import Patience
    from voice_sim.person.archetypes import Archetype
    from voice_sim.person.persona import Persona
    from voice_sim.policies.agenda.policy import AgendaPolicy
    from voice_sim.policies.base import Line, Policy
    from voice_sim.policies.script import Script, ScriptLine, ScriptPolicy
    from voice_sim.tts import create_engine
    from voice_sim.tts.base import Speech, SynthesisError, TTSEngine
    from voice_sim.voice.utterance import Utterance
    from voice_sim.voice.voice import Voice

__all__ = [
    "AgendaPolicy",
    "AgentHungUp",
    "AgentSpeechEnded",
    "AgentSpeechStarted",
    "AgentWords",
    "Archetype",
    "Caller",
    "Cancel",
    "Connected",
    "HangUp",
    "Line",
    "Patience",
    "Persona",
    "Policy",
    "Script",
    "ScriptLine",
    "ScriptPolicy",
    "Speak",
    "Speech",
    "SynthesisError",
    "TTSEngine",
    "Tick",
    "Utterance",
    "UtteranceFinished",
    "Voice",
    "create_engine",
]

_HOME_OF = {
    "AgendaPolicy": "voice_sim.policies.agenda.policy",
    "AgentHungUp": "voice_sim.caller.events",
    "AgentSpeechEnded": "voice_sim.caller.events",
    "AgentSpeechStarted": "voice_sim.caller.events",
    "AgentWords": "voice_sim.caller.events",
    "Archetype": "voice_sim.person.archetypes",
    "Caller": "voice_sim.caller.caller",
    "Cancel": "voice_sim.caller.events",
    "Connected": "voice_sim.caller.events",
    "HangUp": "voice_sim.caller.events",
    "Line": "voice_sim.policies.base",
    "Patience": "voice_sim.caller.turn_taking",
    "Persona": "voice_sim.person.persona",
    "Policy": "voice_sim.policies.base",
    "Script": "voice_sim.policies.script",
    "ScriptLine": "voice_sim.policies.script",
    "ScriptPolicy": "voice_sim.policies.script",
    "Speak": "voice_sim.caller.events",
    "Speech": "voice_sim.tts.base",
    "SynthesisError": "voice_sim.tts.base",
    "TTSEngine": "voice_sim.tts.base",
    "Tick": "voice_sim.caller.events",
    "Utterance": "voice_sim.voice.utterance",
    "UtteranceFinished": "voice_sim.caller.events",
    "Voice": "voice_sim.voice.voice",
    "create_engine": "voice_sim.tts",
}
"""Where what is named here lives. Strings, because none of it is imported before it is asked for."""


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(_HOME_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
