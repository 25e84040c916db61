"""What stands for what: every identifier of a set of texts, and the one thing that takes its place
everywhere."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from voice_sim.authoring.identifiers.dates import FoundDate, Shift, find_dates, shift_for
from voice_sim.authoring.identifiers.names import FoundName, find_names, name_of
from voice_sim.authoring.identifiers.numbers import number_spans
from voice_sim.authoring.identifiers.organisations import (
    EMAIL,
    HOUSE,
    LINK,
    POSTCODE,
    SPOKEN_EMAIL,
    STREET_ZH,
    UNIT,
    UNIT_ZH,
    FoundThing,
    find_things,
)
from voice_sim.authoring.identifiers.placeholders import (
    COMPANIES,
    PLACES,
    STANDARD_NAMES,
    STREETS,
    StandardName,
)
from voice_sim.authoring.identifiers.span import Kind
from voice_sim.authoring.identifiers.word_lists import COMPANY_KINDS_ZH

TermKind = Literal["person", "company", "place", "address", "other"]


@dataclass(frozen=True, kw_only=True)
class Term:
    """Something that somebody knows to be an identifier, whatever the rules say."""

    kind: TermKind
    text: str


@dataclass(frozen=True, kw_only=True)
class Person:
    """A name as it was found, and the standardized name in its place."""

    family: str
    given: str
    stands: StandardName
    gives: StandardName
    """Whose family name and whose given name: two people of one family keep one family name."""


@dataclass(kw_only=True)
class Book:
    """Originals and their replacements. Keys are folded as :class:`~..span.Span` has them.

    Attributes:
        persons: In order of appearance.
        names: Companies, places, streets and other terms: original -> (kind, replacement).
        numbers, amounts: Digits (or a code), or a value -> the same in the replacement.
        links: E-mail addresses and links, lower case -> replacement.
        houses: House and flat numbers.
        dates: Every date that was found.
        shift: How dates move.
    """

    persons: list[Person] = field(default_factory=list)
    names: dict[str, tuple[Kind, str]] = field(default_factory=dict)
    numbers: dict[str, str] = field(default_factory=dict)
    amounts: dict[str, str] = field(default_factory=dict)
    links: dict[str, tuple[Kind, str]] = field(default_factory=dict)
    houses: dict[str, str] = field(default_factory=dict)
    dates: list[FoundDate] = field(default_factory=list)
    shift: Shift

    @property
    def entries(self) -> list[tuple[Kind, str, str]]:
        """(kind, original, replacement) of everything, for a report that is kept apart."""
        people = [("person", *_full(person)) for person in self.persons]
        named = [(kind, original, new) for original, (kind, new) in self.names.items()]
        linked = [(kind, original, new) for original, (kind, new) in self.links.items()]
        numbers = [("number", original, new) for original, new in self.numbers.items()]
        amounts = [("amount", original, new) for original, new in self.amounts.items()]
        houses = [("address", original, new) for original, new in self.houses.items()]
        days = {
            (date.month, date.day): ("date", f"{date.month}-{date.day}", self.shift.moved(date).isoformat())
            for date in self.dates
            if date.whole
        }
        return [*people, *named, *linked, *numbers, *amounts, *houses, *days.values()]  # type: ignore[list-item]


def make_book(texts: Iterable[str], *, terms: Sequence[Term] = (), seed: int = 0) -> Book:
    """Looks for identifiers in all texts together and decides what stands for each.

    The same texts, terms and seed give the same book. No replacement is itself part of the texts.
    """
    everything = list(texts)
    rng = random.Random(seed)
    whole = "\n".join(everything)
    dates = [date for text in everything for date in find_dates(text)]
    book = Book(shift=shift_for(dates), dates=dates)
    found_things = [thing for text in everything for thing in find_things(text)]
    _name_things(book, [*_of_terms(terms), *found_things], whole)
    _name_people(
        book, [*_people_of(terms), *(name for text in everything for name in find_names(text))], whole
    )
    _number_links(book, everything)
    _number_numbers(book, everything, rng)
    return book


# ---- people


def _people_of(terms: Sequence[Term]) -> list[FoundName]:
    named = (name_of(term.text) for term in terms if term.kind == "person")
    return [name for name in named if name is not None]


def _name_people(book: Book, names: list[FoundName], whole: str) -> None:
    seen = set(re.findall(r"[a-z]+", whole.casefold())) | {name.family for name in names}
    pool = _standard_names(seen, whole)
    families: dict[str, StandardName] = {}
    givens: dict[str, StandardName] = {}
    done: set[tuple[str, str]] = set()
    companies = {original.casefold() for original in book.names}
    # Whole names first, so that "Mr Carter" is the James Carter of another line.
    for name in sorted(names, key=lambda one: not (one.family and one.given)):
        family, given = name.family.casefold(), name.given.casefold()
        if (family, given) in done or f"{given} {family}".strip() in companies:
            continue
        done.add((family, given))
        # A word that is a family name once is one everywhere.
        if not family and given in families:
            continue
        if not given and family in givens and family not in families:
            continue
        stands = families.get(family) if family else None
        gives = givens.get(given) if given else None
        if stands is None or gives is None:
            fresh = _next(pool, name, taken=stands or gives)
            stands, gives = stands or fresh, gives or fresh
        if family:
            families.setdefault(family, stands)
        if given:
            givens.setdefault(given, gives)
        book.persons.append(Person(family=name.family, given=name.given, stands=stands, gives=gives))


def _standard_names(seen: set[str], whole: str) -> list[StandardName]:
    free = [
        name
        for name in STANDARD_NAMES
        if not {name.family.casefold(), name.given.casefold()} & seen
        and name.family_zh not in seen
        and name.given_zh not in seen
        and name.family_zh + name.given_zh not in whole
    ]
    base = free or list(STANDARD_NAMES)
    mixed = [
        StandardName(
            family=one.family,
            given=other.given,
            family_zh=one.family_zh,
            given_zh=other.given_zh,
            gender=other.gender,
        )
        for one, other in itertools.permutations(base, 2)
    ]
    return [*free, *mixed]


def _next(pool: list[StandardName], name: FoundName, *, taken: StandardName | None) -> StandardName:
    fitting = [one for one in pool if name.gender in (None, one.gender)] or pool
    chosen = next((one for one in fitting if taken is None or one.family != taken.family), fitting[0])
    pool.remove(chosen)
    return chosen


def _full(person: Person) -> tuple[str, str]:
    if not (person.family + person.given).isascii():
        new = (person.stands.family_zh if person.family else "") + (
            person.gives.given_zh if person.given else ""
        )
        return person.family + person.given, new
    original = f"{person.given} {person.family}".strip()
    new_parts = [person.stands.family] if person.family else []
    return original, " ".join([*new_parts, *([person.gives.given] if person.given else [])])


# ---- companies, places, streets


def _of_terms(terms: Sequence[Term]) -> list[FoundThing | Term]:
    return [term for term in terms if term.kind != "person"]


def _name_things(book: Book, things: Sequence[FoundThing | Term], whole: str) -> None:
    folded = whole.casefold()
    pools = {
        kind: _fresh_names(names, folded)
        for kind, names in (("company", COMPANIES), ("place", PLACES), ("address", STREETS))
    }
    others = itertools.count(1)
    for thing in things:
        core = thing.text if isinstance(thing, Term) else thing.core
        kind_word = "" if isinstance(thing, Term) else thing.kind_word
        if core in book.names or core + kind_word in book.names:
            continue
        chinese = not core.isascii()
        if thing.kind == "other":
            book.names[core] = ("other", f"项目{next(others)}" if chinese else f"Item {next(others)}")
            continue
        english, han = next(pools[thing.kind])
        # A brand that ends in what it is (中国银行) keeps that word.
        tail = next(
            (kind for kind in COMPANY_KINDS_ZH if core.endswith(kind) and thing.kind == "company"), ""
        )
        book.names[core] = (thing.kind, han + tail if chinese else english)
        if isinstance(thing, FoundThing) and thing.kind == "company" and not chinese:
            short = "".join(word[0] for word in f"{core} {kind_word}".split() if word[0].isupper())
            if len(short) >= 3 and re.search(rf"(?<![^\W_]){short}(?![^\W_])", whole):
                book.names[short] = ("company", english)


def _fresh_names(names: Sequence[tuple[str, str]], folded: str) -> Iterator[tuple[str, str]]:
    free = [(name, han) for name, han in names if name.casefold() not in folded and han not in folded]
    yield from free
    for (one, one_zh), (other, other_zh) in itertools.permutations(free or names, 2):
        yield f"{one}{other.lower()}", f"{one_zh}{other_zh}"


# ---- links and numbers


def _number_links(book: Book, texts: Sequence[str]) -> None:
    for text in texts:
        for pattern, kind in ((EMAIL, "email"), (SPOKEN_EMAIL, "email"), (LINK, "link")):
            for found in pattern.finditer(text):
                key = found[0].lower()
                if key in book.links or (kind == "link" and any(key in email for email in book.links)):
                    continue
                number = 1 + sum(known == kind for known, _ in book.links.values())
                if pattern is SPOKEN_EMAIL:
                    book.links[key] = ("email", f"person{number} at mail dot example")
                elif kind == "email":
                    book.links[key] = ("email", f"person{number}@mail.example")
                else:
                    book.links[key] = ("link", f"www.site{number}.example")


def _number_numbers(book: Book, texts: Sequence[str], rng: random.Random) -> None:
    numbers: dict[str, None] = {}
    amounts: dict[str, None] = {}
    houses: dict[str, None] = {}
    for text in texts:
        for pattern in (HOUSE, UNIT, STREET_ZH, UNIT_ZH):
            houses.update((found["number"], None) for found in pattern.finditer(text) if found["number"])
        numbers.update((re.sub(r"\W", "", found[0]).upper(), None) for found in POSTCODE.finditer(text))
        plain = text
        for date in find_dates(text):
            plain = plain[: date.start] + " " * (date.end - date.start) + plain[date.end :]
        for span in number_spans(plain):
            if span.sure:
                (amounts if span.kind == "amount" else numbers)[span.key] = None
    taken = {*numbers, *amounts}
    for key in sorted(numbers, key=lambda one: (-len(one), list(numbers).index(one))):
        longer = next((other for other in book.numbers if other.endswith(key) or other.startswith(key)), None)
        if longer is not None:
            new = book.numbers[longer]
            part = new[-len(key) :] if longer.endswith(key) else new[: len(key)]
            if part not in taken:
                book.numbers[key] = part
                continue
        book.numbers[key] = _new_number(key, rng, taken)
        taken.add(book.numbers[key])
    for key in amounts:
        book.amounts[key] = _new_amount(key, rng, taken)
        taken.add(book.amounts[key])
    for key in houses:
        choices = [
            str(n) for n in range(11, 99) if str(n) not in houses and str(n) not in book.houses.values()
        ]
        book.houses[key] = rng.choice(choices or ["99"])


def _new_number(key: str, rng: random.Random, taken: set[str]) -> str:
    """As many digits and letters in the same places. One of seven digits or more has 1234 in it: it shows
    that nobody is called by it."""
    secrets = [one for one in taken if len(one) >= 4]
    new = key
    for attempt in range(1000):
        signs = [
            ("0" if sign == "0" and place == 0 else str(rng.randint(int(place == 0), 9)))
            if sign.isdigit()
            else rng.choice("ABCDEFGHJKLMNPRSTUVWXY")
            for place, sign in enumerate(key)
        ]
        if len(key) >= 7 and key[-8:-4].isdigit() and attempt < 500:
            signs[-8 if len(key) >= 8 else -7 : -4 if len(key) >= 8 else -3] = "1234"
        new = "".join(signs)
        if new not in taken and not any(secret in new for secret in secrets):
            return new
    return new


def _new_amount(key: str, rng: random.Random, taken: set[str]) -> str:
    """A value of the same size and roundness."""
    whole, _, fraction = key.partition(".")
    figures = whole.rstrip("0") or "0"
    zeros = len(whole) - len(figures)
    for attempt in range(1000):
        count = len(figures) + min(zeros, attempt // 100)
        low, high = 10 ** (count - 1), 10**count - 1
        new = str(rng.randint(max(1, low), max(1, high))) + "0" * (len(whole) - count)
        if fraction:
            new = f"{new}.{rng.randint(11, 99)}".rstrip("0")
        if new not in taken and len(new.partition(".")[0]) == len(whole):
            return new
    return str(int(float(key)) * 7 + 1)
