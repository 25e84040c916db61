"""Text to phonemes: what a person reads out, in the letters that Kokoro knows."""

from __future__ import annotations

import pytest

from voice_sim.tts.chinese_numbers import numbers_as_spoken

pytest.importorskip("espeakng_loader", reason="espeakng-loader is not installed (extra 'voices')")
pytest.importorskip("pypinyin", reason="pypinyin is not installed (extra 'voices')")

from voice_sim.tts.chinese_phonemes import chinese_phonemes, syllable_letters
from voice_sim.tts.english_phonemes import english_phonemes, in_kokoro_letters
from voice_sim.tts.espeak_library import EspeakLibraryError, phonemes


@pytest.mark.parametrize(
    ("written", "spoken"),
    [
        ("你是26号是吧", "你是二十六号是吧"),
        ("10", "十"),
        ("110", "一百一十"),
        ("1003", "一千零三"),
        ("10086元", "一万零八十六元"),
        ("100500", "十万零五百"),
        ("101000", "十万一千"),
        ("100010", "十万零一十"),
        ("20000000", "二千万"),
        ("1,200", "一千二百"),
        ("3.14", "三点一四"),
        ("0", "零"),
        ("2026年", "二零二六年"),
        ("13:05", "十三点零五分"),
        ("9:00", "九点"),
        ("13800138000", "幺三八零零幺三八零零零"),
        ("010", "零一零"),
        ("50%", "百分之五十"),
        ("¥35", "三十五元"),
        ("3-5天", "三到五天"),
        ("２６号", "二十六号"),
        ("没有数字", "没有数字"),
    ],
)
def test_numbers_are_read_as_a_person_reads_them(written: str, spoken: str) -> None:
    assert numbers_as_spoken(written) == spoken


@pytest.mark.parametrize(
    ("pinyin", "letters"),
    [
        ("ma1", "ma→"),
        ("ma2", "ma↗"),
        ("ma3", "ma↓"),
        ("ma4", "ma↘"),
        ("ma5", "ma"),
        ("zhi1", "ꭧɨ→"),
        ("qu4", "ʨʰy↘"),
        ("lü3", "ly↓"),
        ("lv3", "ly↓"),
        ("yuan2", "ɥɛ↗n"),
        ("jiu3", "ʨjou↓"),
        ("gui4", "kwei↘"),
        ("dun4", "twə↘n"),
        ("xiong1", "ɕjʊ→ŋ"),
        ("er4", "ɚ↘"),
        ("wo3", "wo↓"),
        ("yi1", "i→"),
        ("n2", "n↗"),
        ("龿5", ""),
        ("ma", ""),
    ],
)
def test_every_kind_of_syllable_has_its_letters(pinyin: str, letters: str) -> None:
    assert syllable_letters(pinyin) == letters


def test_tones_change_in_speech() -> None:
    assert chinese_phonemes("你好") == "ni↗xau↓"
    assert chinese_phonemes("不是。") == "pu↗ʂɨ↘."


def test_punctuation_stays_and_foreign_words_are_english() -> None:
    said = chinese_phonemes("好的，OK？九百G。")
    assert said.startswith("xau↓tɤ, ") or said.startswith("xau↓ tɤ, ")
    assert "ˌOkˈA?" in said or "O kˈA?" in said
    assert said.endswith("ʤˈi.")


def test_english_is_written_with_one_letter_a_sound() -> None:
    assert english_phonemes("Hello, this is Alex.") == "həlˈO, ðɪs ɪz ˈælɪks."
    assert in_kokoro_letters("d^ʒˈɔ^ɪnt t^ʃˈe^ɪnd^ʒ nˈɜːs") == "ʤˈYnt ʧˈAnʤ nˈɜɹs"


def test_english_abbreviations_and_times_end_no_sentence() -> None:
    said = english_phonemes("Mr. Smith calls at 9 a.m. or 10:30 PM.")
    assert said.count(".") == 1
    assert said.startswith("mˈɪstəɹ smˈɪθ")
    assert "nˈIn ˈAˈɛm ɔɹ" in said


def test_an_unknown_voice_of_the_library_is_an_error() -> None:
    with pytest.raises(EspeakLibraryError, match="no voice 'klingonish'"):
        phonemes("hello", voice="klingonish")
