"""``spawn:`` of a plan: the agent is a program of this machine, which the run starts and stops."""

from __future__ import annotations

import shlex

from pydantic import BaseModel, ConfigDict, Field, field_validator

DEFAULT_PORT = 7860
"""Where pipecat's bots serve."""
PORT = "{port}"


class SpawnPlan(BaseModel):
    """The program, and how it is known that it can be called.

    The port is a fixed one and not just any that is free: the address is a part of what a run is, and a run
    that was broken off goes on with the same.

    Attributes:
        command: As in a shell, but run without one. ``{port}`` stands for the port, here and in the address.
        port: Where it is to serve.
        ready: A text that it prints once it can be called, for what serves nothing over TCP (SIP over UDP, a
            LiveKit worker). Without it: once the port takes connections.
        within_s: So long it may take.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    command: str = Field(min_length=1, max_length=4000)
    port: int = Field(default=DEFAULT_PORT, ge=1, le=65_535)
    ready: str = Field(default="", max_length=500)
    within_s: float = Field(default=120.0, gt=0.0, le=3600.0)

    @field_validator("command")
    @classmethod
    def _is_a_command(cls, command: str) -> str:
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise ValueError(f"cannot be read as a command: {error}") from error
        if not words:
            raise ValueError("is empty")
        return command

    @property
    def words(self) -> list[str]:
        """The program and its arguments."""
        return [self.at_port(word) for word in shlex.split(self.command)]

    @property
    def address(self) -> str:
        """Where it is called, if nothing else is said."""
        return f"http://127.0.0.1:{self.port}"

    def at_port(self, text: str) -> str:
        """The text with the port in its place."""
        return text.replace(PORT, str(self.port))
