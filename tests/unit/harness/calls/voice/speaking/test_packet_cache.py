"""Packets that were kept: those that would have been encoded, and nothing else."""

from __future__ import annotations

import dataclasses
import os
from pathlib import Path

import numpy as np
import pytest

from harness.calls.voice.speaking import packet_cache
from harness.calls.voice.speaking.packet_cache import PacketCache
from harness.transports.codecs.base import Codec, Samples
from harness.transports.codecs.prepared import UNENCODED
from harness.transports.codecs.table import codec_named

SOUND = np.random.default_rng(3).normal(0, 0.1, 48_000).astype(np.float32)


class _Counted:
    """A codec, and how often it was used."""

    def __init__(self, name: str) -> None:
        self.times = 0
        self._real = codec_named(name)
        self.codec: Codec = dataclasses.replace(self._real, encode=self._encode)

    def _encode(self, pcm: Samples) -> list[bytes]:
        self.times += pcm is not packet_cache._PROBE
        return self._real.encode(pcm)

    def alone(self, pcm: Samples) -> list[bytes]:
        return self._real.encode(pcm)


@pytest.mark.parametrize("name", ["opus", "pcmu", "g722"])
def test_what_was_encoded_once_is_not_encoded_again(tmp_path: Path, name: str) -> None:
    counted = _Counted(name)
    first = PacketCache(tmp_path / "made").encode(counted.codec, SOUND)
    # Another process, with the same folder.
    again = PacketCache(tmp_path / "made").encode(counted.codec, SOUND)
    assert counted.times == 1
    assert first == again == counted.alone(SOUND)
    other = SOUND.copy()
    other[100] += 1e-6
    PacketCache(tmp_path / "made").encode(counted.codec, other)
    assert counted.times == 2


def test_another_encoder_of_the_same_name_has_entries_of_its_own(tmp_path: Path) -> None:
    opus = codec_named("opus")
    other = dataclasses.replace(opus, encode=lambda pcm: [packet + b"x" for packet in opus.encode(pcm)])
    first = PacketCache(tmp_path).encode(opus, SOUND)
    assert PacketCache(tmp_path).encode(other, SOUND) == [packet + b"x" for packet in first]
    delayed = dataclasses.replace(opus, delay_samples=120)
    PacketCache(tmp_path).encode(delayed, SOUND)
    assert len(list(tmp_path.iterdir())) == 3


def test_a_packet_that_is_too_long_for_an_entry_is_not_kept(tmp_path: Path) -> None:
    codec = dataclasses.replace(codec_named("pcmu"), encode=lambda pcm: [bytes(70_000)])
    assert PacketCache(tmp_path).encode(codec, SOUND) == [bytes(70_000)]
    assert list(tmp_path.iterdir()) == []


def test_what_a_killed_process_left_goes(tmp_path: Path) -> None:
    left, fresh = tmp_path / "old.part", tmp_path / "new.part"
    for path in (left, fresh):
        path.write_bytes(b"x")
    os.utime(left, (1000, 1000))
    PacketCache(tmp_path).encode(codec_named("pcmu"), SOUND)
    assert not left.exists()
    assert fresh.exists()


def test_each_codec_has_its_own(tmp_path: Path) -> None:
    cache = PacketCache(tmp_path)
    for name in ("opus", "pcmu", "pcma", "g722"):
        assert cache.encode(codec_named(name), SOUND) == codec_named(name).encode(SOUND)


def test_sound_that_is_encoded_in_the_call_is_not_kept(tmp_path: Path) -> None:
    codec = codec_named(UNENCODED)
    assert PacketCache(tmp_path).encode(codec, SOUND) == codec.encode(SOUND)
    assert list(tmp_path.iterdir()) == []


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def _flipped(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[-5] ^= 1
    path.write_bytes(content)


def _of_other_sound(path: Path) -> None:
    path.write_bytes(packet_cache._content_of([b"ab", b"c"]))


@pytest.mark.parametrize("broken", [_empty, _cut, _flipped, _of_other_sound])
def test_a_broken_entry_is_made_anew(tmp_path: Path, broken: object) -> None:
    counted = _Counted("opus")
    PacketCache(tmp_path).encode(counted.codec, SOUND)
    [entry] = tmp_path.iterdir()
    broken(entry)  # type: ignore[operator]
    assert PacketCache(tmp_path).encode(counted.codec, SOUND) == counted.alone(SOUND)
    assert counted.times == 2
    PacketCache(tmp_path).encode(counted.codec, SOUND)
    assert counted.times == 2


def test_a_folder_that_cannot_be_written_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    counted = _Counted("opus")
    assert PacketCache(tmp_path / "file" / "x").encode(counted.codec, SOUND) == counted.alone(SOUND)


def test_those_not_used_for_longest_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packet_cache, "LOOK_EVERY", 1)
    codec = codec_named("pcmu")
    sounds = [np.full(960, level, np.float32) for level in (0.1, 0.2, 0.3)]
    for age, sound in enumerate(sounds[:2]):
        PacketCache(tmp_path).encode(codec, sound)
        newest = max(tmp_path.iterdir(), key=lambda path: path.stat().st_mtime_ns)
        os.utime(newest, (1000 + age, 1000 + age))
    size = next(tmp_path.iterdir()).stat().st_size
    before = set(tmp_path.iterdir())
    oldest = min(before, key=lambda path: path.stat().st_mtime_ns)
    PacketCache(tmp_path, max_bytes=2 * size).encode(codec, sounds[2])
    left = set(tmp_path.iterdir())
    assert oldest not in left
    assert len(left) == 2
