from __future__ import annotations

import pytest

from voice_sim.understanding.words import spoken_words


@pytest.mark.parametrize(
    ("written", "heard"),
    [
        ("2,300 yuan", "twenty-three hundred yuan"),
        ("1,980", "nineteen hundred and eighty"),
        ("400-123-4000", "four zero zero, one two three, four zero zero zero"),
        ("400-123-4000", "4001234000"),
        ("60217", "six oh two one seven"),
        ("January 15", "January fifteenth"),
        ("January 1", "January first"),
        ("January 15th", "january 15"),
        ("the 21st", "the twenty-first"),
        ("130 people", "a hundred and thirty people"),
        ("80,000", "eighty thousand"),
        ("10 a.m.", "ten am"),
        ("What's that?", "what is that"),
        ("I can't", "i cannot"),
        ("we won't", "we will not"),
        ("you’re right", "You are right!"),
        ("8000元", "八千元"),
        ("2294", "二二九四"),
        ("15号", "十五号"),
        ("3520块", "三千五百二十块"),
        ("120万", "一百二十万"),
        ("四万、八成", "40000八成"),
        ("Goodbye.", "Bye bye."),
        ("Good bye!", "bye"),
        ("Goodbye", "Good-bye, bye-bye."),
        ("好，再见。", "好，拜拜！"),
    ],
)
def test_the_same_words_however_they_were_written(written: str, heard: str) -> None:
    assert spoken_words(written) == spoken_words(heard)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("15", "50"),
        ("the first call", "the second call"),
        ("January 13", "January 15"),
        ("400-123-4000", "400-123-4001"),
        ("can", "can't"),
        ("二百", "三百"),
    ],
)
def test_different_words_stay_different(one: str, other: str) -> None:
    assert spoken_words(one) != spoken_words(other)


def test_multipliers_alone_are_no_number() -> None:
    assert spoken_words("千万别去") == ("千", "万", "别", "去")


