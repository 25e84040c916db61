"""The caller's mouth: lines to clips, clips to the uplink, and word of when each was begun and finished."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.calls.voice.speaking.live_voice import CallVoice
from harness.errors import HarnessFault
from harness.records.call import SAMPLE_RATE_HZ, Event
from harness.transports.clips.clip import PREROLL_FRAMES, Clip, join_clips
from harness.transports.uplink import PlacedClip, Uplink
from voice_sim.caller.events import Speak, UtteranceFinished

Press = Callable[[str | None, int], bool]
"""See :class:`Mouth`."""
Clips = Sequence[Clip] | Mapping[str, Clip]
"""What can be said at once: by position where the lines are fixed, else by text."""


@dataclass(kw_only=True)
class SpokenClip:
    """A line of the caller, or a part of one, and where it went in the outgoing stream."""

    index: int
    action: Speak
    placed: PlacedClip


class Mouth:
    """Says lines in one call. Everything runs on the event loop and returns at once.

    Args:
        uplink: Where clips go.
        clips: See :data:`Clips`.
        voice: Makes the clips that are not there; None: there are none.
        now_s: The call's clock.
        media_zero_s: Call time of the uplink's first frame.
        tell: Takes it when a line has been said.
        fail: Takes why the call cannot go on.
        on_event: Takes events for the timeline.
        press: Presses keys from a frame of the uplink on, and says whether that can be done; None takes
            them back.

    Attributes:
        spoken: What was said or is being said, in order.
    """

    def __init__(
        self,
        *,
        uplink: Uplink,
        clips: Clips,
        voice: CallVoice | None,
        now_s: Callable[[], float],
        media_zero_s: Callable[[], float],
        tell: Callable[[UtteranceFinished], None],
        fail: Callable[[str], None],
        on_event: Callable[[Event], None],
        press: Press = lambda keys, frame: False,
    ) -> None:
        self.spoken: list[SpokenClip] = []
        self._uplink = uplink
        self._clips = clips
        self._voice = voice
        self._now_s = now_s
        self._media_zero_s = media_zero_s
        self._tell = tell
        self._fail = fail
        self._on_event = on_event
        self._press = press
        self._made: dict[str, Clip] = {}
        self._making: dict[int, asyncio.Task[None]] = {}
        self._timers: list[asyncio.TimerHandle] = []

    def say(self, action: Speak) -> None:
        """Says a line at its time, or as soon as there is a sound for it."""
        why = {"why": action.why} if action.why else {}
        self._note(
            "speak",
            source="policy",
            index=action.index,
            kind=action.kind,
            text=action.text,
            planned_s=round(action.at_s, 4),
            **why,
        )
        clip = self._clip_of(action)
        if clip is not None and not self._making:
            self._place(action, clip)
        else:
            earlier = list(self._making.values())
            self._making[action.index] = asyncio.create_task(self._make_and_place(action, earlier))

    def take_back(self, index: int) -> None:
        """Takes a line back of which nothing has left yet."""
        making = self._making.pop(index, None)
        if making is not None:
            making.cancel()
            self._note("cancel", source="policy", index=index)
        for spoken in [one for one in self.spoken if one.index == index]:
            if self._uplink.cancel(spoken.placed):
                self.spoken.remove(spoken)
                if spoken.action.press:
                    self._press(None, 0)
                self._note("cancel", source="policy", index=index)

    async def prepare(self, text: str) -> None:
        """Makes the sound of a text, where it is not there.

        Raises:
            HarnessFault: It cannot be made.
        """
        if not isinstance(self._clips, Mapping) or text in self._clips or text in self._made:
            return
        if split_into(text, self._clips):
            return
        if self._voice is None:
            raise HarnessFault(f"nobody prepared the caller's line {text!r}")
        self._made[text] = await self._voice.clip(text)

    def close(self) -> None:
        """Nothing further is said or told."""
        for task in self._making.values():
            task.cancel()
        for timer in self._timers:
            timer.cancel()

    def let_go(self) -> None:
        """Keeps no sound any more, once the call has been recorded."""
        self.spoken = []
        self._clips = ()
        self._made.clear()

    def _clip_of(self, action: Speak) -> Clip | None:
        if not isinstance(self._clips, Mapping):
            return self._clips[action.index]
        known = self._clips.get(action.text) or self._made.get(action.text)
        if known is None and (parts := split_into(action.text, self._clips)):
            known = join_clips([self._clips[part] for part in parts])
        return known

    async def _make_and_place(self, action: Speak, earlier: Sequence[asyncio.Task[None]]) -> None:
        try:
            await self.prepare(action.text)
            await asyncio.gather(*earlier)
            clip = self._clip_of(action)
            assert clip is not None, "its sound has just been made"
            self._place(action, clip)
        except HarnessFault as fault:
            self._fail(str(fault))
        finally:
            self._making.pop(action.index, None)

    def _place(self, action: Speak, clip: Clip) -> None:
        if action.continues:
            placed = self._uplink.append(clip)
        else:
            frame = round((action.at_s - self._media_zero_s()) / self._uplink.codec.frame_s)
            placed = self._uplink.schedule(clip, first_voiced_frame=frame)
        self.spoken.append(SpokenClip(index=action.index, action=action, placed=placed))
        if action.press and not self._press(action.press, placed.start_frame + PREROLL_FRAMES):
            self._fail("keys cannot be pressed on this line: the agent takes none")
        start_s = self._media_zero_s() + placed.first_voiced_sample / SAMPLE_RATE_HZ
        end_s = self._media_zero_s() + placed.last_voiced_sample / SAMPLE_RATE_HZ
        self._at(start_s, lambda: self._began(placed, action.index, start_s))
        self._at(end_s, lambda: self._finished(placed, action.index, end_s))

    def _began(self, placed: PlacedClip, index: int, start_s: float) -> None:
        if self._is_on(placed):
            self._note("utterance-began", source="wire", index=index, start_s=round(start_s, 4))

    def _finished(self, placed: PlacedClip, index: int, end_s: float) -> None:
        if self._is_on(placed):
            self._note("utterance-ended", source="wire", index=index, end_s=round(end_s, 4))
            self._tell(UtteranceFinished(t=self._now_s(), index=index, end_s=end_s))

    def _is_on(self, placed: PlacedClip) -> bool:
        """Whether a clip is being sent or was sent, and not taken back."""
        return any(spoken.placed is placed for spoken in self.spoken)

    def _at(self, t_s: float, action: Callable[[], None]) -> None:
        after_s = max(0.0, t_s - self._now_s())
        self._timers.append(asyncio.get_running_loop().call_later(after_s, action))

    def _note(self, event_kind: str, *, source: str, **data: Any) -> None:
        self._on_event(Event(t=self._now_s(), side="caller", kind=event_kind, source=source, data=data))


def split_into(text: str, known: Collection[str]) -> list[str] | None:
    """A text as a sequence of known texts with nothing but spaces between them; None where it is none.

    A turn of a person is often made of several of their lines.
    """
    dead_ends: set[int] = set()

    def rest_from(position: int) -> list[str] | None:
        while position < len(text) and text[position] == " ":
            position += 1
        if position == len(text):
            return []
        if position in dead_ends:
            return None
        for part in sorted(
            (one for one in known if one and text.startswith(one, position)), key=len, reverse=True
        ):
            rest = rest_from(position + len(part))
            if rest is not None:
                return [part, *rest]
        dead_ends.add(position)
        return None

    return rest_from(0)
