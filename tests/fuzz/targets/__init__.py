"""What is fuzzed: each target reads bytes as a stranger's file, message or answer would be read.

A target may refuse what it is given (``base.REFUSALS``); anything else that it raises is a finding. Where a
target reads several kinds of files, the first byte of the input says which.
"""

from __future__ import annotations

from importlib import import_module

from tests.fuzz.targets.base import Target

TARGETS = {
    "plan": "contents",
    "scenario": "contents",
    "suite": "contents",
    "importer": "contents",
    "transcript": "words",
    "judge_reply": "words",
    "reply": "words",
    "run_folder": "runs",
    "packets": "runs",
    "sound": "sound",
    "line_sound": "sound",
    "witness": "runs",
    "rtvi": "wire",
    "sdp": "wire",
    "sip": "telephone",
    "sip_in": "ringing",
    "channel": "wire",
    "offered": "wire",
}
"""Name of a target, also of its folder in the corpus -> the module here whose ``TARGETS`` has it. Each module
is loaded alone: under coverage every module of ours takes its time."""


def target_named(name: str, package: str = __name__, table: dict[str, str] = TARGETS) -> Target:
    """The target of that name."""
    targets: dict[str, Target] = import_module(f"{package}.{table[name]}").TARGETS
    return targets[name]
