"""A run on the machines of a Ray cluster: see :func:`hold_on_cluster`.

Every process that holds calls is an actor on a node, and an actor is never restarted: what was under way in
one that is lost is placed again by the run, which tells so; a retry of Ray's would place it behind our back.
Limits are a machine's: nodes of Ray's that share one share its limit.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import socket
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib.metadata import version
from typing import Any, Self

from harness._files.atomic_file import write_bytes
from harness.calls.conversation import Medium
from harness.errors import HarnessFault, NotWritten, UserError
from harness.plans.run import RunPlan
from harness.plans.unit import has_secrets_written_out
from harness.runs.batch import Outcome
from harness.runs.store import RunStore
from harness.runs.workers.admission import Admission
from harness.runs.workers.call_process import HANG_UP_S, HoldsCalls, OnTold
from harness.runs.workers.host import Host
from harness.runs.workers.many import Many, ManyWatcher
from harness.runs.workers.messages import Hold, Order, Told
from harness.runs.workers.node import NodeProcess, about_machine
from spoken_language.outside_text import one_line

START_S = 120.0
"""For a node to load what a call needs."""
HEAR_S = 1.0
KNOCK_S = 10.0
"""For somebody to answer at the address of a cluster."""
RECORDS = ("call.json", "dialogue.json")
"""A call that has one is complete: it is written last."""
_FILE = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


async def hold_on_cluster(
    plan: RunPlan,
    store: RunStore,
    *,
    medium: Medium,
    address: str,
    processes: int | None = None,
    within_s: float | None = None,
    watcher: ManyWatcher | None = None,
) -> Outcome:
    """Holds the calls that are missing on all machines of a cluster; what they leave is brought home.

    Args:
        address: Of the cluster: ``HOST:6379``, ``ray://HOST:10001``, or ``auto`` on one of its machines.
        processes: On each machine; default: as many as it has cores.
        medium, within_s, watcher: As in :func:`harness.runs.workers.local.hold_at_once`.

    Raises:
        UserError: There is no cluster, a machine has another version or none, or a plan has a secret written
            out, which does not leave this machine.
        HarnessFault: No machine is left that can place calls.
    """
    _without_secrets(plan)
    many = Many.of(plan, store, medium=medium, watcher=watcher)
    if not many.jobs:
        return await many.run([], within_s)
    with _connected(address):
        hosts = []
        for machine in await _machines():
            width = min(processes or machine.cores, plan.most_at_once, len(many.jobs))
            hosts.append(
                Host(
                    name=machine.name,
                    opens=partial(machine.opens, store),
                    admission=Admission(plan.most_at_once, load=plan.load),
                    processes=width,
                    watches=many,
                    room=many.room,
                )
            )
        return await many.run(hosts, within_s)


@dataclass(kw_only=True)
class Machine:
    """A machine of the cluster.

    Attributes:
        nodes: Ids of Ray's nodes on it.
    """

    name: str
    cores: int
    nodes: list[str] = field(default_factory=list)
    _opened: int = 0

    def opens(self, store: RunStore, on_told: OnTold) -> HoldsCalls:
        """A process on the next of its nodes that live.

        Raises:
            HarnessFault: None of them does.
        """
        living = [node for node in self.nodes if node in _living()]
        if not living:
            raise HarnessFault(f"{self.name} is no longer there")
        self._opened += 1
        return RemoteProcess(store, on_told, machine=self.name, node=living[self._opened % len(living)])


class RemoteProcess(HoldsCalls):
    """A process that holds calls on a node of the cluster.

    Args:
        store: The run at home.
        node: Ray's id of it.
    """

    def __init__(self, store: RunStore, on_told: OnTold, *, machine: str, node: str) -> None:
        super().__init__(on_told)
        self._store = store
        self._machine = machine
        self._node = node
        self._gone = ""
        self._where = ""
        self._ended = asyncio.Event()

    @property
    def where(self) -> str:
        return self._where

    @property
    def gone(self) -> str:
        return self._gone

    async def __aenter__(self) -> Self:
        import ray
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        placed = NodeAffinitySchedulingStrategy(node_id=self._node, soft=False)
        self._actor = (
            ray.remote(NodeProcess)
            .options(num_cpus=0, max_restarts=0, max_task_retries=0, scheduling_strategy=placed)
            .remote()
        )
        try:
            async with asyncio.timeout(START_S):
                self._where = f"{self._node[:8]}/{await self._actor.start.remote()}"
        except TimeoutError:
            self._kill()
            raise HarnessFault(f"{self._machine}: no process was ready after {START_S:.0f} s") from None
        except ray.exceptions.RayError as error:
            self._kill()
            raise HarnessFault(f"{self._machine}: {_told(error)}") from error
        self._hearing = asyncio.create_task(self._hear())
        return self

    async def __aexit__(self, *_: object) -> None:
        self._hearing.cancel()
        await asyncio.gather(self._hearing, return_exceptions=True)
        self._kill()

    def give(self, job: Hold) -> None:
        self.jobs[job.unit.id] = job
        self._actor.give.remote(job.open_line())

    def order(self, order: Order) -> None:
        self._actor.give.remote(order.line())

    async def hang_up(self) -> None:
        stopping = self._actor.stop.remote()
        with contextlib.suppress(TimeoutError, Exception):
            async with asyncio.timeout(HANG_UP_S + 5.0):
                await stopping
                await self._ended.wait()

    async def _hear(self) -> None:
        import ray

        try:
            while True:
                for line, files in await self._actor.hear.remote(HEAR_S):
                    told = Told.of(line)
                    if told.kind == "held":
                        await asyncio.to_thread(self._bring_home, told.call, files)
                    self.take(told)
        except ray.exceptions.RayTaskError as error:
            self._gone = f"a process on {self._machine} has ended: {_told(error)}"
        except ray.exceptions.RayError as error:
            self._gone = f"{self._machine} lost a node with a process in it: {_told(error)}"
        except NotWritten as error:
            self.take(Told(kind="failed", data={"message": str(error), "hint": error.hint, "written": False}))
        finally:
            self._gone = self._gone or f"a process on {self._machine} is not heard any more"
            self._ended.set()

    def _bring_home(self, call: str, files: Mapping[str, bytes]) -> None:
        """The files of a call, its record last."""
        folder = self._store.call_folder(call)
        try:
            for name in sorted(files, key=lambda name: name in RECORDS):
                if _FILE.fullmatch(name) is not None:
                    write_bytes(folder / name, files[name])
        except OSError as error:
            raise NotWritten.of(folder, error) from error

    def _kill(self) -> None:
        """Its own process hangs up when nobody is at its pipe any more."""
        import ray

        with contextlib.suppress(Exception):
            ray.kill(self._actor, no_restart=True)


def _without_secrets(plan: RunPlan) -> None:
    for unit in plan.units:
        if has_secrets_written_out(unit):
            raise UserError(
                f"call {unit.id}: has a secret written out, which does not leave this machine",
                hint="name it, {env:NAME}, and set the variable on every machine of the cluster",
            )


@contextlib.contextmanager
def _connected(address: str) -> Iterator[None]:
    """To a cluster, for as long as the block lasts.

    Raises:
        UserError: The extra is missing, or nobody answers.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError as error:
        raise UserError(
            "--ray needs the extra 'ray'", hint="pip install 'outboundeval[ray]' on every machine"
        ) from error
    try:
        _knocked(address)
        ray.init(
            address=address, log_to_driver=False, logging_level=logging.CRITICAL, namespace="outboundeval"
        )
    # Ray raises whatever it runs into: ConnectionError, ValueError, RuntimeError, AssertionError; a port
    # beyond 65535 is an OverflowError.
    except Exception as error:
        raise UserError(
            f"--ray {address}: no cluster answers there: {_told(error)}",
            hint="start one with 'ray start --head', and give its address",
        ) from error
    try:
        yield
    finally:
        ray.shutdown()


