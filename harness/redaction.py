"""Secret values that this process knows, and their places in any text that is kept or shown.

A secret reaches the wire and nothing else. That is so by construction where plans are concerned
(:mod:`harness.plans.secrets`: what is kept of one has no value in it); this is the last line of defence, for
what comes back: an agent that repeats the token in its error text, a library whose exception quotes an
address.

Whoever learns a secret tells :data:`KNOWN` (``learn``). Text of strangers goes through ``scrub`` at the
boundary, before it becomes an event, a detail or a name. What is written or printed goes through
``scrub_own`` or ``scrub_document``, which heed only what cannot be a word of ours.
"""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Collection, Iterable, Iterator
from typing import Any
from urllib.parse import quote, quote_plus

HIDDEN = "***"
"""What stands in the place of a secret."""

SHORTEST = 4
"""A value of fewer characters is in half of all words: it is not looked for by itself, only in the ``Basic``
form that it has with its user name."""
_ANYWHERE = 8
"""From so many characters on a value is found inside of words, too."""
_NO_WORD = 12
"""So many characters of a plain word (small letters, hyphens) are no longer one of ours by chance."""


class Redactor:
    """The secret values that are known, in every form in which they may come back.

    Forms: as it is, with URL escapes, with the escapes of JSON and HTML, in hexadecimal digits, and in
    base64, by itself or as a part of something longer (``Basic`` credentials).
    """

    def __init__(self) -> None:
        # A pattern for each, so that one more costs no more than the first: calls stand while it is learnt.
        self._everywhere: dict[str, re.Pattern[str]] = {}
        self._own: dict[str, re.Pattern[str]] = {}

    @property
    def knows_any(self) -> bool:
        """Whether there is anything to look for."""
        return bool(self._everywhere)

    def learn(self, *values: str) -> None:
        """Remembers values for as long as the process lives."""
        for value in values:
            stripped = value.strip()
            if len(stripped) < SHORTEST or stripped in self._everywhere:
                continue
            self._everywhere[stripped] = pattern = _pattern(stripped)
            if _is_no_word(stripped):
                self._own[stripped] = pattern

    def forget(self) -> None:
        """As in a process that has just begun."""
        self._everywhere, self._own = {}, {}

    def scrub(self, text: str) -> str:
        """The text of a stranger with :data:`HIDDEN` in place of every secret."""
        return _hidden(text, self._everywhere.values())

    def scrub_own(self, text: str) -> str:
        """Text that we made, on its way out. A secret that is a short plain word is left alone: it would turn
        up in our own."""
        return _hidden(text, self._own.values())

    def scrub_data(self, data: Any) -> Any:
        """Content of JSON from a stranger: its texts and keys scrubbed, everything else as it is."""
        return _scrubbed(data, self._everywhere.values()) if self._everywhere else data

    def scrub_document(self, text: str) -> str:
        """A file that we write: JSON, lines of JSON or anything else. The digits of a number are no secret,
        and a figure stays what it is."""
        own = self._own.values()
        if not any(pattern.search(text) for pattern in own):
            return text
        try:
            return json.dumps(_scrubbed(json.loads(text), own), ensure_ascii=False, indent=1) + "\n"
        except ValueError:
            pass
        lines = text.split("\n")
        try:
            done = [
                json.dumps(_scrubbed(json.loads(line), own), ensure_ascii=False) if line else line
                for line in lines
            ]
        except ValueError:
            return _hidden(text, own)
        return "\n".join(done)


KNOWN = Redactor()
"""What this process knows."""


def _hidden(text: str, secrets: Iterable[re.Pattern[str]]) -> str:
    """Where what is found of several secrets overlaps, the whole of it goes."""
    found = sorted(match.span() for secret in secrets for match in secret.finditer(text))
    if not found:
        return text
    parts: list[str] = []
    shown = 0
    for start, end in found:
        if start >= shown:
            parts += [text[shown:start], HIDDEN]
        shown = max(shown, end)
    return "".join([*parts, text[shown:]])


def _scrubbed(data: Any, secrets: Collection[re.Pattern[str]]) -> Any:
    if isinstance(data, str):
        return _hidden(data, secrets)
    if isinstance(data, dict):
        return {_scrubbed(key, secrets): _scrubbed(value, secrets) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_scrubbed(one, secrets) for one in data]
    return data


def _is_no_word(value: str) -> bool:
    return len(value) >= _NO_WORD or re.fullmatch(r"[a-z_\-]+|[0-9.]+", value) is None


def _pattern(value: str) -> re.Pattern[str]:
    # The longest first: a form may begin with another one.
    forms = "|".join(map(re.escape, sorted(set(_forms(value)), key=lambda form: (-len(form), form))))
    return re.compile(forms if len(value) >= _ANYWHERE else rf"(?<![A-Za-z0-9])(?:{forms})(?![A-Za-z0-9])")


def _forms(value: str) -> Iterator[str]:
    """Every form in which a value may come back, without repeats being looked after."""
    yield value
    for escaped in (quote(value, safe=""), quote_plus(value), quote(value)):
        yield escaped
        yield re.sub(r"%[0-9A-F]{2}", lambda found: found[0].lower(), escaped)
    yield json.dumps(value)[1:-1]
    yield json.dumps(value, ensure_ascii=False)[1:-1]
    yield html.escape(value)
    yield repr(value)[1:-1]
    raw = value.encode("utf-8", "replace")
    yield raw.hex()
    yield raw.hex().upper()
    if len(raw) >= _ANYWHERE:
        for before in range(3):
            yield from _inside_base64(raw, before)
    for plain in (base64.b64encode(raw), base64.urlsafe_b64encode(raw)):
        yield plain.decode()


def _inside_base64(raw: bytes, before: int) -> Iterator[str]:
    """The characters that base64 has for the bytes wherever they begin ``before`` bytes after a multiple of
    three, whatever stands around them."""
    encoded = base64.b64encode(bytes(before) + raw).decode().rstrip("=")
    first = -(-before * 8 // 6)
    whole = (before + len(raw)) * 8 // 6
    inner = encoded[first:whole]
    yield inner
    yield inner.translate(str.maketrans("+/", "-_"))
