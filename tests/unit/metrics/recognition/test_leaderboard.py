import pytest

from metrics.recognition.error_rate import edits
from metrics.recognition.leaderboard import plain, whispers


def test_plain_keeps_numbers_as_written_and_digits_apart() -> None:
    assert plain("Call 415, don't wait!", "en") == "call 4 1 5 dont wait"
    assert plain("價格是 25 元。", "zh") == "价格是25元"
    assert plain("twenty five", "en") != plain("25", "en")
    # A wrong digit is one word of three.
    assert edits(plain("415", "en"), plain("416", "en"), unit="word").rate == pytest.approx(1 / 3)


def test_whispers_own_normaliser() -> None:
    pytest.importorskip("whisper_normalizer")
    assert whispers("Mr. Smith owes twenty five dollars", "en") == "mister smith owes $25"
    assert whispers("价格 是，25元。", "zh") == "价格是25元"
