"""Digests against the examples of RFC 7616 and RFC 2617, and what of a challenge cannot be answered."""

from __future__ import annotations

import pytest

from harness.transports.sip.signalling.digest import NoChallenge, answer, read_challenge, read_parameters

NONCE = "7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v"
CNONCE = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"
RFC_7616 = (
    'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm={algorithm}, '
    f'nonce="{NONCE}", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"'
)


@pytest.mark.parametrize(
    ("algorithm", "response"),
    [
        ("MD5", "8ca523f5e9506fed4657c9700eebdbec"),
        ("SHA-256", "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1"),
    ],
)
def test_the_examples_of_rfc_7616_come_out(algorithm: str, response: str) -> None:
    challenge = read_challenge([RFC_7616.format(algorithm=algorithm)])
    told = read_parameters(
        answer(
            challenge,
            method="GET",
            uri="/dir/index.html",
            user="Mufasa",
            password="Circle of Life",
            cnonce=CNONCE,
        )
    )
    assert told["response"] == response
    assert told["nc"] == "00000001"
    assert told["opaque"] == "FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"


def test_without_qop_the_digest_is_that_of_rfc_2069() -> None:
    # RFC 2069, with the correction of its erratum 749.
    challenge = read_challenge(
        ['Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc"']
    )
    told = read_parameters(
        answer(challenge, method="GET", uri="/dir/index.html", user="Mufasa", password="CircleOfLife")
    )
    assert told["response"] == "1949323746fe6a43ef61f9606e7febea"
    assert "qop" not in told
    assert "algorithm" not in told


def test_of_several_challenges_the_stronger_is_answered() -> None:
    both = [RFC_7616.format(algorithm=name) for name in ("MD5", "SHA-256")]
    assert read_challenge(both).algorithm == "sha-256"
    assert read_challenge(both[:1]).algorithm == "md5"


@pytest.mark.parametrize(
    "header",
    [
        'Basic realm="x"',
        'Digest realm="x", nonce="n", algorithm=SHA-512',
        'Digest realm="x"',
        'Digest realm="x", nonce="n", qop="auth-int"',
        'Digest realm="x", nonce="a\x07b"',
        "Digest",
        "",
    ],
)
def test_what_we_cannot_answer_is_told(header: str) -> None:
    with pytest.raises(NoChallenge, match="no digest with MD5 or SHA-256"):
        read_challenge([header])


def test_quotes_in_a_user_stay_inside_of_theirs() -> None:
    challenge = read_challenge(['Digest realm="x", nonce="n"'])
    told = read_parameters(answer(challenge, method="A", uri="u", user='bo"b', password="p"))
    assert told["username"] == 'bo"b'
