"""Secrets are found again in whatever form they come back, and nothing else is taken for one."""

from __future__ import annotations

import base64
import html
import json
import statistics
import time
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.redaction import HIDDEN, Redactor

SECRET = 'cana/ry+"&ä 7'


def _knowing(*values: str) -> Redactor:
    made = Redactor()
    made.learn(*values)
    return made


@pytest.mark.parametrize(
    "form",
    [
        SECRET,
        quote(SECRET, safe=""),
        quote(SECRET, safe="").lower(),
        json.dumps(SECRET)[1:-1],
        json.dumps(SECRET, ensure_ascii=False)[1:-1],
        html.escape(SECRET),
        SECRET.encode().hex(),
        base64.b64encode(SECRET.encode()).decode(),
        base64.urlsafe_b64encode(SECRET.encode()).decode(),
    ],
)
def test_every_form_is_found(form: str) -> None:
    assert _knowing(SECRET).scrub(f"token={form}, wrong") == f"token={HIDDEN}, wrong"


@given(before=st.binary(max_size=9), after=st.binary(max_size=9))
def test_base64_of_something_longer_does_not_give_it_away(before: bytes, after: bytes) -> None:
    whole = base64.b64encode(before + b"canary-password" + after).decode()
    scrubbed = _knowing("canary-password").scrub(whole)
    assert HIDDEN in scrubbed
    # What is left has at most a byte of it at each end.
    assert len(whole) - (len(scrubbed) - len(HIDDEN)) >= len("canary-password") * 8 // 6 - 2


def test_a_short_one_is_found_as_a_word_and_a_very_short_one_not_at_all() -> None:
    known = _knowing("pass1", "pw")
    assert known.scrub("no pass1, no bypass12, pw") == f"no {HIDDEN}, no bypass12, pw"


def test_what_a_stranger_sent_keeps_its_form() -> None:
    data = {"text": "it was s3cret-token", "s3cret-token": [1.5, True, None, ("s3cret-token",)]}
    scrubbed = _knowing("s3cret-token").scrub_data(data)
    assert scrubbed == {"text": f"it was {HIDDEN}", HIDDEN: [1.5, True, None, [HIDDEN]]}


def test_a_figure_is_never_taken_for_a_secret() -> None:
    known = _knowing("12345678", "654321.25")
    document = json.dumps({"a": 0.12345678, "b": 654321.25, "c": "12345678"})
    known.learn("12345678-9012")
    assert json.loads(known.scrub_document(document)) == {"a": 0.12345678, "b": 654321.25, "c": "12345678"}
    lines = '{"t": 0.5, "text": "12345678-9012"}\n{"t": 1}\n'
    assert known.scrub_document(lines) == f'{{"t": 0.5, "text": "{HIDDEN}"}}\n{{"t": 1}}\n'
    assert json.loads(known.scrub_document('{"a": "x 12345678-9012"}')) == {"a": f"x {HIDDEN}"}
    assert known.scrub_document("<p>12345678-9012</p>") == f"<p>{HIDDEN}</p>"


def test_words_of_ours_are_left_alone_where_we_write_them() -> None:
    known = _knowing("completed")
    assert known.scrub_own("completed") == known.scrub_document('"completed"')[1:-1] == "completed"
    assert known.scrub("it said completed") == f"it said {HIDDEN}"


def test_nothing_known_is_nothing_done() -> None:
    known = Redactor()
    known.learn("", " a ", "abc")
    assert not known.knows_any
    assert known.scrub("abc") == known.scrub_own("abc") == known.scrub_document("abc") == "abc"
    assert known.scrub_data({"a": ("b",)}) == {"a": ("b",)}


def test_where_two_secrets_overlap_nothing_of_either_is_left() -> None:
    known = Redactor()
    known.learn("gate-4711-code")
    known.learn("code-north-wing", "gate-4711")
    assert known.scrub("a gate-4711-code-north-wing z") == f"a {HIDDEN} z"
    assert known.scrub("gate-4711-code, gate-4711") == f"{HIDDEN}, {HIDDEN}"


def test_one_more_secret_costs_no_more_than_the_first() -> None:
    """It is learnt beside calls, and whoever waits for it sends no sound meanwhile."""
    known = Redactor()
    cost_s = []
    for number in range(60):
        begun_s = time.perf_counter()
        known.learn(f"{number:04d}" * 40)
        cost_s.append(time.perf_counter() - begun_s)
    assert statistics.median(cost_s[-20:]) < 3 * statistics.median(cost_s[:20])
