"""Scoring a run again: what is told, what ``--fresh`` does, and what Ctrl-C leaves. The models stand in."""

from __future__ import annotations

import asyncio
import datetime
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import soundfile
from typer.testing import CliRunner

from harness.analysis.cache import ANALYSIS_FILE, AnalysisCache
from harness.cli import steps_of_calls as pipeline
from harness.cli.commands import score as command
from harness.cli.main import app
from harness.errors import UserError
from harness.judging.cache import VerdictStore
from harness.judging.judges import JudgeChoice
from harness.records.call import SAMPLE_RATE_HZ
from harness.runs.prune import prune
from harness.runs.store import RunStore
from harness.scoring import score_dialogues as dialogue_scoring
from harness.scoring.reused_work import AudioReuse, judgements_as_json
from harness.scoring.run import score_run
from tests.unit.harness.analysis.test_listener import StandIns, StandInWhisper
from tests.unit.harness.stand_ins.recorded import recorded_call, recorded_run


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often the command asked Whisper and NISQA. The page is not made: it takes longer than all else."""
    count: Counter[str] = Counter()

    def made(**options: Any) -> StandIns:
        return StandIns(asked=count, **options)

    monkeypatch.setattr(command, "Instruments", made)
    monkeypatch.setattr(pipeline, "build_report", lambda folder: folder / "report" / "index.html")
    return count


def _score(folder: Path, *options: str) -> str:
    result = CliRunner().invoke(app, ["score", str(folder), *options], env={"COLUMNS": "300"})
    assert result.exit_code == 0, result.output
    return result.output if "--json" not in options else result.stdout


def _kept(folder: Path, *options: str) -> dict[str, Any]:
    document = json.loads(_score(folder, "--json", *options))
    assert "response_latency_ms" in document["metrics"]
    return document["kept"]  # type: ignore[no-any-return]


def test_the_command_tells_what_was_kept(tmp_path: Path, asked: Counter[str]) -> None:
    store = recorded_run(tmp_path, "one", "two", text="Pardon?")
    assert "audio: 0 of 2 calls kept from before (0 %)\n" in _score(tmp_path)
    assert asked == {"whisper": 4, "nisqa": 4}
    summary = (tmp_path / "summary.json").read_bytes()
    scores = (store.call_folder("one") / "scores.json").read_bytes()
    assert "audio: 2 of 2 calls kept from before (100 %)\n" in _score(tmp_path)
    assert asked == {"whisper": 4, "nisqa": 4}
    assert (tmp_path / "summary.json").read_bytes() == summary
    assert (store.call_folder("one") / "scores.json").read_bytes() == scores

    (store.call_folder("two") / ANALYSIS_FILE).write_text("{")
    told = _kept(tmp_path)
    assert told["judgements"] is None, "rules keep nothing"
    [problem] = told["audio"].pop("problems")
    assert "calls/two/analysis.json: not used (damaged" in problem
    assert told["audio"] == {
        "calls": 2,
        "kept": 1,
        "in_part": 0,
        "answers": 12,
        "answers_kept": 6,
        "changed": {},
    }
    assert _kept(tmp_path, "--fresh")["audio"]["kept"] == 0
    assert asked == {"whisper": 4 + 2 + 4, "nisqa": 4 + 2 + 4}


def test_a_damaged_file_is_a_visible_line(tmp_path: Path, asked: Counter[str]) -> None:
    store = recorded_run(tmp_path, "one", text="Pardon?")
    _score(tmp_path)
    (store.call_folder("one") / ANALYSIS_FILE).write_text("{}[")
    printed = _score(tmp_path)
    assert "analysis.json: not used (damaged" in printed
    assert "audio: 0 of 1 calls kept" in printed


def test_figures_of_which_nothing_is_kept_stay_where_they_are_left_out(
    tmp_path: Path, asked: Counter[str]
) -> None:
    store = recorded_run(tmp_path, "one", "two", text="Pardon?")
    _score(tmp_path)
    files = {path: path.read_bytes() for path in store.call_folder("one").glob("[st]*.json")}
    summary = (tmp_path / "summary.json").read_bytes()
    (store.call_folder("one") / ANALYSIS_FILE).unlink()
    printed = _score(tmp_path, "--only", "timing")
    assert f"{store.call_folder('one')}: its figures stay as they were: words" in printed
    assert {path: path.read_bytes() for path in files} == files
    assert (tmp_path / "summary.json").read_bytes() == summary
    assert asked == {"whisper": 4, "nisqa": 4}
    # Asked for by its own, it is measured again.
    assert "stay as they were" not in _score(tmp_path)
    assert asked == {"whisper": 6, "nisqa": 6}


@pytest.mark.parametrize("options", [(), ("--only", "timing")])
def test_figures_of_a_recording_that_is_gone_stay_as_they_were(
    tmp_path: Path, asked: Counter[str], options: tuple[str, ...]
) -> None:
    store = recorded_run(tmp_path, "one", "two", text="Pardon?")
    _score(tmp_path)
    summary = (tmp_path / "summary.json").read_bytes()
    scores = (store.call_folder("one") / "scores.json").read_bytes()
    (store.call_folder("one") / "audio.flac").unlink()
    printed = _score(tmp_path, *options)
    assert (
        f"{store.call_folder('one')}: its figures stay as they were: it has no recording any more" in printed
    )
    assert (store.call_folder("one") / "scores.json").read_bytes() == scores
    assert (tmp_path / "summary.json").read_bytes() == summary


def test_a_cut_recording_whose_figures_stay_is_not_said_to_be_scored(
    tmp_path: Path, asked: Counter[str]
) -> None:
    store = recorded_run(tmp_path, "one", text="Pardon?")
    _score(tmp_path)
    path = store.call_folder("one") / "audio.flac"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    printed = _score(tmp_path, "--only", "timing")
    assert "its figures stay as they were: words" in printed
    assert "scored as far as it goes" not in printed


class ReplacedWhileScored(RunStore):
    """Another recording comes to lie there when its checksum has been taken and nothing has listened yet."""

    def analysis_cache(self, call_id: str, *, fresh: bool = False) -> AnalysisCache:
        other = recorded_call(answer="account").recording
        assert other is not None
        path = self.call_folder(call_id) / "audio.flac"
        soundfile.write(path, other.audio, SAMPLE_RATE_HZ, subtype="PCM_16")
        return super().analysis_cache(call_id, fresh=fresh)


def test_what_is_kept_is_of_the_recording_whose_checksum_it_bears(tmp_path: Path) -> None:
    def parts(store: RunStore) -> dict[str, Any]:
        score_run(store, instruments=StandIns(), on_progress=lambda doing: None)
        content = json.loads((store.call_folder("one") / ANALYSIS_FILE).read_text())
        return {name: (part["made_from"], part["result"]) for name, part in content["parts"].items()}

    undisturbed = parts(recorded_run(tmp_path / "a", "one", text="Pardon?"))
    recorded_run(tmp_path / "b", "one", text="Pardon?")
    replaced = parts(ReplacedWhileScored(tmp_path / "b"))
    assert replaced == undisturbed
    # And the next scoring sees that it is another.
    again = score_run(RunStore(tmp_path / "b"), instruments=StandIns(), on_progress=lambda doing: None).audio
    assert (again.reused, again.changed["recording"]) == (0, 1)


def test_ctrl_c_keeps_what_was_heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = recorded_run(tmp_path, "one", "two", text="Pardon?")
    instruments = StandIns()
    with monkeypatch.context() as stopped:
        transcribe = StandInWhisper.transcribe

        def cut_off(self: StandInWhisper, *args: Any, **options: Any) -> Any:
            if self.asked["whisper"] == 3:
                raise KeyboardInterrupt
            return transcribe(self, *args, **options)

        stopped.setattr(StandInWhisper, "transcribe", cut_off)
        with pytest.raises(KeyboardInterrupt):
            score_run(store, instruments=instruments, on_progress=lambda doing: None)
    assert store.read_scores("one") is not None
    again = score_run(store, instruments=StandIns(), on_progress=lambda doing: None).audio
    # Of "two" both sides' speech and the caller's words were there.
    assert (again.reused, again.in_part, again.answers_reused) == (1, 1, 6 + 3)


def test_ctrl_c_while_judging_leaves_the_earlier_judgements(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = recorded_run(tmp_path, "one", text="Pardon?")  # too short for the guard to find it garbled
    told: list[str] = []
    assert score_run(store, instruments=StandIns(), on_progress=told.append).summary.text is not None
    assert told == ["scoring one (1 of 1)", "judged one (1 of 1)", "writing the report"]
    before = store.read_scores("one")
    assert before is not None
    assert before.text is not None

    async def cut_off(*_: Any, **__: Any) -> None:
        await asyncio.sleep(0)
        raise KeyboardInterrupt

    monkeypatch.setattr(dialogue_scoring, "judge_session", cut_off)
    with pytest.raises(KeyboardInterrupt):
        score_run(store, instruments=StandIns(), on_progress=told.append)
    assert store.read_scores("one") == before

    # A judgement of before is no judgement of now.
    monkeypatch.setattr(
        "harness.scoring.run.score_call_texts", lambda store, scored, judge, on_progress: scored
    )
    summary = score_run(store, instruments=StandIns(), on_progress=told.append).summary
    after = store.read_scores("one")
    assert after is not None
    assert (after.text, summary.text) == (None, None)


def test_judgements_that_were_looked_up_are_not_called_asked(tmp_path: Path) -> None:
    """``asked`` is what a model was asked now, wherever else it stands; this counts the kept ones too."""
    judge = JudgeChoice(names=["http://127.0.0.1:1/v1#m"], store=VerdictStore(tmp_path))
    assert judge.store is not None
    judge.store.put("aa", "kept")
    assert [judge.store.get(key) for key in ("aa", "aa", "bb")] == ["kept", "kept", None]
    assert judgements_as_json(judge) == {"looked_up": 3, "kept": 2}


def test_all_but_one_is_not_a_hundred_per_cent() -> None:
    reuse = AudioReuse(calls=1000, reused=999, in_part=1, answers=5000, answers_reused=4998)
    reuse.changed.update({"model": 1})
    assert reuse.told() == ("audio: 999 of 1000 calls kept from before (99 %), 1 in part; changed: model (1)")
    assert AudioReuse().told() == "audio: no call has a recording"


def test_a_recording_that_was_cut_off_is_scored_and_said_to_be_cut(
    tmp_path: Path, asked: Counter[str]
) -> None:
    store = recorded_run(tmp_path / "run", "one", "two")
    path = store.call_folder("two") / "audio.flac"
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 2 // 3])
    told = _score(tmp_path / "run")
    assert f"{path}: cut off or damaged: its header promises" in told
    document = json.loads(_score(tmp_path / "run", "--json", "--fresh"))
    assert [one["file"] for one in document["cut_off"]] == ["calls/two/audio.flac"]
    assert document["calls"] == {"completed": 2}


@pytest.mark.parametrize("channels", [1, 2])
def test_a_sound_file_that_was_cut_off_is_scored_and_said_to_be_cut(
    tmp_path: Path, asked: Counter[str], channels: int
) -> None:
    path = tmp_path / "[red]a.wav"
    store = recorded_run(tmp_path / "run", "one")
    audio, rate = soundfile.read(store.call_folder("one") / "audio.flac", dtype="float32")
    soundfile.write(path, audio[:, :channels], rate, subtype="PCM_16")
    assert "cut off" not in _score(path)
    assert json.loads(_score(path, "--json"))["cut_off"] == []
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) * 2 // 3])
    told = _score(path)
    assert str(path) in told
    assert f"its header promises {len(audio) / rate:.2f} s" in told
    [cut] = json.loads(_score(path, "--json"))["cut_off"]
    assert cut["file"] == str(path)
    assert f"{len(audio) / rate * 2 / 3:.1f}" in cut["what"]


def test_a_run_whose_words_were_pruned_keeps_its_figures_and_its_verdict(
    tmp_path: Path, asked: Counter[str]
) -> None:
    recorded_run(tmp_path, "one", text="Pardon?")
    info = json.loads((tmp_path / "run.json").read_text())
    (tmp_path / "run.json").write_text(json.dumps(info | {"finished_at": info["started_at"]}))
    _score(tmp_path)
    now = datetime.datetime(2026, 12, 31, tzinfo=datetime.UTC)
    [pruned] = prune([tmp_path], now=now, keep_audio_days=None, keep_words_days=30)
    assert pruned.audio == 1
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert {"summary.json", "verdict.json", "call.json"} <= {path.name for path in before}
    result = CliRunner().invoke(app, ["score", str(tmp_path)], env={"COLUMNS": "300"})
    assert isinstance(result.exception, UserError)
    assert "are not there any more (prune takes them out)" in str(result.exception)
    assert {path: path.read_bytes() for path in before} == before
