"""Plans that nobody should write, and what is said of each: name -> (content, words of the message).

An alias bomb is nine lists of nine names of the one before: 9**9 values when it is written out.
"""

from __future__ import annotations

HEAD = "agent: http://127.0.0.1:1\ncalls:\n  - id: a\n    script: {lines: [{say: Hello}]}\n"

_BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
_LINE = "{say: x}"


def _call(fields: str) -> str:
    return f"{HEAD}    {fields}\n"


BAD_PLANS: dict[str, tuple[str | bytes, str]] = {
    # documents
    "nothing": ("", "is empty"),
    "blanks": (" \n\t\n", "is empty"),
    "comment": ("# a plan\n", "is empty"),
    "null": ("~\n", "a plan is a mapping"),
    "list": ("- a\n- b\n", "a plan is a mapping"),
    "text": ("hello", "a plan is a mapping"),
    "two documents": (HEAD + "---\n" + HEAD, "a second document"),
    "binary": (bytes(range(256)), "is not UTF-8 text"),
    "nul": (HEAD.encode() + b"\0", "not valid YAML"),
    "utf-16": (HEAD.encode("utf-16"), "is not UTF-8 text"),
    "latin-1": (HEAD.replace("Hello", "Zoë").encode("latin-1"), "is not UTF-8 text"),
    "half a surrogate in bytes": (HEAD.encode() + b"name: \xed\xa0\x80\n", "is not UTF-8 text"),
    "tab": ("calls:\n\t- id: a\n", "not valid YAML"),
    "open bracket": ("calls: [", "not valid YAML"),
    "open quote": ('calls: "', "not valid YAML"),
    "unknown directive": ("%TAG ! !\n%YAML 9.9\n---\na: 1\n", "not valid YAML"),
    "too large": (b"#" * 2_000_001, "the most that is read is 2000000"),
    # shapes
    "alias bomb": (_BOMB + HEAD, "anchors and aliases"),
    "recursive alias": ("calls: &a [*a]\n", "anchors and aliases"),
    "recursive mapping": ("calls: &a {b: *a}\n", "anchors and aliases"),
    "unknown alias": ("calls: *nobody\n", "anchors and aliases"),
    "merge key": ("x: &x {a: 1}\ncalls: [{<<: *x}]\n", "anchors and aliases"),
    "deep lists": ("calls: " + "[" * 100_000, "nested deeper than 30"),
    "deep closed lists": ("calls: " + "[" * 900 + "]" * 900, "nested deeper than 30"),
    "deep mappings": ("calls: " + "{a: " * 100_000, "nested deeper than 30"),
    "deep dashes": ("- " * 100_000, "nested deeper than 30"),
    "deep keys": ("? " * 50_000, "a key must be a plain word"),
    "deep indentation": ("".join(f"{' ' * n}a:\n" for n in range(1000)), "nested deeper than 30"),
    "many values": ("calls: [" + "," * 1_900_000, "not valid YAML"),
    "many lists": ("calls: [" + "[]," * 600_000 + "]", "more than"),
    "many keys": ("calls: {" + ",".join(f"{n:x}" for n in range(250_000)) + "}", "more than"),
    "key twice": (HEAD + "agent: http://other\n", ":5: 'agent' is there twice"),
    "list as key": ("? [a, b]\n: 1\n", "a key must be a plain word"),
    "mapping as key": ("{{a: 1}: 2}\n", "a key must be a plain word"),
    "number as key": ("1: 2\n" + HEAD, "1: Extra inputs are not permitted"),
    "null as key": ("~: 2\n" + HEAD, "Extra inputs are not permitted"),
    # values
    "impossible date as a name": (HEAD + "name: 2024-13-45\nseed: 2024-13-45\n", "seed: Input should be"),
    "impossible date": (_call("language: 2024-13-45"), "calls[0]: language"),
    "impossible time": (_call("limits: {call_s: 2024-01-01T99:99:99}"), "calls[0]: limits.call_s"),
    "digits": (HEAD + "seed: " + "9" * 5000 + "\n", "seed: a number of 5000 digits"),
    "digits in quotes": (HEAD + f'seed: "{"9" * 5000}"\n', "seed: "),
    "digits in hexadecimal": (HEAD + "seed: 0x" + "f" * 5000 + "\n", "seed: a number of 5002 digits"),
    "digits with points": (_call("limits: {call_s: " + "9" * 5000 + ".0}"), "calls.0.limits.call_s"),
    "trials": (HEAD + "trials: 1e9\n", "trials: "),
    "trials without end": (HEAD + "trials: .inf\n", "trials: .inf is no number that can be used"),
    "no number": (_call("limits: {call_s: .nan}"), "call_s: .nan is no number that can be used"),
    "infinite": (_call("request_data: {x: -.inf}"), "x: -.inf is no number that can be used"),
    "beyond a double": (_call("limits: {call_s: 1.0e+999}"), "call_s: 1.0e+999 is no number that can be"),
    "beyond a double in quotes": (_call('limits: {call_s: "1e999"}'), "calls[0]: limits.call_s"),
    "no number in quotes": (_call('limits: {call_s: "nan"}'), "calls[0]: limits.call_s"),
    "half a surrogate": (HEAD + 'name: "\\ud800"\n', ":5: not valid YAML"),
    "beyond Unicode": (HEAD + 'name: "\\U00110000"\n', ":5: not valid YAML"),
    "escape": (HEAD + 'name: "\\e[2J"\n', ":5: a control character"),
    "nul in a text": (HEAD + 'name: "a\\0b"\n', ":5: a control character"),
    "escape in a key": (HEAD + '"\\e]0;x\\a": 1\n', ":5: a control character"),
    "python": ("calls: !!python/object/apply:os.system ['true']\n", "the tag tag:yaml.org,2002:python"),
    "binary tag": (HEAD + "name: !!binary aGVsbG8=\n", "the tag tag:yaml.org,2002:binary"),
    "own tag": (HEAD + "name: !secret x\n", "the tag !secret is not allowed"),
    # fields
    "unknown field": (HEAD + "nam: x\n", "nam: Extra inputs are not permitted"),
    "unknown field with markup": (HEAD + "'[/]': x\n", "[/]: Extra inputs are not permitted"),
    "unknown field with a line": (HEAD + '"a\\nerror: b": x\n', "a error: b: Extra inputs"),
    "unknown field without end": (HEAD + "x" * 1000 + ": x\n", "Extra inputs are not permitted"),
    "id outside": (HEAD.replace("id: a", "id: ../../a"), "calls[0]: id"),
    "id twice": (HEAD + "  - id: a\n    script: {lines: [{say: Hello}]}\n", "calls[1].id: 'a' is there"),
    "calls are text": ("agent: http://x\ncalls: hello\n", "calls: a list is wanted"),
    "call is text": ("agent: http://x\ncalls: [hello]\n", "calls.0: a mapping is wanted, 'name: value'"),
    "no agent": (HEAD.partition("\n")[2], "no agent to call"),
    "many problems": (HEAD + "".join(f"x{n}: 1\n" for n in range(1000)), "and 980 more"),
    "calls without end": (HEAD.replace("calls:", "trials: 1000\ncalls:") + "".join(
        f"  - {{id: b{n}, script: {{lines: [{_LINE}]}}}}\n" for n in range(20)
    ), "more than 10000 calls"),
    "values without end": (
        f"agent: http://x\ntrials: 1000\ndefaults: {{request_data: {{x: [{'1,' * 5000}]}}}}\n"
        "calls: [{id: a, script: {lines: [{say: x}]}}]\n",
        "calls[0]: all calls and trials until here have more than 1000000 values",
    ),
    "defaults without end": (
        f"agent: http://x\ndefaults: {{request_data: {{x: [{'1,' * 5000}]}}}}\ncalls:\n"
        + "".join(f"- {{id: b{n}, script: {{lines: [{_LINE}]}}}}\n" for n in range(9000)),
        "more than 1000000 values",
    ),
}  # fmt: skip
