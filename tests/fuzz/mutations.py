"""Breaks valid input in ways that reach deep: one or a few places of it, the rest as it was."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from typing import Any

import yaml

MAX_BYTES = 200_000
_RAW = "\ufdd0raw{}\ufdd0"
"""Stands in a tree for text that no dumper would write."""

VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 1, 2**31, 2**63, 10**30, -(10**18), 0.0, -0.0, 1e-300, 1e308, 0.1, "", " ", "0",
    "null", "a" * 5000, "\x00", "\x1b[2J", "\u202e", "\u200b", "\n", "\r\n#", "\ud800", "../../etc/passwd",
    "/dev/zero", "[bold]x[/bold]", "{{7*7}}", "{slot}", "<script>", "=1+1", "%s%n", "${HOME}", "{env:HOME}",
    "中文。", "𝔘", "é" * 300, [], {}, [[]], {"": ""}, [None], ["a", "a"], {"id": {"id": {}}}, [1, "a", None],
)  # fmt: skip
RAW = {
    "json": (
        "NaN", "Infinity", "-Infinity", "1e999", "-1e999", "9" * 400, "9" * 5000, "1." + "0" * 400,
        "1E-400",
        '"\\ud800"', '"\\u0000"', "[" * 60 + "]" * 60,
        "[" * 3000 + "]" * 3000, '{"a":' * 500 + "1" + "}" * 500,
        '{"a":1,"a":2}', "[" + "0," * 3000 + "0]", "tru", "'a'", "01", "/*c*/1",
    ),
    "yaml": (
        ".nan", ".inf", "-.inf", "2024-13-45", "2024-02-30", "2024-02-29 25:61:61", "0x" + "f" * 300,
        "9" * 5000, "1:60:60", "0b" + "1" * 900, "1e999", "&a [*a]", "*nowhere", "&x {<<: *x}",
        "!!python/none ''",
        "!!binary aGk=", "!!set {a, b}", "!!timestamp 99999-01-01", "!!int 'x'", "!!float ''", "!!omap [a]",
        "!<tag:yaml.org,2002:pairs> [a]", "[" * 300 + "]" * 300, "{" * 90 + "}" * 90, "? [a]\n: b",
        "'\\ud800'",
        '"\\ud800"', '"\\U00110000"', "|\n  a\n b", "%YAML 9", "---", "...", "\t", "<<: [1, {a: b}]", "yes",
        "~",
        "12_3", "0o9", "- - -", "a: b: c", "@a", "`a`", "=", "&a {b: &b [*a, *b]}",
    ),
}  # fmt: skip


def mutate(data: bytes, *, form: str, kinds: str, chance: random.Random) -> bytes:
    """The input, broken; of the same kind."""
    kind, content = (data[:1], data[1:]) if kinds else (b"", data)
    if kinds and (kind.decode("latin-1") not in kinds or chance.random() < 0.02):
        kind = chance.choice(kinds).encode()
    of_kind = {b"y": "yaml", b"t": "text", b"l": "lines"}.get(kind, form) if "y" in kinds else form
    if form == "json" and kind == b"l":
        of_kind = "lines"
    for _ in range(chance.choice((1, 1, 1, 2, 2, 3, 6))):
        try:
            content = MUTATIONS[of_kind](content, chance)
        # A tree that cannot be written any more, or a text that was broken before: what is read here is read
        # by the libraries themselves, without our gate.
        except Exception:
            content = _bytes(content, chance)
        content = content[:MAX_BYTES]
    return (kind + content)[:MAX_BYTES]


def _json(data: bytes, chance: random.Random) -> bytes:
    if chance.random() < 0.2:
        return _text(data, chance)
    tree = _changed(json.loads(data), "json", chance)
    return _with_raw(json.dumps(tree, ensure_ascii=chance.random() < 0.5), '"', "json")


def _yaml(data: bytes, chance: random.Random) -> bytes:
    # Aliases of aliases, written out, would take for ever.
    if chance.random() < 0.3 or (b"&" in data and b"*" in data):
        return _text(data, chance)
    tree = _changed(yaml.safe_load(data), "yaml", chance)
    return _with_raw(yaml.safe_dump(tree, sort_keys=False, allow_unicode=True, width=100_000), "'", "yaml")


def _lines(data: bytes, chance: random.Random) -> bytes:
    lines = data.split(b"\n")
    place = chance.randrange(len(lines))
    lines[place] = _json(lines[place], chance) if chance.random() < 0.8 else _bytes(lines[place], chance)
    return b"\n".join(lines)


def _text(data: bytes, chance: random.Random) -> bytes:
    """Lines moved, doubled, dropped, indented, or one of the strange values put somewhere."""
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    first, second = chance.randrange(len(lines)), chance.randrange(len(lines))
    what = chance.randrange(8)
    if what == 0:
        del lines[first]
    elif what == 1:
        lines[first], lines[second] = lines[second], lines[first]
    elif what == 2:
        lines[first:first] = [lines[second]] * chance.choice((1, 3, 400))
    elif what == 3:
        lines[first] = chance.choice(("  ", "\t", "# ", "## ", "- ", "1. ", "> ", "**")) + lines[first]
    elif what == 4:
        lines[first] = lines[first].lstrip()
    elif what == 5:
        lines[first] = lines[first].replace(":", chance.choice(("", "::", "：", " :", ": :")), 1)
    else:
        at = chance.randrange(len(lines[first]) + 1)
        strange = [str(value) for value in VALUES] + list(RAW["yaml"])
        lines[first] = lines[first][:at] + chance.choice(strange) + lines[first][at:]
    return "\n".join(lines).encode("utf-8", "surrogatepass" if chance.random() < 0.5 else "replace")


def _bytes(data: bytes, chance: random.Random) -> bytes:
    """Bytes flipped, cut, doubled, moved, or set to an extreme number of one to four bytes."""
    content = bytearray(data)
    if not content:
        return chance.randbytes(chance.randrange(1, 40))
    at = chance.randrange(len(content))
    # What decides how a file is read stands at its beginning.
    at = min(at, chance.randrange(1, 200)) if chance.random() < 0.5 else at
    what = chance.randrange(6)
    if what == 0:
        content[at] ^= 1 << chance.randrange(8)
    elif what == 1:
        content[at] = chance.choice((0, 1, 0x7F, 0x80, 0xFF, chance.randrange(256)))
    elif what == 2:
        del content[at : at + chance.choice((1, 4, 64, len(content)))]
    elif what == 3:
        content[at:at] = content[at : at + chance.choice((1, 4, 64, 1000))]
    elif what == 4:
        content[at:at] = chance.randbytes(chance.choice((1, 4, 16)))
    else:
        size = chance.choice((1, 2, 4))
        number = chance.choice((0, 1, (1 << 8 * size) - 1, 1 << (8 * size - 1), (1 << (8 * size - 1)) - 1))
        content[at : at + size] = number.to_bytes(size, chance.choice(("little", "big")))
    return bytes(content)


def _changed(tree: Any, form: str, chance: random.Random) -> Any:
    """The tree with one place changed."""
    places: list[tuple[Any, Any]] = []
    _walk(tree, places, 0)
    if not places:
        return _strange(form, chance)
    inside, key = chance.choice(places)
    what = chance.randrange(10)
    if what < 5:
        inside[key] = _strange(form, chance)
    elif what == 5:
        del inside[key]
    elif what == 6:
        other, place = chance.choice(places)
        inside[key] = json.loads(json.dumps(other[place], default=str))
    elif what == 7:
        # Many, but not many of many: what is fuzzed is to run out of memory, and not who fuzzes it.
        often = chance.choice((1, 2, 500))
        inside[key] = [inside[key]] * (often if len(repr(inside[key])) * often < MAX_BYTES else 1)
    elif what == 8 and isinstance(inside, dict):
        inside[str(_strange(form, chance))[:300] if chance.random() < 0.5 else f"{key}x"] = inside.pop(key)
    elif isinstance(inside[key], str):
        text, at = inside[key], chance.randrange(len(inside[key]) + 1)
        inside[key] = text[:at] + str(chance.choice(VALUES)) + text[at:]
    else:
        inside[key] = str(inside[key])
    return tree


def _walk(tree: Any, places: list[tuple[Any, Any]], depth: int) -> None:
    if depth > 40 or len(places) > 20_000 or not isinstance(tree, dict | list):
        return
    for key, value in list(enumerate(tree)) if isinstance(tree, list) else list(tree.items()):
        places.append((tree, key))
        _walk(value, places, depth + 1)


def _strange(form: str, chance: random.Random) -> Any:
    if chance.random() < 0.4:
        return _RAW.format(chance.randrange(len(RAW[form])))
    value = chance.choice(VALUES)
    return json.loads(json.dumps(value)) if isinstance(value, dict | list) else value


def _with_raw(text: str, quote: str, form: str) -> bytes:
    for number, raw in enumerate(RAW[form]):
        stand_in = _RAW.format(number)
        if stand_in in text or json.dumps(stand_in) in text:
            for written in (json.dumps(stand_in), f"{quote}{stand_in}{quote}", stand_in):
                text = text.replace(written, raw)
    return text.encode("utf-8", "surrogatepass")


MUTATIONS: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "json": _json,
    "yaml": _yaml,
    "lines": _lines,
    "text": _text,
    "bytes": _bytes,
}
