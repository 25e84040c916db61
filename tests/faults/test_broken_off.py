"""Runs that are broken off: by Ctrl-C, by the loss of the caller's ears, by the death of the agent.

Nothing that was recorded is lost, nothing is left running, and the run goes on, or can be gone on with.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from harness.calls.voice.hearing.ears import Ears
from harness.plans.call import Limits
from harness.records.call import CallStatus, Event
from harness.runs.store import RunStore
from tests.faults.command_line import Command, call, command_of, good_call, start, write_plan
from tests.faults.placing import CLOSE_S, Ended, beneath_pacing, place, prepare
from tests.serving import serving_agent

pytestmark = [pytest.mark.live, pytest.mark.alone]

ENDED = (CallStatus.AGENT_HANGUP, CallStatus.CONNECTION_LOST, CallStatus.CALLER_HANGUP)
"""What becomes of a call to an agent that is killed, by what is noticed of it first."""
WORKER = "harness.calls.voice.hearing.ears_worker"


@pytest.fixture
def command(tmp_path: Path) -> Iterator[list[Command]]:
    """Commands that a test starts; those that it leaves running are ended."""
    started: list[Command] = []
    yield started
    for one in started:
        one.process.kill()
        one.process.wait()


@pytest.fixture(scope="module")
def deafened(
    calibration: str, faulty: str, joe_folder: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Command, Path]]:
    """A run whose ears are killed in its first call, and its folder. It goes on beside the other tests."""
    folder = tmp_path_factory.mktemp("deafened")
    calls = [call("deaf", f"{faulty}/never-stops"), good_call("next", calibration)]
    plan = write_plan(folder / "two.yaml", calls)
    running = start("run", str(plan), "--out", "run", "--no-score", "--live", folder=folder)

    def kill_the_ears() -> None:
        running.wait_for(lambda: "connected" in running.stdout, "the first call")
        time.sleep(1.0)
        (worker,) = running.children(WORKER)
        os.kill(worker, signal.SIGKILL)

    killing = threading.Thread(target=kill_the_ears)
    killing.start()
    yield running, folder / "run"
    running.process.kill()
    running.process.wait()
    killing.join()


@pytest.mark.usefixtures("deafened", "started_runs")
@pytest.mark.long
def test_ctrl_c_keeps_hangs_up_and_can_be_gone_on_with(
    calibration: str, joe_folder: Path, tmp_path: Path, command: list[Command]
) -> None:
    calls = [
        good_call("first", calibration),
        good_call("second", calibration),
        good_call("third", calibration),
    ]
    session = calls[1]["request_data"]["session"]
    calls[1]["request_data"]["behaviour"]["greeting"]["say"]["tone_ms"] = 2000
    plan = write_plan(tmp_path / "three.yaml", calls)
    again = ["run", str(plan), "--out", "run", "--no-score", "--live"]
    command.append(start(*again, folder=tmp_path))
    running = command[0]
    running.wait_for(lambda: running.stdout.count("connected") == 2, "the second call")
    time.sleep(0.8)
    workers = running.children(WORKER)
    assert len(workers) == 1
    store = RunStore(tmp_path / "run")
    kept = (store.call_folder("first") / "call.json").read_bytes()
    running.process.send_signal(signal.SIGINT)
    asked_at = time.monotonic()

    assert running.ends() == 130
    assert time.monotonic() - asked_at < CLOSE_S
    assert "Traceback" not in running.stdout + running.stderr
    assert "Interrupted. Go on with:" in running.stdout
    second = store.read_record("second")
    assert second is not None
    assert second.status is CallStatus.INTERRUPTED
    assert _has_speech_of_the_agent(store, "second")
    assert store.read_events("second")[-1].kind == "ended"
    assert store.read_record("third") is None
    assert not any(WORKER in command_of(worker) for worker in workers)
    # It has hung up: nothing more arrives at the agent.
    arrived = _arrived(calibration, session)
    time.sleep(0.3)
    assert arrived > 0
    assert _arrived(calibration, session) == arrived

    command.append(start(*again, folder=tmp_path))
    assert command[1].ends() in (0, 1), command[1].stderr
    assert "1 calls were complete already and are kept" in command[1].stdout
    assert (store.call_folder("first") / "call.json").read_bytes() == kept
    records = [store.read_record(call_id) for call_id in ("first", "second", "third")]
    ended = [record and beneath_pacing(record) for record in records]
    assert ended == [CallStatus.COMPLETED] * 3
    expected = 1 if any(record and record.status is CallStatus.HARNESS_FAULT for record in records) else 0
    assert command[1].process.returncode == expected
    info = store.read_info()
    assert info is not None
    assert info.finished_at is not None


def test_a_call_that_lost_its_ears_is_our_fault_and_the_next_has_new_ones(
    deafened: tuple[Command, Path],
) -> None:
    running, folder = deafened
    assert running.ends() == 1
    assert "Traceback" not in running.stdout + running.stderr
    store = RunStore(folder)
    deaf = store.read_record("deaf")
    assert deaf is not None
    assert deaf.status is CallStatus.HARNESS_FAULT
    assert "the process that listens for the caller has ended" in deaf.status_detail
    assert deaf.duration_s < 4.0
    assert _has_speech_of_the_agent(store, "deaf")
    after = store.read_record("next")
    assert after is not None
    assert beneath_pacing(after) is CallStatus.COMPLETED


@pytest.mark.long
def test_an_agent_that_dies_ends_its_calls_within_the_callers_patience() -> None:
    """Killed with -9, it says no goodbye: neither while it speaks, nor while it is spoken to."""
    limits = Limits(connect_s=5.0, first_speech_s=3.0, silence_s=3.0, call_s=20.0)
    greetings = {"while it speaks": 6000, "while it is spoken to": 300}
    killed_ns: list[int] = []

    async def calls(address: str, agent: subprocess.Popen[bytes]) -> list[Ended]:
        connected = asyncio.Semaphore(0)

        def note(event: Event) -> None:
            if event.kind == "connected":
                connected.release()

        async def kill() -> None:
            for _ in greetings:
                await connected.acquire()
            # The short greeting is over by then, and the caller has begun to speak.
            await asyncio.sleep(1.7)
            agent.kill()
            killed_ns.append(time.monotonic_ns())

        killing = asyncio.create_task(kill())
        async with Ears() as ears:
            ended = await asyncio.gather(
                *(
                    place(
                        prepare(
                            f"dead-{tone_ms}",
                            address,
                            limits=limits,
                            request_data={
                                "behaviour": {"greeting": {"after_ms": 100, "say": {"tone_ms": tone_ms}}}
                            },
                        ),
                        ears,
                        on_event=note,
                    )
                    for tone_ms in greetings.values()
                )
            )
        await killing
        return list(ended)

    with serving_agent("calibration") as (address, agent):
        ended = asyncio.run(calls(address, agent))
    for one in ended:
        assert one.status in ENDED, one.detail
        assert one.wall_s < limits.connect_s + 1.7 + limits.silence_s + 2.0 + CLOSE_S
        assert one.placed.recording is not None
        assert one.placed.recording.audio[:, 1].any()
    speaking, _ = ended
    stopped = speaking.placed.recording
    assert stopped is not None
    # What did not come before its death is not in the recording.
    died_s = speaking.placed.clock.at_s(killed_ns[0])
    assert not stopped.audio[round((died_s + 0.5) * 48_000) :, 1].any()


def _has_speech_of_the_agent(store: RunStore, call_id: str) -> bool:
    audio = store.read_audio(call_id)
    return audio is not None and bool(abs(audio[:, 1]).max() > 0.05)


def _arrived(calibration: str, session: str) -> int:
    """How many packets of a call have come to the calibration agent."""
    return len(httpx.get(f"{calibration}/truth/{session}", timeout=10).raise_for_status().json()["arrived"])
