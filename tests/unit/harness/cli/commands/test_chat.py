"""``outboundeval chat`` as a person or a script meets it. Language models are functions; nothing is sent."""

from __future__ import annotations

import json
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from harness.calls.text import medium as chat_build
from harness.cli import entry_patterns as chat_select
from harness.cli import main as cli
from harness.errors import EXIT_CHECK_FAILED, EXIT_NOT_PLACED, EXIT_OK, EXIT_WRONG_USE
from harness.models.language.metered import Limits, MeteredModel
from harness.models.language.prices import Price
from harness.models.language.usage import Ledger
from harness.plans import understanding_here
from harness.records.call import CallRecord, CallStatus
from harness.runs.store import RunStore
from tests.unit.harness.stand_ins.chatting import library

ENTRY = "cs-bank-complaint/hesitant"
EXIT_INTERRUPTED = 130

Main = Callable[..., tuple[int, str, str]]


@pytest.fixture
def main(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Main:
    """The entry point itself, in an empty folder: (exit code, stdout, stderr)."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setattr(chat_select, "load_library", library)
    # What a caller understands is tried elsewhere; by examples each entry would take its ten seconds here.
    monkeypatch.setattr(understanding_here, "has_examples", lambda persona: False)

    def run(*arguments: str | Path) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["outboundeval", "chat", *map(str, arguments)])
        capsys.readouterr()
        code = 0
        try:
            cli.main()
        except SystemExit as left:
            code = left.code if isinstance(left.code, int) else 1
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.fixture
def models(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """``test:polite`` says goodbye at its third turn, ``test:gone`` never answers. The names as opened."""
    opened: list[str] = []

    def polite(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        mine = sum(isinstance(message, ModelResponse) for message in messages)
        words = ["Hello, it's the bank.", "I see [bold]you[/].", "Thank you, goodbye. [end of call]"][
            min(mine, 2)
        ]
        usage = RequestUsage(input_tokens=100, output_tokens=10)
        return ModelResponse(parts=[TextPart(words)], usage=usage)

    def gone(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        raise ModelHTTPError(status_code=401, model_name="gone", body={"message": "no such key"})

    @asynccontextmanager
    async def open_model(
        name: str, *, limits: Limits, price: Price | None, ledger: Ledger
    ) -> AsyncIterator[MeteredModel]:
        opened.append(name)
        function = {"polite": polite, "other": polite, "gone": gone}[name.partition(":")[2]]
        yield MeteredModel(FunctionModel(function), name=name, limits=limits, price=price, ledger=ledger)

    monkeypatch.setattr(chat_build, "open_language_model", open_model)
    return opened


def _records(folder: Path) -> list[CallRecord]:
    return list(RunStore(folder).records())


# --- one dialogue


def test_it_works_with_an_entry_alone(main: Main, tmp_path: Path) -> None:
    code, out, err = main(ENTRY)
    assert (code, err) == (EXIT_OK, "")
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name.startswith("chat-cs-bank-complaint-hesitant-")
    (record,) = _records(folder)
    assert record.status.took_place
    assert (record.plan.agent, record.plan.policy) == ("sop", "agenda")
    for turn in record.turns:
        assert turn.text.split()[0] in out
    assert record.status_detail in out
    assert f"outboundeval score {folder.relative_to(tmp_path)}" in out


def test_the_same_seed_gives_the_same_words_and_another_other_ones(main: Main, tmp_path: Path) -> None:
    said = []
    for number, seed in enumerate((3, 3, 4)):
        main(ENTRY, "--seed", str(seed), "--out", f"run{number}")
        (record,) = _records(tmp_path / f"run{number}")
        said.append([turn.text for turn in record.turns])
    assert said[0] == said[1]
    assert said[0] != said[2]


def test_why_the_caller_says_it_is_shown_when_asked(main: Main, tmp_path: Path) -> None:
    _, quiet, _ = main(ENTRY, "--out", "a")
    _, verbose, _ = main(ENTRY, "--out", "b", "-v")
    reasons = [turn.why for turn in _records(tmp_path / "b")[0].turns if turn.why]
    assert reasons
    assert all(f"({reason.split()[0]}" in verbose for reason in reasons)
    assert not any(f"({reason})" in quiet for reason in reasons)


def test_json_is_the_record_and_the_dialogue_goes_to_stderr(main: Main, tmp_path: Path) -> None:
    code, out, err = main(ENTRY, "--json", "--out", "run")
    assert code == EXIT_OK
    assert CallRecord.model_validate(json.loads(out)) == _records(tmp_path / "run")[0]
    assert "caller" in err


def test_a_language_model_plays_the_agent_and_its_usage_is_booked(
    main: Main, models: list[str], tmp_path: Path
) -> None:
    (tmp_path / "prices.yaml").write_text(
        "currency: USD\nper_million_tokens:\n  test:polite: {input: 10, output: 100}\n"
    )
    code, out, _ = main(ENTRY, "--model", "test:polite", "--out", "run", "--prices", "prices.yaml")
    assert code == EXIT_OK
    (record,) = _records(tmp_path / "run")
    assert record.plan.call_id == "test-polite.cs-bank-complaint.hesitant"
    assert record.status is CallStatus.AGENT_HANGUP
    assert record.agent_name == "test:polite"
    assert record.dialogue.turns[-1].text == "Thank you, goodbye."
    usage = record.agent_usage
    assert (usage.requests, usage.input_tokens, usage.output_tokens) == (3, 300, 30)
    assert usage.cost == pytest.approx(300 * 10e-6 + 30 * 100e-6)
    assert record.caller_usage.requests == 0
    assert "0.0060 USD" in out
    assert "I see [bold]you[/]." in out  # printed as it is, not as markup


def test_a_model_that_never_answers_is_a_call_that_could_not_be_placed(
    main: Main, models: list[str], tmp_path: Path
) -> None:
    code, out, err = main(ENTRY, "--model", "test:gone", "--out", "run")
    assert code == EXIT_NOT_PLACED
    assert "setup failed" in out
    assert "no such key" in out
    assert "Traceback" not in out + err
    assert _records(tmp_path / "run")[0].status is CallStatus.SETUP_FAILED


def test_a_finished_dialogue_is_not_held_again_and_a_failed_one_is_when_asked(
    main: Main, models: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    main(ENTRY, "--model", "test:gone", "--out", "run")
    first = _records(tmp_path / "run")[0].started_at
    _, out, _ = main(ENTRY, "--model", "test:gone", "--out", "run")
    assert "held by an earlier start" in out
    assert _records(tmp_path / "run")[0].earlier_attempts == ()
    main(ENTRY, "--model", "test:gone", "--out", "run", "--retry")
    (attempt,) = _records(tmp_path / "run")[0].earlier_attempts
    assert (attempt.status, attempt.started_at) == (CallStatus.SETUP_FAILED, first)


# --- a person plays a side


def _typing(monkeypatch: pytest.MonkeyPatch, *lines: str) -> list[str]:
    prompts: list[str] = []
    waiting = list(lines)

    def ask(prompt: str = "") -> str:
        prompts.append(prompt)
        if not waiting:
            raise EOFError
        return waiting.pop(0)

    monkeypatch.setattr("builtins.input", ask)
    return prompts


def test_a_person_who_plays_the_agent_sees_its_card_and_what_the_caller_says(
    main: Main, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    _typing(monkeypatch, "Hello, this is Changjiang Bank.", "I'll look into it.")
    code, out, _ = main(ENTRY, "--agent", "human", "--out", "run")
    assert code == EXIT_OK
    assert "You are the agent: your card" in out
    assert "Your task on this call" in out
    (record,) = _records(tmp_path / "run")
    assert record.status is CallStatus.AGENT_HANGUP
    assert [turn.text for turn in record.turns if turn.speaker == "agent"] == [
        "Hello, this is Changjiang Bank.",
        "I'll look into it.",
    ]
    assert all(turn.text.split()[0] in out for turn in record.turns if turn.speaker == "caller")
    assert "I'll look into it." not in out.partition("Ctrl-D hangs up")[2]  # it is on the screen already


def test_a_person_who_plays_the_caller_sees_who_they_are(
    main: Main, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    prompts = _typing(monkeypatch, "Yes, that's me.")
    code, out, _ = main(ENTRY, "--caller", "human", "--out", "run")
    assert code == EXIT_OK
    assert "You answer the phone: hesitant" in out
    assert "Changjiang Bank" in out
    assert prompts == ["caller> ", "caller> "]
    assert _records(tmp_path / "run")[0].status is CallStatus.COMPLETED


# --- the benchmark


def test_several_models_meet_the_same_entries(main: Main, models: list[str], tmp_path: Path) -> None:
    arguments = ["--all", "--only", "cs-bank-*/*", "--model", "test:polite", "--model", "test:other"]
    code, out, _ = main(*arguments, "--parallel", "3", "--out", "run")
    assert code == EXIT_OK
    records = _records(tmp_path / "run")
    assert len(records) == 10
    assert {record.plan.competitor for record in records} == {"test:polite", "test:other"}
    assert out.count("agent hangup") >= 10
    row = next(line for line in out.splitlines() if line.startswith("test:polite"))
    assert row.split()[:2] == ["test:polite", "5"]

    models.clear()
    code, out, _ = main(*arguments, "--out", "run", "--json")
    assert code == EXIT_OK
    document = json.loads(out)
    assert document["planned"] == len(document["dialogues"]) == 10
    assert set(document["dialogues"].values()) == {"agent_hangup"}
    assert document["usage"]["requests"] == 0  # nothing was held again

    code, out, err = main(*arguments, "--seed", "1", "--out", "run")
    assert code == EXIT_WRONG_USE
    assert "another plan" in err


def test_a_run_of_which_nothing_came_about_says_why_and_how_to_go_on(
    main: Main, models: list[str], tmp_path: Path
) -> None:
    code, out, _ = main(
        "--all", "--only", "cs-*/*", "--model", "test:gone", "--parallel", "1", "--out", "run"
    )
    assert code == EXIT_NOT_PLACED
    assert "5 dialogues in a row failed" in out
    assert "no such key" in out
    assert "20 still to be held: the same command with --out run goes on" in out
    assert "5 failed: the same command with --out run --retry" in out


def test_a_spent_budget_ends_the_run_and_is_no_success(main: Main, models: list[str], tmp_path: Path) -> None:
    (tmp_path / "prices.yaml").write_text("per_million_tokens:\n  test:polite: {input: 10, output: 100}\n")
    arguments = ["--all", "--only", "cs-bank-*/*", "--model", "test:polite", "--prices", "prices.yaml"]
    code, out, _ = main(*arguments, "--max-cost", "0.01", "--parallel", "1", "--out", "run")
    assert code == EXIT_INTERRUPTED
    assert "0.01 USD" in out
    held = len(_records(tmp_path / "run"))
    assert 0 < held < 5
    code, _, _ = main(*arguments, "--max-cost", "1", "--out", "run")
    assert code == EXIT_OK
    assert len(_records(tmp_path / "run")) == 5


def test_some_failures_are_an_exit_code_of_their_own(main: Main, models: list[str]) -> None:
    arguments = ["--all", "--only", "cs-bank-*/resistant", "--model", "test:polite", "--model", "test:gone"]
    code, _, _ = main(*arguments, "--out", "run")
    assert code == EXIT_CHECK_FAILED


# --- wrong use


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "name one entry, for instance cs-bank-complaint/hesitant, or give --all"),
        ([ENTRY, "--all"], "name one entry"),
        (["cs-bank-complant/hesitant"], "did you mean cs-bank-complaint/hesitant"),
        (["cs-bank-complaint"], "say who answers the phone"),
        ([ENTRY, "--only", "cs-*"], "give --all with them"),
        (["--all", "--only", "nothing-*"], "no entry has such an id"),
        ([ENTRY, "--agent", "nobody"], "unknown text agent 'nobody'; known: "),
        ([ENTRY, "--policy", "nobody"], "unknown caller policy 'nobody'; known: "),
        ([ENTRY, "--agent", "llm"], "give --model NAME"),
        ([ENTRY, "--agent", "sop", "--model", "openai:gpt-4.1"], "--agent sop has none"),
        ([ENTRY, "--policy", "llm"], "give --caller-model NAME"),
        ([ENTRY, "--policy", "agenda", "--caller-model", "openai:gpt-4.1"], "the caller is 'agenda'"),
        ([ENTRY, "--model", "gpt"], "names no language model"),
        ([ENTRY, "--agent", "human", "--caller", "human"], "you cannot play both sides"),
        ([ENTRY, "--agent", "human", "--json"], "--json leaves nothing on the screen"),
        ([ENTRY, "--agent", "human", "--trials", "2"], "a person plays one dialogue at a time"),
        ([ENTRY, "--prices", "nowhere.yaml"], "nowhere.yaml"),
        ([ENTRY, "--max-cost", "1", "--model", "http://127.0.0.1:9/v1#m"], "needs a price"),
        ([ENTRY, "--from", "nowhere"], "nowhere"),
        ([ENTRY, "--out", "notes.txt"], "notes.txt"),
        ([ENTRY, "--trials", "0"], "Invalid value"),
        ([ENTRY, "--archetype", "angry"], "Invalid value"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_wrong_use_ends_with_exit_code_2_one_message_and_no_traceback(
    main: Main, tmp_path: Path, arguments: list[str], words: str
) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    code, out, err = main(*arguments)
    assert code == EXIT_WRONG_USE
    assert words in err
    assert "Traceback" not in out + err
    assert not (tmp_path / "runs").exists()
    assert (tmp_path / "notes.txt").read_text() == "mine"
