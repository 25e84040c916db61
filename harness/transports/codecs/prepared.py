"""In which codec a call is prepared, where its plan says which ones may be spoken."""

from __future__ import annotations

from collections.abc import Sequence

UNENCODED = "pcm-48k"
"""Plain sound: what a call is prepared in that is encoded while it runs."""


def prepared_in(usual: str, offered: Sequence[str], *, echo: bool = False) -> str:
    """The codec of everything that is made before the call.

    Args:
        usual: What the transport sends by itself; :data:`UNENCODED` for one that encodes in any case.
        offered: By the plan, in order of preference; none: the usual one.
        echo: What comes back from the agent is put into it while the call runs.
    """
    if echo:
        return UNENCODED
    if not offered or usual == UNENCODED:
        return usual
    # Which of several it will be is known only with the answer.
    return offered[0] if len(offered) == 1 else UNENCODED
