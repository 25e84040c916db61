"""Offer and answer within one call: what is agreed, and what of it may change later."""

from __future__ import annotations

import pytest

from harness.transports.sip.media.sdp import BadSdp, read_audio
from harness.transports.sip.negotiation import Negotiation


def sdp(formats: str = "0", *, direction: str = "sendrecv", profile: str = "AVP", more: str = "") -> bytes:
    return (
        f"v=0\r\no=- 1 1 IN IP4 10.0.0.2\r\ns=-\r\nc=IN IP4 10.0.0.2\r\nt=0 0\r\n"
        f"m=audio 4000 RTP/{profile} {formats}\r\na=rtpmap:96 opus/48000/2\r\n{more}a={direction}\r\n"
    ).encode()


def ours(*, secure: bool = False) -> Negotiation:
    return Negotiation(address="10.0.0.1", port=5000, codecs=("pcmu", "pcma", "g722", "opus"), secure=secure)


def test_the_codec_that_the_answer_puts_first_is_spoken() -> None:
    negotiation = ours()
    negotiation.offer()
    negotiation.take_answer(sdp("96 0"))
    assert negotiation.agreed is not None
    assert (negotiation.agreed.codec, negotiation.agreed.payload_type) == ("opus", 96)
    # What we called it counts as well.
    assert negotiation.agreed.accepted == {96, 111}


def test_a_hold_is_answered_and_keeps_the_codec() -> None:
    negotiation = ours()
    negotiation.offer()
    negotiation.take_answer(sdp("8"))
    answer = read_audio(negotiation.answer(sdp("0 8", direction="sendonly")))
    assert (answer.direction, answer.formats) == ("recvonly", (8,))
    assert negotiation.theirs is not None
    assert negotiation.theirs.on_hold
    with pytest.raises(BadSdp, match="no codec in common: we speak pcma"):
        negotiation.answer(sdp("0"))


def test_each_description_of_ours_is_a_newer_one() -> None:
    negotiation = ours()
    versions = [
        line.split()[2]
        for _ in range(2)
        for line in negotiation.offer().decode().split("\r\n")
        if line[:2] == "o="
    ]
    assert int(versions[1]) == int(versions[0]) + 1


def test_encrypted_sound_needs_a_key_of_each_side() -> None:
    negotiation = ours(secure=True)
    offered = read_audio(negotiation.offer())
    assert offered.secure
    assert len(offered.crypto) == 2
    with pytest.raises(BadSdp, match="it wants it in clear"):
        negotiation.take_answer(sdp())
    with pytest.raises(BadSdp, match="no key to decrypt"):
        negotiation.take_answer(sdp(profile="SAVP"))
    with pytest.raises(BadSdp, match="no key to decrypt"):
        # A key of half the length.
        negotiation.take_answer(
            sdp(profile="SAVP", more="a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:AAAA\r\n")
        )
    key = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNk"
    negotiation.take_answer(
        sdp(profile="SAVP", more=f"a=crypto:2 AES_CM_128_HMAC_SHA1_32 inline:{key}|2^20\r\n")
    )
    assert negotiation.encryption is not None


def test_nobody_turns_on_encryption_that_was_not_offered() -> None:
    negotiation = ours()
    negotiation.offer()
    with pytest.raises(BadSdp, match="encryption that nobody offered"):
        negotiation.take_answer(sdp(profile="SAVP"))


def test_an_answer_that_takes_no_audio_is_none() -> None:
    negotiation = ours()
    negotiation.offer()
    with pytest.raises(BadSdp, match="it takes no audio"):
        negotiation.take_answer(sdp().replace(b"audio 4000", b"audio 0"))


def numbered(opus: int, events: int) -> bytes:
    """Opus and its events, by these numbers."""
    return (
        "v=0\r\no=- 1 1 IN IP4 10.0.0.2\r\ns=-\r\nc=IN IP4 10.0.0.2\r\nt=0 0\r\n"
        f"m=audio 4000 RTP/AVP {opus} {events}\r\na=rtpmap:{opus} opus/48000/2\r\n"
        f"a=rtpmap:{events} telephone-event/48000\r\n"
    ).encode()


def test_within_a_call_the_codec_may_get_another_number() -> None:
    negotiation = ours()
    negotiation.answer(numbered(96, 101))
    answer = read_audio(negotiation.answer(numbered(107, 97)))
    assert answer.formats == (107, 97)
    agreed = negotiation.agreed
    assert agreed is not None
    # We send as the newer description says, and read what is still on its way, too.
    assert (agreed.payload_type, agreed.event_type) == (107, 97)
    assert (set(agreed.accepted), set(agreed.event_types)) == ({96, 107}, {97, 101})


