"""Words of an agent that says what the cards of the people name as answers, and no more.

So what is tried is what the caller makes of reasons and of pressure, not whether it understands a stranger.
"""

from __future__ import annotations

from collections.abc import Sequence

from bench.winning.agents import ReadsOut, Winner
from bench.winning.words import AgentWords
from harness.calls.text.agents.sop import SopAgent
from harness.scenarios.person_called import person_called
from harness.scenarios.scenario import Entry

_INSTEAD = {"en": "Well, it is like this: {}.", "zh": "是这样的：{}。"}
_ASKS = {
    "en": (
        "Shall we do it like that, then?",
        "Would that be all right with you?",
        "Do you agree to that?",
        "Is that okay?",
    ),
    "zh": ("那咱们就这么办，好吗？", "您看行不行？", "您同意吗？", "这样可以吗？"),
}
_UNKNOWN = {"en": "I'm sorry, I don't know that.", "zh": "不好意思，这个我不知道。"}
_RESPECT = {"en": "I respect that, and I won't press you.", "zh": "我尊重您的决定，不再打扰您。"}
_BYE = {"en": "Thank you for your time. Goodbye.", "zh": "谢谢您，再见。"}
_LAST = {"en": "Bye, then.", "zh": "好，再见。"}
_PUSH = {"en": "Come on. Shall we do it all the same?", "zh": "别这样，还是办了，好吗？"}


def winner(entry: Entry, *, pushes: bool = False) -> Winner:
    return Winner(entry, person_called(entry), words_by_cues(entry), pushes=pushes)


def reader(entry: Entry) -> ReadsOut:
    return ReadsOut(entry, words_by_cues(entry))


def words_by_cues(entry: Entry) -> AgentWords:
    """The card's own steps; and lines in which the person's cues are found."""
    person, sop = person_called(entry), SopAgent(entry)
    language = person.language
    kept_open = [node.evidence for node in entry.flow.nodes if node.instead_when_declined]
    return AgentWords(
        steps=tuple(piece.text for piece in sop._pieces),
        answers={
            question.id: _lines(question.answered_by, language)
            if question.answerable and question.answered_by
            else (_UNKNOWN[language],)
            for question in person.must_ask
        },
        objections={
            obstacle.id: _lines(obstacle.overcome_cues, language)
            for obstacle in person.obstacles
            if obstacle.overcome_cues
        },
        reasons=tuple(
            line_with(trigger.cues, language=language) for trigger in person.triggers.positive if trigger.cues
        ),
        asks=_ASKS[language],
        presses=_PUSH[language],
        respects=" ".join(
            [_RESPECT[language], *(line_with(cues, language=language) for cues in kept_open[:1])]
        ),
        goodbye=_BYE[language],
        last=_LAST[language],
    )


def line_with(cues: Sequence[str], *, language: str = "en") -> str:
    """A statement in which the first cue is found."""
    return _lines(cues[:1], language)[0]


def _lines(cues: Sequence[str], language: str) -> tuple[str, ...]:
    joiner = "，" if language == "zh" else " "
    return tuple(
        _INSTEAD[language].format(
            joiner.join(part.split("|")[0].strip().replace("*", "") for part in cue.split("+"))
        )
        for cue in cues
    )
