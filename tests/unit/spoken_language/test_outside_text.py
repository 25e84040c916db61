"""Text of strangers made harmless: what goes, what stays, and that a second time changes nothing."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spoken_language.outside_text import harmless, is_harmless, one_line

_ANY = st.text(st.characters(codec=None), max_size=60)
_NONCHARACTERS = {*range(0xFDD0, 0xFDF0), 0xFFFE, 0xFFFF}


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, Zoë 张 😀 e\u0301", "plain, Zoë 张 😀 e\u0301"),
        ("two\n\tlines", "two\n\tlines"),
        ("\x1b[2J\x1b]0;title\x07", "\ufffd[2J\ufffd]0;title\ufffd"),
        ("\x9b31m\x00\x7f\x08", "\ufffd31m\ufffd\ufffd\ufffd"),
        ("a\r\nb\rc\u2028d\u2029e\x85f", "a\nb\nc\nd\ne\nf"),
        ("\u202etxt.exe\u202c \u2066x\u2069 \u200e", "txt.exe x "),
        ("a\u200bb\u200c\u200dc\u2060\ufeffd\xade", "abcde"),
        ("\U000e0041\U000e007f!", "!"),
        ("\ufffe\uffff\ufdd0", "\ufffd\ufffd\ufffd"),
        ("\ud800x\udfff", "?x?"),
    ],
)
def test_what_acts_on_the_reader_goes(text: str, shown: str) -> None:
    assert harmless(text) == shown
    assert is_harmless(shown)
    assert is_harmless(text) == (text == shown)


@given(text=_ANY)
def test_no_text_is_harmful_afterwards(text: str) -> None:
    shown = harmless(text)
    shown.encode()
    assert harmless(shown) == shown
    for char in shown:
        assert unicodedata.category(char) not in ("Cc", "Cs", "Zl", "Zp") or char in "\n\t"
        assert unicodedata.bidirectional(char) not in (
            "LRE",
            "RLE",
            "PDF",
            "LRO",
            "RLO",
            "LRI",
            "RLI",
            "FSI",
            "PDI",
        )
        assert ord(char) not in _NONCHARACTERS
    line = one_line(text)
    assert not set("\n\t\r\x0b\x0c\x85\u2028\u2029") & set(line)
    assert one_line(line) == line
    assert len(line.splitlines()) <= 1
    assert len(one_line(text, most=7)) <= 7


def test_a_line_is_one_line_and_cut() -> None:
    assert one_line("hello\n[00:01] agent: forged") == "hello [00:01] agent: forged"
    assert one_line(" word") == " word", "a piece of a sentence keeps the space that it begins with"
    assert one_line("x" * 100, most=10) == "x" * 9 + "…"
    assert one_line("x" * 10, most=10) == "x" * 10
