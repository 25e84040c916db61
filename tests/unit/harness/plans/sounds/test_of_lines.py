"""A line said by a recording: found beside the plan, part of the digest by what is in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from harness.errors import UserError
from harness.plans.call import CallPlan
from harness.plans.plan import load_plan
from harness.plans.sounds.of_lines import sound_bytes


def planned(folder: Path, sound: Any, name: str = "plan.yaml") -> CallPlan:
    lines = [{"say": "Hello."}, {"say": "Where is my order?", "sound": sound}]
    content = {"agent": "http://127.0.0.1:9", "calls": [{"id": "a", "script": {"lines": lines}}]}
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(yaml.safe_dump(content), encoding="utf-8")
    return load_plan(folder / name).calls[0]


def test_another_sound_is_another_call_and_another_place_is_none(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    for folder, content in ((one, b"a sound"), (other, b"a sound")):
        folder.mkdir()
        (folder / "order.wav").write_bytes(content)
    plan = planned(one, "order.wav")
    assert plan.script is not None
    sound = plan.script.lines[1].sound
    assert sound is not None
    assert (sound.path, sound.words) == (one / "order.wav", "known")
    assert planned(other, "order.wav").digest == plan.digest
    (other / "order.wav").write_bytes(b"another")
    assert planned(other, "order.wav").digest != plan.digest
    assert sound_bytes(sound) == b"a sound"
    (one / "order.wav").write_bytes(b"changed since")
    with pytest.raises(UserError, match="has changed since the plan was read"):
        sound_bytes(sound)


def test_a_script_without_recordings_has_the_digest_that_it_always_had(tmp_path: Path) -> None:
    content = {
        "agent": "http://127.0.0.1:9",
        "calls": [{"id": "a", "script": {"lines": [{"say": "Hello."}]}}],
    }
    path = tmp_path / "plan.yaml"
    path.write_text(yaml.safe_dump(content), encoding="utf-8")
    assert load_plan(path).calls[0].digest == "3c5c4802e89d6223"


@pytest.mark.parametrize(
    ("sound", "why"),
    [
        ("missing.wav", r"lines\[1\].sound: .*missing.wav cannot be read: No such file"),
        (".", "is a folder, not a file"),
        ({"path": "order.wav", "sha256": "0" * 64}, "is not the recording that the plan was written with"),
        ({"path": "order.wav", "words": "guessed"}, "words"),
        (7, "sound"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(sound: Any, why: str, tmp_path: Path) -> None:
    (tmp_path / "order.wav").write_bytes(b"a sound")
    with pytest.raises(UserError, match=why) as raised:
        planned(tmp_path, sound)
    assert "calls[0]" in str(raised.value)
