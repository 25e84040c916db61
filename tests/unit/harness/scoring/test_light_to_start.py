"""A process that listens to a call starts without what it never asks: language models and their clients."""

from __future__ import annotations

import subprocess
import sys

NEVER_ASKED = ("torch", "pydantic_ai", "openai", "sqlalchemy", "aiohttp")


def test_what_hears_a_call_is_imported_without_language_models() -> None:
    what = (
        "import sys, harness.scoring.hear_call; "
        f"print([one for one in {NEVER_ASKED!r} if one in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", what], check=True, timeout=300, stdout=subprocess.PIPE, text=True
    )
    assert done.stdout.strip() == "[]"


def test_openai_client_is_imported_where_a_server_is_asked() -> None:
    what = (
        "import sys, harness.models.language.names as names; "
        "before = 'openai' in sys.modules; "
        "model = names.server_model(base_url='http://127.0.0.1:1/v1', model='m'); "
        "print(before, 'openai' in sys.modules, model.model_name)"
    )
    done = subprocess.run(
        [sys.executable, "-c", what], check=True, timeout=300, stdout=subprocess.PIPE, text=True
    )
    assert done.stdout.split() == ["False", "True", "m"]
