"""The forms that a probe suite can have, by the name that its ``suite.yaml`` gives, and how one is read.

A new form is a module with a :class:`harness.plans.probes.suite.Suite` and a line here.
"""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from harness._files.validation import describe_validation_error
from harness._files.yaml_file import read_yaml
from harness.errors import UserError
from harness.plans.probes.echoed import EchoSuite
from harness.plans.probes.other_voice import OtherVoiceSuite
from harness.plans.probes.read_aloud import ReadAloudSuite
from harness.plans.probes.sounds import SoundSuite
from harness.plans.probes.spoken import SpokenSuite
from harness.plans.probes.suite import SUITE_FILE, Suite, suite_names, suites_folder

FORMS: dict[str, type[Suite]] = {
    "sounds": SoundSuite,
    "spoken": SpokenSuite,
    "echo": EchoSuite,
    "other_voice": OtherVoiceSuite,
    "read_aloud": ReadAloudSuite,
}
USUAL_FORM = "sounds"


def load_suite(name: str) -> Suite:
    """A suite by name, or from a folder (a name with a slash); its sounds as absolute paths.

    Raises:
        UserError: There is none, or it is broken; the message says where.
    """
    folder = Path(name) if "/" in name else suites_folder() / name
    if "/" not in name and name not in suite_names():
        raise UserError(f"there is no probe suite '{name}'; known: {', '.join(suite_names())}")
    path = folder / SUITE_FILE
    content = read_yaml(path, typed=True).content
    form = content.get("form", USUAL_FORM) if isinstance(content, dict) else USUAL_FORM
    if not isinstance(form, str) or form not in FORMS:
        raise UserError(f"{path}: form: there is no form of suite {form!r}; known: {', '.join(FORMS)}")
    try:
        suite = FORMS[form].model_validate(content)
    except ValidationError as error:
        raise UserError(describe_validation_error(error, where=str(path))) from error
    return suite.placed_in(folder)
