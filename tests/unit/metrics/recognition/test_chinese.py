"""Whatever sounds the same must be written the same, in Chinese."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.chinese_script import to_simplified
from metrics.recognition.chinese import normalize_chinese

SAME = [
    ("请问您现在方便吗", "請問您現在方便嗎？", "请问您现在方便吗。", "请问 您 现在，方便吗"),
    ("头发干净", "頭髮乾淨", "头发干净"),
    ("25", "二十五", "25", "２５"),
    ("105", "一百零五", "一百〇五", "105"),
    ("150", "一百五", "一百五十", "150"),
    ("3500", "三千五", "三千五百", "3千5", "3,500"),
    ("12000", "一万二", "一万二千", "1.2万", "一点二万", "12000"),
    ("20050", "两万零五十", "二万零五十", "20050"),
    ("130000000", "一亿三千万", "1亿3千万", "1.3亿"),
    ("20000000", "两千万", "2000万"),
    ("13800138000", "一三八零零一三八零零零", "幺三八零零幺三八零零零", "138 0013 8000", "138-0013-8000"),
    ("2024年", "二零二四年", "二〇二四年", "二千零二十四年", "2024年"),
    ("百分之5", "5%", "百分之五", "５％"),
    ("百分之3点5", "3.5%", "百分之三点五"),
    ("3点14", "3.14", "三点一四"),
    ("3点30", "三点半", "3:30", "三点三十分", "3點30分", "三点三十"),
    ("10点05", "十点零五分", "10:05"),
    ("3点", "三点", "3:00", "三点整", "三点钟"),
    ("200元", "¥200", "￥200", "200元", "两百元", "两百块", "二百块钱"),
    ("20000元", "¥2万", "两万块", "20000元"),
    ("第1次", "第一次", "第1次"),
    ("10分感谢", "十分感谢", "10分感谢"),
    ("我的邮箱是abc", "我的邮箱是ABC。", "我的邮箱是 abc", "嗯，我的邮箱是ＡＢＣ"),
    ("千万别忘", "千万别忘", "千萬別忘！"),
    ("百分之100", "百分之百", "100%"),
    ("2分之1", "二分之一", "1/2", "½"),
    ("3分之2", "三分之二", "2/3"),
    ("3点5元", "三块五", "3.5元", "¥3.5", "¥3.50", "三块五毛", "三元五角"),
    ("3点25元吧", "三块二毛五吧", "3.25元吧"),
    ("5元", "五块", "¥5.00", "5.00元"),
    ("25摄氏度", "二十五摄氏度", "25℃", "25°C"),
    ("负5度", "负五度", "-5度"),
    ("气温负5度", "气温负五度", "气温-5度"),
    ("3点15", "三点一刻", "3:15", "三点十五分"),
    ("3点45", "三点三刻", "3:45"),
    ("10到12点", "十到十二点", "10-12点", "10~12点"),
    ("9点到18点", "九点到十八点", "9点-18点", "9点~18点"),
    ("20度到25度", "二十度到二十五度", "20度-25度", "20°-25°"),
    ("百分之5到百分之10", "百分之五到百分之十", "5%-10%", "5-10%"),
    ("百分之5到百分之10", "5~10%", "5%~10%", "5 ~ 10%", "５％～１０％", "百分之五到百分之十"),
    ("百分之1点5到百分之2点5", "1.5-2.5%", "1.5~2.5%", "百分之一点五到百分之二点五"),
    ("2点30到4点", "2点半~4点", "2:30~4:00", "2:30-4:00", "2点半 - 4点", "2:30 - 4点", "两点半到四点"),
    ("1点5到2小时", "1.5~2小时", "1.5-2小时", "一点五到两小时"),
    ("5分钟到10分钟", "5分钟~10分钟", "5分钟-10分钟", "五分钟到十分钟"),
    ("5到10分钟", "5 - 10 分钟", "5-10 分钟", "5〜10分钟", "五到十分钟"),
    ("10点102小时前", "10点10 - 2小时前", "10点10，2小时前"),
    ("5到10秒", "5-10秒", "五到十秒"),
    ("15000到20000元", "1.5万-2万元", "1.5万~2万元", "一万五到两万元"),
    ("10000到20000元", "10000~20000元", "一万到两万元"),
    ("好的3点见", "好的~3点见"),
    ("5000到10000元", "5000-10000元", "5,000-10,000元", "5000 - 10000块", "五千到一万元"),
    ("50000到100000元", "50000-100000元", "5万到10万元", "五万到十万元"),
    ("100到200元", "￥100-￥200", "￥100-200", "¥100~¥200", "￥100-￥200元", "一百到两百元"),
    ("50000到100000美元", "$5万-$10万", "五万到十万美元"),
    ("12到18期", "12-18期", "十二到十八期"),
    ("10000到15000步", "10000-15000步", "一万到一万五千步"),
    ("3到5名客户", "3-5名客户", "三到五名客户"),
    ("3到5名下属", "3-5名下属"),
    ("300到500毫升", "300-500毫升", "三百到五百毫升"),
    ("5000到10000元", "￥5000-￥1万", "￥5000-￥10000"),
    ("50000到100000元", "￥5万-10万元", "￥5万-￥100000"),
    ("20到30元", "￥20-30 元", "￥20-30元", "￥20 - ￥30 元", "二十到三十元"),
    ("99元元宵礼盒", "￥99元宵礼盒", "九十九元元宵礼盒"),
    ("99元元旦特惠", "￥99元旦特惠"),
    ("99元月租", "￥99元月租", "￥99 元月租"),
    ("原价200元50元", "原价￥200-￥50", "原价￥200 - ￥50", "原价两百元，五十元"),
    ("原价20000元5000元", "原价￥2万-￥5000"),
    ("20元30分钟", "￥20-30分钟"),
    ("200元", "￥200元", "￥200", "两百元"),
    ("3到5号", "三到五号", "3-5号"),
    ("3号到5号", "三号到五号", "3号-5号"),
    ("住3502号", "住3-502号", "住三五零二号"),
    ("住3502室", "住3-502室"),
    ("从3度到负5度", "从3度到-5度", "从三度到负五度"),
    ("我的预约是38", "我的预约是3/8"),
    ("我的生日是12", "我的生日是1/2", "我的生日是一二"),
    ("比例是2分之1", "比例是1/2", "比例是二分之一"),
    ("3号楼502", "3号楼-502", "三号楼五零二"),
    ("2点30到4点", "2点半-4点", "两点半到四点"),
    ("气温负3到5摄氏度", "气温-3~5℃", "气温负三到五摄氏度"),
    ("打910", "打9/10"),
    ("8分之3的人", "3/8的人", "八分之三的人"),
    ("8分之3", "⅜"),
    ("4分之3", "3/4", "四分之三"),
    ("25", "廿五", "二十五"),
    ("35", "卅五", "三十五"),
    ("5000", "零点五万", "0.5万"),
    ("255000人", "二十五点五万人", "25.5万人"),
    ("105000人", "十点五万人", "10.5万人"),
    ("1235000000", "十二点三五亿", "12.35亿"),
    ("生日12", "生日1/2"),
    ("5美元", "五美金", "$5", "五美元"),
    ("", "", "嗯……", "，。？"),
]


@pytest.mark.parametrize("forms", SAME, ids=lambda forms: forms[0] or "nothing")
def test_same_sound_same_characters(forms: tuple[str, ...]) -> None:
    expected, *written = forms
    assert {text: normalize_chinese(text) for text in written} == dict.fromkeys(written, expected)
    assert normalize_chinese(expected) == expected


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("四十四", "十四"),
        ("一百零五", "一百五"),
        ("三点半", "三点"),
        ("¥200", "$200"),
        ("他来", "不来"),
        ("-5度", "5度"),
        ("1/2", "12"),
        ("三块五", "三十五块"),
        ("三点一刻", "三点三刻"),
        ("3-5天", "35天"),
        ("25℃", "25℉"),
    ],
)
def test_different_sound_different_characters(one: str, other: str) -> None:
    assert normalize_chinese(one) != normalize_chinese(other)


DIGITS = "零一二三四五六七八九"


def spell(number: int) -> str:
    """Standard Chinese numerals, written independently of the code under test."""
    if number >= 10**4:
        size, sign = (10**8, "亿") if number >= 10**8 else (10**4, "万")
        rest = number % size
        zero = "零" if 0 < rest < size // 10 else ""
        return spell(number // size) + sign + zero + (spell(rest) if rest else "")
    spelled = ""
    skipped = False
    for size, sign in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = number // size % 10
        if digit:
            spelled += ("零" if skipped and spelled else "") + DIGITS[digit] + sign
        skipped = digit == 0
    return spelled or "零"


def test_the_spelling_of_this_test_is_right() -> None:
    assert [spell(number) for number in (0, 10, 105, 2005, 10050, 120_000_003)] == [
        "零",
        "一十",
        "一百零五",
        "二千零五",
        "一万零五十",
        "一亿二千万零三",
    ]


@settings(max_examples=300, deadline=None)
@given(st.integers(min_value=0, max_value=10**12 - 1))
def test_every_spelled_number_is_its_digits(number: int) -> None:
    assert normalize_chinese(f"共{spell(number)}个") == f"共{number}个"


@settings(max_examples=300, deadline=None)
@given(
    st.text(max_size=60)
    | st.text(alphabet="零〇一二两三四五六七八九十百千万亿点半分块%.:,0123456789", max_size=30)
)
def test_any_text_has_a_normal_form(text: str) -> None:
    normal = normalize_chinese(text)
    assert all(character.isalnum() for character in normal)


def test_script_conversion_keeps_everything_else_and_any_length() -> None:
    assert to_simplified("ABC 請，1! ") == "ABC 请，1! "
    assert to_simplified("請" * 5000) == "请" * 5000


@pytest.mark.parametrize(
    ("text", "sounds"),
    [
        ("€5", "5欧元"),
        ("£5", "5英镑"),
        ("$5", "5美元"),
        # Arabic-Indic digits are digits.
        ("٢٥", "25"),
        ("1.2345万", "12345"),
        # What follows money by the piece is no small change, and hyphens of numbers are no signs.
        ("三块一斤", "3元1斤"),
        ("三块五个", "3元5个"),
        ("电话-138", "电话138"),
        ("在8-10号楼的A-5", "在8到10号楼的a5"),
        ("4/6", "46"),
        # No fraction that anybody says: it is none, more than one, or not in its lowest terms.
        ("3/3", "33"),
        ("5/3", "53"),
        ("2/4", "24"),
        ("4/6的人", "46的人"),
        ("2/5", "25"),
        # Telephone numbers have parts of any length.
        ("电话138-1234-5678元", "电话13812345678元"),
        ("400-8001234分机3", "4008001234分机3"),
        ("010-62345678元", "01062345678元"),
        ("62345678-801", "62345678801"),
        ("$20-25分钟", "20美元25分钟"),
        ("登记在3-502名下", "登记在3502名下"),
        ("订单号1234-5678名字叫张三", "订单号12345678名字叫张3"),
        ("订单号12345-67890名字叫李四", "订单号1234567890名字叫李4"),
        ("我住3-502期待您的光临", "我住3502期待您的光临"),
        ("3-502期间没人", "3502期间没人"),
        ("房间3-502升级了", "房间3502升级了"),
        ("在3-502页面", "在3502页面"),
    ],
)
def test_the_form_itself(text: str, sounds: str) -> None:
    assert normalize_chinese(text) == sounds


def test_a_fraction_finer_than_its_unit_is_no_whole_number() -> None:
    """1.23456 myriads are 12345.6, and not 123456."""
    assert normalize_chinese("1.23456万").startswith("1点23456")


def test_only_the_last_digit_before_a_point_is_no_number() -> None:
    """20.5 myriads spelled digit by digit: not 2 and 0.5 myriads."""
    assert normalize_chinese("二零点五万").startswith("20点")


@pytest.mark.parametrize("piece", ["9", "廿", "二十", "3点0", "9.5"])
def test_a_long_text_takes_no_longer_than_its_length(piece: str) -> None:
    """20,000 digits took six seconds."""
    began = time.process_time()
    normalize_chinese(piece * (20_000 // len(piece)))
    assert time.process_time() - began < 2.0
