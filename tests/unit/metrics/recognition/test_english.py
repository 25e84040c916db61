"""Whatever sounds the same must be written the same; what sounds different must not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metrics.recognition.english import normalize_english

SAME = [
    # Expected form first, then all that must come to it.
    ("25", "25", "twenty five", "Twenty-five.", "25,"),
    ("105", "105", "one hundred and five", "one hundred five", "a hundred and five", "one oh five", "1:05"),
    ("100 percent", "100%", "100 %", "one hundred percent", "a hundred per cent", "hundred percent"),
    ("1984", "1984", "nineteen eighty four", "nineteen eighty-four", "1,984"),
    ("2026", "2026", "twenty twenty six", "two thousand and twenty six", "two thousand twenty-six"),
    ("1200006", "1,200,006", "one million two hundred thousand and six"),
    ("2500", "2500", "twenty five hundred", "two thousand five hundred", "2 thousand 500", "2,500"),
    ("105000", "105,000", "one hundred and five thousand", "105 thousand"),
    ("2500000", "2.5 million", "two point five million", "2,500,000", "two million five hundred thousand"),
    ("3.14", "3.14", "three point one four", "three point fourteen"),
    ("0.5", "0.5", ".5", "zero point five", "point five"),
    ("1.05", "1.05", "one point oh five", "one point zero five"),
    ("21st", "21st", "twenty first", "twenty-first", "21ST"),
    ("101st", "101st", "one hundred and first", "hundred and first"),
    ("12th", "12th", "twelfth"),
    ("22nd", "22nd", "twenty second", "20-second", "20 second"),
    ("2000th", "2000th", "two thousandth"),
    ("5 dollars", "$5", "5 dollars", "five dollars", "$5.00", "US$5", "5$"),
    ("1 dollars", "$1", "one dollar"),
    ("5.50 dollars", "$5.50", "five dollars and fifty cents", "five dollars fifty", "5 dollars 50 cents"),
    ("5.05 dollars", "$5.05", "five dollars and five cents"),
    ("99 cents", "$0.99", "99 cents", "ninety nine cents"),
    ("2500000 dollars", "$2.5 million", "$2.5M", "two point five million dollars"),
    ("5800 rmb", "5,800 RMB", "five thousand eight hundred RMB", "fifty eight hundred RMB"),
    ("330", "3:30", "three thirty", "3 30"),
    ("at 330 tomorrow", "at 3:30 tomorrow", "at 3.30 tomorrow", "at three thirty tomorrow"),
    ("at 3.30 percent", "at 3.30 percent", "at 3.30%", "at three point three zero percent"),
    ("330 pm", "3:30 PM", "3:30 p.m.", "three thirty p m", "three thirty PM"),
    ("3 pm", "3 pm", "3:00 p.m.", "three o'clock PM", "three PM"),
    ("1005 am", "10:05 a.m.", "ten oh five am"),
    (
        "my number is 5551234567",
        "My number is 555-123-4567.",
        "my number is five five five one two three four five six seven",
        "My number is 555.123.4567",
        "my number is (555) 123 4567",
        "my number is triple five, one two three, four five six seven",
        "my number is five five five twelve thirty four five sixty seven",
    ),
    ("0771", "oh seven seven one", "0771", "zero seven seven one", "o seven seven one"),
    ("agent 007", "agent double oh seven", "Agent 007", "agent zero zero seven"),
    ("5551230", "five five five one two three oh", "555-1230"),
    ("may 52026", "May 5th, 2026", "may fifth twenty twenty six", "May 5, 2026"),
    ("do not", "don't", "do not", "Don’t", "dont"),
    ("i am sure it is not", "I'm sure it isn't", "I am sure it is not", "im sure it's not"),
    ("we will not have", "we won't have", "we will not have"),
    ("you can not", "you can't", "you cannot", "you can not"),
    ("it has been", "it's been", "it has been"),
    ("i had better", "I'd better", "I had better"),
    ("let us go", "let's go", "Let us go!"),
    ("they would", "they'd", "they would"),
    ("ok", "okay", "OK", "O.K.", "ok", "o k"),
    ("mr smith", "Mr. Smith", "mister Smith", "MR SMITH"),
    ("dr lee", "Dr. Lee", "doctor Lee"),
    ("johns car", "John's car", "johns car"),
    ("yes please", "Um, yes, uh, please.", "yes please", "mm-hmm yes erm please"),
    ("atm", "ATM", "A T M", "A.T.M.", "a. t. m."),
    ("my id", "my ID", "my I D", "my I.D."),
    ("liming at bank dot com", "liming@bank.com", "l i m i n g at bank dot com"),
    ("email", "e-mail", "email", "E-mail"),
    ("smith and sons", "Smith & Sons", "smith and sons"),
    ("cafe", "café", "cafe", "CAFÉ"),
    ("2 and a half hours", "2½ hours", "two and a half hours", "2 ½ hours"),
    ("247", "24/7", "twenty four seven"),
    ("covid 19", "COVID-19", "covid nineteen"),
    ("hello", "[BLANK_AUDIO] hello", "ｈｅｌｌｏ", "  Hello…  "),
    ("minus 5 degrees", "-5 degrees", "minus five degrees", "negative five degrees", "−5°"),
    ("minus 5 dollars", "-$5", "minus five dollars"),
    ("2 thirds", "2/3", "two thirds", "⅔"),
    ("a 3rd", "1/3", "one third", "a third", "⅓"),
    ("a half", "1/2", "½", "one half", "a half"),
    ("3 quarters", "3/4", "¾", "three quarters", "three fourths"),
    ("2 and 2 thirds cups", "2 2/3 cups", "two and two thirds cups", "2⅔ cups"),
    ("from 10 to 12", "from 10-12", "from ten to twelve", "from 10–12"),
    ("from 2019 to 2021", "from 2019-2021", "from twenty nineteen to twenty twenty one"),
    ("open from 9 to 5", "open from 9-5", "open from 9 - 5", "open from nine to five"),
    # A dash that parts sentences sounds as a comma does: not at all.
    ("a table at 74 people", "a table at 7 — 4 people", "a table at 7, 4 people", "a table at 7 - 4 people"),
    (
        "it leaves at 102 hours before that",
        "It leaves at 10 - 2 hours before that.",
        "It leaves at 10 – 2 hours before that.",
        "It leaves at 10, 2 hours before that.",
    ),
    (
        "it leaves at 10 am 2 hours later",
        "It leaves at 10 a.m. - 2 hours later",
        "It leaves at 10 am 2 hours later",
    ),
    ("50 dollars now 10 dollars less", "$50 now - $10 less", "$50 now, $10 less"),
    ("500 dollars 100 dollars less", "$500 - $100 less", "$500, $100 less", "$500 — $100 less"),
    ("50 to 60 dollars", "$50 - $60", "$50–60", "fifty to sixty dollars"),
    ("930 am to 5 pm", "9:30am-5pm", "9:30 a.m. – 5:00 p.m.", "nine thirty a m to five p m"),
    ("50 to 60 percent", "50%-60%", "50-60%", "fifty to sixty percent"),
    ("20 to 25 degrees celsius", "20°C-25°C", "twenty to twenty five degrees Celsius"),
    ("i am calling from 23456789", "I'm calling from 2345-6789.", "I am calling from 2345 6789"),
    ("oh no 2 is too early", "Oh no. 2 o'clock is too early.", "oh no two o'clock is too early"),
    ("flight number 5", "flight no. 5", "flight no.5", "flight number five"),
    ("suite 1 4th floor", "Suite 1, 4th floor", "suite one fourth floor", "suite one, fourth floor"),
    ("press 1 3rd option", "Press 1. Third option", "press one third option"),
    ("a 3rd of them", "1/3 of them", "one third of them", "a third of them", "one-third of them"),
    ("a quarter of the price", "1/4 of the price", "one fourth of the price", "a quarter of the price"),
    ("2 and a 3rd cups", "2 1/3 cups", "two and one third cups", "2⅓ cups", "two and a third cups"),
    ("a half hour", "1/2 hour", "½ hour", "one half hour", "a half hour"),
    ("my birthday is 58", "My birthday is 5/8", "my birthday is five eight"),
    ("on 34", "on 3/4", "on three four"),
    ("my appointment is 12", "My appointment is 1/2", "my appointment is one two"),
    ("the rest is a half", "The rest is 1/2", "the rest is one half", "the rest is a half"),
    ("number 1 half price", "Number one. Half price?", "number one half price"),
    ("20 to 25 degrees celsius outside", "20-25°C outside", "twenty to twenty five degrees Celsius outside"),
    ("rate it 910", "Rate it 9/10", "rate it nine ten"),
    ("9 tenths of it", "9/10 of it", "nine tenths of it"),
    ("3 and 5 eighths inches", "3 5/8 inches", "three and five eighths inches"),
    ("1 2nd", "1 sec", "one second", "1 second"),
    ("wait 20 seconds", "wait 20 secs", "wait 20 sec", "wait twenty seconds"),
    ("5 to 10 minutes", "5-10 minutes", "five to ten minutes"),
    # With spaces, what rises is a range.
    (
        "it takes 5 to 10 minutes",
        "It takes 5 – 10 minutes",
        "It takes 5 -10 minutes",
        "it takes five to ten minutes",
    ),
    ("2 to 3 business days", "2 - 3 business days", "2-3 business days", "two to three business days"),
    ("open 9 to 10 am", "open 9 - 10 am", "open 9-10 a.m.", "open nine to ten a m"),
    ("930 to 1030 am", "9:30-10:30 am", "9:30 – 10:30 a.m.", "nine thirty to ten thirty a m"),
    ("930 to 5", "9:30-5:00", "nine thirty to five", "nine thirty to five o'clock"),
    ("from 930 to 5", "from 9:30 - 5", "from nine thirty to five"),
    ("90 to 120 minutes", "90-120 minutes", "90 - 120 minutes", "ninety to one hundred twenty minutes"),
    ("1.5 to 2 hours", "1.5-2 hours", "1.5 - 2 hours", "one point five to two hours"),
    ("5 to 10 seconds", "5-10 seconds", "5 - 10 secs", "five to ten seconds"),
    ("a 5 to 10 minute wait", "a 5-10-minute wait", "a five to ten minute wait"),
    ("50 to 60 percent", "50% - 60%", "50 - 60%"),
    ("50 percent 40 percent less", "50% - 40% less", "50%, 40% less"),
    ("5550123 minutes", "555-0123 minutes", "555 0123 minutes"),
    ("20010 people", "200-10 people", "200, 10 people"),
    ("5551234", "555 - 1234", "555-1234", "five five five one two three four"),
    ("9 to 5 pm", "9-5 pm", "nine to five p m"),
    ("5 to 10 dollars", "$5-10", "$5-$10", "$5 - 10", "five to ten dollars"),
    ("20 dollars 25 minutes away", "$20 - 25 minutes away", "$20, 25 minutes away"),
    ("5 dollars 10 minutes later", "$5 - 10 minutes later", "five dollars, ten minutes later"),
    ("20 dollars 15 business days", "$20, 15 business days", "twenty dollars, fifteen business days"),
    ("5.50 dollars a month", "five dollars fifty a month", "$5.50 a month"),
    ("1000 to 1500 miles", "1000-1500 miles", "1,000 - 1,500 miles"),
    ("1000 to 2000 dollars", "1,000-2,000 dollars", "$1,000-$2,000", "$1k-$2k", "$1k - $2k"),
    ("800 to 1200 miles", "800-1200 miles", "eight hundred to twelve hundred miles"),
    ("i owe 5000 dollars 2 payments left", "I owe $5k - 2 payments left"),
    ("2000000 dollars 500 homes", "$2m - 500 homes"),
    ("5000 dollars 3000 dollars", "$5k - $3k", "$5k-$3k"),
    ("500000 to 1000000 dollars", "$500k-$1m", "$500k - $1m"),
    ("5 to 10000 dollars", "$5-10k", "five to ten thousand dollars"),
    ("1500000 to 2000000 dollars", "$1.5m-$2m", "1.5 million to 2 million dollars"),
    ("minus 5 to 10 degrees", "-5 – 10 degrees", "-5-10 degrees", "minus five to ten degrees"),
    ("minus 10 to minus 5 degrees", "-10 – -5 degrees"),
    ("call between 9 and 12", "call between 9 – 12", "call between 9-12", "call between nine and twelve"),
    ("4.50 to 5.50 dollars", "$4.50-5.50", "$4.50 - $5.50"),
    ("9 am to 5 pm", "9am-5pm", "9 a.m. - 5 p.m.", "nine a m to five p m"),
    ("99 cents", "99¢", "ninety nine cents"),
    ("20 degrees celsius", "20°C", "20℃", "twenty degrees Celsius", "20 degrees C"),
    ("330", "half past three", "3:30"),
    ("at 315", "at a quarter past three", "at quarter past 3", "at 3:15"),
    ("1245", "quarter to one", "12:45"),
    ("1 dollars", "a dollar", "$1"),
    ("1500000", "one and a half million", "1.5 million", "1½ million"),
    ("the 1990s", "the nineteen nineties", "the 1990s", "the 1990's"),
    ("the 90s", "the nineties", "the '90s", "the 90s"),
    ("i would have", "I'd've", "I would have"),
    ("could not have", "couldn't've", "could not have"),
    ("room number 5", "room No. 5", "room number five", "room #5"),
    ("wifi", "Wi-Fi", "wifi", "WiFi", "wi fi"),
    ("10 kilograms", "10 kg", "10kg", "ten kilograms"),
    ("1 kilogram", "1 kg", "one kilogram"),
    ("john dot smith at gmail dot com", "John.Smith@gmail.com.", "john dot smith at gmail dot com"),
    ("x dot 5 at y dot com", "x.5@y.com", "x dot five at y dot com"),
    ("a underscore b at c dash d dot org", "a_b@c-d.org", "a underscore b at c hyphen d dot org"),
    ("", "", "Um.", "...", "[MUSIC]", "uh-huh"),
]


@pytest.mark.parametrize("forms", SAME, ids=lambda forms: forms[0] or "nothing")
def test_same_sound_same_words(forms: tuple[str, ...]) -> None:
    expected, *written = forms
    assert {text: normalize_english(text) for text in written} == dict.fromkeys(written, expected)


@pytest.mark.parametrize("forms", SAME, ids=lambda forms: forms[0] or "nothing")
def test_normal_form_stays(forms: tuple[str, ...]) -> None:
    assert normalize_english(forms[0]) == forms[0]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("fifteen", "fifty"),
        ("$5", "5 pounds"),
        ("3:30 am", "3:30 pm"),
        ("five hundred", "five thousand"),
        ("he can", "he can't"),
        ("oh five people came", "zero five people came"),
        ("I have two. Oh, wait", "I have two zero wait"),
        ("between one hundred and two hundred", "between one hundred and two"),
        ("between 2,000 and 3,000", "five thousand"),
        ("the third", "the three"),
        ("color", "collar"),
        ("-5 degrees", "5 degrees"),
        ("2/3", "23"),
        ("1/2", "12"),
        ("from 10-12", "from 1012"),
        ("half past three", "three"),
        ("quarter to three", "quarter past three"),
        ("the 90s", "the 90"),
        ("1 kg", "1 km"),
        ("john.smith@x.com", "johnsmith@x.com"),
    ],
)
def test_different_sound_different_words(one: str, other: str) -> None:
    assert normalize_english(one) != normalize_english(other)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("between two thousand and three thousand", "between 2000 and 3000"),
        ("one hundred and two hundred", "100 and 200"),
        ("a dozen and a half", "a dozen and a half"),
        ("no one knows the point", "no 1 knows the point"),
        ("I am a b c d student", "i am abcd student"),
        ("plan a b", "plan a b"),
        ("in may I said", "in may i said"),
        # Hyphens and slashes of telephone numbers, codes and dates are no signs of anything.
        ("call from 555-1234", "call from 5551234"),
        ("call 555-1234 day or night", "call 5551234 day or night"),
        ("call 555-1234 people answer", "call 5551234 people answer"),
        ("between 555-1234 and me", "between 5551234 and me"),
        ("2019-2021", "20192021"),
        ("1000-1500", "10001500"),
        ("sort code 12-34-56", "sort code 123456"),
        ("room 12-14", "room 1214"),
        ("on 9/11", "on 911"),
        ("on 1/2/2024", "on 122024"),
        ("the US-5", "the us 5"),
        ("no. 5 of them", "no 5 of them"),
        ("half a million", "half 1000000"),
        ("and a half million for 5", "and a half 1000000 for 5"),
        ("a dozen and a half million", "a dozen and a half 1000000"),
        ("two and a half hours", "2 and a half hours"),
    ],
)
def test_words_beside_numbers_are_left_alone(text: str, expected: str) -> None:
    assert normalize_english(text) == expected


ONES = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
TEENS = ["ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen"]
TEENS += ["sixteen", "seventeen", "eighteen", "nineteen"]
UNITS = ONES + TEENS
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spell(number: int) -> str:
    """British English number words, written independently of the code under test."""
    if number < 20:
        return UNITS[number]
    if number < 100:
        return TENS[number // 10] + (f"-{UNITS[number % 10]}" if number % 10 else "")
    for size, name in ((10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred")):
        if number >= size:
            rest = number % size
            joint = " and " if 0 < rest < 100 else " "
            return f"{spell(number // size)} {name}" + (f"{joint}{spell(rest)}" if rest else "")
    raise AssertionError(number)


@settings(max_examples=300, deadline=None)
@given(st.integers(min_value=0, max_value=10**12 - 1))
def test_every_spelled_number_is_its_digits(number: int) -> None:
    assert normalize_english(spell(number)) == str(number)
    assert normalize_english(f"{number:,} dollars") == normalize_english(f"{spell(number)} dollars")


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, 9), min_size=3, max_size=15), st.data())
def test_digits_spoken_one_by_one_are_the_number_however_grouped(
    digits: list[int], data: st.DataObject
) -> None:
    written = "".join(map(str, digits))
    spoken = " ".join("oh" if digit == 0 and data.draw(st.booleans()) else UNITS[digit] for digit in digits)
    cut = data.draw(st.integers(1, len(digits) - 1))
    grouped = f"{written[:cut]}-{written[cut:]}"
    # Fewer than three digits beside the "oh" may be a sentence: "Oh, two people came."
    if sum(digit != 0 for digit in digits) >= 3:
        assert normalize_english(spoken) == written
    assert normalize_english(grouped) == written


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=80))
def test_any_text_has_a_normal_form(text: str) -> None:
    normal = normalize_english(text)
    assert normal == " ".join(normal.split())
    assert normal == normal.casefold()


def test_a_long_text_takes_no_longer_than_its_length() -> None:
    assert normalize_english("9" * 20_000) == "9" * 20_000
    assert normalize_english("one " * 20_000) == "1" * 20_000
    assert normalize_english("oh " * 20_000 + "$" * 20_000) == " ".join(["oh"] * 20_000)
