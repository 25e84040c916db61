"""Numbers in digits as Mandarin speakers read them: 26号 is 二十六号, 50% is 百分之五十.

Groups of a telephone number (138-1234-5678), dates (2026-11-29) and short numbers of services are no
quantities: the best known (10086), and others where what stands near says that they are rung (拨95500). Two
is 两 before what it counts (2个, 2点). Between times and other numbers a line is 到.

Seven and more digits are a telephone or card number and are read one by one, unless they end in four zeros
(then they are an amount); so are digits behind a leading zero, and a year (2026年).
"""

from __future__ import annotations

import re
import unicodedata

from spoken_language.chinese_numbers import DIGITS, read_out, spelled

_PHONE_DIGITS = 7
_MAX_DIGITS = 12

_TIME = re.compile(r"(?<![\d:])(\d{1,2}):([0-5]\d)(?![\d:])")
_BETWEEN_TIMES = re.compile(r"(?<=:\d\d)\s*[-~～–—]\s*(?=\d{1,2}:\d\d)")
_DATE = re.compile(r"(?<![\d-])((?:19|20)\d\d)([-/.])(0?[1-9]|1[0-2])\2(0?[1-9]|[12]\d|3[01])(?![\d-])")
_GROUPS = re.compile(
    r"(?<![\d.-])(?:(?:\+?86[- ])?1\d{2}([- ])\d{4}\1\d{4}|[48]00([- ])\d{3,4}\2\d{3,4}"
    r"|0\d{2,3}-\d{7,8}|0\d{2,3}-\d{3,4}-\d{4})(?![\d-])"
)
_MEASURES = (
    "元块人万千百亿个位米吨度次条件份名户家年岁天月号日斤克升美欧英分套台辆张本页字步卡里公平%股点种毫厘"
)
_SERVICE = re.compile(
    r"(?<![\d¥￥$€£-])(?<!\d[.,:到至~～–])(?:1[0-2]\d{3}|9[56]\d{3,4}|11[0249]|12[02])"
    rf"(?!\s*(?:\d|[.,:]\d|[-~～–—到至]\s*\d|[{_MEASURES}]|立方|多(?![久少长])|余(?!额)|左右|上下|以[上下内外]))"
)
"""What may be the number of a service: it counts nothing, is about nothing, and begins or ends no range."""
_KNOWN = """
10001 10010 10011 10086 10099 12123 12306 12315 12333 12345 12348 12366
95511 95533 95555 95559 95566 95580 95588 95598 95599
"""
_WELL_KNOWN = frozenset(_KNOWN.split())
_RUNG = re.compile(
    r"(?:[打拨叫](?:通|一下)?|发送?[到至]"
    r"|(?:电话|热线|专线|号码|客服|短信|来电|致电|联系)(?:号码|电话|热线)?(?:就?是|为)?)[：:\s“]*$"
)
_RINGS = re.compile(
    r"[”\s]*(?:[这那]个)?(?:客服|服务)?(?:电话(?!费)|热线|专线|客服|号码|短信|来电)"
    r"|\s*是[^，。,\d]{1,10}(?:电话|热线|客服|号码)"
)
"""What stands before a number that is rung, and behind one."""
_COMES_TO = "(?:就?是|为|了|约|有|大概|还有|还剩)"
_OWED = re.compile(
    "(?:"
    rf"(?:欠|[尾欠]款|金额|总额|月供|[首应实先还要]付|花|月薪|年薪|[一总]共|[共合总]计){_COMES_TO}?"
    rf"|(?:款|金|[余限]额|额度|价格?|工资|收入|(?<!理)赔|付|(?<![免话缴交])费用?){_COMES_TO}"
    r")[：:\s]*$"
)
"""What stands before an amount (您欠12333). Balances and wages are also what one calls about (查余额10086):
these take a verb."""
_AMOUNT = re.compile(r"(?:欠|款|金|[余限]额|额度|价格?|工资|收入|(?<!理)赔付?|付|(?<![免话缴交])费)[：:\s]*$")
_MADE_UP = "12345"
"""What people write for any amount (保费12345), besides the number of a town hall."""
_PAID = re.compile(r"(?<!拨)打\s*$")
_HANDED_OVER = re.compile(r"\s*(?:过来|过去|给[我你您他她]|[到在]账)")
"""Around an amount (先打12680给我); 打95519过去咨询 is a number of a bank or insurer."""
_EACH = re.compile(r"每[月年天周]\s*$")
_LINE = re.compile(r"\s*(?:热线|专线|客服|号码|电话(?!费))")
_SENT_TO = re.compile(
    r"((?:回复?|发送?|编辑|短信)[“\"]?\s?([A-Za-z0-9]{1,6})[”\"]?\s?(?:发送?)?[到至]\s?)"
    r"(1[0-2]\d{3}|9[56]\d{3,4})(?=\s*(?:$|[，。！？；,!?;]|查询|办理|开通|退订|取消|确认|即可|就[可能行]))"
)
"""A message and the number that it goes to: 回复1到10086."""
_REACHES_BACK = 12
_ROUND = re.compile(r"1\d{2}00(?<!10000)(?<!12300)")
"""An amount, wherever it stands (先打12500过来); two of them are rung."""
_YEAR = re.compile(r"(?<!\d)(\d{4})(?=年)")
_PERCENT = re.compile(r"(\d+(?:\.\d+)?)%")
_MONEY = re.compile(r"([¥￥$€£])\s?(\d+(?:\.\d+)?)([百千万亿]*)(?:元|美[元金]|欧元|英镑)?")
_CURRENCY = {"$": "美元", "€": "欧元", "£": "英镑"}
_RANGE = re.compile(r"(?<=\d)[-~～](?=\d)")
_GROUPED = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_PAIR = re.compile(
    r"(?<![\d.第周])2(?=(?:到\d+)?(?:个|位|天|次|年(?!级|度)|周(?!年)|小时|分钟|点(?!\d)|块|元|遍|条|张|件|份|名|家|只"
    r"|倍|千|万|亿|台|辆|杯|瓶|盒|袋|公斤|斤|公里|米|种|项|笔|套|间|句|秒|口|人|岁|成(?!为)|片|粒|餐|顿|页|封|趟|步))"
)
_TWO = "两"
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def numbers_as_spoken(text: str) -> str:
    """``text`` with every number in digits written out in characters."""
    if not any(character.isdecimal() for character in text):
        return text
    text = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text)
    text = _GROUPED.sub("", text)
    text = _DATE.sub(lambda date: f"{date[1]}年{int(date[3])}月{int(date[4])}日", text)
    text = _GROUPS.sub(lambda found: _digit_by_digit(re.sub(r"\D", "", found[0])), text)
    text = _BETWEEN_TIMES.sub("到", text)
    text = _TIME.sub(lambda match: _clock(match[1], match[2]), text)
    text = _YEAR.sub(lambda match: read_out(match[1]), text)
    text = _PERCENT.sub(lambda match: "百分之" + _spoken(match[1]), text)
    text = _MONEY.sub(lambda match: _money(match[1], match[2], match[3]), text)
    text = _SENT_TO.sub(_sent_to, text)
    text = _SERVICE.sub(_service, text)
    text = _RANGE.sub("到", text)
    text = _PAIR.sub(_TWO, text)
    return _NUMBER.sub(lambda match: _spoken(match[0]), text)


