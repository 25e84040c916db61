"""The view of a run: complete, torn, hostile; figures as in summary.json."""

from __future__ import annotations

import html
import json
import shutil
from pathlib import Path

import numpy as np
import pytest
import soundfile

from harness._files.self_contained_page import embedded_json
from harness.errors import UserError
from harness.records.call import SAMPLE_RATE_HZ
from harness.records.scores import LineEchoNote
from harness.reports import run as view_module
from harness.reports.html import build_report
from harness.reports.parts.playable import embedded_within, linked
from harness.reports.run import run_page
from harness.runs.store import RunStore
from metrics.detection.line_echo import EchoPath, LineEcho
from tests.report.make_run import MadeCall, Said, write_run
from tests.report.sample_calls import noisy_call, plain_call, sample_calls


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("written") / "nightly", sample_calls())


@pytest.fixture
def run_dir(written: Path, tmp_path: Path) -> Path:
    """A copy that the test may tear."""
    return Path(shutil.copytree(written, tmp_path / "nightly"))


def small_call(name: str) -> MadeCall:
    said = [Said(side="agent", start_s=0.2, end_s=0.9, text="Hello.")]
    return MadeCall(id=name, duration_s=1.0, said=said)


def test_a_whole_run_has_no_problem(written: Path) -> None:
    view = run_page(written)
    assert view.problems == ()
    assert view.verdict == "5 of 7 calls measured; 1 harness fault left out"
    assert [call.id for call in view.faulty] == ["late-sender"]
    assert [(status.status, status.n) for status in view.statuses] == [
        ("completed", 3),
        ("agent_hangup", 1),
        ("timeout", 1),
        ("setup_failed", 1),
        ("harness_fault", 1),
    ]
    assert view.took == "14\u202fmin 30\u202fs"
    assert view.instrument == (
        "smallwebrtc: ±10.5\u202fms on response latency and ±17.0\u202fms on interruption delay "
        "(95th percentile of the error; 2 Nov 2026; this machine)",
    )


def test_a_call_tells_of_the_echo_on_its_line(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [small_call("one"), small_call("other")])
    store = RunStore(folder)
    scores = store.read_scores("one")
    assert scores is not None
    path = EchoPath(delay_s=0.12, gain_db=-18.2, talks=5, seconds=9.5)
    note = LineEcho(path=path).note
    echo = LineEchoNote(delay_ms=120, gain_db=-18.2, talks=5, seconds=9.5, note=note)
    store.write_scores_only(scores.model_copy(update={"line_echo": echo}))
    told = {call.id: dict(call.facts).get("Line echo") for call in run_page(folder, drawn=False).calls}
    assert told == {"one": note, "other": None}
    assert "(line echo, 120 ms later, -18 dB; found in 5 stretches of its speech)" in note
    assert "the latencies that are left lean slow" in note


def test_a_call_tells_every_condition_that_its_voice_met(tmp_path: Path) -> None:
    folder = write_run(tmp_path / "run", [small_call("far")])
    path = folder / "calls" / "far" / "call.json"
    record = json.loads(path.read_text())
    record["plan"]["conditions"] = {
        "distance_m": 1.5,
        "noise": {"snr_db": 10},
        "telephone": "alaw",
        "echo": {"level_db": -30, "delay_ms": 150},
        "line_gain_db": -12.5,
    }
    path.write_text(json.dumps(record))
    (call,) = run_page(folder).calls
    assert call.conditions == (
        "1.5\u202fm from the microphone, in a room",
        "noise 10\u202fdB SNR",
        "landline, A-law",
        "echo at \N{MINUS SIGN}30\u202fdB after 150\u202fms",
        "line at \N{MINUS SIGN}12.5\u202fdB",
    )


