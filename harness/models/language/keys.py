"""The environment variables that hold keys for language models. Their values are never printed."""

from __future__ import annotations

import os

SERVER_KEY = "OUTBOUNDEVAL_LLM_API_KEY"
"""For a server named by its address."""

PROVIDER_KEYS: dict[str, tuple[str, ...]] = {
    "openai": ("OPENAI_API_KEY",),
    "openai-chat": ("OPENAI_API_KEY",),
    "openai-responses": ("OPENAI_API_KEY",),
    "anthropic": ("ANTHROPIC_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
}
"""Of which one has to be set for a provider. Others are asked for by pydantic-ai itself."""


def keys_that_are_set() -> list[str]:
    """The names, in the order above, of the variables that hold something."""
    known = dict.fromkeys([SERVER_KEY, *(key for keys in PROVIDER_KEYS.values() for key in keys)])
    return [key for key in known if os.environ.get(key)]
