from pathlib import Path

import pytest

from harness.analysis.components.asr import AsrItem, read_clips
from harness.analysis.components.rows import read_items
from harness.analysis.components.tts import TtsItem, read_texts
from harness.errors import UserError


def _written(folder: Path, name: str, text: str) -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.jsonl", '{"audio": "a.wav", "text": "Hello, you", "snr_db": 5}\n'),
        ("a.csv", 'audio,text,snr_db,accent\na.wav,"Hello, you",5,\n'),
        ("a.tsv", "audio\ttext\tsnr_db\na.wav\tHello, you\t5\n"),
    ],
)
def test_three_ways_of_writing_the_same_list(tmp_path: Path, name: str, text: str) -> None:
    [item] = read_items(_written(tmp_path, name, text), AsrItem)
    assert (item.audio, item.text, item.snr_db, item.accent) == ("a.wav", "Hello, you", 5.0, "")
    assert item.id == ("line-1" if name == "a.jsonl" else "line-2")


WRONG = {
    "no.json": ("{}", "a list is one of"),
    "empty.jsonl": ("\n\n", "holds no item"),
    "broken.jsonl": ('{"audio": "a.wav", "text": "x"}\n{"audio"', "broken.jsonl:2"),
    "list.jsonl": ("[1]", "list.jsonl:1: each line is a JSON object"),
    "field.jsonl": ('{"audio": "a.wav", "text": "x", "snr": 5}', "field.jsonl:1"),
    "silent.jsonl": ('{"audio": "a.wav", "text": " ?"}', "the words of the clip"),
    "both.jsonl": ('{"audio": "a.wav", "text": "x", "usable": false}', "neither text nor entities"),
    "name.jsonl": ('{"id": "../x", "audio": "a.wav", "text": "x"}', "name.jsonl:1"),
    "far.jsonl": ('{"audio": "a.wav", "text": "x", "snr_db": NaN}', "far.jsonl:1"),
    "twice.jsonl": ('{"id":"a","audio":"a","text":"x"}\n{"id":"a","audio":"a","text":"x"}', "that of line 1"),
    "cells.csv": ("audio,text\na.wav,one,two\n", "cells.csv:2: 3 cells under 2 columns"),
    "head.csv": ("audio,audio\na.wav,one\n", "first line names the columns"),
    "chinese.jsonl": ('{"audio": "a.wav", "text": "请问几点开门"}', "is Chinese, and 'language' says en"),
    "english.jsonl": (
        '{"audio": "a.wav", "text": "When do you open", "language": "zh"}',
        "has no Chinese in it, and 'language' says zh",
    ),
    "quote.csv": ('audio,text\na.wav,"one\n', "is no table"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, name: str) -> None:
    text, told = WRONG[name]
    with pytest.raises(UserError, match=told.replace("(", "\\(")):
        read_items(_written(tmp_path, name, text), AsrItem)


def test_many_wrong_lines_are_counted(tmp_path: Path) -> None:
    path = _written(tmp_path, "a.jsonl", '{"text": "x"}\n' * 9)
    with pytest.raises(UserError, match="and 4 more lines"):
        read_items(path, AsrItem)


def test_a_text_file_has_a_text_a_line(tmp_path: Path) -> None:
    items = read_texts(_written(tmp_path, "a.txt", "\ufeff你好\n\n再见\n"), language="zh")
    assert [(one.id, one.text, one.language) for one in items] == [
        ("line-1", "你好", "zh"),
        ("line-3", "再见", "zh"),
    ]
    assert TtsItem(id="a", text="x").language == "en"
    assert [one.language for one in read_texts(_written(tmp_path, "b.txt", "Hello\n"))] == ["en"]
    with pytest.raises(UserError, match="is Chinese, and 'language' says en"):
        read_texts(tmp_path / "a.txt")
    with pytest.raises(UserError, match=r"--language zh: is for a .txt; in .* it is a column"):
        read_texts(_written(tmp_path, "c.jsonl", '{"text": "x"}'), language="zh")


def test_words_of_the_other_language_in_a_text_are_nothing_wrong(tmp_path: Path) -> None:
    mixed = '{"text": "请连 WiFi", "language": "zh"}\n{"text": "The sign says 出口, which is the way out."}\n'
    assert len(read_texts(_written(tmp_path, "a.jsonl", mixed))) == 2


@pytest.mark.parametrize("audio", ["../out.wav", "/etc/passwd", "missing.wav", ".", "a.jsonl"])
def test_a_clip_is_a_sound_file_below_its_list(tmp_path: Path, audio: str) -> None:
    (tmp_path / "out.wav").write_bytes(b"RIFF")
    folder = tmp_path / "list"
    folder.mkdir()
    path = _written(folder, "a.jsonl", f'{{"audio": "{audio}", "text": "x"}}\n')
    with pytest.raises(UserError, match="audio '"):
        read_clips(path)
