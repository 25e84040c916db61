"""SDP answers that no call can come of. Each takes the caller's offer and gives the answer's SDP.

Most are a real answer of a real peer with one thing spoilt.
"""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import Awaitable, Callable
from random import Random

import aioice
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription

from tests.faults.faulty_peers import LIFE_S, StillTrack, keep

CANDIDATES = 1000


async def real_answer(offer: str, *, alive: bool = True) -> str:
    """What a peer in good health answers. The peer goes away by itself, at once where it is not alive."""
    pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    await pc.setRemoteDescription(RTCSessionDescription(sdp=offer, type="offer"))
    pc.addTrack(StillTrack())
    await pc.setLocalDescription(await pc.createAnswer())
    keep(_close_later(pc, after_s=LIFE_S if alive else 0.0))
    return str(pc.localDescription.sdp)


async def _close_later(pc: RTCPeerConnection, *, after_s: float) -> None:
    await asyncio.sleep(after_s)
    await pc.close()


async def garbage(_: str) -> str:
    random = Random(1)
    return "v=0\r\n" + "".join(chr(random.randrange(32, 126)) for _ in range(2000))


async def garbage_lines(_: str) -> str:
    random = Random(2)
    lines = ("".join(chr(random.randrange(32, 126)) for _ in range(40)) for _ in range(200))
    return "v=0\r\nm=audio 9 UDP/TLS/RTP/SAVPF 96\r\na=" + "\r\na=".join(lines)


async def binary(_: str) -> str:
    return "v=0\r\nm=audio 9\x00\x01\x02\ud800\r\na=\x1b[2J"


async def truncated(offer: str) -> str:
    answer = await real_answer(offer)
    return answer[: answer.index("a=fingerprint") + 20]


async def huge(offer: str) -> str:
    """As long as an answer may be at all, nearly all of it attributes that nobody knows."""
    return await real_answer(offer) + "a=nonsense:0123456789\r\n" * 9000 + "m=nothing\r\n"


async def many_media(offer: str) -> str:
    return await real_answer(offer) + "m=audio 9 UDP/TLS/RTP/SAVPF 96\r\nc=IN IP4 0.0.0.0\r\n" * 2000


async def thousand_candidates(offer: str) -> str:
    answer = await real_answer(offer)
    line = next(line for line in answer.splitlines(keepends=True) if line.startswith("a=candidate:"))
    return answer.replace(line, line * CANDIDATES, 1)


async def no_audio(offer: str) -> str:
    return re.sub(r"m=audio \d+", "m=audio 0", await real_answer(offer))


async def only_pcmu(offer: str) -> str:
    answer = await real_answer(offer)
    answer = re.sub(r"(m=audio \d+ \S+) [\d ]+", r"\1 0", answer)
    return re.sub(r"a=(rtpmap|fmtp|rtcp-fb):.*\r\n", "", answer)


async def deaf(offer: str) -> str:
    """It would speak, but does not take our audio."""
    return (await real_answer(offer)).replace("a=sendrecv", "a=sendonly")


async def inactive(offer: str) -> str:
    return (await real_answer(offer)).replace("a=sendrecv", "a=inactive")


async def no_fingerprint(offer: str) -> str:
    return re.sub(r"a=fingerprint:.*\r\n", "", await real_answer(offer))


async def wrong_fingerprint(offer: str) -> str:
    return re.sub(r"(a=fingerprint:sha-\d+ )\S\S", r"\g<1>00", await real_answer(offer))


async def no_candidates(offer: str) -> str:
    return re.sub(r"a=candidate:.*\r\n", "", await real_answer(offer))


async def dead_port(offer: str) -> str:
    """Candidates at which nobody listens: connectivity checks never succeed."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    answer = await real_answer(offer, alive=False)
    return re.sub(r"(a=candidate:\S+ \d \S+ \d+ \S+) \d+", rf"\1 {port}", answer)


async def without_dtls(offer: str) -> str:
    """ICE comes about, but whoever is there never says a word of DTLS."""
    answer = await real_answer(offer)
    ice = aioice.Connection(ice_controlling=False)
    ice.remote_username = _attribute(offer, "ice-ufrag")
    ice.remote_password = _attribute(offer, "ice-pwd")
    await ice.gather_candidates()
    for line in re.findall(r"a=candidate:(.*)\r\n", offer):
        await ice.add_remote_candidate(aioice.Candidate.from_sdp(line))
    await ice.add_remote_candidate(None)
    keep(_stay_silent(ice))
    answer = re.sub(r"a=ice-ufrag:.*", f"a=ice-ufrag:{ice.local_username}\r", answer)
    answer = re.sub(r"a=ice-pwd:.*", f"a=ice-pwd:{ice.local_password}\r", answer)
    candidates = "".join(f"a=candidate:{candidate.to_sdp()}\r\n" for candidate in ice.local_candidates)
    answer = re.sub(r"a=candidate:.*\r\n", "", answer)
    return answer.replace("a=end-of-candidates\r\n", candidates + "a=end-of-candidates\r\n", 1)


async def _stay_silent(ice: aioice.Connection) -> None:
    try:
        async with asyncio.timeout(LIFE_S):
            await ice.connect()
            while True:
                await ice.recv()
    except (TimeoutError, ConnectionError):
        pass
    finally:
        await ice.close()


def _attribute(sdp: str, name: str) -> str:
    found = re.search(rf"a={name}:(\S+)", sdp)
    assert found is not None, f"the offer has no {name}"
    return found.group(1)


ANSWERS: dict[str, Callable[[str], Awaitable[str]]] = {
    "garbage-sdp": garbage,
    "garbage-lines-sdp": garbage_lines,
    "binary-sdp": binary,
    "truncated-sdp": truncated,
    "huge-sdp": huge,
    "many-media-sdp": many_media,
    "thousand-candidates": thousand_candidates,
    "no-audio": no_audio,
    "only-pcmu": only_pcmu,
    "deaf": deaf,
    "inactive": inactive,
    "no-fingerprint": no_fingerprint,
    "wrong-fingerprint": wrong_fingerprint,
    "no-candidates": no_candidates,
    "ice-never-completes": dead_port,
    "dtls-never-completes": without_dtls,
}
"""Kind -> answer."""
