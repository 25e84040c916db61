"""Every way in: how a text of a stranger gets to us there, and what is made of it.

A new boundary is a function here: it takes the text, brings it in as the stranger would, and returns what
came in. ``LINES`` are those that keep several lines: a document's text, a chat's turn.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from aiohttp import web
from livekit.protocol import models
from pydantic import BaseModel
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelResponse, TextPart
from pydantic_ai.models.function import FunctionModel

from harness._files.json_file import BadJson, parse_json
from harness._files.yaml_file import parse_yaml
from harness.analysis.words import clip_lines
from harness.errors import SetupFailed, UserError
from harness.judging.people.answers import read_ratings
from harness.judging.reading.files import read_dialogues
from harness.models.language.failure import failure_of
from harness.plans.plan import expand_plan, load_plan
from harness.records.timeline import read_timeline
from harness.runs.reader import read_run
from harness.scenarios.importing.official_format import import_paths, read_task
from harness.transports.livekit.told.roster import Roster
from harness.transports.livekit.told.witness import FINAL, TRANSCRIPTION, Witness
from harness.transports.offers.exchange import exchange
from harness.transports.offers.fastrtc_messages import FastRTCMessages
from harness.transports.offers.inbox import Dialect, Inbox
from harness.transports.offers.known import FASTRTC, OPENAI
from harness.transports.offers.openai_events import OpenAIEvents
from harness.transports.offers.profile import Offer, Profile
from harness.transports.offers.server import Server
from harness.transports.smallwebrtc.rtvi import RtviInbox
from harness.transports.smallwebrtc.signalling import exchange_sdp
from harness.transports.webrtc.answer import check_answer
from harness.transports.webrtc.codec_choice import OFFERABLE
from harness.transports.webrtc.peer_connection import told
from metrics.dialogue.language_model.asking import AnswerStore, ask
from metrics.transcript import Segment, Transcript, Word
from tests.unit.harness.judging.people.sheets import small_sheet
from tests.unit.harness.scenarios.importing.task_file import task_text
from tests.unit.harness.stand_ins.chatting import ScriptedAgent, ScriptedCaller, hold
from voice_sim.asking import ask as ask_about_people

WAYS: dict[str, Callable[[str, Path], list[str]]] = {}
LINES: set[str] = set()
Way = Callable[[str, Path], list[str]]


def way(name: str, *, lines: bool = False) -> Callable[[Way], Way]:
    """Registers a way in."""

    def registered(function: Way) -> Way:
        WAYS[name] = function
        if lines:
            LINES.add(name)
        return function

    return registered


def texts(content: Any) -> Iterator[str]:
    """Every text and key in what JSON may hold."""
    if isinstance(content, str):
        yield content
    elif isinstance(content, dict):
        for key, value in content.items():
            yield from (*texts(key), *texts(value))
    elif isinstance(content, list | tuple):
        for value in content:
            yield from texts(value)


@contextmanager
def refused(*kinds: type[Exception]) -> Iterator[list[str]]:
    """What the refusal says; there has to be one."""
    said: list[str] = []
    with pytest.raises(kinds, match=r".") as refusal:
        yield said
    said.append(str(refusal.value))


# ---- an agent over WebRTC


def _rtvi(kind: str, **data: Any) -> list[str]:
    inbox = RtviInbox()
    event = inbox.read(json.dumps({"label": "rtvi-ai", "type": kind, "data": data}), t=1.0)
    assert event is not None
    return [*texts(event.data), inbox.agent_name]


@way("what the agent says of its words")
def _words(text: str, folder: Path) -> list[str]:
    return _rtvi("bot-output", text=text, aggregated_by=text, timestamp=text, spoken=True)


@way("what the agent says of the caller's words")
def _transcription(text: str, folder: Path) -> list[str]:
    return _rtvi("user-transcription", text=text, final=True)


@way("the agent's name")
def _name(text: str, folder: Path) -> list[str]:
    return _rtvi("bot-ready", version=text, about={"library": text, "library_version": text})


@way("the agent's error")
def _error(text: str, folder: Path) -> list[str]:
    return _rtvi("error", error=text, fatal=True)


@way("what a LiveKit agent says and hears")
def _livekit_words(text: str, folder: Path) -> list[str]:
    plain = text.encode("utf-8", "replace").decode()
    said: list[str] = []
    for sender in ("me", "bot"):
        witness = Witness("me")
        for value in (
            {"stream_header": {"stream_id": "1", "topic": TRANSCRIPTION, "attributes": {plain: plain}}},
            {"stream_chunk": {"stream_id": "1", "content": plain.encode()}},
            {"stream_trailer": {"stream_id": "1", "attributes": {FINAL: "true"}}},
        ):
            packet = models.DataPacket(participant_identity=sender, **value)
            said += [
                one
                for event in witness.read(packet.SerializeToString(), t=1.0)
                for one in (event.kind, *texts(event.data))
            ]
        said += [one for event in witness.state(plain, t=2.0) for one in texts(event.data)]
    return said


@way("who is in a LiveKit room")
def _livekit_room(text: str, folder: Path) -> list[str]:
    plain = text.encode("utf-8", "replace").decode()
    roster = Roster(own_identity="me", dispatched=False)
    track = models.TrackInfo(sid=plain, type=models.TrackType.AUDIO, mime_type=plain)
    kind = models.ParticipantInfo.Kind.AGENT
    here = models.ParticipantInfo(sid="PA_1", identity=plain, name=plain, kind=kind, tracks=[track])
    told = roster.update([here])
    assert roster.agent is not None
    assert roster.voice is not None
    return [*texts([data for _, data in told]), *roster.others, roster.agent.shown, *texts(roster.voice.told)]


@way("an answer that is no SDP")
def _answer(text: str, folder: Path) -> list[str]:
    said = [asyncio.run(_dialled({"detail": text}, status=status)) for status in (400, 200)]
    return [*said, asyncio.run(_dialled({"type": "answer", "sdp": text}, status=200))]


@way("a header of an answer")
def _header(text: str, folder: Path) -> list[str]:
    # What HTTP itself lets through: C1 and DEL in Latin-1.
    header = "".join(char for char in text if char not in "\r\n\0" and ord(char) < 256)
    return [asyncio.run(_dialled("no", status=500, header=header))]


async def _dialled(content: Any, *, status: int, header: str = "") -> str:
    async def handler(request: web.Request) -> web.StreamResponse:
        body = json.dumps(content).encode()
        if not header:
            return web.Response(body=body, status=status, content_type="application/json")
        # aiohttp refuses such headers, so the answer is written by hand.
        assert request.transport is not None
        head = f"HTTP/1.1 {status} X\r\nContent-Type: {header}\r\nContent-Length: {len(body)}\r\n\r\n"
        request.transport.write(head.encode("latin-1") + body)
        return web.Response()

    app = web.Application()
    app.router.add_post("/{any:.*}", handler)
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    assert site._server is not None
    port = site._server.sockets[0].getsockname()[1]  # type: ignore[attr-defined]
    try:
        with refused(SetupFailed) as said:
            await _exchange(f"http://127.0.0.1:{port}")
        return said[0]
    finally:
        await runner.cleanup()


async def _offer(servers: object) -> str:
    return "v=0\r\n"


async def _exchange(address: str) -> None:
    from harness.plans.on_the_wire import on_the_wire
    from harness.plans.secrets import kept_address

    answer = await exchange_sdp(on_the_wire(address, {}, {}), _offer, shown=kept_address(address))
    check_answer(address, answer, offered=OFFERABLE)


# ---- an agent that takes an offer over HTTP


def _over_channel(dialect: Dialect, *messages: dict[str, Any]) -> list[str]:
    inbox = Inbox(dialect=dialect)
    events = [event for message in messages for event in inbox.read(json.dumps(message), t=1.0)]
    events += inbox.close(t=2.0)
    assert events
    return [*(one for event in events for one in texts(event.data)), dialect.agent_name, dialect.over]


@way("oai-events of an agent")
def _openai(text: str, folder: Path) -> list[str]:
    said = {"type": "response.output_audio_transcript.done", "response_id": text, "transcript": text}
    done = {"id": text, "status": text, "status_details": {"reason": text}}
    return _over_channel(
        OpenAIEvents(),
        {"type": "session.created", "session": {"model": text}},
        {"type": "conversation.item.input_audio_transcription.completed", "transcript": text},
        said,
        {"type": "response.done", "response": done},
        {"type": "response.function_call_arguments.done", "name": text},
        {"type": "session.output_transcript.delta", "delta": text},
        {"type": "error", "error": {"message": text, "code": text}},
        {"type": "session.closed", "reason": text},
    )


@way("messages of a FastRTC agent")
def _fastrtc(text: str, folder: Path) -> list[str]:
    return _over_channel(
        FastRTCMessages(), {"type": "error", "message": text}, {"type": "end_stream", "data": text}
    )


@way("a refusal of an offer")
def _offer_refused(text: str, folder: Path) -> list[str]:
    failed = {"status": "failed", "meta": {"error": text, "limit": 1}}
    error = {"error": {"message": text, "code": text}}
    said = [asyncio.run(_offered(FASTRTC, httpx.Response(200, json=_sendable(failed))))]
    said += [
        asyncio.run(_offered(OPENAI, httpx.Response(status, json=_sendable(error)))) for status in (401, 500)
    ]
    plain = text.encode("utf-8", "replace")
    typed = {"content-type": "text/plain"}
    return [*said, asyncio.run(_offered(OPENAI, httpx.Response(415, content=plain, headers=typed)))]


def _sendable(content: Any) -> Any:
    return json.loads(json.dumps(content).replace("\\ud800", ""))


async def _offered(profile: Profile, response: httpx.Response) -> str:
    client = httpx.AsyncClient(transport=httpx.MockTransport(lambda request: response))
    server = Server(client=client, base="http://agent", query={}, shown="openai+http://agent")
    offer = Offer(sdp="v=0", call_id="1")
    with refused(SetupFailed) as said:
        await exchange(server, profile, offer, given_path="/x/realtime/calls")
    return said[0]


@way("what a library quotes of the agent")
def _library(text: str, folder: Path) -> list[str]:
    return [told(ValueError(text)), told(httpx.RemoteProtocolError(text))]


# ---- language models, recognisers


class _Answer(BaseModel):
    reason: str
    quotes: list[str]


def _model(text: str) -> FunctionModel:
    # pydantic refuses half of a surrogate by itself.
    said = text.replace("\ud800", "")
    answer = json.dumps({"reason": said, "quotes": [said]})
    return FunctionModel(lambda messages, info: ModelResponse(parts=[TextPart(answer)]))


class _Nothing(AnswerStore):
    def get(self, key: str) -> str | None:
        return None

    def put(self, key: str, answer: str) -> None:
        self.kept = answer


@way("a judge's answer", lines=True)
def _judge(text: str, folder: Path) -> list[str]:
    store = _Nothing()
    asked = asyncio.run(ask(_model(text), "?", _Answer, instructions="", max_tokens=9, key="k", store=store))
    assert asked.answer is not None
    return [*texts(asked.answer.model_dump()), *texts(json.loads(store.kept))]


@way("an answer about people", lines=True)
def _people(text: str, folder: Path) -> list[str]:
    asked = asyncio.run(ask_about_people(_model(text), "?", _Answer, instructions="", max_tokens=9))
    assert asked.answer is not None
    return list(texts(asked.answer.model_dump()))


@way("a turn of an agent in text", lines=True)
def _chat(text: str, folder: Path) -> list[str]:
    held = hold(ScriptedCaller("Yes?", "Good."), ScriptedAgent("Hello.", text, "Bye."), turns=6)
    said = [turn.text for turn in held.record.turns]
    assert any("begin" in one for one in said)
    return [*said, *(one for event in held.events for one in texts(event.data))]


@way("an error of a model's server")
def _server(text: str, folder: Path) -> list[str]:
    body = {"error": {"message": text}}
    return [failure_of(ModelHTTPError(400, "m", body)).text, failure_of(ValueError(text)).text]


@way("what a recogniser hears")
def _heard(text: str, folder: Path) -> list[str]:
    word = Word(word="x", start_s=0.0, end_s=1.0, probability=0.5)
    doubt = {"no_speech_probability": 0.0, "mean_log_probability": 0.0, "compression_ratio": 1.0}
    segment = Segment(start_s=0.0, end_s=1.0, text=text.replace("\ud800", ""), words=(word,), **doubt)
    lines = clip_lines(Transcript(language="en", segments=(segment,)))
    return [line.text for line in lines]


# ---- files


def _dialogue(text: str, **more: Any) -> dict[str, Any]:
    turns = [{"speaker": "agent", "text": text}, {"speaker": "caller", "text": "yes"}]
    flow = {"nodes": [{"id": "a", "criterion": "x", "key": True}]}
    return {"turns": turns, "flow": flow, "agent_prompt": text, **more}


def _of_dialogues(path: Path) -> list[str]:
    [found] = read_dialogues(path)
    return [
        found.id,
        found.competitor,
        found.domain,
        found.agent_prompt,
        *(turn.text for turn in found.dialogue.turns),
        *found.notes,
    ]


@way("a transcript in JSON", lines=True)
def _json(text: str, folder: Path) -> list[str]:
    path = folder / "a.json"
    path.write_text(json.dumps(_dialogue(text, **{"id": text, "model": text, text: 1})))
    return _of_dialogues(path)


@way("a transcript in YAML", lines=True)
def _yaml(text: str, folder: Path) -> list[str]:
    path = folder / "a.yaml"
    # YAML has no escape for half of a surrogate.
    written = text.replace("\ud800", "")
    path.write_text(yaml.safe_dump(_dialogue(written, id=written), default_style='"'))
    return _of_dialogues(path)


@way("a transcript in plain text", lines=True)
def _plain(text: str, folder: Path) -> list[str]:
    path = folder / "a.txt"
    flat = text.encode("utf-8", "replace").decode().replace("\n", " ").replace("\r", " ")
    path.write_text(f"Scenario: cs-bank-complaint/hesitant\nAgent: {flat}\nCaller: yes\n")
    return _of_dialogues(path)


@way("a speaker that nobody knows")
def _speaker(text: str, folder: Path) -> list[str]:
    path = folder / "a.json"
    path.write_text(json.dumps({"turns": [{"speaker": text, "text": "x"}]}))
    with refused(UserError) as said:
        read_dialogues(path)
    path.write_text(json.dumps({"turns": [{text: "x"}]}))
    with refused(UserError) as more:
        read_dialogues(path)
    return said + more


@way("a key in JSON that is there twice")
def _twice(text: str, folder: Path) -> list[str]:
    key = json.dumps(text)
    with refused(BadJson) as said:
        parse_json(f"{{{key}: 1, {key}: 2}}")
    return said


@way("a field of a plan that nobody knows")
def _plan_key(text: str, folder: Path) -> list[str]:
    path = folder / "plan.yaml"
    printable = "".join(char for char in text if char.isprintable() or char == "\n")
    path.write_text(json.dumps({printable: 1, "agent": "http://x", "calls": [{printable: 1}]}))
    with refused(UserError) as said:
        load_plan(path)
    with refused(UserError) as more:
        expand_plan({"agent": "x", "calls": [{text: 1}]}, where="plan")
    return [line for told_ in said + more for line in told_.split("\n")]


@way("a plan with control characters")
def _plan_text(text: str, folder: Path) -> list[str]:
    written = json.dumps({"name": text.replace("\ud800", "")})
    with refused(UserError) as said:
        parse_yaml(written, path=Path("plan.yaml"), typed=True)
    return said


@way("YAML that is none")
def _no_yaml(text: str, folder: Path) -> list[str]:
    said = []
    for number, start in enumerate(("a: [", "%TAG ", "!", "*", '"', "? - ")):
        path = folder / f"{number}.yaml"
        path.write_bytes((start + text).encode("utf-8", "replace"))
        with refused(UserError) as one:
            parse_yaml(path.read_bytes().decode(), path=Path("a.yaml"))
        said += one
    return said


@way("a timeline of a foreign run", lines=True)
def _timeline(text: str, folder: Path) -> list[str]:
    event = {"t": 1, "side": "agent", "kind": text, "source": text, "data": {text: [text, {"a": text}]}}
    (folder / "timeline.jsonl").write_text(json.dumps(event) + "\n")
    [found] = read_timeline(folder / "timeline.jsonl").events
    return [found.kind, found.source, *texts(found.data)]


@way("what is wrong with a file of a foreign run")
def _run(text: str, folder: Path) -> list[str]:
    (folder / "calls" / "one").mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps({text: text, "call_ids": ["../x"]}))
    (folder / "calls" / "one" / "call.json").write_text(json.dumps({"status": text, text: 1}))
    run = read_run(folder)
    problems = [*run.problems, *(problem for call in run.calls for problem in call.problems)]
    assert len(problems) >= 2
    return [part for problem in problems for part in (problem.file, problem.what)]


@way("a call id of a foreign run")
def _call_id(text: str, folder: Path) -> list[str]:
    info = {"name": "x", "started_at": "", "outboundeval": "", "plan_digest": "", "agents": []}
    (folder / "calls").mkdir()
    (folder / "run.json").write_text(json.dumps({**info, "call_ids": [text, "../../" + text]}))
    run = read_run(folder)
    assert run.calls == ()
    assert len(run.problems) >= 2
    return [problem.what for problem in run.problems]


@way("a task file", lines=True)
def _task(text: str, folder: Path) -> list[str]:
    path = folder / "task-1-1-1-1.md"
    # With a NUL it would be a binary file.
    flat = text.encode("utf-8", "replace").decode().replace("\0", "")
    path.write_bytes(task_text().replace("说话干脆", flat).encode())
    scenario = read_task(path)
    return list(texts(scenario.model_dump(mode="json")))


@way("a task file that is none")
def _no_task(text: str, folder: Path) -> list[str]:
    (folder / "task-1-1-1-1.md").write_bytes(b"# " + text.encode("utf-8", "replace"))
    [(_, reason)] = import_paths([folder], folder / "out").refused
    return [reason]


@way("a rater's file", lines=True)
def _ratings(text: str, folder: Path) -> list[str]:
    sheet = small_sheet()
    item = sheet.items[0]
    question = item.questions[0]
    path = folder / "r.json"
    answer = {"value": question.values[0], "why": text}
    if question.turn_for == question.values[0]:
        answer["turn"] = question.turns[0]
    head = {"format": "outboundeval-ratings", "version": 1, "sheet": sheet.id, "rater": text[:50]}
    path.write_text(json.dumps({**head, "answers": {item.id: {question.id: answer}}}))
    [found] = read_ratings([path], sheet)
    return [found.rater, *texts(found.model_dump())]


@way("a rater's file that is none")
def _no_ratings(text: str, folder: Path) -> list[str]:
    path = folder / "r.json"
    path.write_text(json.dumps({text: text, "rater": 1}))
    with refused(UserError) as said:
        read_ratings([path], small_sheet())
    return [line for one in said for line in one.split("\n")]
