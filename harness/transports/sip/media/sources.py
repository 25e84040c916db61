"""From where the agent's own sound comes: one place at a time, and never a stranger's while the agent sends.

A place is taken for the agent's when nobody was there before, or when the agent's description names it. Media
also moves without a word: a translator of addresses forgets a port, a border controller changes its side. So
another place is taken as well once the last one has been silent, and what was there before comes back first.
Who sent while the agent did is a stranger, and stays one when the agent pauses.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

from aiortc.rtp import RtpPacket

Place = tuple[str, int]

SILENT_NS = 1_500_000_000
"""So long nothing comes from the agent's place before another one may be its own: longer than what networks
hold back, and short beside what is lost where nobody looks for it."""
IN_A_ROW = 5
"""So many packets of one stream make another place the agent's."""
_OVERLAP_NS = 200_000_000
"""So long two places may send at once where one takes over from the other: packets overtake each other."""
_MOST_SEEN = 100
"""So many places are remembered. Where more than that send to us, none is taken for having sent alone."""
ELSEWHERE = "from somewhere else"


class Sources:
    """See the module's docstring.

    Args:
        passed_over: Why packets are not in the log -> how many; those from elsewhere are counted there.
        on_event: Called with what is to be told of.
    """

    def __init__(
        self, *, passed_over: Counter[str], on_event: Callable[[str, dict[str, object]], None]
    ) -> None:
        self._passed_over = passed_over
        self._on_event = on_event
        self._named: Place | None = None
        self._taken: list[Place] = []
        """Places that were taken for the agent's, the first one first; the last one is where it is now."""
        self._heard_ns = 0
        self._seen: dict[Place, tuple[int, int]] = {}
        """Other places -> when their latest run of packets began, and its last one."""
        self._waiting: dict[Place, list[tuple[RtpPacket, int]]] = {}
        """What came in a row from places that are not the agent's yet, or not any more."""

    def expect(self, named: Place | None, *, anew: bool = False) -> None:
        """What the agent says of where its sound comes from.

        Args:
            anew: Whatever it says: it is somebody else there, or has other keys.
        """
        if anew or named != self._named:
            self.forget()
        self._named = named

    def forget(self) -> None:
        """From now on it may come from anywhere again."""
        self._taken = []
        self._seen.clear()
        self._drop_waiting()

    def may_send(self, source: Place, arrival_ns: int) -> bool:
        """Whether a packet from a place is worth opening; one that is not is counted."""
        if not self._taken or source == self._named or source in self._taken:
            return True
        alone = self._began_ns(source, arrival_ns) >= self._heard_ns - _OVERLAP_NS
        if alone and arrival_ns - self._heard_ns >= SILENT_NS:
            return True
        self._passed_over[ELSEWHERE] += 1
        return False

    def _began_ns(self, source: Place, arrival_ns: int) -> int:
        """Since when another place has sent without a pause."""
        if source not in self._seen and len(self._seen) >= _MOST_SEEN:
            return 0
        began_ns, last_ns = self._seen.get(source, (arrival_ns, arrival_ns))
        if arrival_ns - last_ns >= SILENT_NS:
            began_ns = arrival_ns
        self._seen[source] = (began_ns, arrival_ns)
        return began_ns

    def take(self, packet: RtpPacket, source: Place, arrival_ns: int) -> list[tuple[RtpPacket, int]]:
        """The packets that are the agent's now that this one came, with their arrivals.

        Args:
            packet: Opened by the agent's key, where there is one.
            source: A place that :meth:`may_send`.
        """
        if self._taken and source == self._taken[-1]:
            self._heard_ns = max(self._heard_ns, arrival_ns)
            self._drop_waiting(but=self._taken)
            return [(packet, arrival_ns)]
        if not self._taken or source == self._named:
            first = not self._taken
            self._taken = [source]
            self._drop_waiting()
            return self._moved(source, [(packet, arrival_ns)], told=not (first and source == self._named))
        row = self._waiting.setdefault(source, [])
        if row and not follows(packet, row[-1][0]):
            self._passed_over[ELSEWHERE] += len(row)
            row.clear()
        row.append((packet, arrival_ns))
        if len(row) < IN_A_ROW:
            return []
        found = self._waiting.pop(source)
        # Whoever was there before the last one comes before it, and whoever came after it goes.
        before = self._taken.index(source) if source in self._taken else len(self._taken)
        self._taken = [*self._taken[:before], source]
        return self._moved(source, found, told=True)

    def _moved(
        self, source: Place, found: list[tuple[RtpPacket, int]], *, told: bool
    ) -> list[tuple[RtpPacket, int]]:
        silent_ns = found[0][1] - self._heard_ns if self._heard_ns else 0
        self._heard_ns = found[-1][1]
        if told:
            data: dict[str, object] = {
                "address": f"{source[0]}:{source[1]}",
                "named": source == self._named,
            }
            if silent_ns > 0:
                data["silent_s"] = round(silent_ns / 1e9, 3)
            self._on_event("media-from", data)
        return found

    def _drop_waiting(self, but: Collection[Place] = ()) -> None:
        for place in [one for one in self._waiting if one not in but]:
            self._passed_over[ELSEWHERE] += len(self._waiting.pop(place))


def follows(packet: RtpPacket, before: RtpPacket) -> bool:
    """Whether two packets are of one new source: a single one may be anything (RFC 3550, A.1)."""
    step = (packet.sequence_number - before.sequence_number) & 0xFFFF
    return packet.ssrc == before.ssrc and 0 < step < 10
