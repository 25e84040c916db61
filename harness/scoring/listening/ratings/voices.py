"""What raters said of voices of ``score-tts``: ``mos`` in the table, a voice and language each."""

from __future__ import annotations

from pathlib import Path

from harness.analysis.components.figures import ComponentTable, SystemRow
from harness.analysis.components.tts_figures import NEEDS_PEOPLE
from harness.analysis.measures.voice.people import opinion_score
from harness.errors import UserError
from harness.scoring.listening.ratings.result import read_results
from harness.scoring.listening.voices import voices_in
from metrics.listening.opinion import Rating
from metrics.score import Status, not_measured
from spoken_language.outside_text import one_line

LEFT_OUT = "mos: ratings by people are left out"
"""How a note of the table begins that says why."""


def with_opinions(table: ComponentTable, folder: Path) -> ComponentTable:
    """The table with what the folder's pages gave; a rating counts as long as its clip is the one rated.

    What earlier ratings made of ``mos`` goes: they may have been withdrawn. Of a clip that one person rated
    on two pages the import that came last counts.

    Raises:
        UserError: Ratings, their page's key or the clips cannot be read.
    """
    table = _unrated(table)
    results = read_results(folder)
    if not results:
        return table
    voices = {one.name: one for one in voices_in(folder, [row.system for row in table.rows])}
    given: dict[str, dict[tuple[str, str], int]] = {name: {} for name in voices}
    for result, key in results:
        if result.method != "acr":
            continue
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
            scores["mos"] = opinion_score(ratings)
        rows.append(row.model_copy(update={"scores": scores}))
    return table.model_copy(update={"rows": tuple(rows)})


def with_readable_opinions(table: ComponentTable, folder: Path) -> ComponentTable:
    """The same, of a table that was just made: ratings that cannot be read cost a note, and not the table."""
    try:
        return with_opinions(table, folder)
    except (UserError, OSError) as error:
        told = f"{LEFT_OUT}: {one_line(str(error), most=400)}"
        return table.model_copy(update={"notes": (*table.notes, told)})


def _unrated(table: ComponentTable) -> ComponentTable:
    rows = tuple(_unrated_row(row) for row in table.rows)
    notes = tuple(note for note in table.notes if not note.startswith(LEFT_OUT))
    return table.model_copy(update={"rows": rows, "notes": notes})


def _unrated_row(row: SystemRow) -> SystemRow:
    mos = row.scores.get("mos")
    if mos is None or mos.status is not Status.MEASURED:
        return row
    return row.model_copy(update={"scores": {**row.scores, "mos": not_measured("mos", "mos", NEEDS_PEOPLE)}})
