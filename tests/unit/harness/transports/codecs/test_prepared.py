"""In which codec a call is prepared."""

from __future__ import annotations

import pytest

from harness.transports.codecs.prepared import UNENCODED, prepared_in


@pytest.mark.parametrize(
    ("usual", "offered", "codec"),
    [
        ("opus", (), "opus"),
        ("opus", ("pcmu",), "pcmu"),
        # Which it will be is known only with the answer.
        ("opus", ("opus", "pcmu"), UNENCODED),
        # Encodes while it runs, whatever is spoken.
        (UNENCODED, ("pcmu",), UNENCODED),
        (UNENCODED, (), UNENCODED),
    ],
)
def test_one_codec_is_encoded_before_the_call(usual: str, offered: tuple[str, ...], codec: str) -> None:
    assert prepared_in(usual, offered) == codec
