"""The process behind ``harness.calls.voice.hearing.words``: packets and questions on stdin, words on stdout.

In: records of a header (kind u8, stream u32, length u32) and a body of that length:

* ``OPEN``: a new stream, as JSON: ``{"language": ..., "codec": ...}``, the codec by its name in the table;
* ``PACKET``: call time of its first sample (f64), then the payload. No payload says that nothing has come up
  to that time;
* ``ASK``: onset and end (f64, f64) of speech whose words are wanted;
* ``CLOSE``: the stream is over.

Out: one JSON object a line: first ``{"ready": true}``, then an answer to each ``ASK`` in order,
``{"stream": ..., "onset_s": ..., "end_s": ..., "text": ...}``.

Words are worked out at every short pause, before anybody has asked: by the time that it is certain that the
speaker has stopped, they are mostly there.
"""

from __future__ import annotations

import contextlib
import json
import struct
import sys
import threading
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol

import numpy as np
from numpy.typing import NDArray

from harness.calls.voice.hearing.quick_whisper import QuickTranscriber
from harness.calls.voice.hearing.turn_detector import LiveEar
from harness.calls.voice.workers.process import working
from harness.records.call import SAMPLE_RATE_HZ
from harness.transports.codecs.base import Codec
from harness.transports.codecs.table import codec_named
from metrics.resample import SPEECH_RATE_HZ, to_speech_rate

HEADER = struct.Struct("<BII")
AT = struct.Struct("<d")
SPAN = struct.Struct("<dd")
OPEN, PACKET, ASK, CLOSE = range(4)
READY = b'{"ready": true}\n'
NICENESS = 10

PAUSE_S = 0.3
"""Quiet at which words are worked out ahead. The ears wait longer before they call it the end."""
SHORT_S = 8.0
"""A shorter piece is taken together with what follows it: words are told better by their neighbours."""
LONGEST_S = 20.0
"""Whisper hears thirty seconds at a time."""
MARGIN_S = 0.2
KEPT_S = 120.0

Samples = NDArray[np.float32]


class Recogniser(Protocol):
    """Who tells words from sound."""

    def transcribe(self, audio: Samples, language: str) -> str:
        """The words of mono audio at 16 kHz; empty where there are none."""
        ...


@dataclass(kw_only=True, eq=False)
class Piece:
    """Speech between two short pauses; ``text`` is None until it is worked out."""

    start_s: float
    end_s: float
    text: str | None = None


@dataclass(kw_only=True, eq=False)
class Ask:
    stream: int
    onset_s: float
    end_s: float


class Stream:
    """One agent's sound of the last minutes, cut into pieces at its short pauses."""

    def __init__(self, language: str, codec: Codec) -> None:
        self.language = language
        self.pieces: list[Piece] = []
        self._blocks: deque[tuple[float, Samples]] = deque()
        self._ear = LiveEar(codec, end_quiet_s=PAUSE_S)
        self._codec_delay_s = codec.delay_s
        self._decoder = codec.decoder()
        self._onset_s: float | None = None

    def hear(self, payload: bytes, at_s: float) -> None:
        """One packet, or none up to ``at_s``."""
        pcm = self._decoder.decode(payload)
        at_s = at_s - self._codec_delay_s if payload else at_s
        if len(pcm):
            self._blocks.append((at_s, pcm))
            while self._blocks[0][0] < at_s - KEPT_S:
                self._blocks.popleft()
        for heard in self._ear.hear_pcm(pcm, at_s) if payload else self._ear.hear(b"", at_s):
            if heard.kind == "onset":
                self._onset_s = heard.at_s
            else:
                self._close(heard.at_s)
        if self._onset_s is not None and at_s - self._onset_s > LONGEST_S:
            self._close(at_s)
            self._onset_s = at_s

    def pieces_of(self, onset_s: float, end_s: float) -> list[Piece]:
        """The pieces of a stretch of speech; what lies before it is forgotten."""
        self.pieces = [piece for piece in self.pieces if piece.end_s > onset_s - MARGIN_S]
        if self._onset_s is not None and self._onset_s < end_s:
            self._close(end_s)
        return [piece for piece in self.pieces if piece.start_s < end_s + MARGIN_S]

    def sound(self, piece: Piece) -> Samples:
        """A piece with a little around it, at 16 kHz."""
        start_s, end_s = piece.start_s - MARGIN_S, piece.end_s + MARGIN_S
        parts = [pcm for at_s, pcm in self._blocks if start_s <= at_s <= end_s]
        if not parts:
            return np.zeros(0, np.float32)
        return np.ascontiguousarray(to_speech_rate(np.concatenate(parts), SAMPLE_RATE_HZ))

    def _close(self, end_s: float) -> None:
        onset_s, self._onset_s = self._onset_s, None
        if onset_s is None or end_s <= onset_s:
            return
        last = self.pieces[-1] if self.pieces else None
        if (
            last is not None
            and last.end_s - last.start_s < SHORT_S
            and onset_s - last.end_s < 2 * PAUSE_S + MARGIN_S
        ):
            self.pieces[-1] = Piece(start_s=last.start_s, end_s=end_s)
        else:
            self.pieces.append(Piece(start_s=onset_s, end_s=end_s))


