"""What is lost where an agent does not tell its words, as over a telephone: judges then read our transcript.

``python -m bench.telephone_words RUN [RUN …] [--calls 24]``: dialogues of runs of ``chat``. What the agent
says in them is known; Piper speaks it, Opus or G.711 carries it, Whisper writes it down. Printed: the error
rate of the words, how many names are written right, by how much TFC and the verdicts on nodes differ (judge
``rules``), with intervals over the calls. With ``--names`` also how many wrong names become the right ones
where Whisper is told the names of the scenario as hot words. Offline; some minutes.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from bench.telephone_words.lines import heard
from bench.telephone_words.names import hears, print_planted
from harness.judging.material import DialogueMaterial, of_chat
from harness.runs.store import RunStore
from metrics.dialogue.judging import judge_session
from metrics.dialogue.rules.judge import RulesJudge
from metrics.dialogue.text_scores import TextScores
from metrics.intervals import bootstrap_mean_by_call
from metrics.recognition.error_rate import pool, word_error_rate
from spoken_language.dialogue import Dialogue

CODECS = ("opus", "pcmu")


@dataclass(frozen=True, kw_only=True)
class Call:
    """A dialogue, and the names that it may have in it."""

    material: DialogueMaterial
    names: tuple[str, ...]


def main() -> None:
    parser = argparse.ArgumentParser(prog="telephone_words", description=__doc__)
    parser.add_argument("runs", nargs="*", type=Path)
    parser.add_argument("--calls", type=int, default=24)
    parser.add_argument("--names", action="store_true")
    options = parser.parse_args()
    if options.runs:
        calls = _chosen(options.runs, options.calls)
        known = [_scored(one.material) for one in calls]
        for codec in CODECS:
            _print(codec, calls, known)
    if options.names:
        print_planted(CODECS)


def _chosen(runs: Sequence[Path], most: int) -> list[Call]:
    """As many from each run."""
    by_run = [
        [
            Call(material=of_chat(record), names=record.plan.about.proper_nouns)
            for record in RunStore(run).records()
            if record.status.took_place and record.plan.about.language == "en"
        ]
        for run in runs
    ]
    each = most // len(runs)
    return [call for calls in by_run for call in calls[:: max(1, len(calls) // each)][:each]]


def _print(codec: str, calls: Sequence[Call], known: Sequence[TextScores]) -> None:
    rates, said, right = [], 0, 0
    tfc, nodes, nodes_off = {}, 0, {}
    for call, truth in zip(calls, known, strict=True):
        turns = []
        for turn in call.material.dialogue.turns:
            if turn.speaker != "agent":
                turns.append(turn)
                continue
            written = heard(turn.text, codec)
            rates.append(word_error_rate(turn.text, written))
            spoken = [name for name in call.names if name in turn.text]
            said, right = said + len(spoken), right + sum(hears(name, written) for name in spoken)
            turns.append(turn.model_copy(update={"text": written or "…"}))
        scores = _scored(replace(call.material, dialogue=Dialogue(turns=tuple(turns))))
        differ = [a.outcome != b.outcome for a, b in zip(truth.nodes, scores.nodes, strict=True)]
        nodes += len(differ)
        nodes_off[call.material.id] = [float(one) for one in differ]
        before, after = truth.score("tfc").value, scores.score("tfc").value
        if before is not None and after is not None:
            tfc[call.material.id] = [after - before]
    whole = pool(rates, unit="word")
    print(f"{codec}: {len(calls)} calls, {len(rates)} turns of the agent, {whole.reference_length} words")
    print(f"  WER of our transcript: {whole.rate:.1%}")
    print(f"  names written right: {right} of {said} ({right / max(1, said):.0%})")
    print(f"  TFC, transcript less known text (scale of 1): {_mean(tfc)}; the widest {_widest(tfc):+.3f}")
    print(f"  nodes judged otherwise: {_mean(nodes_off)} of {nodes}", flush=True)


def _mean(by_call: dict[str, list[float]]) -> str:
    found = bootstrap_mean_by_call(by_call, seed=1)
    values = [value for one in by_call.values() for value in one]
    return f"{np.mean(values):+.4f} ({found.low:+.4f} to {found.high:+.4f}, n = {len(values)})"


def _widest(by_call: dict[str, list[float]]) -> float:
    return max((value for one in by_call.values() for value in one), key=abs, default=0.0)


def _scored(material: DialogueMaterial) -> TextScores:
    return asyncio.run(
        judge_session(
            RulesJudge(),
            material.dialogue,
            material.flow,
            agent_prompt=material.agent_prompt,
            language=material.language,
        )
    )


if __name__ == "__main__":
    main()
