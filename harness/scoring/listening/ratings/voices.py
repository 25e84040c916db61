"""What raters said of voices of ``score-tts``: ``mos`` in the table, a voice and language each."""

from __future__ import annotations

from pathlib import Path

from harness._files.json_file import read_model
from harness.analysis.components.figures import ComponentTable
from harness.analysis.measures.notes import count
from harness.scoring.listening.key import FOLDER, read_key
from harness.scoring.listening.ratings.result import MAX_RESULT_BYTES, ListeningResult
from harness.scoring.listening.voices import voices_in
from metrics.listening.opinion import Rating, mean_opinion
from metrics.score import Score, Status


def with_opinions(table: ComponentTable, folder: Path) -> ComponentTable:
    """The table with what the folder's pages gave; a rating counts as long as its clip is the one rated.

    Of a clip that one person rated on two pages the import that came last counts.
    """
    results = sorted((folder / FOLDER).glob("result-*.json"), key=lambda path: path.stat().st_mtime_ns)
    if not results:
        return table
    voices = {one.name: one for one in voices_in(folder)}
    given: dict[str, dict[tuple[str, str], int]] = {name: {} for name in voices}
    for path in results:
        result = read_model(path, ListeningResult, max_bytes=MAX_RESULT_BYTES)
        if result.method != "acr":
            continue
        key = read_key(folder, result.sheet)
        for item in key.of_kind("clip"):
            [place] = key.items[item].places
            voice = voices.get(key.runs[place.run])
            if voice is None or voice.sha256(place.call_id) != place.recording_sha256:
                continue
            for rater in result.raters:
                if not rater.set_aside and item in rater.values:
                    given[voice.name][rater.code, place.call_id] = rater.values[item]
    languages = {row.language for row in table.rows}
    # Older files do not say in which language a text is.
    only = languages.pop() if len(languages) == 1 else ""
    rows = []
    for row in table.rows:
        scores = dict(row.scores)
        said = voices[row.system].results if row.system in voices else {}
        ratings = [
            Rating(rater=rater, clip=item, value=value)
            for (rater, item), value in given.get(row.system, {}).items()
            if (said[item].language or only) == row.language
        ]
        # A voice that gave nothing for many texts has no figure of the others.
        before = scores.get("mos")
        if ratings and (before is None or before.status is not Status.INDETERMINATE):
            scores["mos"] = _mos(ratings)
        rows.append(row.model_copy(update={"scores": scores}))
    return table.model_copy(update={"rows": tuple(rows)})


def _mos(ratings: list[Rating]) -> Score:
    found = mean_opinion(ratings)
    return Score(
        metric="mos",
        unit="mos",
        value=found.mean,
        status=Status.MEASURED,
        reason=f"{count(found.raters, 'rater')}, {count(found.clips, 'clip')}",
        n=found.n,
        ci_low=found.interval.low,
        ci_high=found.interval.high,
        interval_method=found.interval.method,
    )