def _knocked(address: str) -> None:
    """Ray asks for minutes where nobody listens.

    Raises:
        OSError: Nobody does, at an address with a port.
    """
    found = re.fullmatch(r"(?:ray://)?(?P<host>[^/\s]+):(?P<port>[0-9]{1,5})", address)
    if found is None:
        return
    with socket.create_connection((found["host"].strip("[]"), int(found["port"])), timeout=KNOCK_S):
        return


def _living() -> Sequence[str]:
    import ray

    return [node["NodeID"] for node in ray.nodes() if node["Alive"]]


async def _machines() -> list[Machine]:
    """Of the cluster, each once.

    Raises:
        UserError: One has no outboundeval, or another version.
    """
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    own = version("outboundeval")
    asked: dict[str, Any] = {}
    for node in _living():
        placed = NodeAffinitySchedulingStrategy(node_id=node, soft=False)
        ask = ray.remote(about_machine).options(num_cpus=0, max_retries=0, scheduling_strategy=placed)
        asked[node] = ask.remote()
    found: dict[str, Machine] = {}
    for node, answer in asked.items():
        try:
            async with asyncio.timeout(START_S):
                about = await answer
        except TimeoutError:
            raise UserError(f"--ray: node {node[:8]} does not answer") from None
        except ray.exceptions.RayError as error:
            raise UserError(
                f"--ray: node {node[:8]} has no outboundeval that works: {_told(error)}",
                hint=f"install outboundeval {own} on every machine of the cluster",
            ) from error
        if about["version"] != own:
            raise UserError(
                f"--ray: {about['name']} has outboundeval {about['version']}, and here is {own}",
                hint="install the same version on every machine of the cluster",
            )
        machine = Machine(name=str(about["name"]), cores=int(about["cores"]))
        found.setdefault(str(about["machine"]), machine).nodes.append(node)
    return list(found.values())


def _told(error: Exception) -> str:
    """The last line of what Ray tells says most."""
    lines = [line for line in str(error).splitlines() if line.strip()]
    return one_line(lines[-1] if lines else type(error).__name__, most=300)
