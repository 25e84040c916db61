"""Which codecs an offer names."""

from __future__ import annotations

import pytest
from aiortc import RTCPeerConnection

from harness.transports.codecs.table import CODECS
from harness.transports.webrtc.codec_choice import OFFERABLE, capabilities


async def test_an_offer_names_what_is_asked_for_in_that_order_and_no_more() -> None:
    pc = RTCPeerConnection()
    pc.addTransceiver("audio").setCodecPreferences(capabilities(["pcma", "opus", "g722"]))
    sdp = (await pc.createOffer()).sdp
    await pc.close()
    named = [line.split()[1] for line in sdp.splitlines() if line.startswith("a=rtpmap:")]
    assert named == ["PCMA/8000", "opus/48000/2", "G722/8000"]


def test_all_that_can_be_offered_is_in_the_table_of_codecs() -> None:
    assert set(OFFERABLE) <= set(CODECS.names())
    assert len(capabilities(OFFERABLE)) == len(OFFERABLE)


def test_what_webrtc_does_not_have_is_named_with_what_it_has() -> None:
    with pytest.raises(ValueError, match="pcm-16k; known: opus, pcmu, pcma, g722"):
        capabilities(["opus", "pcm-16k"])
