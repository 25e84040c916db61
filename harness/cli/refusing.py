"""What a plan asks for that cannot be had is said before anything is started for it."""

from __future__ import annotations

from harness.plans.run import RunPlan
from harness.runs.others.after_call import check_askable
from harness.runs.others.notify import webhook_address
from harness.runs.others.telemetry import check_exporter
from harness.scoring.gates.limits import check_known
from harness.scoring.gates.meanings import check_judges


def check_plan(plan: RunPlan, *, where: str) -> None:
    """Looks at gates, judges, the webhook and the exporter of a plan.

    Args:
        where: What the plan was read from, for the error.

    Raises:
        UserError: A gate names no figure, or a judge, a variable of the environment or a package is missing.
    """
    check_known(plan.checks, where=where)
    check_judges(plan.checks)
    check_askable(plan.checks)
    if plan.notify is not None:
        webhook_address(plan.notify.url)
    if plan.otel:
        check_exporter()