def test_a_number_that_changes_sides_has_its_new_meaning_alone() -> None:
    negotiation = ours()
    negotiation.answer(numbered(96, 101))
    negotiation.answer(numbered(101, 96))
    agreed = negotiation.agreed
    assert agreed is not None
    assert (set(agreed.accepted), set(agreed.event_types)) == ({101}, {96})


def test_the_number_of_the_codec_in_the_answer_is_none_of_events() -> None:
    negotiation = ours()
    negotiation.offer()
    # Two numbers of ours the other way round: 101 and 110 were events, and 111 was Opus.
    negotiation.take_answer(numbered(101, 111))
    agreed = negotiation.agreed
    assert agreed is not None
    assert (set(agreed.accepted), set(agreed.event_types)) == ({101}, {111, 110})


def test_what_we_offer_within_a_call_has_the_numbers_that_were_agreed() -> None:
    negotiation = ours()
    negotiation.offer()
    negotiation.take_answer(numbered(96, 97))
    offer = read_audio(negotiation.offer())
    assert offer.formats == (96, 97)
    assert offer.named == {96: ("opus", 48_000), 97: ("telephone-event", 48_000)}
    negotiation.take_answer(numbered(107, 98))
    agreed = negotiation.agreed
    assert agreed is not None
    assert (agreed.payload_type, agreed.event_type) == (107, 98)
    assert agreed.accepted == {96, 107, 111}


def test_who_took_no_events_is_offered_them_again_within_the_call() -> None:
    negotiation = ours()
    negotiation.offer()
    negotiation.take_answer(sdp("8"))
    offer = read_audio(negotiation.offer())
    assert offer.formats == (8, 101)


def test_an_answer_that_names_more_within_a_call_changes_no_codec() -> None:
    negotiation = ours()
    negotiation.offer()
    negotiation.take_answer(sdp("8"))
    negotiation.offer()
    negotiation.take_answer(sdp("0 8"))
    assert negotiation.agreed is not None
    assert negotiation.agreed.codec == "pcma"


def test_our_own_offer_within_a_call_has_the_streams_of_theirs() -> None:
    negotiation = ours()
    negotiation.answer(sdp(profile="AVPF") + b"m=video 4002 RTP/AVP 97\r\n")
    lines = [line for line in negotiation.offer().decode().split("\r\n") if line.startswith("m=")]
    assert lines == ["m=audio 5000 RTP/AVPF 0 101", "m=video 0 RTP/AVP 97"]


KEY = "QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVphYmNk"


def keyed(*keys: str) -> bytes:
    """Encrypted, with these: how long the tag of each is, and what stands behind the key."""
    lines = []
    for place, one in enumerate(keys, 1):
        bits, bar, end = one.partition("|")
        lines.append(f"a=crypto:{place} AES_CM_128_HMAC_SHA1_{bits} inline:{KEY}{bar}{end}\r\n")
    return sdp(profile="SAVP", more="".join(lines))


def test_a_key_without_a_number_is_taken_before_one_with() -> None:
    negotiation = ours()
    answer = read_audio(negotiation.answer(keyed("80|2^31|1:1", "32|2^31")))
    assert [(one.tag, one.suite) for one in answer.crypto] == [(2, "AES_CM_128_HMAC_SHA1_32")]


@pytest.mark.parametrize("end", ["80|2^31|1:1", "80|1:4"])
def test_where_each_key_has_a_number_there_is_no_call(end: str) -> None:
    with pytest.raises(BadSdp, match="each of its keys has a number"):
        ours().answer(keyed(end))
    negotiation = ours(secure=True)
    negotiation.offer()
    with pytest.raises(BadSdp, match="each of its keys has a number"):
        negotiation.take_answer(keyed(end))


def test_the_same_keys_under_other_numbers_change_nothing() -> None:
    negotiation = ours(secure=True)
    negotiation.answer(keyed("80"))
    before = negotiation.encryption
    assert before is not None
    negotiation.answer(keyed("80|1:1", "80|2^20"))
    assert negotiation.encryption is before
    negotiation.answer(keyed("80").replace(b"QUJD", b"QUJE"))
    assert negotiation.encryption is not before
