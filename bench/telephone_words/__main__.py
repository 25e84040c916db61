"""What is lost where an agent does not tell its words, as over a telephone: judges then read our transcript.

``python -m bench.telephone_words [--calls 24] [--names]``: English dialogues of the labelled set
(``fixtures/judge``). What the agent says in them is known; Piper speaks it, Opus or G.711 carries it, Whisper
writes it down. Printed: the error rate of the words, how many names are written right, by how much TFC and
the verdicts on nodes differ (judge ``rules``), with intervals over the calls. With ``--names``: instead, how
many wrong names become the right ones where Whisper is told the names of the scenario as hot words. Offline.
"""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bench.telephone_words.lines import heard
from bench.telephone_words.names import hears, print_planted
from harness.judging.checking.labelled_set import read_judge_set
from harness.judging.checking.tasks import JudgedTask, judged_tasks
from harness.scenarios.folders import load_entries
from metrics.dialogue.judging import judge_session
from metrics.dialogue.rules.judge import RulesJudge
from metrics.dialogue.text_scores import TextScores
from metrics.intervals import bootstrap_mean_by_call
from metrics.recognition.error_rate import pool, word_error_rate
from spoken_language.dialogue import Dialogue

CODECS = ("opus", "pcmu")


@dataclass(frozen=True, kw_only=True)
class Call:
    """A dialogue, what it is judged by, and the names that it may have in it."""

    id: str
    dialogue: Dialogue
    task: JudgedTask
    names: tuple[str, ...]


def main() -> None:
    parser = argparse.ArgumentParser(prog="telephone_words", description=__doc__)
    parser.add_argument("--calls", type=int, default=24)
    parser.add_argument("--names", action="store_true")
    options = parser.parse_args()
    if options.names:
        print_planted(CODECS)
        return
    calls = _chosen(options.calls)
    known = [_scored(one.dialogue, one.task) for one in calls]
    for codec in CODECS:
        _print(codec, calls, known)


def _chosen(most: int) -> list[Call]:
    """Spread evenly over the set."""
    labelled = read_judge_set()
    tasks = judged_tasks(labelled)
    english = [one for one in labelled.dialogues if tasks[one.entry].language == "en"]
    chosen = [english[place * len(english) // most] for place in range(min(most, len(english)))]
    entries = load_entries(sorted({one.entry for one in chosen}))
    return [
        Call(
            id=one.id,
            dialogue=Dialogue(turns=one.turns),
            task=tasks[one.entry],
            names=entries[one.entry].proper_nouns,
        )
        for one in chosen
    ]


def _print(codec: str, calls: Sequence[Call], known: Sequence[TextScores]) -> None:
    rates, said, right = [], 0, 0
    tfc, nodes, nodes_off = {}, 0, {}
    for call, truth in zip(calls, known, strict=True):
        turns = []
        for turn in call.dialogue.turns:
            if turn.speaker != "agent":
                turns.append(turn)
                continue
            written = heard(turn.text, codec)
            rates.append(word_error_rate(turn.text, written))
            spoken = [name for name in call.names if name in turn.text]
            said, right = said + len(spoken), right + sum(hears(name, written) for name in spoken)
            turns.append(turn.model_copy(update={"text": written or "…"}))
        scores = _scored(Dialogue(turns=tuple(turns)), call.task)
        differ = [a.outcome != b.outcome for a, b in zip(truth.nodes, scores.nodes, strict=True)]
        nodes += len(differ)
        nodes_off[call.id] = [float(one) for one in differ]
        before, after = truth.score("tfc").value, scores.score("tfc").value
        if before is not None and after is not None:
            tfc[call.id] = [after - before]
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


def _scored(dialogue: Dialogue, task: JudgedTask) -> TextScores:
    return asyncio.run(
        judge_session(
            RulesJudge(), dialogue, task.flow, agent_prompt=task.agent_prompt, language=task.language
        )
    )


if __name__ == "__main__":
    main()
