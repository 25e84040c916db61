"""Begins a run in a folder, or goes on with it where an earlier start left it."""

from __future__ import annotations

import datetime
import os
import platform
import uuid
from collections.abc import Mapping
from typing import Any

from harness.errors import UserError
from harness.plans.run import RunPlan
from harness.records.run import Machine, RunInfo
from harness.runs.benchmark_version import benchmark_version
from harness.runs.lock import holds_run, must_be_usable
from harness.runs.store import RunStore
from harness.versions import joined_versions
from spoken_language.outside_text import one_line

REVISIONS = ("GITHUB_SHA", "CI_COMMIT_SHA", "GIT_COMMIT", "BUILD_SOURCEVERSION")
"""GitHub, GitLab, Jenkins, Azure."""
BRANCHES = ("GITHUB_REF", "CI_COMMIT_BRANCH", "BRANCH_NAME", "GIT_BRANCH", "BUILD_SOURCEBRANCH")
"""Of the same (Jenkins: of a pipeline with many branches, and of any other). None of them takes a request to
merge for a branch, not even one from somebody else's ``main``: it is ``refs/pull/7/merge``, ``PR-7``, or not
set."""


def open_run(plan: RunPlan, store: RunStore, *, versions: Mapping[str, str]) -> RunInfo:
    """The run's ``run.json``, as it was or as it is written now. Where it was, it tells what placed the calls
    that are there: before others are placed, :func:`placed_by` adds what places these.

    Raises:
        UserError: The folder holds something else, or a run of another plan.
    """
    must_be_usable(store.folder)
    existing = store.read_info()
    if existing is not None and existing.plan_digest != plan.digest:
        raise UserError(
            f"{store.folder}: holds a run of another plan ({_described(existing)}); "
            "give the same options as then, another --out, or remove that folder"
        )
    if existing is None and holds_run(store.folder):
        # Calls without a run.json: of what plan they are is not known.
        raise UserError(f"{store.folder}: is not empty and holds no run; give another --out")
    info = existing or RunInfo(
        name=plan.name,
        run_id=uuid.uuid4().hex,
        started_at=now(),
        outboundeval=versions.get("outboundeval", "unknown"),
        machine=Machine(cpu_count=os.cpu_count(), platform=platform.platform()),
        plan_digest=plan.digest,
        agents=sorted({call.agent for call in plan.calls}),
        call_ids=[call.call_id for call in plan.calls],
        versions=_whole(versions),
        revision=revision(),
        branch=branch(),
        shard=plan.shard,
        **_of_text(plan),
    )
    store.write_info(info)
    if info.kind == "calls":
        store.write_checks(plan.checks)
    return info


def placed_by(info: RunInfo, store: RunStore, *, versions: Mapping[str, str]) -> RunInfo:
    """The run's ``run.json`` before calls are placed that were missing: with today's versions beside those of
    the calls that are there, so that nobody compares the run as if one of them had placed them all.

    Raises:
        NotWritten: The folder cannot be written.
    """
    ours = {"outboundeval": versions.get("outboundeval", "unknown")}
    both = joined_versions({"outboundeval": info.outboundeval}, ours)
    known = {**both, "versions": joined_versions(info.versions, _whole(versions))}
    now_too = info.model_copy(update=known)
    if now_too != info:
        store.write_info(now_too)
    return now_too


def _whole(versions: Mapping[str, str]) -> dict[str, str]:
    return {**versions, "benchmark": benchmark_version()}


def revision() -> str:
    """Of the user's code, as the CI tells it; empty where it does not."""
    found = next(filter(None, map(os.environ.get, REVISIONS)), "")
    return one_line(found, most=100)


def branch() -> str:
    """Of the user's code, as the CI tells it; empty where it does not."""
    found = next(filter(None, map(os.environ.get, BRANCHES)), "")
    return one_line(found.removeprefix("refs/heads/").removeprefix("origin/"), most=200)


def now() -> str:
    """A label for people (UTC)."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def _of_text(plan: RunPlan) -> dict[str, Any]:
    first = plan.calls[0]
    if first.medium != "text":
        return {}
    return {
        "kind": "chat",
        "competitors": tuple(dict.fromkeys(call.competitor for call in plan.calls)),
        "policy": first.policy,
        "caller_model": first.language_model or "",
        "trials": 1 + max(call.trial for call in plan.calls),
        "seed": plan.seed,
    }


def _described(info: RunInfo) -> str:
    number = len(info.call_ids)
    who = ", ".join(info.competitors or info.agents)
    what = "call" if info.kind == "calls" else "dialogue"
    return f"{info.name}, {number} {what}{'' if number == 1 else 's'} with {who}"
