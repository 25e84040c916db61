"""From the name of a language model to a pydantic-ai model, without a word to the network.

========================================  ==========================================================
``openai:gpt-4.1``, ``anthropic:…``,      a provider of pydantic-ai; its key comes from the variable
``google:…``                              that its makers use (``OPENAI_API_KEY``, …)
``http://HOST:PORT/v1``,                  any server that speaks OpenAI's protocol (vLLM, Ollama,
``https://HOST/v1#MODEL``                 llama.cpp); without ``#MODEL`` the first that it lists; its
                                          key, where it wants one, from ``OUTBOUNDEVAL_LLM_API_KEY``
``local:NAME``                            a model of ``outboundeval models list`` that we serve
                                          ourselves, on this machine, for as long as it is open
========================================  ==========================================================
"""

from __future__ import annotations

import importlib.util
import os
import sys
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from pydantic_ai import exceptions
from pydantic_ai.models import Model, infer_model

from harness.errors import UserError
from harness.models.language.keys import PROVIDER_KEYS, SERVER_KEY
from harness.models.table import LANGUAGE_MODEL, MODELS

_ALIASES = {"google-gla": "google", "google-vertex": "google-cloud", "gemini": "google"}
"""Names that pydantic-ai had for its providers before."""

_PACKAGES = {"anthropic": "anthropic", "google": "google.genai", "google-cloud": "google.genai"}
"""What a provider needs beside our main installation."""


@dataclass(frozen=True, kw_only=True)
class ModelName:
    """A name taken apart.

    Attributes:
        text: As it was given; what reports and price files say.
        kind: Which of the three.
        where: The provider, the server's base URL, or empty.
        model: The model there; empty: the first that the server lists.
    """

    text: str
    kind: Literal["provider", "server", "local"]
    where: str
    model: str


def parse_name(text: str) -> ModelName:
    """Takes a name apart. Raises UserError that says how names look."""
    text = text.strip()
    if text.startswith(("http://", "https://")):
        return _server(text)
    where, colon, model = text.partition(":")
    if not (where and colon and model):
        raise UserError(
            f"'{text}' names no language model: write PROVIDER:MODEL (openai:gpt-4.1), a server's address "
            "(http://127.0.0.1:8000/v1, with #MODEL where it has several) or local:NAME"
        )
    if where == "local":
        known = [each.name for each in MODELS.values() if each.kind == LANGUAGE_MODEL]
        if model not in known:
            raise UserError(f"there is no local language model '{model}'; known: {', '.join(known)}")
        return ModelName(text=text, kind="local", where="", model=model)
    return ModelName(text=text, kind="provider", where=_ALIASES.get(where, where), model=model)


def exact_name(name: ModelName, model: Model) -> str:
    """The name with which the same model is found again: of a server with the model that it serves, since
    another may be served at the same address tomorrow."""
    return f"{name.where}#{model.model_name}" if name.kind == "server" else name.text


def provider_model(name: ModelName) -> Model:
    """The model of a provider that pydantic-ai knows.

    Raises:
        UserError: There is no such provider, its package is not installed, or its key is not set.
    """
    package = _PACKAGES.get(name.where)
    if package and not _is_installed(package):
        raise UserError(
            f"{name.text}: the package for this provider is not installed: "
            f"{sys.executable} -m pip install 'outboundeval[providers]'"
        )
    keys = PROVIDER_KEYS.get(name.where, ())
    if keys and not any(os.environ.get(key) for key in keys):
        raise UserError(f"{name.text}: set {' or '.join(keys)} to your key for {name.where}")
    if name.where == "test":
        raise UserError(f"{name.text}: there is no provider 'test'")
    try:
        return infer_model(f"{name.where}:{name.model}")
    except exceptions.UserError as error:
        # The rest of pydantic-ai's advice is for people who write programs.
        raise UserError(f"{name.text}: {error.message.splitlines()[0].partition(' To try')[0]}") from error
    except (ImportError, ValueError) as error:
        raise UserError(f"{name.text}: {error}") from error


def server_model(*, base_url: str, model: str) -> Model:
    """A model behind OpenAI's protocol. ``OPENAI_API_KEY`` is never sent to it."""
    # Only here, where one is wanted: OpenAI's client takes about a second of processor time to import, and
    # everything that may judge imports this module.
    from pydantic_ai.models.openai import OpenAIChatModel
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    provider = OpenAICompatibleProvider(
        "server", base_url=base_url, api_key=os.environ.get(SERVER_KEY) or None
    )
    return OpenAIChatModel(model, provider=provider)


def _server(text: str) -> ModelName:
    try:
        parts = urlsplit(text)
        wrong = not parts.hostname or parts.port == 0
    except ValueError:
        raise UserError("the address of the language model's server is not a URL") from None
    if parts.username or parts.password or parts.query:
        # Not repeated in the message: it may hold a key.
        raise UserError(
            f"the address of the language model at {parts.hostname} must hold neither a user nor a query: "
            f"a key goes into {SERVER_KEY}"
        )
    if wrong:
        raise UserError(f"{text}: is not the address of a server")
    path = parts.path.rstrip("/") or "/v1"
    base_url = f"{parts.scheme}://{parts.netloc}{path}"
    return ModelName(text=text, kind="server", where=base_url, model=parts.fragment)


def _is_installed(module: str) -> bool:
    try:
        return importlib.util.find_spec(module) is not None
    except ModuleNotFoundError:
        return False