def test_ordinals_count_outside_of_dates() -> None:
    assert spoken_words("first of all") == ("first", "of", "all")


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("3.5 percent", ("3.5", "percent")),
        ("three point five percent", ("3.5", "percent")),
        ("zero point eight", ("0.8",)),
        ("twelve point one four", ("12", "14")),
        ("12.14", ("12", "14")),
        ("36.8 degrees", ("36.8", "degrees")),
        ("2-3 days", ("2", "3", "days")),
        ("two, three days", ("2", "3", "days")),
        ("Call 5. 5 minutes later", ("call", "5", "5", "minutes", "later")),
        ("1, 2 or so", ("1", "2", "or", "so")),
        ("3.05 percent", ("3", "5", "percent")),
        ("one point of yours", ("1", "point", "of", "yours")),
        ("at this point five people", ("at", "this", "point", "5", "people")),
        ("两三天", ("2", "3", "天")),
        ("五六个人", ("5", "6", "个", "人")),
        ("一两次", ("1", "2", "次")),
        ("三点五", ("3.5",)),
        ("百分之三点五", ("百", "分", "之", "3.5")),
        ("利率三点八五", ("利", "率", "3", "85")),
        ("三点五个百分点", ("3.5", "个", "百", "分", "点")),
        ("三点五分", ("3", "点", "5", "分")),
        ("三点五分钟前", ("3", "点", "5", "分", "钟", "前")),
        ("下午三点五个人", ("下", "午", "3", "点", "5", "个", "人")),
        ("三点一刻", ("3", "点", "1", "刻")),
        ("三点五十", ("3", "点", "50")),
        ("三点半", ("3", "点", "半")),
        ("It made 0.4.", ("it", "made", "0.4")),
        ("It was 3.5. 2 people came.", ("it", "was", "3.5", "2", "people", "came")),
        ("version 1.2.3", ("version", "123")),
        ("三点一定到", ("3", "点", "1", "定", "到")),
        ("五点一起走", ("5", "点", "1", "起", "走")),
        ("八点一直到九点", ("8", "点", "1", "直", "到", "9", "点")),
        ("三点一到就走", ("3", "点", "1", "到", "就", "走")),
        ("三点一到四点二", ("3.1", "到", "4.2")),
        ("利率三点一", ("利", "率", "3.1")),
        ("三点五个小时", ("3.5", "个", "小", "时")),
        ("三点五个月", ("3.5", "个", "月")),
        ("三点五个人", ("3", "点", "5", "个", "人")),
        ("三点四五元", ("3", "45", "元")),
        ("三点四五个百分点", ("3", "45", "个", "百", "分", "点")),
        ("下午三点两三个人", ("下", "午", "3", "点", "2", "3", "个", "人")),
    ],
)
def test_numbers_side_by_side(written: str, words: tuple[str, ...]) -> None:
    assert spoken_words(written) == words


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("两点三点都行", "2 点 3 点 都 行"),
        ("九点三号楼见", "9 点 3 号 楼 见"),
        ("三点二号窗口见", "3 点 2 号 窗 口 见"),
        ("三点四五分", "3 点 45 分"),
        ("三点零五", "3 点 5"),
        ("八点一家人到", "8 点 1 家 人 到"),
        ("三点一开始", "3 点 1 开 始"),
        ("三点一块去", "3 点 1 块 去"),
        ("明天三点五个人", "明 天 3 点 5 个 人"),
        ("下午三点五万人", "下 午 3 点 50000 人"),
        ("三点五百人", "3 点 500 人"),
        ("三点一块钱", "3.1 块 钱"),
        ("涨了一点五个点", "涨 了 1.5 个 点"),
        ("一点五个工作日", "1.5 个 工 作 日"),
        ("每天三点五元", "每 天 3.5 元"),
        ("一天三点五次", "1 天 3.5 次"),
        ("加上三点五", "加 上 3.5"),
        ("利率三点零五", "利 率 3 5"),
        ("三点五千克", "3.5 千 克"),
        ("明天三点一次性付清", "明 天 3 点 1 次 性 付 清"),
        ("今天三点五个小时", "今 天 3.5 个 小 时"),
        ("会议晚三点五个小时", "会 议 晚 3.5 个 小 时"),
        ("提早一点五天", "提 早 1.5 天"),
        ("聊天三点五小时", "聊 天 3.5 小 时"),
        ("夏天一点五个小时", "夏 天 1.5 个 小 时"),
        ("晚八点一到九点", "晚 8 点 1 到 9 点"),
        ("晚八点五", "晚 8 点 5"),
        ("早八点一次", "早 8 点 1 次"),
        ("礼拜天三点五", "礼 拜 天 3 点 5"),
        ("那天三点五", "那 天 3 点 5"),
        ("每天三点一次", "每 天 3 点 1 次"),
        ("每天三点五个小时", "每 天 3.5 个 小 时"),
        ("今天三点五折", "今 天 3.5 折"),
        ("两天三点五公斤", "2 天 3.5 公 斤"),
        ("我明天三点零五到", "我 明 天 3 点 5 到"),
        ("火车三点零五开", "火 车 3 点 5 开"),
        ("零点零一", "0 1"),
        ("三十八点五左右", "38.5 左 右"),
    ],
)
def test_a_time_of_day_is_no_decimal(said: str, words: str) -> None:
    assert " ".join(spoken_words(said)) == words


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("二十三四岁", "23 24 岁"),
        ("一百二三十块", "120 130 块"),
        ("十五六个", "15 16 个"),
        ("十二三个人", "12 13 个 人"),
        ("两三千块", "2000 3000 块"),
        ("十五六万", "150000 160000"),
        ("一万二三千", "12000 13000"),
        ("三点二三十分", "3 点 20 30 分"),
        ("百分之十二三", "百 分 之 12 13"),
        ("八九十岁", "80 90 岁"),
        ("十九二十岁", "19 20 岁"),
        ("二十三号", "23 号"),
        ("一点二三万", "1 23 万"),
        ("幺三八零零一二", "1380012"),
        ("一二三四五六", "123456"),
        ("八九十月", "8910 月"),
        ("周五六十点", "周 5610 点"),
        ("尾号一二三四", "尾 号 1234"),
    ],
)
def test_one_number_or_the_next_is_both(said: str, words: str) -> None:
    assert " ".join(spoken_words(said)) == words


@pytest.mark.parametrize(
    ("written", "heard"),
    [
        ("138-1234-5678", "one three eight, one two three four, five six seven eight"),
        ("4 0 0 1 2", "four, zero, zero, one, two"),
        ("12.50", "twelve fifty"),
        ("2294", "2 2 9 4"),
        ("25", "two five"),
        ("3.5", "3 point 5"),
        ("2026-11-29", "2026 11 29"),
        ("三二", "32"),
        ("一点五万元", "1.5万元"),
        ("一点二五万", "1.25万"),
        ("一点五百万", "1.5百万"),
        ("one point five million", "1.5 million"),
        ("one point two five million", "1.25 million"),
        ("三点零五分", "3点05分"),
        ("利率是三点零五", "利率是3.05"),
        ("年化是四点零八", "年化是4.08"),
        ("汇率是七点零八", "汇率是7.08"),
        ("净值是一点零五", "净值是1.05"),
        ("涨了三点零五", "涨了3.05"),
        ("费率大概是三点零五", "费率大概是3.05"),
        ("股价跌到三点零五", "股价跌到3.05"),
        ("血糖七点零八", "血糖7.08"),
        ("平均三点零五", "平均3.05"),
        ("火车三点零五开", "火车3点05开"),
    ],
)
def test_what_is_read_out_stays_one(written: str, heard: str) -> None:
    assert spoken_words(written) == spoken_words(heard)


@pytest.mark.parametrize("digit", ["一", "1"])
def test_hours_of_any_length_are_read(digit: str) -> None:
    """Python turns no more than 4300 digits into a number."""
    assert spoken_words(digit * 4500 + "点五") == ("1" * 4500 + ".5",)
