"""The dialogue as the caller knows it: what it said, and what it heard, in the order in which it was said.

Everything becomes known late and out of order: the end of the agent's speech after the ears' hangover, its
words later still. An entry stands where it ended, except that the rest of a sentence which we cut off stands
before our line, once it turns out not to have been the reply to it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from voice_sim.caller.turn_taking import LONG_TAIL_S
from voice_sim.policies.base import Dialogue, Heard, Kind, Said

WORDS_WAIT_S = 8.0
"""So long after a stretch of agent speech was heard to end, its words count as not understood."""

SAME_ONSET_S = 0.3
"""Words belong to the stretch whose onset lies this close: stretches are further apart, by the hangover."""

MAX_WORDS_CHARS = 20_000
_MAX_EARLY = 8


@dataclass(kw_only=True)
class _Entry:
    turn: Said | Heard
    start_s: float
    """Of what was said: when it was planned to begin."""
    words_until_s: float = 0.0

    @property
    def lacks_words(self) -> bool:
        return isinstance(self.turn, Heard) and self.turn.text is None


class DialogueLog:
    """Keeps the dialogue of one call."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        self._latest_said: _Entry | None = None
        self._early_words: list[tuple[float, str]] = []

    @property
    def dialogue(self) -> Dialogue:
        """All of it so far; later changes do not show in it."""
        return tuple(entry.turn for entry in self._entries)

    @property
    def lines(self) -> int:
        """How many lines the caller has said; the parts of one turn are one line."""
        return sum(isinstance(entry.turn, Said) for entry in self._entries)

    def note_said(self, *, text: str, kind: Kind, start_s: float, end_s: float) -> None:
        """The caller said a line, or the first part of one."""
        self._latest_said = _Entry(turn=Said(text=text, kind=kind, end_s=end_s), start_s=start_s)
        self._insert(self._latest_said)

    def note_continued(self, *, text: str, end_s: float) -> None:
        """The caller said a further part of its latest line: both are one."""
        entry = self._latest_said
        assert entry is not None, "nothing to continue"
        assert isinstance(entry.turn, Said)
        self._entries.remove(entry)
        entry.turn = replace(entry.turn, text=f"{entry.turn.text} {text}", end_s=end_s)
        self._insert(entry)

    def note_heard(self, heard: Heard, *, now_s: float) -> None:
        """The agent has stopped speaking, as the ears know since ``now_s``."""
        entry = _Entry(turn=heard, start_s=heard.onset_s, words_until_s=now_s + WORDS_WAIT_S)
        self._settle_cut_off_speech()
        self._insert(entry)
        for early in list(self._early_words):
            if abs(early[0] - heard.onset_s) <= SAME_ONSET_S:
                self._early_words.remove(early)
                self.note_words(*early)

    def note_words(self, onset_s: float, text: str) -> None:
        """The ears understood the speech that began at ``onset_s``; "" where they did not."""
        text = " ".join(text.split())[:MAX_WORDS_CHARS]
        heard = [entry for entry in self._entries if isinstance(entry.turn, Heard)]
        nearest = min(heard, key=lambda entry: abs(entry.start_s - onset_s), default=None)
        if nearest is None or abs(nearest.start_s - onset_s) > SAME_ONSET_S:
            # Of speech that still goes on, as far as the ears have told.
            self._early_words = [*self._early_words, (onset_s, text)][-_MAX_EARLY:]
        elif isinstance(nearest.turn, Heard):
            nearest.turn = replace(nearest.turn, text=text)

    def words_due_s(self) -> float | None:
        """Until when the words of what was heard are worth waiting for; None where none are missing."""
        return max((entry.words_until_s for entry in self._entries if entry.lacks_words), default=None)

    def is_understood(self, now_s: float) -> bool:
        """Whether all that was heard has its words; what is overdue counts as not understood from here on.

        If its words come after all, they are still noted.
        """
        due_s = self.words_due_s()
        if due_s is not None and now_s < due_s:
            return False
        for entry in self._entries:
            if entry.lacks_words and isinstance(entry.turn, Heard):
                entry.turn = replace(entry.turn, text="")
        return True

    def _insert(self, entry: _Entry) -> None:
        position = len(self._entries)
        while position > 0 and self._entries[position - 1].turn.end_s > entry.turn.end_s:
            position -= 1
        self._entries.insert(position, entry)

    def _settle_cut_off_speech(self) -> None:
        """More speech has followed: what we had spoken over before was not the reply."""
        if not self._entries or not isinstance(self._entries[-1].turn, Heard):
            return
        rest = self._entries[-1]
        position = len(self._entries) - 1
        while position > 0 and _cut_off_by(self._entries[position - 1], rest):
            position -= 1
        self._entries.remove(rest)
        self._entries.insert(position, rest)


def _cut_off_by(line: _Entry, rest: _Entry) -> bool:
    """Whether ``rest`` was under way when ``line`` began and only trailed off after its end."""
    said = line.turn
    return (
        isinstance(said, Said)
        and said.kind != "backchannel"
        and rest.start_s < line.start_s
        and rest.turn.end_s < said.end_s + LONG_TAIL_S
    )
