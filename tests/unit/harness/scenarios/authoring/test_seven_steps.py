"""A build on disk: what is done, kept, done again, skipped; what goes where; what others may see."""

from __future__ import annotations

import datetime
import json
from pathlib import Path

import pytest
from pydantic_ai.exceptions import UsageLimitExceeded
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart
from pydantic_ai.models.function import AgentInfo, FunctionModel

from harness.errors import UserError
from harness.judging.reading.talks import read_talks
from harness.scenarios.authoring.folder import read_persona
from harness.scenarios.authoring.seven_steps import Outcome, run_build
from harness.scenarios.authoring.step_names import STEPS
from harness.scenarios.authoring.steps import Build
from harness.scenarios.catalogue import CATALOGUE
from harness.scenarios.folders import load_entry
from tests.unit.voice_sim.authoring.people import answer
from voice_sim.authoring.exemplify import MANNERS, NOTHING_EACH
from voice_sim.authoring.identifiers.book import Term
from voice_sim.person.archetypes import Archetype
from voice_sim.person.examples import items_of, without_examples

CALL = """Agent: Hello, am I speaking with Mr. Ulric Brandvold? This is Kate Morgan from Meridian Bank.
Caller: Yes, Ulric speaking. What does Meridian want? I am busy.
Agent: A charge of 1,250 dollars on your card ending in 7741.
Caller: I never paid that. I'm worried because last time it took months.
Agent: You get it back within three days. Goodbye.
Caller: Fine. Bye.
"""
OTHER = "Agent: Hello?\nCaller: What?\nAgent: Bye.\n"
SECRETS = ("ulric", "brandvold", "meridian", "7741", "1,250", "1250")


@pytest.fixture
def transcripts(tmp_path: Path) -> Path:
    folder = tmp_path / "calls"
    folder.mkdir()
    (folder / "ulric-brandvold.txt").write_text(CALL)
    (folder / "other.txt").write_text(OTHER)
    return folder


