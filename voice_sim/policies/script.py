"""A caller that says fixed lines: for probes, calibration and regression runs.

The file format (YAML or JSON), one script a call::

    wait_for_greeting: true        # listen first; false: the caller speaks first
    lines:
      - say: Hello, this is Alex.  # what is said
        pause_s: 0.4               # silence between the end of the agent's reply and this line (default 0.4)
      - say: Sorry, can I just ask something?
        barge_in_after_s: 1.2      # interrupt: speak this long after the onset of the agent's next speech
      - say: mm-hm
        kind: backchannel          # a listener's noise that a good agent ignores; needs barge_in_after_s
    hang_up_after_s: 1.0           # after the reply to the last line

Every line waits for the agent's reply to the one before it, unless it barges in.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator


class ScriptLine(BaseModel):
    """One line of the caller; see the module's docstring."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    say: str = Field(min_length=1, max_length=2000)
    pause_s: float = Field(default=0.4, ge=0.0, le=30.0)
    barge_in_after_s: float | None = Field(default=None, ge=0.2, le=30.0)
    kind: Literal["turn", "backchannel"] = "turn"

    @model_validator(mode="after")
    def _backchannel_needs_an_offset(self) -> Self:
        if self.kind == "backchannel" and self.barge_in_after_s is None:
            raise ValueError("a backchannel is spoken over the agent: give barge_in_after_s")
        return self


class Script(BaseModel):
    """The fixed lines of one call; see the module's docstring."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    wait_for_greeting: bool = True
    lines: tuple[ScriptLine, ...] = Field(min_length=1, max_length=500)
    hang_up_after_s: float = Field(default=1.0, ge=0.0, le=30.0)
