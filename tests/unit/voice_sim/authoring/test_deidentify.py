"""De-identification: what identifies goes, alike everywhere; what is left is noticed."""

from __future__ import annotations

import datetime
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from voice_sim.authoring.deidentify import NotDeidentified, deidentify, leaks_in, strings_of
from voice_sim.authoring.identifiers.book import Term, make_book
from voice_sim.authoring.identifiers.dates import TooManyDates
from voice_sim.authoring.identifiers.placeholders import STANDARD_NAMES
from voice_sim.authoring.identifiers.replacing import Replacer

CALL = [
    "Hello, am I speaking with Mr. James Carter? This is Kate Morgan from Meridian Bank, employee ID 88213.",
    "Yes, James speaking. C-A-R-T-E-R. What does Meridian want?",
    "Mr Carter, there was a charge of $1,250.50 on March 4th, 2024, card ending in three three one nine.",
    "My wife Lucy was at Tesco on Monday, March 4th. Call 07700 900123 or mail james.carter@gmail.com.",
    "I live at 12 Baker Street, London NW1 6XE. The card is 4929 1234 5678 3319.",
    "So 3319, double three one nine. Reference HX20931. A fee of two hundred dollars; 200 it is. Bye James.",
]
CALL_ZH = [
    "您好，请问是王建国先生吗？我是招商银行的客服李娜，工号八八二一三。",
    "我是王建国，你们招商银行3月5号扣了我两百块，尾号六六零四的卡。我住北京朝阳区建国路88号3单元502室。",
    "王先生，3月5日扣的200元是年费，订单号20240316001。电话13812345678，小李会联系您。",
]
SECRETS = (
    "James", "Carter", "C-A-R-T-E-R", "Kate", "Morgan", "Lucy", "Meridian", "Tesco", "88213", "1,250.50",
    "March 4", "three three one nine", "double three", "3319", "07700", "900123", "gmail", "Baker", "London",
    "NW1", "4929", "HX20931", "two hundred", "200",
)  # fmt: skip
SECRETS_ZH = (
    "王建国", "王先生", "招商", "李娜", "小李", "八八二一三", "3月5", "两百", "200", "六六零四", "北京",
    "朝阳", "建国路", "502", "20240316001", "13812345678",
)  # fmt: skip


def replaced(*texts: str, seed: int = 0) -> list[str]:
    result = deidentify({"call": list(texts)}, seed=seed)
    return [text for _, text in strings_of(result.documents["call"])]


@pytest.mark.parametrize(("call", "secrets"), [(CALL, SECRETS), (CALL_ZH, SECRETS_ZH)])
def test_nothing_that_was_planted_is_left(call: list[str], secrets: tuple[str, ...]) -> None:
    assert all(any(secret in line for line in call) for secret in secrets), "the plant itself"
    new = "\n".join(replaced(*call))
    assert [secret for secret in secrets if secret.casefold() in new.casefold()] == []


def test_what_identifies_nobody_stays_word_for_word() -> None:
    lines = [
        "It takes three days and twenty minutes, maybe 1500 metres from here.",
        "We may 20 people bring, at 10:30 or 9 a.m.; seventy percent of them come.",
        "I will mark it, and the bank will call back. Good morning, I am fine. Hello there.",
        "这个要三天，二十分钟，大概一千五百米。我是说方便的时候，高兴就好。",
    ]
    assert replaced(*lines) == lines


def test_one_person_keeps_one_name_in_every_form() -> None:
    new = replaced("This is James Carter.", "Mr. Carter, hello.", "Thanks, James!", "J-A-M-E-S, yes.")
    family, given = new[0].removeprefix("This is ").rstrip(".").split()
    assert new == [
        f"This is {family} {given}.",
        f"Mr. {family}, hello.",
        f"Thanks, {given}!",
        f"{'-'.join(given.upper())}, yes.",
    ]


def test_a_family_shares_its_family_name_and_a_title_tells_who_is_a_woman() -> None:
    new = replaced("My name is James Carter.", "Mrs. Lucy Carter, good morning.")
    (his_family, his_given), (her_family, her_given) = (
        re.search(r"([A-Z]\w+) ([A-Z]\w+)[.,]", line).groups()  # type: ignore[union-attr]
        for line in (new[0], new[1].removeprefix("Mrs. "))
    )
    assert his_family == her_family
    assert his_given != her_given
    gender = {name.given: name.gender for name in STANDARD_NAMES}
    assert (gender[his_given], gender[her_given]) == ("male", "female")


