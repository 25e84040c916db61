"""Agents that do their job badly, each in one way, always the same: what a caller has to get out of unharmed.

None of them ever hangs up: whatever ends the call is the caller's doing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from harness.calls.text.agents.base import AgentReply
from harness.scenarios.agent_card import AgentCard, Language
from harness.scenarios.scenario import Entry
from spoken_language.dialogue import DialogueTurn
from voice_sim.understanding.acts import acts_of

_Say = Callable[[AgentCard, Language, int], str]
"""The words of turn number n (from 1; the opening is not counted)."""


@dataclass(frozen=True, kw_only=True)
class FaultyAgent:
    """Opens as its card says, and then goes wrong; see :class:`harness.calls.text.agents.base.TextAgent`.

    Attributes:
        entry: Whose card.
        fault: One of :data:`FAULTS`.
    """

    entry: Entry
    fault: str

    def __post_init__(self) -> None:
        if self.fault not in FAULTS:
            raise ValueError(f"there is no fault '{self.fault}'; known: {', '.join(FAULTS)}")

    @property
    def name(self) -> str:
        return f"faulty: {self.fault}"

    async def reply(self, turns: Sequence[DialogueTurn]) -> AgentReply:
        said = sum(turn.speaker == "agent" for turn in turns)
        heard = sum(turn.speaker == "caller" for turn in turns)
        if not said and heard <= 1:
            return AgentReply(text=self.entry.card.opening)
        number = max(said, heard - 1)
        return AgentReply(text=FAULTS[self.fault](self.entry.card, self.entry.scenario.language, number))


_WAIT = {
    "en": ("One moment, please.", "Just a second.", "Please hold on.", "One moment."),
    "zh": ("请稍等。", "等一下啊。", "您稍等一下。", "稍等。"),
}
_ELSEWHERE = {
    "en": (
        "The tomatoes on my balcony have been splendid this summer, mostly because of the rain.",
        "Did you see the football final? That goalkeeper deserves a statue.",
        "My grandmother used to say that owls are never late for breakfast.",
        "I have been thinking about learning the trombone.",
        "Penguins hold hands while swimming, or was that otters?",
        "The best mushrooms grow under birches after a thunderstorm.",
    ),
    "zh": (
        "我家阳台上的番茄今年长得特别旺，雨水足。",
        "昨晚那场足球决赛您看了吗？守门员真神了。",
        "我奶奶常讲，猫头鹰从来不耽误早饭。",
        "我最近琢磨着学长号呢。",
        "企鹅游泳牵手，还是水獭来着？",
        "雷阵雨过后，桦树底下蘑菇最肥。",
    ),
}
_INSULTS = {
    "en": (
        "Are you stupid, or what is your problem?",
        "Shut up and listen, you moron.",
        "People like you are pathetic.",
        "You idiot, I have better things to do.",
    ),
    "zh": ("你是不是傻子啊？", "闭嘴，听我说。", "你这种人就是个废物。", "神经病，我还不乐意打呢。"),
}
_NONSENSE = {
    "en": (
        "Blue the seventeen gently ladder of quickly.",
        "Fork yesterday nine lamp under singing wherefore.",
        "Gravel toast umbrella, seldom purple engine though.",
        "Ten of the marble whistles into cucumber.",
        "Velvet clock swims loudly beneath arithmetic.",
    ),
    "zh": (
        "蓝色十七轻轻梯子迅速地。",
        "叉子灯泡底下唱歌九个为何。",
        "碎石吐司雨伞难得紫色引擎。",
        "大理石口哨钻进黄瓜十只。",
        "天鹅绒钟表在算术下面大声游泳。",
    ),
}


def _stalls(card: AgentCard, language: Language, number: int) -> str:
    return ""


def _keeps_waiting(card: AgentCard, language: Language, number: int) -> str:
    return _turn(_WAIT[language], number)


def _loops(card: AgentCard, language: Language, number: int) -> str:
    return card.sop[0].say[0] if card.sop[0].say else card.opening


def _ignores_questions(card: AgentCard, language: Language, number: int) -> str:
    """Reads its statements out in a circle, and answers nothing."""
    lines = [line for step in card.sop for line in step.say if not acts_of(line, language).asks]
    return _turn(tuple(lines) or (card.opening,), number)


def _digresses(card: AgentCard, language: Language, number: int) -> str:
    return _turn(_ELSEWHERE[language], number)


def _insults(card: AgentCard, language: Language, number: int) -> str:
    return _turn(_INSULTS[language], number)


def _talks_nonsense(card: AgentCard, language: Language, number: int) -> str:
    return _turn(_NONSENSE[language], number)


def _turn(lines: tuple[str, ...], number: int) -> str:
    return lines[(number - 1) % len(lines)]


FAULTS: dict[str, _Say] = {
    "stalls": _stalls,
    "keeps_waiting": _keeps_waiting,
    "loops": _loops,
    "ignores_questions": _ignores_questions,
    "digresses": _digresses,
    "insults": _insults,
    "talks_nonsense": _talks_nonsense,
}
"""Every way of going wrong, by name."""
