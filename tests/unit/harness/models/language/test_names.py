"""Names of language models, taken apart; and what is said to a person whose key or package is missing."""

from __future__ import annotations

import pytest

from harness.errors import UserError
from harness.models.language import Cap, Limits, check_language_model, names, open_language_model
from harness.models.language.names import ModelName, parse_name, provider_model, server_model

SECRET = "a-very-secret-value-0123456789"


@pytest.mark.parametrize(
    ("text", "kind", "where", "model"),
    [
        ("openai:gpt-4.1", "provider", "openai", "gpt-4.1"),
        ("google-gla:gemini-2.5-flash", "provider", "google", "gemini-2.5-flash"),
        ("local:smollm2-135m", "local", "", "smollm2-135m"),
        ("http://127.0.0.1:8000", "server", "http://127.0.0.1:8000/v1", ""),
        ("http://127.0.0.1:8000/v1/", "server", "http://127.0.0.1:8000/v1", ""),
        ("https://llm.example/api/v3#org/model:8b", "server", "https://llm.example/api/v3", "org/model:8b"),
    ],
)
def test_names_are_taken_apart(text: str, kind: str, where: str, model: str) -> None:
    parsed = parse_name(text)
    assert (parsed.text, parsed.kind, parsed.where, parsed.model) == (text, kind, where, model)


@pytest.mark.parametrize("text", ["gpt-4.1", "openai:", ":x", "", "local:llama", "http://", "http://h:0/v1"])
def test_what_is_no_name_is_refused(text: str) -> None:
    with pytest.raises(UserError, match=r"no (local )?language model|not the address of a server"):
        parse_name(text)


def test_unknown_local_model_lists_the_known_ones() -> None:
    with pytest.raises(UserError, match="known: smollm2-135m"):
        parse_name("local:llama")


@pytest.mark.parametrize("text", [f"http://u:{SECRET}@h/v1", f"http://h/v1?key={SECRET}"])
def test_key_in_an_address_is_refused_and_not_repeated(text: str) -> None:
    with pytest.raises(UserError, match="OUTBOUNDEVAL_LLM_API_KEY") as raised:
        parse_name(text)
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize(
    ("name", "variables"),
    [
        ("openai:gpt-4.1", ["OPENAI_API_KEY"]),
        ("anthropic:claude-sonnet-4-5", ["ANTHROPIC_API_KEY"]),
        ("google:gemini-2.5-flash", ["GOOGLE_API_KEY", "GEMINI_API_KEY"]),
        ("deepseek:deepseek-chat", ["DEEPSEEK_API_KEY"]),
    ],
)
def test_missing_key_is_named(name: str, variables: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_is_installed", lambda module: True)
    for variable in variables:
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(UserError, match=variables[0]) as raised:
        check_language_model(name)
    assert "\n" not in str(raised.value)


def test_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(names, "_is_installed", lambda module: False)
    with pytest.raises(UserError, match=r"pip install 'outboundeval\[providers\]'"):
        check_language_model("anthropic:claude-sonnet-4-5")


@pytest.mark.parametrize("name", ["oqenai:gpt-4.1", "test:x"])
def test_unknown_provider(name: str) -> None:
    with pytest.raises(UserError, match=name):
        check_language_model(name)


def test_provider_with_a_key_is_made_without_the_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    model = provider_model(ModelName(text="", kind="provider", where="openai", model="gpt-4.1"))
    assert (model.system, model.model_name) == ("openai", "gpt-4.1")


def test_key_of_openai_is_not_for_other_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.delenv("OUTBOUNDEVAL_LLM_API_KEY", raising=False)
    model = server_model(base_url="http://127.0.0.1:1/v1", model="m")
    assert model.client.api_key != SECRET  # type: ignore[attr-defined]  # of OpenAI's client
    monkeypatch.setenv("OUTBOUNDEVAL_LLM_API_KEY", "the-other-key")
    model = server_model(base_url="http://127.0.0.1:1/v1", model="m")
    assert model.client.api_key == "the-other-key"  # type: ignore[attr-defined]


async def test_cap_on_the_cost_needs_a_price() -> None:
    with pytest.raises(UserError, match="--price IN,OUT"):
        async with open_language_model("http://127.0.0.1:1#m", limits=Limits(dialogue=Cap(cost=1.0))):
            pass
