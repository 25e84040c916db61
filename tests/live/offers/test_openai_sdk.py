"""The calibration agent's way in for OpenAI's dialect, by OpenAI's own client: so the dialect that our calls
are calibrated in is not only our reading of it. And how our calls are refused there."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace

import httpx
import openai
import pytest
from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.mediastreams import AudioStreamTrack
from openai.types.realtime import RealtimeServerEvent
from pydantic import TypeAdapter

from harness.records.call import CallStatus
from harness.transports.webrtc.loopback import allow_loopback_candidates
from tests.faults.placing import LIMITS, WELL_BEHAVED, place_all, prepare
from tests.serving import serving_agent

pytestmark = [pytest.mark.live, pytest.mark.long]

KEY = "sk-of-this-test-0123456789"
PATIENT = LIMITS.model_copy(update={"connect_s": 15.0})


@pytest.fixture(scope="module")
def base() -> Iterator[str]:
    with serving_agent("calibration", "--key", KEY) as (address, _):
        yield f"{address}/v1"


def test_openais_own_client_dials_hears_events_and_hangs_up(base: str) -> None:
    asyncio.run(asyncio.wait_for(_dialled(base), 60))


async def _dialled(base: str) -> None:
    allow_loopback_candidates()
    pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    pc.addTrack(AudioStreamTrack())
    channel = pc.createDataChannel("oai-events")
    said: asyncio.Queue[str] = asyncio.Queue()
    closed = asyncio.Event()
    channel.on("message", said.put_nowait)
    pc.on("connectionstatechange", lambda: closed.set() if pc.connectionState == "closed" else None)
    await pc.setLocalDescription(await pc.createOffer())
    async with openai.AsyncOpenAI(api_key=KEY, base_url=base, max_retries=0) as client:
        answer = await client.realtime.calls.with_raw_response.create(
            sdp=pc.localDescription.sdp, session={"type": "realtime", "model": "calibration"}
        )
        assert answer.status_code == 201
        call_id = answer.headers["location"].rsplit("/", 1)[1]
        await pc.setRemoteDescription(RTCSessionDescription(sdp=answer.http_response.text, type="answer"))
        adapter: TypeAdapter[RealtimeServerEvent] = TypeAdapter(RealtimeServerEvent)
        # Its own types take what is sent.
        event = adapter.validate_python(json.loads(await said.get()))
        assert event.type == "session.created"
        await client.realtime.calls.hangup(call_id)
        await asyncio.wait_for(closed.wait(), 10)
        with pytest.raises(openai.BadRequestError, match="does not exist"):
            await client.realtime.calls.create(
                sdp="v=0", session={"type": "realtime", "model": "gpt-of-tomorrow"}
            )
    await pc.close()


def test_openais_own_client_reads_the_form_of_gpt_live(base: str) -> None:
    """Its successor's form: the offer in JSON, the answer and the call's id, too."""
    asyncio.run(asyncio.wait_for(_dialled_live(base), 60))


async def _dialled_live(base: str) -> None:
    allow_loopback_candidates()
    pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    pc.addTrack(AudioStreamTrack())
    pc.createDataChannel("oai-events")
    connected = asyncio.Event()
    pc.on("connectionstatechange", lambda: connected.set() if pc.connectionState == "connected" else None)
    await pc.setLocalDescription(await pc.createOffer())
    async with openai.AsyncOpenAI(api_key=KEY, base_url=base, max_retries=0) as client:
        made = await client.live.create(
            session={"model": "gpt-live-1"}, transport={"type": "webrtc", "sdp": pc.localDescription.sdp}
        )
        assert made.session.id
        assert made.transport.type == "webrtc"
        await pc.setRemoteDescription(RTCSessionDescription(sdp=made.transport.sdp, type="answer"))
        await asyncio.wait_for(connected.wait(), 20)
    await pc.close()


def test_our_calls_in_the_form_of_gpt_live_stand(base: str) -> None:
    call = prepare(
        "live",
        f"gpt-live+{base}?model=calibration",
        request_data={"session": {"outboundeval": {"session": "live", "behaviour": WELL_BEHAVED}}},
        headers={"Authorization": f"Bearer {KEY}"},
        limits=PATIENT,
    )
    ended = place_all({"live": call}).ended["live"]
    assert ended.status is CallStatus.COMPLETED, ended.detail
    log = httpx.get(f"{base.removesuffix('/v1')}/truth/live", timeout=10).raise_for_status().json()
    assert len(log["heard"]) == 1
    assert len(log["spoke"]) == 2


def test_our_calls_are_refused_with_reasons_and_keep_no_key(
    base: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = "sk-wrong-of-this-test-98765"
    monkeypatch.setenv("RIGHT_KEY", KEY)
    monkeypatch.setenv("WRONG_KEY", wrong)
    calls = {
        "no-key": prepare("no-key", f"openai+{base}", limits=PATIENT),
        "wrong-key": prepare("wrong-key", f"openai+{base}", limits=PATIENT),
        "no-model": prepare("no-model", f"openai+{base}?model=gpt-of-tomorrow", limits=PATIENT),
        "right": prepare("right", f"openai+{base}?model=calibration", limits=PATIENT),
    }
    for name, variable in (("wrong-key", "WRONG_KEY"), ("no-model", "RIGHT_KEY"), ("right", "RIGHT_KEY")):
        plan = calls[name].plan.dialled_with({"Authorization": f"Bearer {{env:{variable}}}"})
        calls[name] = replace(calls[name], plan=plan)
    batch = place_all(calls)
    told = {name: ended.detail for name, ended in batch.ended.items()}
    for name in ("no-key", "wrong-key"):
        assert batch.ended[name].status is CallStatus.SETUP_FAILED
        assert "answered 401" in told[name]
        assert "Incorrect API key" in told[name]
        assert "{env:NAME}" in told[name]
    assert "model_not_found" in told["no-model"]
    assert batch.ended["right"].status is not CallStatus.SETUP_FAILED, told["right"]
    kept = "".join(
        ended.placed.record.model_dump_json()
        + "".join(event.model_dump_json() for event in ended.placed.events)
        for ended in batch.ended.values()
    )
    assert KEY not in kept
    assert wrong not in kept


def test_it_takes_the_bare_offer_too(base: str) -> None:
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/sdp"}
    answer = httpx.post(f"{base}/realtime/calls", content="no offer", headers=headers, timeout=10)
    assert answer.status_code == 400
    assert answer.json()["error"]["message"]