def test_numbers_keep_their_form_and_agree_in_every_spelling() -> None:
    new = replaced(
        "My card ends in 3319.",
        "That is three three one nine.",
        "Double three one nine.",
        "Card 4929 1234 5678 3319.",
    )
    last = re.search(r"\d{4}", new[0])[0]  # type: ignore[index]
    words = "zero one two three four five six seven eight nine".split()  # noqa: SIM905
    spoken = " ".join(words[int(digit)] for digit in last)
    assert last != "3319"
    assert new[1] == f"That is {spoken}."
    assert new[2] == f"{spoken}."
    assert re.fullmatch(rf"Card \d{{4}} \d{{4}} \d{{4}} {last}\.", new[3])
    digits = re.sub(r"\D", "", new[3])
    assert "1234" in digits, "a long number shows that it is none"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Card number:4929123456783319, valid.", "4929123456783319"),
        ("The card ending in ...3319.", "3319"),
        ("Ref.4567123 it was.", "4567123"),
        ("电话:13812345678", "13812345678"),
        ("尾号,6604的卡", "6604"),
    ],
)
def test_a_number_right_behind_a_mark_is_found(text: str, number: str) -> None:
    (new,) = replaced(text)
    before, after = text.split(number)
    assert new.startswith(before)
    assert new.endswith(after)
    stands = new[len(before) : len(new) - len(after)]
    assert re.fullmatch(rf"\d{{{len(number)}}}", stands)
    assert stands != number


@pytest.mark.parametrize(
    "text",
    [
        "We avoid 200 and I said 300, he paid 450.",
        "Please discard 350 of them; remember 360 on the border 500.",
        "One spin 250, the suborder: 400.",
    ],
)
def test_a_word_that_only_ends_like_a_label_makes_no_number_identify(text: str) -> None:
    assert replaced(text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "My ID 450.",
        "The order_id 450.",
        "PIN: 450",
        "客户id 450",
        "The bankcard 450",
        "zipcode 450",
        "his cellphone: 450",
        "postcode 450",
    ],
)
def test_a_number_behind_a_label_identifies(text: str) -> None:
    (new,) = replaced(text)
    assert "450" not in new


def test_a_time_a_version_and_a_fraction_are_no_numbers_of_their_own() -> None:
    lines = ["At 10:3056 or 3.14159265, release 2.1.12345."]
    assert replaced(*lines) == lines


def test_amounts_keep_size_roundness_and_notation() -> None:
    new = replaced("$1,250.50 and 3000 yuan", "three thousand yuan, 3k dollars", "扣了三千块，3千元")
    assert re.fullmatch(r"\$\d,\d{3}\.\d\d and \d000 yuan", new[0])
    thousands = new[0].split()[2][0]
    words = "zero one two three four five six seven eight nine".split()  # noqa: SIM905
    assert thousands != "3"
    assert new[1] == f"{words[int(thousands)]} thousand yuan, {thousands}k dollars"
    han = "零一两三四五六七八九"[int(thousands)] if thousands != "2" else "两"
    assert new[2] in (f"扣了{han}千块，{thousands}千元", f"扣了二千块，{thousands}千元")


def test_dates_move_together_by_whole_weeks_to_the_reference_date() -> None:
    new = replaced(
        "On Monday, March 4th, 2024 and again on 2024-03-04.", "Then on 2024-03-15, the 20th of March."
    )
    # 4 March 2024 is a Monday and named twice; the Monday of the reference week is 6 January 2025.
    assert new[0] == "On Monday, January 6th, 2025 and again on 2025-01-06."
    # Eleven and sixteen days later.
    assert new[1] == "Then on 2025-01-17, the 22nd of January."


def test_dates_that_begin_with_the_day_move_too() -> None:
    # 25 December 1984 is a Tuesday, and so is 7 January 2025, in the reference week; 2089 weeks lie between.
    assert replaced("Born 25/12/1984.") == ["Born 07/01/2025."]
    assert replaced("Born 25.12.1984, I said.") == ["Born 07.01.2025, I said."]
    # Three days before it.
    assert replaced("On 25-12-1984, on 25-12-1984, and on 22-12-1984.") == [
        "On 07-01-2025, on 07-01-2025, and on 04-01-2025."
    ]


def test_chinese_dates_in_digits_and_characters() -> None:
    assert replaced("2024年3月4日（星期一）", "三月四号") == ["2025年1月6日（星期一）", "一月六号"]


def test_a_date_in_the_reference_week_moves_too() -> None:
    assert "January 8" not in replaced("On January 8th, 2025.")[0]