def test_figures_are_those_of_the_summary_file(run_dir: Path) -> None:
    """Not recomputed: a figure changed in the file is the figure that is shown."""
    path = run_dir / "summary.json"
    content = json.loads(path.read_text())
    content["metrics"]["response_latency_ms"] |= {"value": 4321.4, "p50": 4321.4}
    path.write_text(json.dumps(content))
    figure = run_page(run_dir, drawn=False).cards[0]
    assert (figure.name, figure.value, figure.shown) == ("response_latency_ms", 4321.4, "4,321")


def test_a_call_as_its_row_shows_it(written: Path) -> None:
    plain, barged = run_page(written, drawn=False).calls[:2]
    # Latencies 740 620 1180 910: median (740 + 910) / 2. WER 3 of 32 words.
    assert (plain.p50, plain.turns, plain.wer) == ("825\u202fms", "4", "9.4\u202f%")
    # Of the valid clips, by duration: 65.096 over 15.8 s.
    assert plain.naturalness == "4.12"
    assert plain.interruptions == ""
    assert barged.interruptions == "4 of 7 stopped"
    assert barged.turns == "3 of 4"


def test_marks_lie_where_the_timing_is(written: Path) -> None:
    calls = run_page(written).calls
    drawing = calls[1].drawing
    assert drawing is not None
    marks = {(mark["kind"], mark["anchor"]): mark for mark in drawing["marks"]}
    early = marks["response", "turn-interruptions-1"]
    # The agent began 120 ms before the caller's end: the bracket runs backwards.
    assert (early["start_s"], early["end_s"]) == (11.4, 11.28)
    assert early["label"] == "−120\u202fms"
    runs_on = marks["interruption", "barge-interruptions-4"]
    assert (runs_on["start_s"], runs_on["end_s"]) == (25.0, 31.0)
    assert runs_on["play_s"] == 24.2
    assert ("response", "turn-interruptions-3") not in marks
    noisy = calls[2].drawing
    assert noisy is not None
    assert noisy["gaps"] == [["agent", 9.1, 9.46], ["agent", 15.8, 15.9]]


def test_charts_hold_every_counted_observation_and_no_other(written: Path) -> None:
    view = run_page(written, drawn=False)
    assert view.latency is not None
    assert len(view.latency.dots) == 10
    assert not any("late-sender" in dot.title for dot in view.latency.dots)
    assert view.delays is not None
    assert sorted(dot.tone for dot in view.delays.dots) == ["bad", "good", "good", "open"]
    assert [dot.title for dot in view.delays.censored] == [
        "interruptions, interruption 5: did not stop, still speaking after 6,000\u202fms"
    ]
    assert view.delays_not_drawn == "Not drawn: 1 where the agent ended by itself and 1 indeterminate."


@pytest.mark.parametrize(
    ("torn", "content", "told"),
    [
        ("calls/plain/call.json", b'{"plan": {', "calls/plain/call.json"),
        ("calls/plain/call.json", b"[]", "calls/plain/call.json"),
        ("calls/plain/scores.json", b'{"call_id": "noisy"}', "belongs to another call"),
        ("calls/plain/scores.json", b"\xff\xfe garbage", "calls/plain/scores.json"),
        ("calls/plain/transcript.json", b'{"lines": [{"side": "nobody"}]}', "lines.0"),
        ("calls/plain/timeline.jsonl", b'{"t": 1}\nnot json\n', "2 lines are not events"),
        ("calls/plain/audio.flac", b"no sound at all", "cannot be opened"),
        ("calls/plain/audio.flac", b"", "calls/plain/audio.flac"),
        ("summary.json", b'{"metrics": 3}', "computed again from the calls"),
        ("run.json", b"{" * 100_000, "run.json"),
    ],
)
def test_a_torn_file_is_named_and_the_rest_is_shown(
    run_dir: Path, torn: str, content: bytes, told: str
) -> None:
    (run_dir / torn).write_bytes(content)
    view = run_page(run_dir)
    problems = " ".join(f"{problem.file} {problem.what}" for problem in view.problems)
    assert told in problems
    assert len(view.calls) + len(view.faulty) == 7
    page = build_report(run_dir, page_budget_bytes=0).read_text(encoding="utf-8")
    assert "could not be used as written" in page
    assert "call-interruptions" in page


