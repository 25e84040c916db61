"""How much of what a language model writes is kept: whole words, so that a long quote is still one."""

from __future__ import annotations

import pytest

from metrics.dialogue.language_model.answers import MAX_WORDS_CHARS, NodeAnswer
from metrics.dialogue.quotes import is_quoted_from

ENGLISH = "We will refund the whole premium of your policy. " * 10
CHINESE = "我们会把这笔保费全部退还到您原来的账户里。" * 20


def kept(quote: str) -> str:
    return NodeAnswer(node="pay", outcome="achieved", turn=0, quote=quote).quote


def test_a_long_quote_ends_with_a_whole_word() -> None:
    # 6 x 49 = 294 characters are six sentences; "We wil" would be the rest up to 300.
    assert kept(ENGLISH) == (ENGLISH[:294] + "We")
    assert is_quoted_from(kept(ENGLISH), ENGLISH)


def test_one_that_the_server_has_stopped_ends_with_a_whole_word_too() -> None:
    stopped = ENGLISH[:MAX_WORDS_CHARS]
    assert stopped.endswith("We wil")
    assert is_quoted_from(kept(stopped), ENGLISH)


def test_chinese_has_no_spaces_and_loses_nothing() -> None:
    assert kept(CHINESE) == CHINESE[:MAX_WORDS_CHARS]
    assert is_quoted_from(kept(CHINESE), CHINESE)


def test_a_number_in_chinese_words_is_not_halved() -> None:

    assert kept("好" * 298 + "1288元") == "好" * 298


@pytest.mark.parametrize("quote", ["", "Sorry about the fee", ENGLISH[:299], "x" * 299])
def test_what_is_shorter_stays_as_it_is(quote: str) -> None:
    assert kept(quote) == quote


def test_one_endless_word_is_cut_all_the_same() -> None:
    assert kept("x" * 500) == "x" * MAX_WORDS_CHARS
