"""A part of a run for each of several machines of a CI matrix: ``--shard 2/5`` is every fifth call, from the
second on.

A shard is a run of its own, which knows of what whole it is a part: ``merge`` puts the parts together.
"""

from __future__ import annotations

import re

from harness.errors import UserError
from harness.plans.run import RunPlan, Shard

MAX_SHARDS = 1000
_WRITTEN = re.compile(r"([0-9]{1,4})/([0-9]{1,4})")


def shard_of(plan: RunPlan, written: str) -> RunPlan:
    """The calls of one shard, in their order; each call is in one shard and in no other.

    Args:
        written: ``i/n``, from ``1/n`` to ``n/n``.

    Raises:
        UserError: It is none, or no call of the plan falls into it.
    """
    found = _WRITTEN.fullmatch(written)
    place, of = (int(part) for part in found.groups()) if found else (0, 0)
    if not 1 <= place <= of <= MAX_SHARDS:
        raise UserError(f"--shard '{written}': give i/n, from 1/n to n/n, at most {MAX_SHARDS} of them")
    units = plan.units[place - 1 :: of]
    if not units:
        raise UserError(f"--shard {written}: the plan has {len(plan.units)} calls, none for this one")
    own = {unit.id for unit in units}
    expect = {call: expected for call, expected in plan.checks.expect.items() if call in own}
    return plan.model_copy(
        update={
            "units": units,
            "checks": plan.checks.model_copy(update={"expect": expect}),
            "shard": Shard(
                place=place,
                of=of,
                plan_digest=plan.digest,
                call_ids=tuple(unit.id for unit in plan.units),
                notify=plan.notify,
                otel=plan.otel,
            ),
            # The whole is told of, once, and not its parts.
            "notify": None,
            "otel": False,
        }
    )