@pytest.mark.parametrize(
    "name", ["call.json", "scores.json", "transcript.json", "timeline.jsonl", "audio.flac"]
)
def test_a_missing_file_is_named(run_dir: Path, name: str) -> None:
    (run_dir / "calls" / "plain" / name).unlink()
    view = run_page(run_dir)
    assert (f"calls/plain/{name}", "is missing") in {
        (problem.file, problem.what) for problem in view.problems
    }
    build_report(run_dir, page_budget_bytes=0)


def test_a_call_that_was_never_set_up_misses_nothing(run_dir: Path) -> None:
    assert sorted(path.name for path in (run_dir / "calls" / "refused").iterdir()) == [
        "call.json",
        "timeline.jsonl",
    ]
    refused = next(call for call in run_page(run_dir, drawn=False).calls if call.id == "refused")
    assert refused.problems == ()
    assert refused.p50 == refused.wer == ""


def test_half_a_recording_is_shown_as_far_as_it_goes(run_dir: Path) -> None:
    path = run_dir / "calls" / "plain" / "audio.flac"
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    plain = run_page(run_dir).calls[0]
    assert plain.drawing is not None
    assert 10.0 < plain.drawing["duration"] < 20.0
    assert plain.sound.kind == "linked"
    (problem,) = plain.problems
    assert problem.what.startswith("is torn: nothing after 0:1")


def test_a_folder_of_bare_calls_is_a_run(run_dir: Path) -> None:
    (run_dir / "run.json").unlink()
    (run_dir / "summary.json").unlink()
    view = run_page(run_dir, drawn=False)
    assert view.name == "nightly"
    assert len(view.calls) == 6
    assert view.cards[0].value == pytest.approx(910.0)
    build_report(run_dir, page_budget_bytes=0)


