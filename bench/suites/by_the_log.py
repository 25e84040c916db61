"""What became of each line by the agent's own log beside what we made of it, and figures by the log alone."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jiwer

from bench.suites.repertoire import LOUDER_DB, Repertoire, line_name
from harness.analysis.measures.probes.curve import COUNTED_DB
from harness.analysis.probes.reading_error import verdicts_are_right
from harness.records.scores import ProbeHearing, ProbeReading
from harness.runs.reader import CallFiles, read_run
from harness.selfcheck.selftest.families.speaking import SUBDUED
from harness.selfcheck.selftest.families.suites import SAYS_AGAIN, SAYS_CONTENT
from metrics.recognition.normalize import normalize

SAME_LINE_S = 0.5
DID_NOTHING: Mapping[str, Any] = {"wrote": "", "told": "", "reply": ""}
DID = {SAYS_AGAIN[1]: "asked_again", SAYS_CONTENT[1]: "answered", "": "silent"}


@dataclass(frozen=True, kw_only=True)
class Place:
    """A line of a call.

    Attributes:
        ours: What we made of it.
        log: What the agent noted.
        heard: The agent knew the line; if not, it did nothing about it.
    """

    ours: ProbeHearing | ProbeReading
    log: Mapping[str, Any]
    heard: bool


@dataclass(frozen=True, kw_only=True)
class Agreement:
    """Verdicts of ours: how many there are, and how many of these are the log's."""

    verdicts: int
    right: int
    wrong: list[str]


def places_of(run: Path, log: Path, repertoire: Repertoire) -> list[Place]:
    """Every line that was said.

    An agent may have taken a voice for another that says the same: by item and time it is the line's.
    """
    entries: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for written in log.read_text(encoding="utf-8").splitlines():
        entry = json.loads(written)
        entries[repertoire.lines[entry["line"]].item].append(entry)
    items = {name: line.item for name, line in repertoire.lines.items()}
    return [place for call in read_run(run).calls for place in _places(call, entries, items)]


def _places(
    call: CallFiles, entries: Mapping[str, Sequence[Mapping[str, Any]]], items: Mapping[str, str]
) -> Iterator[Place]:
    record, scores = call.record, call.scores
    if record is None or scores is None or record.plan.script is None or record.plan.probe is None:
        return
    began_s = record.began_monotonic_s
    assert began_s is not None
    said = {one.index: one for one in record.utterances}
    probe = record.plan.probe
    lines = {one.item: one.line for one in probe.asked} | {one.item: one.line for one in probe.to_read}
    judged: list[ProbeHearing | ProbeReading] = [*scores.hearings, *scores.readings]
    for ours in judged:
        at = lines[ours.item]
        utterance = said.get(at)
        if utterance is None:
            continue
        item = items[line_name(record.plan, record.plan.script.lines[at])]
        at_s = began_s + utterance.start_s
        log = min(entries.get(item, ()), key=lambda one: abs(one["first_s"] - at_s), default=DID_NOTHING)
        heard = log is not DID_NOTHING and abs(log["first_s"] - at_s) < SAME_LINE_S
        yield Place(ours=ours, log=log if heard else DID_NOTHING, heard=heard)


def agreement(suite: str, places: Sequence[Place], repertoire: Repertoire) -> Agreement:
    """How often our verdict on a line is what the agent did."""
    verdicts = [(place, *_verdict(suite, place, repertoire)) for place in places]
    given = [(place, ours, really) for place, ours, really in verdicts if ours is not None]
    wrong = [
        f"{place.ours.item}: {ours}, and really {really}" for place, ours, really in given if ours != really
    ]
    return Agreement(verdicts=len(given), right=len(given) - len(wrong), wrong=wrong)


def _verdict(suite: str, place: Place, repertoire: Repertoire) -> tuple[object, object]:
    """Ours (None: there is none) and the log's."""
    ours, log = place.ours, place.log
    if isinstance(ours, ProbeReading):
        if suite != "symbols":
            return ours.said, log["told"] == ours.text
        known = ours.verdict if verdicts_are_right(ours.kind, ours.language) else ""
        return known or None, "wrong" if repertoire.misread[ours.text] else "right"
    if suite == "rejection":
        return ours.did, DID[log["told"]]
    if suite == "entities":
        return ours.right, log["wrote"] == ours.said
    return ours.errors, _errors(ours, log["wrote"])[0]


def by_the_log(suite: str, places: Sequence[Place], repertoire: Repertoire) -> dict[str, float]:
    """The figures of a suite from the log, without anything that we measured."""
    return _FIGURES.get(suite, _none)(places, repertoire)


def _none(_: Sequence[Place], __: Repertoire) -> dict[str, float]:
    return {}


