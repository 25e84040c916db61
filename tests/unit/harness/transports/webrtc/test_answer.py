"""What an SDP answer must have, and which codec it took."""

from __future__ import annotations

import pytest

from harness.errors import SetupFailed
from harness.transports.webrtc.answer import MAX_CANDIDATES, check_answer

AGENT = "http://127.0.0.1:1"
ANSWER = (
    "v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\ns=-\r\nt=0 0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 96\r\n"
    "a=rtpmap:96 opus/48000/2\r\na=fingerprint:sha-256 AA:BB\r\n"
)


@pytest.mark.parametrize(
    ("sdp", "message"),
    [
        ("hello", "does not begin with v=0"),
        ("v=0\r\nm=video 9 X 1\r\n", "accepts no audio"),
        (ANSWER.replace("audio 9", "audio 0"), "accepts no audio"),
        (ANSWER.replace("opus/48000/2", "PCMU/8000"), r"no codec that we offered \(Opus\)"),
        (ANSWER.replace("opus/48000/2", "opus/16000/2"), r"no codec that we offered \(Opus\)"),
        (ANSWER.replace("fingerprint", "setup"), "no DTLS fingerprint"),
        (ANSWER + "a=candidate:x\r\n" * (MAX_CANDIDATES + 1), "more than 64 candidates"),
    ],
)
def test_what_is_no_usable_answer_is_told_in_words(sdp: str, message: str) -> None:
    with pytest.raises(SetupFailed, match=f"{AGENT}: its SDP answer .*{message}"):
        check_answer(AGENT, sdp, offered=["opus"])


@pytest.mark.parametrize(
    ("formats", "maps", "offered", "taken"),
    [
        ("96", ["96 opus/48000/2"], ["opus"], "opus"),
        ("0", [], ["opus", "pcmu", "pcma", "g722"], "pcmu"),
        ("8 0", [], ["opus", "pcmu", "pcma"], "pcma"),
        ("9", ["9 G722/8000"], ["opus", "g722"], "g722"),
        # What the agent puts first counts, not what we would rather have.
        ("0 96", ["96 opus/48000/2"], ["opus", "pcmu"], "pcmu"),
        # Not offered: passed over.
        ("0 96", ["96 opus/48000/2"], ["opus"], "opus"),
        ("13 101 8", ["13 CN/8000", "101 telephone-event/8000"], ["pcma"], "pcma"),
        # A static number that the answer means otherwise.
        ("0 8", ["0 weird/8000"], ["pcmu", "pcma"], "pcma"),
    ],
)
def test_the_codec_is_the_first_that_was_offered(
    formats: str, maps: list[str], offered: list[str], taken: str
) -> None:
    lines = "".join(f"a=rtpmap:{one}\r\n" for one in maps)
    sdp = f"v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF {formats}\r\n{lines}a=fingerprint:sha-256 AA\r\n"
    other = "m=video 9 UDP/TLS/RTP/SAVPF 97\r\na=rtpmap:97 opus/48000/2\r\n"
    assert check_answer(AGENT, sdp + other, offered=offered) == taken