def test_something_else_is_no_run(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no run"):
        run_page(tmp_path)


def test_a_call_id_never_leads_out_of_the_run(run_dir: Path) -> None:
    secret = run_dir.parent / "secret"
    secret.mkdir()
    (secret / "call.json").write_text((run_dir / "calls" / "plain" / "call.json").read_text())
    info = json.loads((run_dir / "run.json").read_text())
    info["call_ids"] = ["../../secret", "/etc", "plain", "a b", "<b>"]
    (run_dir / "run.json").write_text(json.dumps(info))
    view = run_page(run_dir, drawn=False)
    assert {call.id for call in (*view.calls, *view.faulty)} == {call.id for call in sample_calls()}
    told = [problem.what for problem in view.problems if problem.file == "calls"]
    assert len(told) == 4
    assert "'../../secret'" in told[0]


def test_a_stale_summary_is_told(run_dir: Path) -> None:
    path = run_dir / "summary.json"
    content = json.loads(path.read_text())
    content["calls"] = {"completed": 9}
    path.write_text(json.dumps(content))
    assert any("counts 9 completed" in problem.what for problem in run_page(run_dir, drawn=False).problems)


def test_sound_beyond_the_budget_is_linked(tmp_path: Path) -> None:
    run_dir = write_run(tmp_path / "run", [plain_call(), noisy_call(), small_call("short")])
    linked = build_report(run_dir, page_budget_bytes=0).stat().st_size
    # Room for the 18 seconds of "noisy" (about 155 kB) and the second of "short", not for 34 of "plain".
    budget = linked + 200_000
    page = build_report(run_dir, page_budget_bytes=budget)
    assert linked + 80_000 < page.stat().st_size <= budget
    text = page.read_text(encoding="utf-8")
    assert text.count('src="data:audio/ogg;base64,T2dnU') == 2  # "OggS"
    assert '<source src="../calls/plain/audio.flac">' in text
    assert "it would make this page too large" in text
    assert "the sound of 1 call" in text
    assert (page.parent / "../calls/plain/audio.flac").resolve() == run_dir / "calls" / "plain" / "audio.flac"


def test_a_mono_clip_is_the_agents(tmp_path: Path) -> None:
    run_dir = write_run(tmp_path / "run", [small_call("clip")])
    tone = 0.3 * np.sin(2 * np.pi * 330 * np.arange(SAMPLE_RATE_HZ) / SAMPLE_RATE_HZ)
    soundfile.write(run_dir / "calls" / "clip" / "audio.flac", tone, SAMPLE_RATE_HZ)
    call = run_page(run_dir).calls[0]
    assert call.drawing is not None
    assert call.drawing["caller"] == ""
    assert len(call.drawing["agent"]) > 200


def test_a_rate_that_opus_lacks_is_linked_not_resampled(tmp_path: Path) -> None:
    recording = tmp_path / "audio.flac"
    soundfile.write(recording, np.zeros((44_100, 2)), 44_100)
    (sound,) = embedded_within([linked("cd", recording)], 10_000_000)
    assert sound.kind == "linked"
    assert "44100 Hz" in sound.note


def test_many_calls_share_the_room_for_waveforms(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fine = run_page(written).calls[1].drawing
    monkeypatch.setattr(view_module, "OUTLINES_BYTES", 60_000)
    coarse = run_page(written).calls[1].drawing
    assert fine is not None
    assert coarse is not None
    assert coarse["rate"] < fine["rate"] / 3
    assert coarse["duration"] == fine["duration"] == 40.0


def test_the_page_loads_nothing_from_elsewhere(run_dir: Path) -> None:
    page = build_report(run_dir, page_budget_bytes=0).read_text(encoding="utf-8")
    head = html.unescape(page.split("</head>")[0])
    assert "default-src 'none'" in head
    assert "unsafe" not in head
    assert page.count("<script>") == 3
    for attribute in ('src="http', "src='http", 'href="http', "@import", "url("):
        assert attribute not in page
    # The attack of the sample: every "<" of it is escaped, in HTML and in JSON.
    assert "<script>alert" not in page
    assert "<img" not in page
    assert " onerror=alert(2)&gt;" in page


def test_embedded_json_cannot_end_its_element() -> None:
    hostile = {"text": "</script><!-- & \u2028\u2029 ]]>"}
    text = str(embedded_json(hostile))
    assert not set("<>&\u2028\u2029") & set(text)
    assert json.loads(text) == hostile


def test_a_password_and_a_token_in_the_agents_address_stay_private(tmp_path: Path) -> None:
    run_dir = write_run(tmp_path / "run", [small_call("one")])
    info = json.loads((run_dir / "run.json").read_text())
    info["agents"] = [
        "livekit+wss://user:hunter2@rtc.example/room?token=abcdef",
        "sip:bob:secret@example.org;x=y",
    ]
    (run_dir / "run.json").write_text(json.dumps(info))
    view = run_page(run_dir, drawn=False)
    assert view.agents == ("livekit+wss://rtc.example/room?…", "sip:bob@example.org")


def test_events_of_large_runs_stay_in_their_files(written: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    small = run_page(written).calls[0]
    # Connected, and one a stretch of speech: five of the agent, four of the caller.
    assert (len(small.events), small.events_left_out) == (10, 0)
    monkeypatch.setattr(view_module, "EVENTS_UP_TO_CALLS", 2)
    large = run_page(written).calls[0]
    assert (len(large.events), large.events_left_out) == (0, 10)


def test_an_error_bar_that_was_only_assumed_says_so(run_dir: Path) -> None:
    assert run_page(run_dir, drawn=False).cards[0].error_bar == "±10.5\u202fms"
    path = run_dir / "summary.json"
    content = json.loads(path.read_text())
    content["calibrations"] = [
        {"transport": "smallwebrtc", "not_calibrated": "not calibrated on this machine"}
    ]
    path.write_text(json.dumps(content))
    view = run_page(run_dir, drawn=False)
    assert view.cards[0].error_bar == "±10.5\u202fms, assumed"
    assert view.instrument == ("smallwebrtc: not calibrated; on this machine",)
