"""The table of voices: Table 16's columns as far as a text and its sound allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.analysis.components.figures import (
    ComponentTable,
    Counts,
    SystemRow,
    counts_of,
    differences,
    mean,
    notes_on_speed,
    ratio,
    speed,
    unless_failed,
)
from harness.analysis.components.tts import TtsItem, TtsResult, Voice
from harness.analysis.instruments import Instruments
from metrics.recognition.error_rate import Unit
from metrics.recognition.normalize import NORMALIZATION_VERSION, Language, normalize
from metrics.score import Score, not_measured

NEEDS_PEOPLE = "needs ratings by people"


def tts_table(
    items: Sequence[TtsItem],
    voices: Mapping[str, Voice],
    found: Mapping[str, Mapping[str, TtsResult]],
    instruments: Instruments,
    *,
    folder: str,
) -> ComponentTable:
    """The figures of each voice in each language, and the differences of each two.

    Args:
        found: What :func:`harness.analysis.components.tts.speak_all` gave, or the part that was done.
    """
    by_id = {item.id: item for item in items}
    groups = {name: item.group or name for name, item in by_id.items()}
    rows = []
    counted: dict[tuple[str, str], dict[str, Counts]] = {}
    for system, results in found.items():
        for language in dict.fromkeys(item.language for item in items):
            mine = {name: one for name, one in results.items() if by_id[name].language == language}
            if not mine:
                continue
            said = {name: one for name, one in mine.items() if not one.failed}
            scores, counts = _scores(by_id, said, groups, language, instruments)
            failed = [one for one in mine.values() if one.failed]
            rows.append(
                SystemRow(
                    system=system,
                    identity=voices[system].identity(language),
                    language=language,
                    items=len(mine),
                    failed=len(failed),
                    why_failed=failed[0].failed if failed else "",
                    scores=unless_failed(scores, failed=len(failed), items=len(mine)),
                )
            )
            counted[system, language] = counts
    return ComponentTable(
        kind="tts",
        folder=folder,
        complete=all(len(results) == len(items) for results in found.values()),
        rows=tuple(rows),
        differences=tuple(differences(counted, groups)),
        notes=(
            "intelligibility is what our recogniser (Whisper base) understood: its own errors are in it, "
            "alike for each voice; the figures lie side by side and are no error rate of a voice",
            *notes_on_speed(found),
        ),
    )


def _scores(
    items: Mapping[str, TtsItem],
    said: Mapping[str, TtsResult],
    groups: Mapping[str, str],
    language: Language,
    instruments: Instruments,
) -> tuple[list[Score], dict[str, Counts]]:
    counted: dict[str, Counts] = {}
    scores: list[Score] = []
    pairs = {
        name: (items[name].spoken or items[name].text, one.hypothesis)
        for name, one in said.items()
        if one.hypothesis is not None
    }
    units: list[tuple[str, Unit]] = [("intelligibility_cer", "character")]
    if language != "zh":
        units.insert(0, ("intelligibility_wer", "word"))
    for metric, unit in units:
        if not pairs:
            why = instruments.why_no_whisper or "nothing was said"
            scores.append(not_measured(metric, "ratio", why, version=NORMALIZATION_VERSION))
            continue
        counts, _ = counts_of(pairs, lambda text: normalize(text, language), unit)
        scores.append(ratio(metric, counts, groups, version=NORMALIZATION_VERSION))
        counted[metric] = counts
    for metric, of in (("nisqa_naturalness", "naturalness"), ("nisqa_mos", "quality")):
        values = {name: getattr(one, of) for name, one in said.items() if getattr(one, of) is not None}
        left_out = [one.no_nisqa for one in said.values() if one.no_nisqa]
        why = left_out[0] if left_out else "nothing was said"
        score = mean(metric, "mos", values, groups, why)
        if values and left_out:
            told = f"{len(left_out)} of {len(said)} clips left out: {left_out[0]}"
            score = score.model_copy(update={"reason": told})
        scores.append(score)
        if values:
            counted[metric] = {name: (value, 1.0) for name, value in values.items()}
    scores.append(not_measured("mos", "mos", NEEDS_PEOPLE))
    took = {name: one.took_s for name, one in said.items()}
    scores += speed(took, {name: one.audio_s for name, one in said.items()}, groups)
    return scores, counted
