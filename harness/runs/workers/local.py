"""A run of several calls at once on this machine: see :func:`hold_at_once`."""

from __future__ import annotations

from functools import partial

from harness.calls.conversation import Medium
from harness.plans.run import RunPlan
from harness.runs.batch import Outcome
from harness.runs.store import RunStore
from harness.runs.workers.admission import Admission
from harness.runs.workers.call_process import CallProcess
from harness.runs.workers.host import Host, cores
from harness.runs.workers.many import Many, ManyWatcher


async def hold_at_once(
    plan: RunPlan,
    store: RunStore,
    *,
    medium: Medium,
    processes: int | None = None,
    within_s: float | None = None,
    watcher: ManyWatcher | None = None,
) -> Outcome:
    """Holds the calls that are missing, as many at once as the plan says and this machine carries.

    Ctrl-C hangs up what stands, keeps it, and returns. A call that was under way where one of our processes
    was killed is placed again, and its record says so.

    Args:
        medium: By which units are checked beforehand; each process opens its own.
        processes: How many hold calls; default: as many as cores, and no more than calls at once.
        within_s: After so many seconds nobody is dialled any more.

    Raises:
        UserError: A plan asks for something that is not to be had, or the folder holds something else.
        HarnessFault: The machine cannot keep time with even one call.
    """
    many = Many.of(plan, store, medium=medium, watcher=watcher)
    width = min(plan.most_at_once, len(many.jobs))
    host = Host(
        opens=partial(CallProcess, store.folder),
        admission=Admission(plan.most_at_once, load=plan.load),
        processes=min(processes or cores(), width),
        watches=many,
    )
    return await many.run([host] if many.jobs else [], within_s, makers=cores())