class Author:
    """A model that writes whole personas of the benchmark: for each request the one that it is about.

    ``leak`` is said in the role of everything that it writes from ``enrich`` on.
    """

    def __init__(self, *, leak: str = "") -> None:
        self.asked: list[str] = []
        self.leak = leak
        self.fail_after: int | None = None
        self.mute = False
        self.model = FunctionModel(self._write)

    def _write(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        text = str(info.instructions) + str(messages[0].parts[0].content)  # type: ignore[union-attr]
        self.asked.append(text)
        if self.fail_after is not None and len(self.asked) > self.fail_after:
            raise UsageLimitExceeded("the run has used all")
        if self.mute:
            return ModelResponse(parts=[TextPart("I would rather not.")])
        written = self._examples(text) if "<items>" in text else self._persona(text)
        return ModelResponse(parts=[TextPart(json.dumps(written))])

    def _examples(self, text: str) -> dict[str, object]:
        items = json.loads(text.rpartition("<items>\n")[2].partition("\n</items>")[0])
        manner = text.rpartition("<manner>")[2].split()[0]
        lines = {item["name"]: [f"{manner} {item['name']}?", f"{manner}: {item['is']}"] for item in items}
        return {"items": lines, "nothing": [f"{manner} {number}" for number in range(NOTHING_EACH)]}

    def _persona(self, text: str) -> dict[str, object]:
        wanted = next((kind for kind in Archetype if f"<type>{kind}" in text), None)
        person = load_entry(f"cs-bank-complaint/{wanted or Archetype.HESITANT}").persona
        written = {**answer(person), "archetype": "hesitant"}
        if "describe the person in a transcript" in text:
            written["role"] = "Ulric Brandvold, whose card ends in 7741, of Meridian Bank."
        if wanted:
            name = text.rpartition("<name>")[2].partition("</name>")[0]
            written["demographics"] = {**person.demographics.model_dump(), "name": name}
        elif "<persona>" in text:
            written = json.loads(text.partition("<persona>\n")[2].partition("\n</persona>")[0])
        if self.leak and "<target>" not in text and "<call>" not in text:
            written["situation"] = self.leak
        return written


async def build(
    transcripts: Path | None, root: Path, author: Author | None = None, **settings: object
) -> tuple[Outcome, Build]:
    only = settings.pop("only", ())
    work = Build(
        root=root,
        talks=read_talks([transcripts]) if transcripts else (),
        model=author.model if author else None,
        top=1,
        **settings,  # type: ignore[arg-type]
    )
    outcome = await run_build(work, only=only, model_name="m" if author else "", parallel=2)  # type: ignore[arg-type]
    return outcome, work


def shared_text(root: Path) -> str:
    """All that may be shown to others, file names included."""
    files = [file for step in sorted(root.glob("[4-8]-*")) for file in step.rglob("*") if file.is_file()]
    assert files
    return "\n".join(f"{file.relative_to(root)}\n{file.read_text()}" for file in files).casefold()


async def test_without_a_model_the_rest_is_done_and_the_others_say_why(
    transcripts: Path, tmp_path: Path
) -> None:
    outcome, _ = await build(transcripts, tmp_path / "b")
    assert set(outcome.tallies) == {"curate", "deidentify"}
    needs = {step: "language model" in why for step, why in outcome.skipped.items()}
    assert needs == dict.fromkeys(("extract", "generalise", "enrich", "humanise", "scale", "examples"), True)
    assert not outcome.failed
    scores = json.loads((tmp_path / "b/1-curate/scores.json").read_text())
    assert [(one["id"], one["chosen"]) for one in scores] == [("ulric-brandvold", True), ("other", False)]


async def test_more_days_than_can_be_moved_are_told_with_what_to_do(tmp_path: Path) -> None:
    """366 of them, a month a line: wherever they went, they would meet each other."""
    first = datetime.date(2024, 1, 1)
    days = [(first + datetime.timedelta(days=n)).isoformat() for n in range(366)]
    lines = [f"Agent: On {' and '.join(days[n : n + 31])}.\nCaller: Yes, I see." for n in range(0, 366, 31)]
    (tmp_path / "calls").mkdir()
    (tmp_path / "calls" / "many.txt").write_text("\n".join(lines))
    outcome, work = await build(tmp_path / "calls", tmp_path / "b")
    told = "366 different days are named: there is no day left to move them to; let fewer transcripts"
    (failure,) = outcome.tallies["deidentify"].failed.values()
    assert failure.startswith(told)
    with pytest.raises(UserError, match=told):
        work.book()


async def test_seven_steps_end_in_five_people_with_nothing_of_the_call(
    transcripts: Path, tmp_path: Path
) -> None:
    outcome, work = await build(transcripts, tmp_path / "b", Author())
    assert list(outcome.tallies) == list(STEPS)
    assert not any(tally.failed for tally in outcome.tallies.values())
    (name,) = outcome.sets
    files = sorted((work.folder("scale").path / name).glob("persona-*.yaml"))
    people = [read_persona(file) for file in files]
    assert {person.archetype for person in people} == set(Archetype)
    assert len({person.demographics.name for person in people}) == 5
    # The benchmark's own five for this call, under other names: different people, true to their types.
    assert outcome.sets[name] == []
    text = shared_text(tmp_path / "b")
    assert [secret for secret in SECRETS if secret in text] == []
    for file in files:
        spoken_to = read_persona(work.folder("examples").path / name / file.name)
        assert without_examples(spoken_to) == without_examples(read_persona(file))
        assert all(set(one.lines) == set(MANNERS) for one in items_of(spoken_to))
    assert "Brandvold" in (tmp_path / "b/private/replacements.json").read_text()
    extracted = (tmp_path / "b/2-extract/persona-seed-1.yaml").read_text()
    assert "Brandvold" in extracted, "or there was nothing to take out"


async def test_nothing_is_done_twice_and_a_changed_input_is_done_again(
    transcripts: Path, tmp_path: Path
) -> None:
    author = Author()
    await build(transcripts, tmp_path / "b", author)
    asked = len(author.asked)
    again, _ = await build(transcripts, tmp_path / "b", author)
    assert len(author.asked) == asked
    assert not any(tally.made for tally in again.tallies.values())
    # A hand's change to a persona reaches what was made from it, and nothing before it.
    file = next((tmp_path / "b/5-enrich").glob("persona-*.yaml"))
    file.write_text(file.read_text().replace("situation: ", "situation: And it rains. "))
    third, _ = await build(transcripts, tmp_path / "b", author)
    made = {step: len(tally.made) for step, tally in third.tallies.items() if tally.made}
    assert made == {"humanise": 1, "scale": 5}
    assert "And it rains." in next((tmp_path / "b/5-enrich").glob("persona-*.yaml")).read_text()


async def test_a_persona_written_by_hand_stands_for_the_step(transcripts: Path, tmp_path: Path) -> None:
    await build(transcripts, tmp_path / "b")
    hand = tmp_path / "b/2-extract"
    hand.mkdir()
    (hand / "persona-seed-1.yaml").write_text(
        "persona:\n  archetype: hesitant\n  language: en\n  role: Ulric Brandvold, card 7741, by hand.\n"
    )
    outcome, work = await build(None, tmp_path / "b", Author(), only=("extract",))
    assert outcome.tallies["extract"].by_hand == ["seed-1"]
    outcome, _ = await build(None, tmp_path / "b")
    persona = read_persona(work.folder("deidentify").path / "persona-seed-1.yaml")
    assert persona.role.endswith("by hand.")
    assert not any(secret in persona.role.casefold() for secret in SECRETS)


async def test_a_persona_written_by_hand_where_the_model_failed_is_kept(
    transcripts: Path, tmp_path: Path
) -> None:
    author = Author()
    author.mute = True
    outcome, work = await build(transcripts, tmp_path / "b", author)
    assert list(outcome.tallies["extract"].failed) == ["seed-1"]
    hand = work.folder("extract").path / "persona-seed-1.yaml"
    hand.write_text("persona:\n  archetype: hesitant\n  language: en\n  role: Ulric, by hand.\n")
    author.mute = False
    again, _ = await build(None, tmp_path / "b", author, only=("extract",))
    assert again.tallies["extract"].by_hand == ["seed-1"]
    assert "by hand" in hand.read_text()


async def test_a_persona_of_an_earlier_start_is_not_taken_for_one_by_hand(
    transcripts: Path, tmp_path: Path
) -> None:
    author = Author()
    await build(transcripts, tmp_path / "b", author, only=("curate", "extract"))
    author.mute = True
    failed, _ = await build(None, tmp_path / "b", author, only=("extract",), seed=1)
    assert list(failed.tallies["extract"].failed) == ["seed-1"]
    author.mute = False
    made, _ = await build(None, tmp_path / "b", author, only=("extract",), seed=1)
    assert made.tallies["extract"].made == ["seed-1"]


async def test_what_a_model_brings_back_is_refused(transcripts: Path, tmp_path: Path) -> None:
    author = Author(leak="It is about seven seven four one again.")
    outcome, _ = await build(transcripts, tmp_path / "b", author)
    (why,) = outcome.tallies["enrich"].failed.values()
    assert "situation: holds a number of the original call" in why
    assert "7741" not in why
    assert outcome.failed
    assert not list((tmp_path / "b/5-enrich").glob("persona-*.yaml"))
    author.leak = ""
    mended, _ = await build(transcripts, tmp_path / "b", author)
    assert len(mended.tallies["enrich"].made) == 1


async def test_a_spent_budget_keeps_what_is_there_and_goes_on(transcripts: Path, tmp_path: Path) -> None:
    author = Author()
    author.fail_after = 7
    outcome, work = await build(transcripts, tmp_path / "b", author)
    assert outcome.stopped
    done = len(work.folder("scale").manifest().items)
    assert 0 < done < 5
    author.fail_after = None
    again, _ = await build(transcripts, tmp_path / "b", author)
    assert (len(again.tallies["scale"].done_before), len(again.tallies["scale"].made)) == (done, 5 - done)


async def test_known_terms_are_taken_out(transcripts: Path, tmp_path: Path) -> None:
    (transcripts / "ulric-brandvold.txt").write_text(CALL.replace("I am busy", "I am at quuxborough"))
    await build(transcripts, tmp_path / "a")
    assert "quuxborough" in shared_text(tmp_path / "a")
    await build(transcripts, tmp_path / "b", terms=[Term(kind="place", text="quuxborough")])
    assert "quuxborough" not in shared_text(tmp_path / "b")


async def test_what_cannot_be_deidentified_is_not_written(transcripts: Path, tmp_path: Path) -> None:
    (transcripts / "ulric-brandvold.txt").write_text(
        CALL
        + "Agent: So?\nCaller: 我叫张伟，弓长张，伟大的伟。\nAgent: 张伟先生，张，伟，对吗？\nCaller: Bye.\n"
    )
    outcome, work = await build(transcripts, tmp_path / "b")
    assert "nothing was written" in outcome.tallies["deidentify"].failed["all"]
    assert not list(work.folder("deidentify").path.glob("seed-*"))
    assert "张伟" in (tmp_path / "b/private/leaks.json").read_text()


async def test_all_targets_share_the_seeds(transcripts: Path, tmp_path: Path) -> None:
    only = ("curate", "extract", "generalise")
    outcome, _ = await build(transcripts, tmp_path / "b", Author(), targets=CATALOGUE[:3], only=only)
    assert set(outcome.tallies["generalise"].made) == {f"seed-1-{row.id}" for row in CATALOGUE[:3]}


async def test_fewer_seeds_take_the_old_ones_away(transcripts: Path, tmp_path: Path) -> None:
    both = Build(root=tmp_path / "b", talks=read_talks([transcripts]), top=2)
    await run_build(both)
    assert len(list((tmp_path / "b/4-deidentify").glob("seed-*"))) == 2
    await build(transcripts, tmp_path / "b")
    assert [file.name for file in (tmp_path / "b/4-deidentify").glob("seed-*")] == ["seed-1.json"]


@pytest.mark.parametrize("step", ["extract", "generalise", "deidentify", "enrich", "scale", "examples"])
async def test_a_step_by_itself_says_what_it_lacks(tmp_path: Path, step: str) -> None:
    with pytest.raises(UserError, match=r"run the step '\w+' first"):
        await build(None, tmp_path, Author(), only=(step,))


def test_a_broken_persona_file_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "persona-x.yaml"
    file.write_text("persona:\n  archetype: hesitant\n  language: fr\n  role: x\n")
    with pytest.raises(UserError, match=r"persona-x.yaml:3: persona.language"):
        read_persona(file)
