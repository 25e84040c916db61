"""The table of recognisers: Table 15's and 20's columns as far as the list of clips allows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from harness.analysis.components.asr import STANDARD, AsrItem, AsrResult, Clip
from harness.analysis.components.figures import (
    ComponentTable,
    Counts,
    SystemRow,
    counts_of,
    differences,
    notes_on_speed,
    ratio,
    speed,
    unless_failed,
)
from harness.analysis.components.systems.base import Recogniser
from metrics.comparison.paired import compare
from metrics.comparison.weighted import Sums
from metrics.recognition.error_rate import Unit
from metrics.recognition.leaderboard import plain, whispers, whispers_version
from metrics.recognition.normalize import NORMALIZATION_VERSION, Language, normalize
from metrics.recognition.proper_nouns import VERSION as NOUNS_VERSION
from metrics.recognition.proper_nouns import accuracy, find_entity
from metrics.score import Score, Status, not_measured

NOISY_BELOW_DB = 15.0
"""Table 15: a signal-to-noise ratio of less."""
LEAST_ACCENT_BASE = 0.03
"""A ratio to a smaller rate says nothing: one word more or less would double it."""
NO_WHISPERS = "needs Whisper's own normaliser: pip install whisper-normalizer"


def asr_table(
    clips: Sequence[Clip],
    systems: Mapping[str, Recogniser],
    found: Mapping[str, Mapping[str, AsrResult]],
    *,
    folder: str,
) -> ComponentTable:
    """The figures of each system in each language, and the differences of each two.

    Args:
        found: What :func:`harness.analysis.components.asr.recognise_all` gave, or the part that was done.
    """
    items = {clip.item.id: clip.item for clip in clips}
    groups = {name: item.group or name for name, item in items.items()}
    rows = []
    counted: dict[tuple[str, str], dict[str, Counts]] = {}
    for system, results in found.items():
        for language in dict.fromkeys(item.language for item in items.values()):
            mine = {name: one for name, one in results.items() if items[name].language == language}
            if not mine:
                continue
            heard = {name: one for name, one in mine.items() if not one.failed}
            scores, counts = _scores(items, heard, groups, language)
            failed = [one for one in mine.values() if one.failed]
            rows.append(
                SystemRow(
                    system=system,
                    identity=systems[system].identity,
                    language=language,
                    items=len(mine),
                    failed=len(failed),
                    why_failed=failed[0].failed if failed else "",
                    scores=unless_failed(scores, failed=len(failed), items=len(mine)),
                )
            )
            counted[system, language] = counts
    notes = ["wer and cer: ours; _plain: Table 15 alone; _whisper: " + (whispers_version() or NO_WHISPERS)]
    return ComponentTable(
        kind="asr",
        folder=folder,
        complete=all(len(results) == len(items) for results in found.values()),
        rows=tuple(rows),
        differences=tuple(differences(counted, groups)),
        notes=(*notes, *notes_on_speed(found)),
    )


def _scores(
    items: Mapping[str, AsrItem],
    heard: Mapping[str, AsrResult],
    groups: Mapping[str, str],
    language: Language,
) -> tuple[list[Score], dict[str, Counts]]:
    pairs = {name: (items[name].text, one.hypothesis) for name, one in heard.items() if items[name].usable}
    scores: list[Score] = []
    counted: dict[str, Counts] = {}
    head = "cer" if language == "zh" else "wer"
    for metric, unit, written, version in _rates(language):
        counts, too_long = counts_of(pairs, written, unit)
        score = ratio(metric, counts, groups, version=version)
        if too_long:
            score = score.model_copy(update={"reason": f"{len(too_long)} items are too long to align"})
        scores.append(score)
        counted[metric] = counts
    if whispers_version() is None:
        scores.append(not_measured(f"{head}_whisper", "ratio", NO_WHISPERS))
    noisy = {name: pair for name, pair in counted[head].items() if _is_noisy(items[name])}
    why = f"no clip is said to have less than {NOISY_BELOW_DB:.0f} dB (snr_db)"
    scores.append(ratio("wer_noisy", noisy, groups) if noisy else not_measured("wer_noisy", "ratio", why))
    counted["wer_noisy"] = noisy
    nouns, right = _proper_nouns(items, heard, groups, language)
    scores += nouns
    counted["proper_noun_accuracy"] = right
    scores += [_accents(items, counted[head]), *_rejections(items, heard, groups)]
    took = {name: one.took_s for name, one in heard.items()}
    scores += speed(took, {name: one.audio_s for name, one in heard.items()}, groups)
    return scores, {name: counts for name, counts in counted.items() if counts}


def _rates(language: Language) -> list[tuple[str, Unit, Callable[[str], str], str]]:
    ours: list[tuple[str, Unit, Callable[[str], str], str]] = []
    if language != "zh":
        ours.append(("wer", "word", lambda text: normalize(text, language), NORMALIZATION_VERSION))
        ours.append(("wer_plain", "word", lambda text: plain(text, language), "1"))
        if (version := whispers_version()) is not None:
            ours.append(("wer_whisper", "word", lambda text: whispers(text, language), version))
    ours.append(("cer", "character", lambda text: normalize(text, language), NORMALIZATION_VERSION))
    if language == "zh":
        ours.append(("cer_plain", "character", lambda text: plain(text, language), "1"))
        if (version := whispers_version()) is not None:
            ours.append(("cer_whisper", "character", lambda text: whispers(text, language), version))
    return ours


def _is_noisy(item: AsrItem) -> bool:
    return item.snr_db is not None and item.snr_db < NOISY_BELOW_DB


def _proper_nouns(
    items: Mapping[str, AsrItem],
    heard: Mapping[str, AsrResult],
    groups: Mapping[str, str],
    language: Language,
) -> tuple[list[Score], Counts]:
    name = "proper_noun_accuracy"
    found = {
        item: [
            (
                one.kind,
                find_entity(one.value, result.hypothesis, kind=one.kind, language=language),
            )
            for one in items[item].entities
        ]
        for item, result in heard.items()
        if items[item].entities
    }
    if not found:
        return [not_measured(name, "ratio", "no clip has entities", version=NOUNS_VERSION)], {}
    right: Counts = {
        item: (float(sum(one.right for _, one in those)), float(len(those))) for item, those in found.items()
    }
    all_of_them = accuracy([one for those in found.values() for one in those])
    kinds = ", ".join(f"{kind} {good}/{n}" for kind, (good, n) in sorted(all_of_them.by_kind.items()))
    told = f"macro {all_of_them.macro:.3f}; near misses {all_of_them.near_misses}; {kinds}"
    score = ratio(name, right, groups, version=NOUNS_VERSION, share=True)
    return [score.model_copy(update={"reason": told})], right


def _accents(items: Mapping[str, AsrItem], counts: Counts) -> Score:
    """Relative change of the error rate on the same sentences, accented against standard (Table 15)."""
    name = "accent_adaptability"
    by_text: dict[str, tuple[list[tuple[float, float]], list[tuple[float, float]]]] = {}
    for item, pair in counts.items():
        if items[item].accent:
            by_text.setdefault(items[item].text, ([], []))[items[item].accent != STANDARD].append(pair)
    both = [sides for sides in by_text.values() if all(sides)]
    if len(both) < 2:
        return not_measured(name, "ratio", f"needs the same texts with accent '{STANDARD}' and with others")
    change = compare(Sums.of([one for one, _ in both], [other for _, other in both]), seed=0)
    told = f"absolute change {change.estimate:+.3f}"
    if change.low is not None and change.high is not None:
        told += f" (90 % {change.low:+.3f} to {change.high:+.3f}, {len(both)} texts)"
    base = change.baseline or 0.0
    if base < LEAST_ACCENT_BASE:
        why = f"{told}; the standard voices' rate is {base:.3f}, under {LEAST_ACCENT_BASE}: no ratio to it"
        return not_measured(name, "ratio", why, status=Status.INDETERMINATE)
    return Score(
        metric=name,
        unit="ratio",
        value=change.estimate / base,
        status=Status.MEASURED,
        n=len(both),
        reason=told,
        interval_method="no interval of the ratio: that of the absolute change is told",
    )


def _rejections(
    items: Mapping[str, AsrItem], heard: Mapping[str, AsrResult], groups: Mapping[str, str]
) -> list[Score]:
    """A recogniser alone rejects by writing no word."""
    silent = {name: float(not any(map(str.isalnum, one.hypothesis))) for name, one in heard.items()}
    scores = []
    for metric, usable, why in (
        ("rejection_rate", False, "no clip is said to be unusable (usable: false)"),
        ("false_rejection_rate", True, "no usable clip"),
    ):
        counts = {name: (value, 1.0) for name, value in silent.items() if items[name].usable is usable}
        scores.append(
            ratio(metric, counts, groups, share=True) if counts else not_measured(metric, "ratio", why)
        )
    return scores