def test_where_every_day_of_the_year_is_named_there_is_none_to_move_to() -> None:
    leap_year = [datetime.date(2024, 1, 1) + datetime.timedelta(days=n) for n in range(366)]
    with pytest.raises(TooManyDates, match="366 different days are named: there is no day left"):
        replaced(" ".join(day.isoformat() for day in leap_year))


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Is that C A R T E R?", "person"),
        ("mr carter said", "person"),
        ("the number three, three, one, and a nine", "number"),
        ("it was 33-19", "number"),
        ("on the fourth of march", "date"),
        ("Meridian again", "company"),
        ("one thousand two hundred and fifty", "amount"),
        ("james dot carter at gmail dot com", "person"),
    ],
)
def test_the_check_finds_what_a_writer_left_in_any_spelling(text: str, kind: str) -> None:
    book = make_book([*CALL, "I paid 1250 dollars."])
    assert kind in {leak.kind for leak in leaks_in({"new": {"text": text}}, book)}


def test_the_check_does_not_cry_over_other_things() -> None:
    book = make_book(CALL)
    clean = "The cartridge of 3318 pages, on March 5th, was 201 dollars; a jamesonite. Kate's? No: Kat."
    leaks = leaks_in({"new": {"text": clean}}, book)
    assert {leak.original for leak in leaks} == {"Kate"}


def test_a_text_that_gives_a_name_away_is_refused_and_not_returned() -> None:
    # The characters of the name are described one by one; rules do not rewrite that.
    with pytest.raises(NotDeidentified, match="2 originals are left") as refused:
        deidentify({"call": ["我是张伟，弓长张，伟大的伟。", "张伟先生，张，伟，对吗？"]})
    assert {leak.kind for leak in refused.value.leaks} == {"person"}
    assert "张伟" not in str(refused.value)


def test_known_terms_are_replaced_though_no_rule_sees_them() -> None:
    line = "ask zorblatt about the flimflam plan at quux"
    assert replaced(line) == [line]
    terms = [Term(kind="company", text="zorblatt"), Term(kind="other", text="flimflam plan")]
    new = deidentify({"call": [line]}, terms=terms).documents["call"][0]
    assert "zorblatt" not in new
    assert "flimflam" not in new
    assert new.endswith("at quux")


def test_a_persona_keeps_its_shape() -> None:
    persona = {
        "language": "en",
        "demographics": {"name": "Quelda Brimsby", "age": 40},
        "role": "Brimsby runs a shop.",
        "must_ask": [{"id": "ask_brimsby_3319", "ask": ["Is 3319 my card number?"]}],
        "facts": [{"key": "card", "value": "card ending in 3319", "share": "asked"}],
    }
    new = deidentify({"p": persona}).documents["p"]
    assert new["language"] == "en"
    assert new["demographics"]["age"] == 40
    assert new["facts"][0]["share"] == "asked"
    assert new["role"].endswith(" runs a shop.")
    assert re.fullmatch(r"[a-z][a-z0-9_]*", new["must_ask"][0]["id"])
    assert not any("rimsby" in text or "3319" in text for _, text in strings_of(new))


def test_same_seed_same_replacements_and_another_seed_others() -> None:
    assert replaced(*CALL, seed=1) == replaced(*CALL, seed=1)
    assert replaced(*CALL, seed=1) != replaced(*CALL, seed=2)


def test_replacements_are_none_of_the_originals() -> None:
    book = make_book(["Mr. Zhang Qiang of Changjiang Bank paid 200 yuan, 300 yuan and 400 yuan."])
    originals = {original for _, original, _ in book.entries}
    assert not originals & {new for _, _, new in book.entries}


@settings(max_examples=40, deadline=None)
@given(
    digits=st.text("0123456789", min_size=4, max_size=16),
    amount=st.integers(min_value=100, max_value=999_999),
    seed=st.integers(min_value=0, max_value=5),
)
def test_any_card_and_amount_are_gone(digits: str, amount: int, seed: int) -> None:
    text = f"My card number is {digits}, and they took {amount} dollars."
    new = deidentify({"call": [text]}, seed=seed).documents["call"][0]
    card, money = re.fullmatch(r"My card number is (\d+), and they took (\d+) dollars\.", new).groups()  # type: ignore[union-attr]
    assert (len(card), len(money)) == (len(digits), len(str(amount)))
    assert digits not in card
    assert money != str(amount)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=200))
def test_any_text_is_survived(text: str) -> None:
    book = make_book([text])
    Replacer(book).replaced(text)
