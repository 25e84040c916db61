"""The folder of a build, and what each step keeps about what it did.

``1-curate`` … ``8-examples``
    What a step wrote, and its ``manifest.json`` (:class:`Manifest`). From ``4-deidentify`` on nothing in them
    identifies anybody, as far as the rules see; the first three hold the originals.
``private/``
    What stands for what. Never to be shared.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from harness._files.atomic_file import write_model, write_text
from harness._files.json_file import read_model
from harness._files.yaml_file import read_yaml
from harness.errors import UserError
from harness.scenarios.authoring.step_names import STEPS, Step
from harness.scenarios.folders import as_yaml
from harness.scenarios.scenario import Callee
from voice_sim.person.persona import Persona

MANIFEST = "manifest.json"
PRIVATE = "private"


class Item(BaseModel):
    """One thing that a step made.

    Attributes:
        key: Digest over everything that it was made from; another key means making it again.
        inputs: File -> SHA-256 of what it was made from, relative to the build's folder.
        outputs: Files that it wrote, relative to the step's folder; of a failure, those of an earlier start.
        version, model, seed: Of the step, the language model (empty: none) and the build.
        problems: What the checks still find in it. It was kept nevertheless.
        failure: Why there is none; it is tried again at the next start.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    key: str
    inputs: dict[str, str]
    outputs: tuple[str, ...] = ()
    version: str
    model: str = ""
    seed: int = 0
    problems: tuple[str, ...] = ()
    failure: str = ""


class Manifest(BaseModel):
    """``manifest.json`` of a step."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    step: Step
    items: dict[str, Item] = Field(default_factory=dict)


class StepFolder:
    """Where one step writes."""

    def __init__(self, root: Path, step: Step) -> None:
        self.root = root
        self.step = step
        self.path = root / f"{STEPS.index(step) + 1}-{step}"

    def manifest(self) -> Manifest:
        """What was done so far; an empty one where nothing was.

        Raises:
            UserError: The file is there and damaged.
        """
        path = self.path / MANIFEST
        return read_model(path, Manifest) if path.is_file() else Manifest(step=self.step)

    def book(self, name: str, item: Item) -> None:
        """Notes what was made; at once, so that nothing is lost when the build is cut off."""
        items = {**self.manifest().items, name: item}
        self.path.mkdir(parents=True, exist_ok=True)
        write_model(self.path / MANIFEST, Manifest(step=self.step, items=items))

    def drop_all_but(self, names: set[str]) -> None:
        """Takes away items that are booked under other names, and their files. What nobody booked stays."""
        manifest = self.manifest()
        stale = {name: item for name, item in manifest.items.items() if name not in names}
        if not stale:
            return
        wanted = {file for name in names & manifest.items.keys() for file in manifest.items[name].outputs}
        for item in stale.values():
            for file in item.outputs:
                if file not in wanted:
                    (self.path / file).unlink(missing_ok=True)
        items = {name: item for name, item in manifest.items.items() if name in names}
        write_model(self.path / MANIFEST, Manifest(step=self.step, items=items))

    def personas(self) -> dict[str, Path]:
        """Name -> file of the personas of this step, by name."""
        files = sorted(self.path.glob("persona-*.yaml"))
        return {file.stem.removeprefix("persona-"): file for file in files}

    def write_persona(self, relative: str, persona: Persona) -> None:
        """As ``scenarios`` has them: a file that can be laid beside a ``scenario.yaml``."""
        write_text(self.path / relative, as_yaml(Callee(persona=persona)))

    def write_json(self, relative: str, content: Any) -> None:
        write_text(self.path / relative, json.dumps(content, ensure_ascii=False, indent=1) + "\n")


def read_persona(path: Path) -> Persona:
    """The persona of a file.

    Raises:
        UserError: It cannot be read; the message has file, line and field.
    """
    file = read_yaml(path)
    try:
        return Callee.model_validate(file.content).persona
    except ValidationError as error:
        first = error.errors()[0]
        line = file.line_of(tuple(first["loc"]))
        raise UserError(f"{path}:{line}: {'.'.join(map(str, first['loc']))}: {first['msg']}") from error


def digest_of(path: Path) -> str:
    """SHA-256 of a file's content.

    Raises:
        UserError: It cannot be read.
    """
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror or error}") from error


def key_of(
    *, version: str, model: str, seed: int, inputs: Mapping[str, str], settings: Sequence[object] = ()
) -> str:
    """Digest over everything that something is made from."""
    content = json.dumps([version, model, seed, sorted(inputs.items()), list(settings)], ensure_ascii=False)
    return hashlib.sha256(content.encode()).hexdigest()