def _clock(hours: str, minutes: str) -> str:
    spoken = _quantity(str(int(hours))) + "点"
    if minutes == "00":
        return spoken
    return spoken + (DIGITS[0] if minutes[0] == "0" else "") + spelled(int(minutes)) + "分"


def _digit_by_digit(digits: str) -> str:
    """幺 is one where numbers are spelled out: 一 is too like 七 on the telephone."""
    return read_out(digits).replace(DIGITS[1], "幺")


def _service(found: re.Match[str]) -> str:
    number = found[0]
    before = found.string[max(0, found.start() - _REACHES_BACK) : found.start()]
    known = number in _WELL_KNOWN
    counted = _OWED.search(before) or (not known and _EACH.search(before))
    counted = counted or (number == _MADE_UP and _AMOUNT.search(before))
    if counted and not _LINE.match(found.string, found.end()):
        return number
    rung = _RUNG.search(before) or _RINGS.match(found.string, found.end())
    handed_over = number[0] == "1" and _PAID.search(before) and _HANDED_OVER.match(found.string, found.end())
    counted = _ROUND.fullmatch(number) or handed_over
    return _digit_by_digit(number) if known or (rung and not counted) else number


def _sent_to(found: re.Match[str]) -> str:
    """发送CX到12580查询; 发1到12000 is a range, unless the second is a number that everybody knows."""
    before, message, number = found.groups()
    is_service = number in _WELL_KNOWN or not message.isdigit()
    return before + _digit_by_digit(number) if is_service else found[0]


def _money(sign: str, amount: str, scale: str) -> str:
    """￥1234.50 is so many 元 and 五角; other currencies keep their point. $5万 is 五万美元."""
    if sign in _CURRENCY or scale:
        return _quantity(amount) + scale + _CURRENCY.get(sign, "元")
    whole, _, fraction = amount.partition(".")
    if len(fraction) > 2:
        return _spoken(amount) + "元"
    tenths, hundredths = int(fraction.ljust(2, "0")[0]), int(fraction.ljust(2, "0")[1])
    spoken = _quantity(whole) + "元"
    if tenths:
        spoken += DIGITS[tenths] + "角"
    elif hundredths:
        spoken += DIGITS[0]
    return spoken + (DIGITS[hundredths] + "分" if hundredths else "")


def _quantity(whole: str) -> str:
    return _TWO if whole == "2" else _spoken(whole)


def _spoken(written: str) -> str:
    whole, _, fraction = written.partition(".")
    if len(whole) >= _PHONE_DIGITS and not (whole.endswith("0000") and len(whole) <= _MAX_DIGITS):
        spoken = _digit_by_digit(whole)
    elif len(whole) > 1 and whole[0] == "0":
        spoken = read_out(whole)
    else:
        spoken = spelled(int(whole))
    return spoken + ("点" + read_out(fraction) if fraction else "")
