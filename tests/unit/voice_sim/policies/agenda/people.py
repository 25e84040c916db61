"""One small person whose every line is known by heart, and dialogues with them."""

from __future__ import annotations

from typing import Any

from voice_sim.person.persona import Persona
from voice_sim.policies.agenda import AgendaPolicy
from voice_sim.policies.base import Heard, Line, Said

_PERSON: dict[str, Any] = {
    "language": "en",
    "scenario": "A late pizza",
    "role": "Zhang Qiang, night nurse",
    "must_ask": [
        {"id": "why", "ask": ["Why so late?", "I asked why."], "answered_by": ["flat tyre"]},
        {"id": "money", "ask": ["When is the money back?", "Which day?"], "answered_by": ["friday"]},
        {
            "id": "chef",
            "ask": ["Who baked it?", "A name?"],
            "answered_by": ["don't know"],
            "answerable": False,
        },
    ],
    "obstacles": [
        {
            "id": "no_voucher",
            "when": "A voucher is offered.",
            "cues": ["voucher"],
            "say": ["Vouchers, great.", "Keep your voucher."],
            "overcome_cues": ["money back"],
        }
    ],
    "triggers": {
        "positive": [{"when": "Admits it.", "cues": ["our mistake"], "say": ["Well, that's honest."]}],
        "negative": [{"when": "A phrase.", "cues": ["valued customer"], "say": ["Spare me."]}],
    },
    "cooperation": [
        {"when": "Knows why.", "needs": ["why"], "gives": "the number", "say": ["Go ahead then."]}
    ],
    "hang_up": [{"when": "Asked to pay.", "cues": ["pay again"], "say": ["Pay again? Goodbye."]}],
    "termination": [
        {"when": "It is settled.", "cues": ["goodbye"], "say": ["Friday it is."]},
        {"when": "The shift begins.", "say": ["My shift begins."]},
    ],
    "facts": [
        {"key": "name", "value": "Zhang Qiang", "say": ["Zhang speaking."], "cues": ["is that mr. zhang"]},
        {
            "key": "hour",
            "value": "half past eight",
            "say": ["At half past eight."],
            "cues": ["when did you order"],
        },
        {
            "key": "order_number",
            "value": "4417",
            "say": ["Four four one seven."],
            "cues": ["order number"],
            "share": "trusted",
        },
    ],
    "phrases": {
        "pick_up": ["Yeah?"],
        "confirm_identity": ["That's me."],
        "acknowledge": ["Go on.", "Hm-hm."],
        "agree": ["Fine."],
        "decline": ["No."],
        "unsure": ["No idea."],
        "repeat_please": ["Say again?"],
        "goodbye": ["Bye."],
    },
}

OPENING = "Hello, is that Mr. Zhang? This is Li Ming from Huanghe Pizza."


def person(archetype: str = "efficient", **changes: Any) -> Persona:
    """The person; efficient ones have no fillers to speak of."""
    return Persona.model_validate({**_PERSON, "archetype": archetype, **changes})


class Talk:
    """A dialogue that goes on: the agent's words in, the person's line out."""

    def __init__(self, persona: Persona | None = None, *, seed: int = 3) -> None:
        self.policy = AgendaPolicy(persona=persona or person(), seed=seed)
        self.dialogue: list[Said | Heard] = []

    def picks_up(self) -> Line:
        return self._say()

    def hears(self, *texts: str | None) -> Line:
        """What is answered to the agent's words, which came in as many stretches."""
        for text in texts:
            now_s = float(len(self.dialogue))
            self.dialogue.append(Heard(onset_s=now_s, end_s=now_s + 0.5, text=text))
        return self._say()

    def _say(self) -> Line:
        line = self.policy.next_line(self.dialogue)
        assert isinstance(line, Line)
        assert self.policy.next_line(self.dialogue) == line
        self.dialogue.append(Said(text=line.text, kind="turn", end_s=float(len(self.dialogue))))
        return line


def greeted(persona: Persona | None = None, *, seed: int = 3) -> Talk:
    """A dialogue after "Yeah?", the opening, and "That's me."."""
    talk = Talk(persona, seed=seed)
    assert talk.picks_up().text == "Yeah?"
    assert "That's me." in talk.hears(OPENING).text
    return talk