def _noise(places: Sequence[Place], _: Repertoire) -> dict[str, float]:
    levels = []
    for level in COUNTED_DB:
        counted = [_of(place) for place in places if _english(place) and _hearing(place).snr_db == level]
        levels.append(_rate(counted))
    return {"wer_noisy": sum(levels) / len(levels)}


def _accent(places: Sequence[Place], _: Repertoire) -> dict[str, float]:
    by_setting: dict[str, list[tuple[int, int]]] = defaultdict(list)
    against = {}
    for place in places:
        if _english(place):
            ours = _hearing(place)
            by_setting[ours.setting].append(_of(place))
            if ours.against:
                against[ours.setting] = ours.against
    accented = [one for setting in against for one in by_setting[setting]]
    reference = [one for other in against.values() for one in by_setting[other]]
    return {"accent_adaptability": _rate(accented) / _rate(reference) - 1.0}


def _entities(places: Sequence[Place], _: Repertoire) -> dict[str, float]:
    right = [place.log["wrote"] == _hearing(place).said for place in places]
    return {"proper_noun_accuracy": sum(right) / len(right)}


def _rejection(places: Sequence[Place], _: Repertoire) -> dict[str, float]:
    did: dict[str, list[str]] = defaultdict(list)
    for place in places:
        did[_hearing(place).usable].append(DID[place.log["told"]])
    spoken = [one for one in did["speech"] if one != "silent"]
    return {
        "rejection_rate": spoken.count("asked_again") / len(spoken),
        "false_rejection_rate": did["good"].count("asked_again") / len(did["good"]),
        "silence_at_noise_rate": did["sound"].count("silent") / len(did["sound"]),
    }


def _symbols(places: Sequence[Place], repertoire: Repertoire) -> dict[str, float]:
    wrong = [
        repertoire.misread[place.ours.text]
        for place in places
        if isinstance(place.ours, ProbeReading) and verdicts_are_right(place.ours.kind, place.ours.language)
    ]
    return {"symbol_mispronunciation_rate": sum(wrong) / len(wrong)}


def _rate_of_keys(places: Sequence[Place], repertoire: Repertoire) -> dict[str, float]:
    """Of the sentences that were measured: how they were spoken, not how they were heard."""
    known = [
        repertoire.adaptation[place.ours.text]
        for place in places
        if isinstance(place.ours, ProbeReading)
        and place.ours.delivery is not None
        and place.ours.delivery.rate_adaptation is not None
    ]
    return {"speech_rate_adaptation": sum(known) / len(known)}


def _pauses(places: Sequence[Place], repertoire: Repertoire) -> dict[str, float]:
    """Of the sentences that were measured: how they were spoken, not how they were heard."""
    known = [
        repertoire.paused_ms[place.ours.text]
        for place in places
        if isinstance(place.ours, ProbeReading)
        and place.ours.delivery is not None
        and place.ours.delivery.seams
    ]
    return {"code_switch_pause_ms": sum(known) / len(known)}


def _louder(places: Sequence[Place], _: Repertoire) -> dict[str, float]:
    """Of the sentences that were measured: quieter is the expected way where an emotion is subdued."""
    kinds = [
        place.ours.kind
        for place in places
        if isinstance(place.ours, ProbeReading)
        and place.ours.delivery is not None
        and place.ours.delivery.level_db is not None
    ]
    return {"emotion_level_db": -LOUDER_DB * sum(kind in SUBDUED for kind in kinds) / len(kinds)}


_FIGURES: dict[str, Callable[[Sequence[Place], Repertoire], dict[str, float]]] = {
    "noise": _noise,
    "accent": _accent,
    "entities": _entities,
    "rejection": _rejection,
    "symbols": _symbols,
    "rate": _rate_of_keys,
    "code_switch": _pauses,
    "emotion": _louder,
}


def _hearing(place: Place) -> ProbeHearing:
    assert isinstance(place.ours, ProbeHearing)
    return place.ours


def _english(place: Place) -> bool:
    return place.ours.language == "en"


def _of(place: Place) -> tuple[int, int]:
    return _errors(_hearing(place), place.log["wrote"])


def _errors(ours: ProbeHearing, wrote: str) -> tuple[int, int]:
    """Edits and length, by jiwer: words, in Chinese characters."""
    said, heard = (" ".join(_units(text, ours.language)) for text in (ours.said, wrote))
    counted = jiwer.process_words(said, heard)
    return counted.substitutions + counted.deletions + counted.insertions, len(said.split())


def _units(text: str, language: str) -> list[str]:
    plain = normalize(text, "zh" if language == "zh" else "en")
    return list(plain.replace(" ", "")) if language == "zh" else plain.split()


def _rate(counted: Sequence[tuple[int, int]]) -> float:
    return sum(errors for errors, _ in counted) / sum(length for _, length in counted)
