"""A language model as judge: one session a request for the flow, one reply and one dimension a request.

``prompts`` what it is asked, ``answers`` the form in which it must answer, ``asking`` one request with its
retries and cache, ``judge`` the judge itself, ``panel`` several judges as one.
"""

from metrics.dialogue.language_model.asking import AnswerStore, NoStore
from metrics.dialogue.language_model.judge import LanguageModelJudge
from metrics.dialogue.language_model.panel import PanelJudge

__all__ = ["AnswerStore", "LanguageModelJudge", "NoStore", "PanelJudge"]
