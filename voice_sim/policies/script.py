"""A caller that says fixed lines: for probes, calibration and regression runs.

The file format (YAML or JSON), one script a call::

    wait_for_greeting: true        # listen first; false: the caller speaks first
    lines:
      - say: Hello, this is Alex.  # what is said
        pause_s: 0.4               # silence between the end of the agent's reply and this line (default 0.4);
                                   # what the ears need to be sure of that end comes out of it
      - say: Sorry, can I just ask something?
        barge_in_after_s: 1.2      # interrupt: speak this long after the onset of the agent's next speech
      - say: mm-hm
        kind: backchannel          # a listener's noise that a good agent ignores; needs barge_in_after_s
      - say: (cough)
        kind: aside                # a sound in the agent's silence that asks for no answer; where none
                                   # comes within prompt_s of the limits, the next line is said
      - press: "42#"               # keys of the telephone in place of words
      - say: Where is my order?    # the words in it, for transcripts and error rates
        sound: order.wav           # a recording of it, in place of a voice; in a plan, relative to the file
      - play: cough                # in a plan: a sound that comes along (harness.plans.sounds.played)
      - say: My number is 4 7 1.   # somebody else is heard under it, at the caller's microphone
        under: {path: other.wav, level_db: -5}    # as sound; level_db against what the caller says
        under_after_s: 0.5         # after the line's first sound (default); it ends with the line
    hang_up_after_s: 1.0           # after the reply to the last line

Every line waits for the agent's reply to the one before it, unless it barges in. The agent's next speech is
the reply to the line before; after a backchannel it is the speech that is still going on, so that several
lines can be spoken into one. Where the agent stops before the moment has come, the line is said as an
ordinary turn.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from voice_sim.policies.base import Dialogue, Leave, Line, Said


def pressed_text(keys: str) -> str:
    """Keys as a line of a dialogue."""
    return f"[presses {' '.join(keys)}]"


class LineSound(BaseModel):
    """A recording of somebody who says a line.

    Attributes:
        words: How what it says is known: by whoever wrote the script, or only from a recogniser. Words that
            were heard are no reference for error rates.
        trimmed: It begins and ends with the speech, which is not looked for in it.
        level_db: How much louder it is than what the caller says.
        sha256: Of the file, once it has been looked at; it decides what the caller sounds like.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    path: Path
    words: Literal["known", "heard"] = "known"
    trimmed: bool = False
    level_db: float = Field(default=0.0, ge=-40.0, le=10.0)
    sha256: str = Field(default="", pattern=r"^([0-9a-f]{64})?$")

    @model_validator(mode="before")
    @classmethod
    def _path_alone(cls, content: Any) -> Any:
        return {"path": content} if isinstance(content, str | Path) else content


class ScriptLine(BaseModel):
    """One line of the caller; see the module's docstring."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    say: str = Field(default="", max_length=2000)
    press: str = Field(default="", max_length=32, pattern=r"^[0-9A-D*#]*$")
    sound: LineSound | None = None
    under: LineSound | None = None
    under_after_s: float = Field(default=0.5, ge=0.0, le=30.0)
    pause_s: float = Field(default=0.4, ge=0.0, le=30.0)
    barge_in_after_s: float | None = Field(default=None, ge=0.2, le=30.0)
    kind: Literal["turn", "backchannel", "aside"] = "turn"

    @model_validator(mode="after")
    def _words_or_keys(self) -> Self:
        if bool(self.say) == bool(self.press):
            raise ValueError("a line says something or presses keys: give say or press, one of them")
        if self.press and (self.sound is not None or self.under is not None):
            raise ValueError("sound: keys are pressed, and not said")
        if self.press and (self.kind != "turn" or self.barge_in_after_s is not None):
            raise ValueError("keys are pressed in a turn: no barge_in_after_s, no backchannel, no aside")
        return self

    @model_validator(mode="after")
    def _backchannel_needs_an_offset(self) -> Self:
        if self.kind == "backchannel" and self.barge_in_after_s is None:
            raise ValueError("a backchannel is spoken over the agent: give barge_in_after_s")
        if self.kind == "aside" and self.barge_in_after_s is not None:
            raise ValueError("an aside falls into the agent's silence: no barge_in_after_s")
        return self

    @property
    def text(self) -> str:
        """What is said; of keys, what a reader of the call is told."""
        return self.say or pressed_text(self.press)


class Script(BaseModel):
    """The fixed lines of one call; see the module's docstring."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    wait_for_greeting: bool = True
    lines: tuple[ScriptLine, ...] = Field(min_length=1, max_length=500)
    hang_up_after_s: float = Field(default=1.0, ge=0.0, le=30.0)


@dataclass(frozen=True)
class ScriptPolicy:
    """Says the lines of a script in their order; see :class:`voice_sim.policies.base.Policy`."""

    script: Script

    @property
    def wait_for_greeting(self) -> bool:
        """Also true where the first line is to be spoken into the greeting."""
        return self.script.wait_for_greeting or self.script.lines[0].barge_in_after_s is not None

    @property
    def hang_up_after_s(self) -> float:
        return self.script.hang_up_after_s

    @property
    def hears_words(self) -> bool:
        return False

    def prepared_lines(self) -> list[str]:
        return [line.text for line in self.script.lines]

    def when_silent(self, dialogue: Dialogue, *, times: int) -> Line | Leave | None:
        """A script has no words for silence: it waits; but after what asks for no answer it goes on."""
        said = sum(isinstance(turn, Said) for turn in dialogue)
        if not 0 < said <= len(self.script.lines) or self.script.lines[said - 1].kind == "turn":
            return None
        line = self.next_line(dialogue)
        if line is None:
            return Leave(reason="satisfied", why="the last line asked for no answer")
        return replace(line, barge_in_after_s=None)

    def interruption(self, dialogue: Dialogue) -> Line | None:
        line = self.next_line(dialogue)
        return line if line is not None and line.barge_in_after_s is not None else None

    def next_line(self, dialogue: Dialogue) -> Line | None:
        position = sum(isinstance(turn, Said) for turn in dialogue)
        if position >= len(self.script.lines):
            return None
        written = self.script.lines[position]
        return Line(
            text=written.text,
            press=written.press,
            pause_s=written.pause_s,
            barge_in_after_s=written.barge_in_after_s,
            expects_reply=written.kind == "turn",
        )
