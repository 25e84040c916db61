"""Dialling with a deadline: what has begun when it is over, or when it fails, is hung up."""

from __future__ import annotations

import asyncio
from typing import Protocol, TypeVar

from harness.errors import SetupFailed
from harness.transports.base import DialRequest


class Connecting(Protocol):
    """A call that is being set up.

    Attributes:
        stage: What is being waited for, for messages.
    """

    @property
    def stage(self) -> str: ...

    async def connect(self) -> None:
        """Returns when audio can flow."""

    async def close(self) -> None:
        """Ends what has begun."""


Session = TypeVar("Session", bound=Connecting)


async def dialled(
    session: Session, request: DialRequest, *, late: str = "no media session within {s:g} s ({stage})"
) -> Session:
    """The session, once audio can flow.

    Args:
        late: What is said where it does not in the time that the request gives: ``s`` are its seconds,
            ``stage`` what was being waited for.

    Raises:
        SetupFailed: It does not; the session is closed.
    """
    try:
        async with asyncio.timeout(request.connect_s):
            await session.connect()
    except TimeoutError:
        why = late.format(s=request.connect_s, stage=session.stage)
        await session.close()
        raise SetupFailed(f"{request.agent}: {why}") from None
    except BaseException:
        await session.close()
        raise
    return session
