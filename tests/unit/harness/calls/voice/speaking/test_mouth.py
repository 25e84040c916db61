"""Lines made of lines, lines that are made while the call lasts, and clips that follow one another."""

from __future__ import annotations

import asyncio
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.calls.voice.speaking.keys import keys_clip
from harness.calls.voice.speaking.mouth import Mouth, split_into
from harness.errors import HarnessFault
from harness.records.call import Event
from harness.transports.clips.clip import PREROLL_FRAMES, Clip, join_clips, prepare_clip
from harness.transports.codecs.opus import OPUS
from harness.transports.uplink import Uplink, silence
from voice_sim.caller.events import Speak, UtteranceFinished
from voice_sim.voice.utterance import tone

ONE, TWO = (prepare_clip(OPUS, tone(0.2, freq_hz=hz).samples) for hz in (500.0, 900.0))


def _speak(index: int, text: str, *, continues: bool = False, why: str = "") -> Speak:
    return Speak(
        index=index, text=text, kind="turn", at_s=0.5, agent_onset_s=None, why=why, continues=continues
    )


class _Voice:
    """Speaks a text when it is let."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.may = asyncio.Event()
        self.lost = ""

    async def clip(self, text: str) -> Clip:
        self.asked.append(text)
        await self.may.wait()
        if text == "!":
            raise HarnessFault("cannot be spoken")
        return TWO


class _Said:
    def __init__(self, clips: Any, *, voice: _Voice | None = None, takes_keys: bool = True) -> None:
        self.pressed: list[tuple[str | None, int]] = []
        self.takes_keys = takes_keys
        self.uplink = Uplink(background=silence(OPUS))
        self.events: list[Event] = []
        self.finished: list[UtteranceFinished] = []
        self.faults: list[str] = []
        self.mouth = Mouth(
            uplink=self.uplink,
            clips=clips,
            voice=voice,  # type: ignore[arg-type]
            now_s=lambda: 0.0,
            media_zero_s=lambda: 0.0,
            tell=self.finished.append,
            fail=self.faults.append,
            on_event=self.events.append,
            press=self._press,
        )

    def _press(self, keys: str | None, frame: int) -> bool:
        self.pressed.append((keys, frame))
        return self.takes_keys

    @property
    def places(self) -> list[tuple[int, Clip]]:
        return [(placed.start_frame, placed.clip) for placed in self.uplink.placed]


async def _settle() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_a_script_s_lines_go_by_their_place_and_others_by_their_words() -> None:
    by_place, by_words = _Said([ONE, TWO]), _Said({"b": TWO, "a": ONE})
    for said, text in ((by_place, "anything"), (by_words, "b")):
        said.mouth.say(_speak(1, text, why="because"))
        # 0.5 s is frame 25, before which the pre-roll goes.
        assert said.places == [(25 - PREROLL_FRAMES, TWO)]
        [event] = said.events
        assert event.data["why"] == "because"
        said.mouth.close()


def _keys() -> Speak:
    return Speak(index=0, text="[presses 4 2]", kind="turn", at_s=0.5, agent_onset_s=None, press="42")


async def test_keys_go_from_the_frame_on_in_which_their_silence_begins() -> None:
    said = _Said([keys_clip("42", codec=OPUS, bed=None)])
    said.mouth.say(_keys())
    # 0.5 s is frame 25; the second key begins 320 ms after the first and sounds for 160.
    assert said.pressed == [("42", 25)]
    [spoken] = said.mouth.spoken
    assert spoken.placed.clip.voiced_samples == 48 * 480
    assert not np.any(spoken.placed.clip.pcm)
    said.mouth.take_back(0)
    assert said.pressed == [("42", 25), (None, 0)]
    assert said.mouth.spoken == []
    said.mouth.close()


async def test_keys_that_the_line_does_not_take_end_the_call() -> None:
    said = _Said([keys_clip("1", codec=OPUS, bed=None)], takes_keys=False)
    said.mouth.say(_keys())
    assert said.faults == ["keys cannot be pressed on this line: the agent takes none"]
    said.mouth.close()


async def test_a_turn_of_several_lines_is_one_utterance_of_their_clips() -> None:
    said = _Said({"Yes.": ONE, "Who is it?": TWO})
    said.mouth.say(_speak(0, "Yes. Who is it? Yes."))
    [(_, clip)] = said.places
    assert clip.packets == ONE.packets + TWO.packets + ONE.packets
    assert len(clip.pcm) == len(clip.packets) * OPUS.frame_samples
    start = PREROLL_FRAMES * OPUS.frame_samples
    voiced = np.flatnonzero(np.abs(clip.pcm) > 0.005)
    assert voiced[0] - start < 10
    assert abs(voiced[-1] - (start + clip.voiced_samples - 1)) < 10
    assert clip.sha256 not in (ONE.sha256, TWO.sha256)
    assert clip.sha256 != join_clips([ONE, ONE, TWO]).sha256
    said.mouth.close()


async def test_a_further_part_goes_right_behind_the_one_before() -> None:
    said = _Said({"a": ONE, "b": TWO})
    said.mouth.say(_speak(0, "a"))
    said.mouth.say(_speak(1, "b", continues=True))
    (first, _), (second, _) = said.places
    assert second == first + len(ONE.packets)
    said.mouth.close()


def test_a_part_that_comes_late_goes_at_once() -> None:
    uplink = Uplink(background=silence(OPUS))
    uplink.schedule(ONE, first_voiced_frame=5)
    for _ in range(100):
        uplink.take_frame()
    assert uplink.append(TWO).start_frame == 100
    sent = [uplink.take_frame() for _ in range(len(TWO.packets))]
    assert tuple(sent) == TWO.packets
    assert Uplink(background=silence(OPUS)).append(ONE).start_frame == 0


async def test_a_text_that_nobody_knew_is_said_when_it_is_spoken() -> None:
    voice = _Voice()
    said = _Said({"a": ONE}, voice=voice)
    said.mouth.say(_speak(0, "new"))
    said.mouth.say(_speak(1, "a", continues=True))
    await _settle()
    assert said.places == []
    voice.may.set()
    await _settle()
    assert [clip for _, clip in said.places] == [TWO, ONE], "in the order in which they were meant"
    said.mouth.close()


async def test_a_text_is_spoken_once_and_may_be_spoken_ahead() -> None:
    voice = _Voice()
    voice.may.set()
    said = _Said({"a": ONE}, voice=voice)
    await said.mouth.prepare("new")
    await said.mouth.prepare("new")
    await said.mouth.prepare("a")
    await said.mouth.prepare("a a")
    assert voice.asked == ["new"]
    said.mouth.say(_speak(0, "new"))
    assert [clip for _, clip in said.places] == [TWO], "at once"
    said.mouth.close()


async def test_a_text_that_was_taken_back_is_not_said_when_its_sound_comes() -> None:
    voice = _Voice()
    said = _Said({}, voice=voice)
    said.mouth.say(_speak(0, "new"))
    await _settle()
    said.mouth.take_back(0)
    voice.may.set()
    await _settle()
    assert said.places == []
    assert [event.kind for event in said.events] == ["speak", "cancel"]


@pytest.mark.parametrize(("voice", "words"), [(True, "cannot be spoken"), (False, "nobody prepared")])
async def test_a_text_that_cannot_be_spoken_ends_the_call(voice: bool, words: str) -> None:
    speaker = _Voice()
    speaker.may.set()
    said = _Said({"a": ONE}, voice=speaker if voice else None)
    said.mouth.say(_speak(0, "!"))
    await _settle()
    assert len(said.faults) == 1
    assert words in said.faults[0]
    said.mouth.close()


def test_no_clips_cannot_be_joined() -> None:
    with pytest.raises(ValueError, match="no clips"):
        join_clips([])
    assert join_clips([ONE]) is ONE


@pytest.mark.parametrize(
    ("text", "known", "parts"),
    [
        ("a b", ["a", "b"], ["a", "b"]),
        ("a b c", ["a", "a b", "c"], ["a b", "c"]),
        # The longest leads nowhere here.
        ("a b c", ["a", "a b", "b c"], ["a", "b c"]),
        ("啊。好的。", ["啊。", "好的。"], ["啊。", "好的。"]),
        ("a x", ["a"], None),
        ("xa", ["a"], None),
        ("", ["a"], []),
    ],
)
def test_a_text_is_taken_apart(text: str, known: list[str], parts: list[str] | None) -> None:
    assert split_into(text, known) == parts


@given(
    known=st.lists(st.text("ab …", min_size=1, max_size=4).filter(str.strip), min_size=1, max_size=6),
    picks=st.lists(st.integers(0, 5), min_size=1, max_size=8),
)
def test_whatever_was_put_together_can_be_taken_apart(known: list[str], picks: list[int]) -> None:
    texts = [text.strip() for text in known]
    whole = " ".join(texts[pick % len(texts)] for pick in picks)
    parts = split_into(whole, texts)
    assert parts is not None
    assert set(parts) <= set(texts)
    assert "".join(parts).replace(" ", "") == whole.replace(" ", "")
