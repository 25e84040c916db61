"""The log of a call is begun with a codec that can be decoded, or not at all."""

from __future__ import annotations

import pytest

from harness.transports.base import MediaLog
from harness.transports.codecs.table import CODECS
from voice_sim.registry import UnknownPartError


def test_a_log_in_an_unknown_codec_is_refused_before_the_call_stands() -> None:
    with pytest.raises(UnknownPartError, match=r"unknown codec 'coo'; known: g722, opus"):
        MediaLog(codec="coo")
    assert [MediaLog(codec=name).codec for name in CODECS.names()] == CODECS.names()
