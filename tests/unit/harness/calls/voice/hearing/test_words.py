"""What the caller understands: pieces at short pauses, answers in order, and a worker that may die."""

from __future__ import annotations

import asyncio
import io
import json
import os
import signal
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.calls.voice.hearing.words import MAX_WAITING, LiveWords, Understood
from harness.calls.voice.hearing.words_for_watchers import WatchedWords
from harness.calls.voice.hearing.words_worker import (
    ASK,
    AT,
    CLOSE,
    HEADER,
    LONGEST_S,
    OPEN,
    PACKET,
    READY,
    SPAN,
    serve,
)
from harness.calls.voice.speaking.clip_maker import ClipMaker
from harness.errors import HarnessFault
from harness.plans.call import VoicePlan
from harness.records.call import Event
from harness.transports.codecs.opus import OPUS
from harness.transports.codecs.table import codec_named
from voice_sim.voice.utterance import tone

Floats = np.ndarray[Any, np.dtype[np.float32]]


class _Recogniser:
    """Tells for how many seconds there is sound, and notes it."""

    def __init__(self) -> None:
        self.lengths_s: list[float] = []

    def transcribe(self, audio: Floats, language: str) -> str:
        frames = np.abs(audio[: len(audio) // 160 * 160]).reshape(-1, 160).max(axis=1)
        loud_s = float(np.sum(frames > 0.02)) / 100
        self.lengths_s.append(loud_s)
        return f"{language}{loud_s:.1f}"


def _record(kind: int, stream: int, body: bytes) -> bytes:
    return HEADER.pack(kind, stream, len(body)) + body


def _packets(sound: Floats, *, at_s: float, stream: int = 1, codec: str = "opus") -> list[bytes]:
    return [
        _record(PACKET, stream, AT.pack(at_s + number * 0.02) + payload)
        for number, payload in enumerate(codec_named(codec).encode(sound))
    ]


def _sound(*lengths_s: float) -> Floats:
    """Tone and silence in turn, silence first."""
    parts = [
        tone(length_s).samples if number % 2 else np.zeros(round(length_s * 48_000), np.float32)
        for number, length_s in enumerate(lengths_s)
    ]
    return np.concatenate(parts)


def _served(recogniser: _Recogniser, records: Sequence[bytes]) -> list[dict[str, Any]]:
    """What a worker answers. Its source stays open until all is answered: the end of it ends the worker."""
    asks = sum(record[0] == ASK for record in records)
    reader, writer = os.pipe()
    sink = _Sink(asks, lambda: os.close(writer))
    with os.fdopen(reader, "rb") as source:
        os.set_blocking(writer, True)
        sink.feed = lambda: _write_all(writer, b"".join(records))
        serve(source, sink, recogniser)  # type: ignore[arg-type]
    lines = sink.getvalue().splitlines(keepends=True)
    assert lines[0] == READY
    return [json.loads(line) for line in lines[1:]]


def _write_all(descriptor: int, content: bytes) -> None:
    while content:
        content = content[os.write(descriptor, content) :]


class _Sink(io.BytesIO):
    """Lets the records in once the worker is ready, and ends its source after the last answer."""

    def __init__(self, asks: int, end: Any) -> None:
        super().__init__()
        self.feed: Any = None
        self._left = asks
        self._end = end

    def write(self, content: Any) -> int:
        written = super().write(content)
        if content == READY:
            self.feed()
        else:
            self._left -= 1
            if self._left == 0:
                self._end()
        return written


def _open(stream: int, language: str, codec: str = "opus") -> bytes:
    return _record(OPEN, stream, json.dumps({"language": language, "codec": codec}).encode())


def _ask(onset_s: float, end_s: float, stream: int = 1) -> bytes:
    return _record(ASK, stream, SPAN.pack(onset_s, end_s))


@pytest.mark.parametrize("codec", ["opus", "pcma", "pcm-16k"])
def test_a_stretch_is_told_by_its_onset_with_its_words(codec: str) -> None:
    packets = _packets(_sound(0.5, 1.0, 1.0), at_s=10.0, codec=codec)
    records = [_open(1, "en", codec), *packets, _ask(10.5, 11.5)]
    [answer] = _served(_Recogniser(), records)
    assert answer == {"stream": 1, "onset_s": 10.5, "end_s": 11.5, "text": "en1.0"}


def test_a_packet_of_more_than_65535_bytes_is_told_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    words, sent = LiveWords(model_folder=Path()), list[bytes]()
    monkeypatch.setattr(words, "_must_work", lambda: None)
    monkeypatch.setattr(words, "_send", sent.append)
    payload = np.arange(48_000, dtype="<i2").tobytes()
    words.feed(1, payload, 2.5)
    assert sent == [_record(PACKET, 1, AT.pack(2.5) + payload)]
    assert HEADER.unpack_from(sent[0]) == (PACKET, 1, 96_008)


def test_short_pieces_are_taken_together_and_each_stretch_has_its_own_words() -> None:
    sound = _sound(0.5, 1.0, 0.5, 0.6, 1.2, 2.0, 1.0)
    records = [_open(1, "en"), *_packets(sound, at_s=0.0), _ask(0.5, 2.6), _ask(3.8, 5.8)]
    first, second = _served(_Recogniser(), records)
    assert first["text"] == "en1.6", "both pieces, heard as one"
    assert second["text"] == "en2.0"


def test_no_stretch_is_longer_than_a_recogniser_hears() -> None:
    recogniser = _Recogniser()
    records = [_open(1, "en"), *_packets(_sound(0.5, 50.0, 1.0), at_s=0.0), _ask(0.5, 50.5)]
    [answer] = _served(recogniser, records)
    assert max(recogniser.lengths_s) <= LONGEST_S + 1.0
    told_s = sum(float(part.removeprefix("en")) for part in answer["text"].split())
    # Margins of 0.2 s lie around each piece, so what is on an edge is heard twice.
    assert 50.0 <= told_s <= 52.0


def test_speech_that_the_pieces_do_not_know_to_have_ended_is_told_too() -> None:
    """Nothing comes after the last word of an agent that stops sending."""
    records = [_open(1, "zh"), *_packets(_sound(0.5, 1.0), at_s=0.0), _ask(0.5, 1.5)]
    [answer] = _served(_Recogniser(), records)
    assert answer["text"] == "zh1.0"


def test_streams_are_kept_apart_and_silence_has_no_words() -> None:
    records = [
        _open(1, "en"),
        _open(2, "zh"),
        *_packets(_sound(0.5, 1.0, 1.0), at_s=0.0),
        *_packets(_sound(0.5, 2.0, 1.0), at_s=0.0, stream=2),
        _open(3, "en"),
        _record(CLOSE, 3, b""),
        *_packets(_sound(0.5, 1.0, 1.0), at_s=0.0, stream=3),
        _ask(0.5, 2.5, stream=2),
        _ask(0.5, 1.5),
        _ask(20.0, 21.0),
    ]
    answers = _served(_Recogniser(), records)
    assert [(answer["stream"], answer["text"]) for answer in answers] == [(2, "zh2.0"), (1, "en1.0"), (1, "")]


def test_records_that_end_in_the_middle_end_the_worker() -> None:
    sink = io.BytesIO()
    serve(io.BytesIO(HEADER.pack(PACKET, 1, 50) + b"xx"), sink, _Recogniser())
    assert sink.getvalue() == READY
    with pytest.raises(struct.error, match="requires a buffer of"):
        AT.unpack(b"xx")


# --- the process

PATIENCE_S = 120.0
"""It is of low priority: beside others that compute it has a tenth of a processor."""


def _listening(model_folder: Path) -> LiveWords:
    words = LiveWords(model_folder=model_folder)
    words._start_s = PATIENCE_S
    return words


def _sentence(text: str) -> Floats:
    spoken = ClipMaker().speak(VoicePlan(), text).samples
    return np.concatenate([np.zeros(24_000, np.float32), spoken, np.zeros(48_000, np.float32)])


async def _until(condition: Any) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while not condition():  # noqa: ASYNC110 - it tells nobody
            await asyncio.sleep(0.02)


async def test_the_words_of_a_sentence(whisper_folder: Path, joe_folder: Path) -> None:
    heard: list[Understood] = []
    sound = _sentence("Your parcel will come tomorrow morning. Is that all right with you?")
    async with _listening(whisper_folder) as words:
        key = words.listen("en", heard.append, codec="opus")
        for number, payload in enumerate(OPUS.encode(sound)):
            words.feed(key, payload, number * 0.02)
        end_s = len(sound) / 48_000 - 1.0
        words.ask(key, 0.5, end_s)
        await _until(lambda: heard)
        [understood] = heard
        assert (understood.onset_s, understood.end_s) == (0.5, end_s)
        assert {"parcel", "tomorrow", "morning"} <= set(
            understood.text.lower().replace(".", "").replace("?", "").split()
        )
        words.forget(key)
        assert not words.lost

        # A worker that dies is noticed, and says so to whoever needs it.
        key = words.listen("en", heard.append, codec="opus")
        os.kill(words.pid, signal.SIGKILL)
        await _until(lambda: words.lost)
        with pytest.raises(HarnessFault, match="has ended"):
            words.feed(key, b"x", 1.0)
        with pytest.raises(HarnessFault, match="has ended"):
            words.ask(key, 0.0, 1.0)


async def test_a_model_that_is_not_there_is_our_fault(tmp_path: Path) -> None:
    with pytest.raises(HarnessFault, match="did not start"):
        async with _listening(tmp_path / "nothing"):
            pass


async def test_a_call_that_asks_too_much_is_our_fault_and_no_other_one(tmp_path: Path) -> None:
    words = LiveWords(model_folder=tmp_path)
    # One that is ready and never answers: it needs no model for that.
    silent = f"import sys; sys.stdout.buffer.write({READY!r}); sys.stdout.flush(); sys.stdin.buffer.read()"
    words._arguments = ("-S", "-c", silent)
    async with words:
        key, other = (words.listen("en", lambda understood: None, codec="opus") for _ in range(2))
        for _ in range(MAX_WAITING):
            words.ask(key, 0.0, 1.0)
        with pytest.raises(HarnessFault, match="4 stretches behind: the machine is overloaded"):
            words.ask(key, 0.0, 1.0)
        # That call is our fault, and no other one.
        assert words.lost == ""
        words.ask(other, 0.0, 1.0)


# --- for a person who watches


def _event(kind: str, **data: Any) -> Event:
    return Event(t=1.0, side="agent", kind=kind, source="vad", data=data)


class _Worker:
    """Stands for the process."""

    def __init__(self) -> None:
        self.fed: list[float] = []
        self.asked: list[tuple[float, float]] = []
        self.closed = False
        self.tell: Any = None

    async def __aenter__(self) -> _Worker:
        return self

    async def __aexit__(self, *_: object) -> None:
        self.closed = True

    def listen(self, language: str, on_words: Any, *, codec: str) -> int:
        self.tell = on_words
        return 1

    def feed(self, key: int, payload: bytes, at_s: float) -> None:
        self.fed.append(at_s)

    def ask(self, key: int, onset_s: float, end_s: float) -> None:
        self.asked.append((onset_s, end_s))


async def test_an_agent_that_tells_no_words_is_listened_to_from_its_first_packet(tmp_path: Path) -> None:
    seen: list[Event] = []
    watched, worker = WatchedWords(model_folder=tmp_path, language="en", on_event=seen.append), _Worker()
    watched._worker = worker  # type: ignore[assignment]
    watched.on_packet(b"a", 0.1, "opus")
    watched.on_event(_event("speech-started", at_s=0.1))
    watched.on_packet(b"b", 0.12, "opus")
    assert not worker.asked
    watched.on_event(_event("speech-ended", at_s=0.9))
    await asyncio.sleep(0)
    assert worker.fed == [0.1, 0.12], "what came before it was needed"
    assert worker.asked == [(0.1, 0.9)]
    watched.on_packet(b"c", 0.14, "opus")
    assert worker.fed[-1] == 0.14
    worker.tell(Understood(onset_s=0.1, end_s=0.9, text="Hello."))
    worker.tell(Understood(onset_s=1.1, end_s=1.9, text=""))
    [event] = seen
    assert (event.kind, event.data["text"], event.t) == ("agent-words", "Hello.", 0.1)
    await watched.close()
    assert worker.closed


async def test_an_agent_that_tells_its_words_needs_nobody_to_listen(tmp_path: Path) -> None:
    watched, worker = WatchedWords(model_folder=tmp_path, language="en", on_event=print), _Worker()
    watched._worker = worker  # type: ignore[assignment]
    watched.on_packet(b"a", 0.1, "opus")
    watched.on_event(_event("bot-output", text="Hi"))
    watched.on_packet(b"b", 0.2, "opus")
    watched.on_event(_event("speech-started", at_s=0.1))
    watched.on_event(_event("speech-ended", at_s=0.9))
    await asyncio.sleep(0)
    assert worker.fed == []
    assert worker.asked == []
    await watched.close()
    assert not worker.closed


async def test_a_process_for_words_that_cannot_be_started_harms_no_call(tmp_path: Path) -> None:
    class NoRoom(_Worker):
        async def __aenter__(self) -> _Worker:
            raise OSError(24, "Too many open files")

    watched = WatchedWords(model_folder=tmp_path, language="en", on_event=print)
    watched._worker = NoRoom()  # type: ignore[assignment]
    watched.on_packet(b"a", 0.1, "opus")
    watched.on_event(_event("speech-started", at_s=0.1))
    watched.on_event(_event("speech-ended", at_s=0.9))
    await asyncio.sleep(0)
    watched.on_packet(b"b", 0.12, "opus")
    await watched.close()
