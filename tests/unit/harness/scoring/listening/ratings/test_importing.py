"""Ratings into a run: what they change, what they leave, what is refused, and whether the figure is right."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.errors import UserError
from harness.records.scores import Summary
from harness.records.scores.listening import Listened, ListenedClip
from harness.runs.prune import KEPT_OF_A_CALL
from harness.runs.store import RunStore
from harness.scoring.listening.key import ListeningKey, write_key
from harness.scoring.listening.making import make_page
from harness.scoring.listening.order import rater_code
from harness.scoring.listening.ratings.answers import read_files
from harness.scoring.listening.ratings.importing import prepared, result_path, written
from harness.scoring.listening.ratings.result import ListeningResult
from metrics.score import Status
from tests.unit.harness.scoring.listening.rated_runs import rated_run
from tests.unit.harness.scoring.listening.simulated_raters import attentive, save, saved

CALLS = ("one", "two", "three", "four")


@pytest.fixture(scope="module")
def exported(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ListeningKey]:
    folder = tmp_path_factory.mktemp("exported") / "run"
    rated_run(folder, *CALLS)
    [key] = make_page([folder], method="acr", clips=8, seed=1).keys
    write_key(folder, key)
    return folder, key


@pytest.fixture
def run(exported: tuple[Path, ListeningKey], tmp_path: Path) -> tuple[RunStore, ListeningKey]:
    shutil.copytree(exported[0], tmp_path / "run")
    return RunStore(tmp_path / "run"), exported[1]


def take_in(store: RunStore, paths: list[Path]) -> tuple[Summary, tuple[str, ...]]:
    one = prepared(store.folder, read_files(paths), paths)
    return written(one), one.problems


def panel(folder: Path, key: ListeningKey, *values: int) -> list[Path]:
    """Each rater gives every clip the same value."""
    return [
        save(folder, saved(key, f"rater {n}", attentive(lambda item, value=value: value)))  # type: ignore[misc]
        for n, value in enumerate(values)
    ]


def test_ratings_make_mos_and_leave_every_other_figure(
    run: tuple[RunStore, ListeningKey], tmp_path: Path
) -> None:
    store, key = run
    before = json.loads((store.folder / "summary.json").read_text())
    by_item = {item: 1 + n % 5 for n, item in enumerate(key.of_kind("clip"))}
    paths = [save(tmp_path, saved(key, name, attentive(by_item.__getitem__))) for name in ("Anna", "Ben")]
    summary, problems = take_in(store, paths)
    mos = summary.metrics["mos"]
    assert (mos.status, mos.n, problems) == (Status.MEASURED, 16, ())
    assert mos.value == pytest.approx(sum(by_item.values()) / 8)
    after = json.loads((store.folder / "summary.json").read_text())
    assert after["metrics"].pop("mos") != before["metrics"].pop("mos")
    assert after["metrics"] == before["metrics"]
    assert after["calls"] == before["calls"]
    # Each rating stands at the stretch that was heard, under a code and no name.
    for item, value in by_item.items():
        [place] = key.items[item].places
        scores = store.read_scores(place.call_id)
        assert scores is not None
        assert scores.listening is not None
        assert scores.listening.recording_sha256 == place.recording_sha256
        given = {one.rater: one.value for one in scores.listening.ratings if one.start_s == place.start_s}
        assert given == {rater_code("Anna"): value, rater_code("Ben"): value}
    kept = "".join((store.call_folder(one) / "scores.json").read_text() for one in CALLS)
    assert "Anna" not in kept + (store.folder / "summary.json").read_text()
    result = ListeningResult.model_validate_json(result_path(store.folder, key.sheet.id).read_text())
    assert [one.name for one in result.raters] == ["Anna", "Ben"]
    assert {one.of: one.mean for one in result.figures if one.kind == "anchor"} == {
        "Q = 35 dB": 4.0,
        "Q = 25 dB": 4.0,
        "Q = 15 dB": 2.0,
        "Q = 5 dB": 2.0,
    }


def test_importing_again_replaces_what_came_from_the_page(
    run: tuple[RunStore, ListeningKey], tmp_path: Path
) -> None:
    store, key = run
    paths = panel(tmp_path, key, 4, 5, 3)
    assert take_in(store, paths)[0].metrics["mos"].value == pytest.approx(4.0)
    once = {one: (store.call_folder(one) / "scores.json").read_bytes() for one in CALLS}
    assert take_in(store, paths)[0].metrics["mos"].n == 24
    assert {one: (store.call_folder(one) / "scores.json").read_bytes() for one in CALLS} == once
    assert take_in(store, paths[:1])[0].metrics["mos"].value == pytest.approx(4.0)
    # Nobody who counts: what came from the page before goes as well.
    blind = [save(tmp_path, saved(key, "blind", lambda item, is_: 3))]
    summary = take_in(store, blind)[0]
    assert summary.metrics["mos"].status is Status.NOT_APPLICABLE
    assert all(scores.listening is None for one in CALLS if (scores := store.read_scores(one)))


def test_ratings_of_another_page_stay_and_the_last_import_counts(
    run: tuple[RunStore, ListeningKey], tmp_path: Path
) -> None:
    store, key = run
    [other] = make_page([store.folder], method="acr", clips=8, seed=2).keys
    write_key(store.folder, other)
    assert other.sheet.id != key.sheet.id
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    take_in(store, panel(tmp_path / "a", key, 4, 4))
    # The same two people, and one more, of the same stretches on another page.
    summary = take_in(store, panel(tmp_path / "b", other, 2, 2, 2))[0]
    assert (summary.metrics["mos"].n, summary.metrics["mos"].value) == (24, 2.0)
    summary = take_in(store, panel(tmp_path / "a", key, 5))[0]
    assert summary.metrics["mos"].n == 24
    assert summary.metrics["mos"].value == pytest.approx((5 + 2 + 2) / 3)


def test_another_recording_is_not_what_was_rated(run: tuple[RunStore, ListeningKey], tmp_path: Path) -> None:
    store, key = run
    paths = panel(tmp_path, key, 4, 5)
    audio = store.call_folder("two") / "audio.flac"
    audio.write_bytes((store.call_folder("one") / "audio.flac").read_bytes())
    (store.call_folder("three") / "scores.json").unlink()
    summary, problems = take_in(store, paths)
    assert summary.metrics["mos"].n == 8
    assert sorted(problems) == [
        "three: was not scored; its 4 ratings do not count",
        "two: has another recording now; its 4 ratings do not count",
    ]


def test_a_page_of_two_runs_gives_each_its_own(tmp_path: Path) -> None:
    stores = [rated_run(tmp_path / "good", "one", "two"), rated_run(tmp_path / "bad", "one", "two")]
    page = make_page([one.folder for one in stores], method="acr", clips=8, seed=1)
    for store, key in zip(stores, page.keys, strict=True):
        write_key(store.folder, key)
    key = page.keys[0]

    def clip_value(item: str) -> int:
        return (5, 2)[key.items[item].places[0].run]

    paths = [save(tmp_path, saved(key, name, attentive(clip_value))) for name in ("Anna", "Ben")]
    found = [take_in(store, paths)[0].metrics["mos"] for store in stores]
    assert [(one.value, one.n) for one in found] == [(5.0, 8), (2.0, 8)]
    result = ListeningResult.model_validate_json(result_path(stores[1].folder, key.sheet.id).read_text())
    assert {one.of: one.mean for one in result.figures if one.kind == "run"} == {"good": 5.0, "bad": 2.0}


def test_a_comparison_says_how_much_better_the_second_run_is(tmp_path: Path) -> None:
    words = "your money will be back on friday"
    stores = [rated_run(tmp_path / name, "one", "two", words=words) for name in ("old", "new")]
    page = make_page([one.folder for one in stores], method="ccr", clips=8, seed=1)
    for store, key in zip(stores, page.keys, strict=True):
        write_key(store.folder, key)
    key = page.keys[0]
    before = (stores[0].folder / "summary.json").read_bytes()

    def clip_value(item: str) -> int:
        """New is two better: as the key has the pair."""
        return 2 if key.items[item].places[0].run == 0 else -2

    raters = [f"rater {n}" for n in range(6)]
    paths = [save(tmp_path, saved(key, name, attentive(clip_value))) for name in raters]
    directions = {
        json.loads(path.read_text())["answers"][item]["value"]
        for path in paths
        for item in key.of_kind("clip")
    }
    assert directions == {2, -2}, "pairs are heard both ways round"
    take_in(stores[1], paths)
    result = ListeningResult.model_validate_json(result_path(stores[1].folder, key.sheet.id).read_text())
    [figure] = result.figures
    assert (figure.of, figure.kind, figure.mean, figure.n) == (
        "new against old",
        "comparison",
        2.0,
        6 * page.clips,
    )
    assert result.counted == 6
    take_in(stores[0], paths)
    again = ListeningResult.model_validate_json(result_path(stores[0].folder, key.sheet.id).read_text())
    assert again.figures == result.figures
    summary = json.loads((stores[0].folder / "summary.json").read_text())
    assert summary["metrics"] == json.loads(before)["metrics"], "a comparison is no mos"


def simulated(folder: Path, key: ListeningKey, drawn: np.random.Generator) -> list[Path]:
    """A panel: eight who listen, with a bias each, and two who click blindly."""
    clips = {item: drawn.normal(0.0, 0.4) for item in key.of_kind("clip")}
    paths = []
    for rater in range(8):
        bias = drawn.normal(0.0, 0.5)

        def clip_value(item: str, bias: float = bias) -> int:
            return int(np.clip(round(3.3 + bias + clips[item] + drawn.normal(0.0, 0.6)), 1, 5))

        paths.append(save(folder, saved(key, f"rater {rater}", attentive(clip_value))))
    for rater in range(2):
        blind = saved(key, f"blind {rater}", lambda item, is_: int(drawn.integers(1, 6)))
        blind["tones"] = [int(one) for one in drawn.integers(1, 4, len(key.softer))]
        paths.append(save(folder, blind))
    return paths


@pytest.mark.long
def test_the_planted_mean_lies_inside_the_interval(
    run: tuple[RunStore, ListeningKey], tmp_path: Path
) -> None:
    store, key = run
    planted = np.random.default_rng(0)
    heard = (
        3.3
        + planted.normal(0, 0.5, 1_000_000)
        + planted.normal(0, 0.4, 1_000_000)
        + planted.normal(0, 0.6, 1_000_000)
    )
    truth = float(np.clip(np.rint(heard), 1, 5).mean())
    drawn = np.random.default_rng(16)
    inside, blind_counted, panels = 0, 0, 100
    for _ in range(panels):
        mos = take_in(store, simulated(tmp_path, key, drawn))[0].metrics["mos"]
        assert mos.ci_low is not None
        assert mos.ci_high is not None
        inside += mos.ci_low <= truth <= mos.ci_high
        result = ListeningResult.model_validate_json(result_path(store.folder, key.sheet.id).read_text())
        assert all(not one.set_aside for one in result.raters if one.name.startswith("rater"))
        blind_counted += sum(not one.set_aside for one in result.raters if one.name.startswith("blind"))
    assert inside >= 93
    assert blind_counted == 0


def test_one_wrong_file_stops_everything(run: tuple[RunStore, ListeningKey], tmp_path: Path) -> None:
    store, key = run
    before = {path: path.read_bytes() for path in store.folder.rglob("*") if path.is_file()}
    good = panel(tmp_path, key, 4, 5)
    content = saved(key, "Eve", attentive(lambda item: 4))
    item = next(iter(content["answers"]))
    wrong: dict[str, Any] = {
        "has no such item": {"answers": {"q999": {"value": 3, "heard": 1}}},
        "is not on the scale of 1 to 5": {"answers": {item: {"value": 0, "heard": 1}}},
        "was rated, and never heard": {"answers": {item: {"value": 3, "heard": 0}}},
        "the order is not the one": {"order": sorted(content["order"])},
        "no page 0000000000000000 was made from this run": {"sheet": "0" * 16},
        "7 answers about tones; the page has 6": {"tones": [1] * 7},
        "tones.0": {"tones": [4]},
        "answers.q001.value: Input should be a valid integer": {
            "answers": {"q001": {"value": "5", "heard": 1}}
        },
        "Extra inputs are not permitted": {"mos": 5},
        "format": {"format": "outboundeval-ratings"},
        "there is another file by": {"rater": "RATER  0"},
    }
    for told, fields in wrong.items():
        path = tmp_path / "listening-wrong.json"
        path.write_text(json.dumps(content | fields))
        paths = [path] if "no page" in told else [*good, path]
        with pytest.raises(UserError, match=re.escape(told)) as refused:
            take_in(store, paths)
        assert ("key-" if "no page" in told else "listening-wrong.json") in str(refused.value)
    path.write_text('{"format": "outboundeval-listening", "padding": "' + "x" * 1_000_000 + '"}')
    with pytest.raises(UserError, match="the most that is read is 1000000"):
        take_in(store, [*good, path])
    path.write_text(json.dumps(content | {"sheet": "0" * 16}))
    with pytest.raises(
        UserError, match=r"not of page .*listening-wrong.json \(page 0+\); import them one page"
    ):
        # It is the one that differs which is named, wherever it stands.
        take_in(store, [path, *good])
    with pytest.raises(UserError, match="no file of a rater was given"):
        take_in(store, [])
    assert {path: path.read_bytes() for path in store.folder.rglob("*") if path.is_file()} == before


def test_ratings_that_were_there_before_pages_were_told_apart_stay(
    run: tuple[RunStore, ListeningKey], tmp_path: Path
) -> None:
    store, key = run
    scores, recording = store.read_scores("one"), store.recording("one")
    assert scores is not None
    assert recording is not None
    old = ListenedClip(start_s=1.0, end_s=2.5, rater="0" * 12, value=1)
    listening = Listened(recording_sha256=recording.sha256, ratings=(old,))
    store.write_scores_only(scores.model_copy(update={"listening": listening}))
    assert take_in(store, panel(tmp_path, key, 4, 5))[0].metrics["mos"].n == 17


def test_a_run_whose_words_were_pruned_takes_no_ratings_in(
    run: tuple[RunStore, ListeningKey], tmp_path: Path
) -> None:
    store, key = run
    before = (store.folder / "summary.json").read_bytes()
    for one in CALLS:
        for path in store.call_folder(one).iterdir():
            if path.name not in KEPT_OF_A_CALL:
                path.unlink()
    with pytest.raises(UserError, match="its sound and words are not there any more"):
        take_in(store, panel(tmp_path, key, 4, 5))
    assert (store.folder / "summary.json").read_bytes() == before
