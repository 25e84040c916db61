"""What somebody tells the run's own webhook, as it is read back."""

from __future__ import annotations

import json
from pathlib import Path

import httpx

from harness.models.served_process import free_port
from harness.plans.run import Witness
from harness.records.witness import read_witnessed
from harness.runs.others.witness import witnessing
from tests.contract.strangers.ways_in import texts, way


@way("what a witness tells", lines=True)
def _witness(text: str, folder: Path) -> list[str]:
    port = free_port()
    told = {"event": text[:100], "call": text[:200], "data": {text[:100]: text[:500]}}
    with witnessing(Witness(port=port), folder):
        answer = httpx.post(f"http://127.0.0.1:{port}/", content=json.dumps(told), trust_env=False)
    assert answer.status_code == 204, answer.text
    [found] = read_witnessed(folder)
    event = found.in_call(0.0)
    return [found.call, event.kind, *texts(event.data)]