@dataclass(kw_only=True)
class Desk:
    """What was heard and asked, between the thread that reads and the one that works words out."""

    streams: dict[int, Stream] = field(default_factory=dict)
    asks: deque[Ask] = field(default_factory=deque)
    over: bool = False
    changed: threading.Condition = field(default_factory=threading.Condition)

    def read(self, source: BinaryIO) -> None:
        """Takes in records until the source ends."""
        with contextlib.suppress(struct.error):
            while len(header := source.read(HEADER.size)) == HEADER.size:
                kind, stream, length = HEADER.unpack(header)
                body = source.read(length)
                with self.changed:
                    self._take(kind, stream, body)
                    self.changed.notify()
        with self.changed:
            self.over = True
            self.changed.notify()

    def _take(self, kind: int, key: int, body: bytes) -> None:
        if kind == OPEN:
            asked = json.loads(body)
            self.streams[key] = Stream(asked["language"], codec_named(asked["codec"]))
        elif kind == CLOSE:
            self.streams.pop(key, None)
            self.asks = deque(ask for ask in self.asks if ask.stream != key)
        elif key in self.streams and kind == PACKET:
            self.streams[key].hear(body[AT.size :], AT.unpack_from(body)[0])
        elif key in self.streams and kind == ASK:
            onset_s, end_s = SPAN.unpack(body)
            self.asks.append(Ask(stream=key, onset_s=onset_s, end_s=end_s))

    def next_step(self) -> tuple[Stream, Piece] | tuple[Ask, str] | None:
        """What to do now: a piece to work out, or an answer to give. Waits for it; None: it is over."""
        with self.changed:
            while not self.over:
                if self.asks:
                    ask = self.asks[0]
                    stream = self.streams[ask.stream]
                    pieces = stream.pieces_of(ask.onset_s, ask.end_s)
                    missing = next((piece for piece in pieces if piece.text is None), None)
                    if missing is not None:
                        return stream, missing
                    self.asks.popleft()
                    said = [piece.text for piece in pieces if piece.text]
                    return ask, ("" if stream.language == "zh" else " ").join(said)
                for stream in self.streams.values():
                    for piece in stream.pieces:
                        if piece.text is None:
                            return stream, piece
                self.changed.wait()
        return None

    def sound(self, stream: Stream, piece: Piece) -> Samples:
        with self.changed:
            return stream.sound(piece)


def serve(source: BinaryIO, sink: BinaryIO, recogniser: Recogniser) -> None:
    """Works words out until the source ends."""
    desk = Desk()
    threading.Thread(target=desk.read, args=(source,), daemon=True).start()
    sink.write(READY)
    sink.flush()
    while (step := desk.next_step()) is not None:
        about, what = step
        if isinstance(about, Stream) and isinstance(what, Piece):
            audio = desk.sound(about, what)
            what.text = recogniser.transcribe(audio, about.language) if len(audio) else ""
        elif isinstance(about, Ask):
            answer = {"stream": about.stream, "onset_s": about.onset_s, "end_s": about.end_s, "text": what}
            sink.write(json.dumps(answer).encode() + b"\n")
            sink.flush()


def main() -> None:
    with working(niceness=NICENESS):
        recogniser = QuickTranscriber(Path(sys.argv[1]))
        # The first run of a model is slower than the next.
        noise = np.random.default_rng(0).normal(0, 0.01, SPEECH_RATE_HZ).astype(np.float32)
        recogniser.transcribe(noise * np.hanning(len(noise)).astype(np.float32), "en")
        serve(sys.stdin.buffer, sys.stdout.buffer, recogniser)


if __name__ == "__main__":
    main()
