"""Files of other people: dialogues, plans, runs, tasks, ratings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import yaml

from harness._files.json_file import BadJson, parse_json
from harness._files.yaml_file import parse_yaml
from harness.errors import UserError
from harness.judging.people.answers import read_ratings
from harness.judging.reading.files import read_dialogues
from harness.plans.plan import expand_plan, load_plan
from harness.records.timeline import read_timeline
from harness.runs.elsewhere.merge import merge_shards
from harness.runs.reader import read_run
from harness.scenarios.importing.official_format import import_paths, read_task
from harness.scoring.listening.ratings.answers import read_files
from tests.contract.strangers.ways_in import refused, texts, way
from tests.unit.harness.judging.people.sheets import small_sheet
from tests.unit.harness.scenarios.importing.task_file import task_text


def _dialogue(text: str, **more: Any) -> dict[str, Any]:
    turns = [{"speaker": "agent", "text": text}, {"speaker": "caller", "text": "yes"}]
    flow = {"nodes": [{"id": "a", "criterion": "x", "key": True}]}
    return {"turns": turns, "flow": flow, "agent_prompt": text, **more}


def _of_dialogues(path: Path) -> list[str]:
    [found] = read_dialogues(path)
    return [
        found.id,
        found.competitor,
        found.domain,
        found.agent_prompt,
        *(turn.text for turn in found.dialogue.turns),
        *found.notes,
    ]


@way("a transcript in JSON", lines=True)
def _json(text: str, folder: Path) -> list[str]:
    path = folder / "a.json"
    path.write_text(json.dumps(_dialogue(text, **{"id": text, "model": text, text: 1})))
    return _of_dialogues(path)


@way("a transcript in YAML", lines=True)
def _yaml(text: str, folder: Path) -> list[str]:
    path = folder / "a.yaml"
    # YAML has no escape for half of a surrogate.
    written = text.replace("\ud800", "")
    path.write_text(yaml.safe_dump(_dialogue(written, id=written), default_style='"'))
    return _of_dialogues(path)


@way("a transcript in plain text", lines=True)
def _plain(text: str, folder: Path) -> list[str]:
    path = folder / "a.txt"
    flat = text.encode("utf-8", "replace").decode().replace("\n", " ").replace("\r", " ")
    path.write_text(f"Scenario: cs-bank-complaint/hesitant\nAgent: {flat}\nCaller: yes\n")
    return _of_dialogues(path)


@way("a speaker that nobody knows")
def _speaker(text: str, folder: Path) -> list[str]:
    path = folder / "a.json"
    path.write_text(json.dumps({"turns": [{"speaker": text, "text": "x"}]}))
    with refused(UserError) as said:
        read_dialogues(path)
    path.write_text(json.dumps({"turns": [{text: "x"}]}))
    with refused(UserError) as more:
        read_dialogues(path)
    return said + more


@way("a key in JSON that is there twice")
def _twice(text: str, folder: Path) -> list[str]:
    key = json.dumps(text)
    with refused(BadJson) as said:
        parse_json(f"{{{key}: 1, {key}: 2}}")
    return said


@way("a field of a plan that nobody knows")
def _plan_key(text: str, folder: Path) -> list[str]:
    path = folder / "plan.yaml"
    printable = "".join(char for char in text if char.isprintable() or char == "\n")
    path.write_text(json.dumps({printable: 1, "agent": "http://x", "calls": [{printable: 1}]}))
    with refused(UserError) as said:
        load_plan(path)
    with refused(UserError) as more:
        expand_plan({"agent": "x", "calls": [{text: 1}]}, where="plan")
    return [line for told_ in said + more for line in told_.split("\n")]


@way("a plan with control characters")
def _plan_text(text: str, folder: Path) -> list[str]:
    written = json.dumps({"name": text.replace("\ud800", "")})
    with refused(UserError) as said:
        parse_yaml(written, path=Path("plan.yaml"), typed=True)
    return said


@way("YAML that is none")
def _no_yaml(text: str, folder: Path) -> list[str]:
    said = []
    for number, start in enumerate(("a: [", "%TAG ", "!", "*", '"', "? - ")):
        path = folder / f"{number}.yaml"
        path.write_bytes((start + text).encode("utf-8", "replace"))
        with refused(UserError) as one:
            parse_yaml(path.read_bytes().decode(), path=Path("a.yaml"))
        said += one
    return said


@way("a timeline of a foreign run", lines=True)
def _timeline(text: str, folder: Path) -> list[str]:
    event = {"t": 1, "side": "agent", "kind": text, "source": text, "data": {text: [text, {"a": text}]}}
    (folder / "timeline.jsonl").write_text(json.dumps(event) + "\n")
    [found] = read_timeline(folder / "timeline.jsonl").events
    return [found.kind, found.source, *texts(found.data)]


@way("what is wrong with a file of a foreign run")
def _run(text: str, folder: Path) -> list[str]:
    (folder / "calls" / "one").mkdir(parents=True)
    (folder / "run.json").write_text(json.dumps({text: text, "call_ids": ["../x"]}))
    (folder / "calls" / "one" / "call.json").write_text(json.dumps({"status": text, text: 1}))
    run = read_run(folder)
    problems = [*run.problems, *(problem for call in run.calls for problem in call.problems)]
    assert len(problems) >= 2
    return [part for problem in problems for part in (problem.file, problem.what)]


@way("a call id of a foreign run")
def _call_id(text: str, folder: Path) -> list[str]:
    info = {"name": "x", "started_at": "", "outboundeval": "", "plan_digest": "", "agents": []}
    (folder / "calls").mkdir()
    (folder / "run.json").write_text(json.dumps({**info, "call_ids": [text, "../../" + text]}))
    run = read_run(folder)
    assert run.calls == ()
    assert len(run.problems) >= 2
    return [problem.what for problem in run.problems]


@way("a task file", lines=True)
def _task(text: str, folder: Path) -> list[str]:
    path = folder / "task-1-1-1-1.md"
    # With a NUL it would be a binary file.
    flat = text.encode("utf-8", "replace").decode().replace("\0", "")
    path.write_bytes(task_text().replace("说话干脆", flat).encode())
    scenario = read_task(path)
    return list(texts(scenario.model_dump(mode="json")))


@way("a task file that is none")
def _no_task(text: str, folder: Path) -> list[str]:
    (folder / "task-1-1-1-1.md").write_bytes(b"# " + text.encode("utf-8", "replace"))
    [(_, reason)] = import_paths([folder], folder / "out").refused
    return [reason]


@way("a rater's file", lines=True)
def _ratings(text: str, folder: Path) -> list[str]:
    sheet = small_sheet()
    item = sheet.items[0]
    question = item.questions[0]
    path = folder / "r.json"
    answer = {"value": question.values[0], "why": text}
    if question.turn_for == question.values[0]:
        answer["turn"] = question.turns[0]
    head = {"format": "outboundeval-ratings", "version": 1, "sheet": sheet.id, "rater": text[:50]}
    path.write_text(json.dumps({**head, "answers": {item.id: {question.id: answer}}}))
    [found] = read_ratings([path], sheet)
    return [found.rater, *texts(found.model_dump())]


@way("a rater's file that is none")
def _no_ratings(text: str, folder: Path) -> list[str]:
    path = folder / "r.json"
    path.write_text(json.dumps({text: text, "rater": 1}))
    with refused(UserError) as said:
        read_ratings([path], small_sheet())
    return [line for one in said for line in one.split("\n")]


@way("a listener's file")
def _listened(text: str, folder: Path) -> list[str]:
    path = folder / "listening-x.json"
    name = " ".join(text.split())[:40]
    path.write_text(json.dumps(_of_listener(name)))
    try:
        [found] = read_files([path])
    except UserError as error:
        return str(error).split("\n")
    return [found.rater, *texts(found.model_dump())]


@way("a listener's file that is none")
def _not_listened(text: str, folder: Path) -> list[str]:
    path = folder / "listening-x.json"
    path.write_text(json.dumps(_of_listener(text) | {text: text, "sheet": text, "answers": {text: text}}))
    with refused(UserError) as said:
        read_files([path])
    return [line for one in said for line in one.split("\n")]


def _of_listener(name: str) -> dict[str, Any]:
    head = {"format": "outboundeval-listening", "version": 1, "sheet": "0" * 16, "rater": name}
    return {**head, "order": ["q001"], "tones": [], "answers": {"q001": {"value": 3, "heard": 1}}}


@way("a run that is to be merged")
def _merged(text: str, folder: Path) -> list[str]:
    (folder / "shard").mkdir()
    (folder / "shard" / "run.json").write_text(json.dumps({text: text, "call_ids": [text]}))
    with refused(UserError) as said:
        merge_shards([folder / "shard"], folder / "out")
    return [line for one in said for line in one.split("\n")]
