"""Pure measurement: audio, spans, words, dialogues in; Score out. Imports neither harness nor voice_sim.

    from metrics import Audio, detect_speech, word_error_rate

What is named here is for programs of somebody else (``docs/library.md``), and comes when it is first asked
for: ``import metrics`` alone brings no torch with it. Inside the package everybody imports from where a
thing lives, never from here.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metrics.audio import Audio, AudioError
    from metrics.dialogue.judging import judge_session
    from metrics.dialogue.rules.judge import RulesJudge
    from metrics.dialogue.task_flow import FlowNode, TaskFlow
    from metrics.dialogue.text_scores import TextScores, text_scores
    from metrics.instruments.nisqa import Nisqa
    from metrics.instruments.speech import detect_speech
    from metrics.instruments.transcriber import Transcriber
    from metrics.interaction.interruption import BargeIn, Interruption, interruptions
    from metrics.interaction.latency import ResponseLatency, UserUtterance, response_latencies
    from metrics.recognition.error_rate import (
        ErrorRate,
        Utterance,
        cer_score,
        character_error_rate,
        wer_score,
        word_error_rate,
    )
    from metrics.score import Evidence, Score, Status
    from metrics.spans import Span
    from metrics.speech import SpeechActivity, Talk
    from metrics.synthesis.nisqa import NaturalnessResult, NisqaError, QualityResult
    from metrics.transcript import TranscriberError, Transcript, Word
    from spoken_language.dialogue import Dialogue, DialogueTurn

__all__ = [
    "Audio",
    "AudioError",
    "BargeIn",
    "Dialogue",
    "DialogueTurn",
    "ErrorRate",
    "Evidence",
    "FlowNode",
    "Interruption",
    "NaturalnessResult",
    "Nisqa",
    "NisqaError",
    "QualityResult",
    "ResponseLatency",
    "RulesJudge",
    "Score",
    "Span",
    "SpeechActivity",
    "Status",
    "Talk",
    "TaskFlow",
    "TextScores",
    "Transcriber",
    "TranscriberError",
    "Transcript",
    "UserUtterance",
    "Utterance",
    "Word",
    "cer_score",
    "character_error_rate",
    "detect_speech",
    "interruptions",
    "judge_session",
    "response_latencies",
    "text_scores",
    "wer_score",
    "word_error_rate",
]

_HOME_OF = {
    "Audio": "metrics.audio",
    "AudioError": "metrics.audio",
    "BargeIn": "metrics.interaction.interruption",
    "Dialogue": "spoken_language.dialogue",
    "DialogueTurn": "spoken_language.dialogue",
    "ErrorRate": "metrics.recognition.error_rate",
    "Evidence": "metrics.score",
    "FlowNode": "metrics.dialogue.task_flow",
    "Interruption": "metrics.interaction.interruption",
    "NaturalnessResult": "metrics.synthesis.nisqa",
    "Nisqa": "metrics.instruments.nisqa",
    "NisqaError": "metrics.synthesis.nisqa",
    "QualityResult": "metrics.synthesis.nisqa",
    "ResponseLatency": "metrics.interaction.latency",
    "RulesJudge": "metrics.dialogue.rules.judge",
    "Score": "metrics.score",
    "Span": "metrics.spans",
    "SpeechActivity": "metrics.speech",
    "Status": "metrics.score",
    "Talk": "metrics.speech",
    "TaskFlow": "metrics.dialogue.task_flow",
    "TextScores": "metrics.dialogue.text_scores",
    "Transcriber": "metrics.instruments.transcriber",
    "TranscriberError": "metrics.transcript",
    "Transcript": "metrics.transcript",
    "UserUtterance": "metrics.interaction.latency",
    "Utterance": "metrics.recognition.error_rate",
    "Word": "metrics.transcript",
    "cer_score": "metrics.recognition.error_rate",
    "character_error_rate": "metrics.recognition.error_rate",
    "detect_speech": "metrics.instruments.speech",
    "interruptions": "metrics.interaction.interruption",
    "judge_session": "metrics.dialogue.judging",
    "response_latencies": "metrics.interaction.latency",
    "text_scores": "metrics.dialogue.text_scores",
    "wer_score": "metrics.recognition.error_rate",
    "word_error_rate": "metrics.recognition.error_rate",
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
