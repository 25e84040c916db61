"""``python -m bench.dialogues.fit [--write]``: fits the guard's regression, and tries it on unseen calls.

Each set of kept calls (authors, readers and a state of the caller of its own) is left out once: bias, weights
and thresholds come from the others alone, and what they find in it is printed, with what the rules are
certain of. ``--write`` then fits on all sets together, and keeps weights and figures in
``voice_sim/guard/misunderstanding/weights/talked_past.json``.

Turns about which the readers disagree are not fitted on. An English turn is fitted on twice, with the encoder
and by words alone, so that one regression serves both.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from bench.dialogues.guarded import share_of
from bench.dialogues.kept import KeptDialogue, kept_dialogues
from harness.calls.guard import session_of
from voice_sim.caller.events import HangUpReason
from voice_sim.guard.check import certain_misunderstandings
from voice_sim.guard.misunderstanding.nearness import Evidence, evidence_for
from voice_sim.guard.misunderstanding.signs import Signs, signs_of
from voice_sim.guard.misunderstanding.talked_past import FILE, Weights, is_unsure
from voice_sim.guard.session import Turn

FALSE_AT_MOST = 0.03
SHRINKAGE = 1.0
HELD_OUT = "fifth"
"""The set that was written after these weights were frozen; nothing is fitted to it."""
SEEN_AT_LEAST = 4
"""A sign of fewer turns says nothing."""


@dataclass(frozen=True, kw_only=True)
class Sample:
    """One turn of the caller that was read.

    Attributes:
        signs: By the evidence that may be had; none where the turn answers no words of the agent.
        found: Whether a rule is certain of it.
    """

    set: str
    past: bool
    fine: bool
    signs: Mapping[Evidence, Signs]
    found: bool

    @property
    def best(self) -> Signs | None:
        """With the encoder, where there are such signs."""
        return self.signs.get("meaning", self.signs.get("words"))

    def by_words(self) -> Sample:
        """The same without the encoder."""
        return replace(self, signs={kind: of for kind, of in self.signs.items() if kind == "words"})


def samples(dialogues: Sequence[KeptDialogue]) -> list[Sample]:
    """Every turn that both readers read."""
    found = []
    for dialogue in dialogues:
        turns = [Turn(speaker=turn.speaker, text=turn.text) for turn in dialogue.turns]
        session = session_of(dialogue.task, turns, cast(HangUpReason, dialogue.ended))
        kinds: set[Evidence] = {"words", evidence_for(session.persona.language)}
        signs = {evidence: signs_of(session, evidence) for evidence in kinds}
        certain = {finding.turn for finding in certain_misunderstandings(session)}
        for at in dialogue.caller_turns():
            kept = dialogue.turns[at]
            if kept.readers and "not read" not in kept.readers:
                found.append(
                    Sample(
                        set=dialogue.file.partition("-")[0],
                        past=kept.past,
                        fine=all(one == "ok" for one in kept.readers),
                        signs={evidence: of[at] for evidence, of in signs.items() if at in of},
                        found=at in certain,
                    )
                )
    return found


def fitted(tried: Sequence[Sample]) -> Weights:
    """Bias and weights of least cross-entropy, shrunk; the threshold as :data:`FALSE_AT_MOST` wants it."""
    rows = [(signs, one.past) for one in tried if one.past or one.fine for signs in one.signs.values()]
    seen = Counter(name for signs, _ in rows for name, value in signs.items() if value)
    names = sorted(name for name, times in seen.items() if times >= SEEN_AT_LEAST)
    table = np.array([[signs.get(name, 0.0) for name in names] for signs, _ in rows])
    truth = np.array([float(past) for _, past in rows])

    def loss(values: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        bias, of = values[0], values[1:]
        odds = bias + table @ of
        entropy = float(np.sum(np.logaddexp(0, odds) - truth * odds) + SHRINKAGE * of @ of)
        slope = 1 / (1 + np.exp(-odds)) - truth
        return entropy, np.concatenate([[slope.sum()], table.T @ slope + 2 * SHRINKAGE * of])

    values = minimize(loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B").x
    of = {name: round(float(value), 4) for name, value in zip(names, values[1:], strict=True)}
    return Weights(
        version="unset", bias=round(float(values[0]), 4), of=of, unsure_from=math.inf, other_from=math.inf
    )


def bounded(tried: Sequence[Sample]) -> Weights:
    """Weights of all samples, with thresholds by what each set comes to when it is left out.

    What the rules find wrongly is part of what may be found wrongly; each threshold has half of the rest.
    """
    found = fitted(tried)
    odds: list[tuple[float, bool, bool]] = []
    for left_out, rest in _one_left_out(tried):
        by_rest = fitted(rest)
        odds += [
            (by_rest.log_odds(one.best), is_unsure(one.best), one.fine)
            for one in left_out
            if one.best is not None and not one.found
        ]
    already = sum(one.found and one.fine for one in tried)
    allowed = (FALSE_AT_MOST * len(tried) - already) / 2
    return replace(
        found,
        unsure_from=_least([(value, fine) for value, unsure, fine in odds if unsure], allowed),
        other_from=_least([(value, fine) for value, unsure, fine in odds if not unsure], allowed),
    )


def _least(odds: Sequence[tuple[float, bool]], allowed: float) -> float:
    """The least threshold from which no more of those in order are found than allowed."""
    least, false = math.inf, 0
    for value, fine in sorted(odds, reverse=True):
        false += fine
        if false > allowed:
            break
        least = value
    return round(least, 4)


def _one_left_out(tried: Sequence[Sample]) -> list[tuple[list[Sample], list[Sample]]]:
    return [
        ([one for one in tried if one.set == name], [one for one in tried if one.set != name])
        for name in dict.fromkeys(one.set for one in tried)
    ]


def _counts(name: str, tried: Sequence[Sample], found: Sequence[bool]) -> str:
    past = [hit for one, hit in zip(tried, found, strict=True) if one.past]
    false = [hit for one, hit in zip(tried, found, strict=True) if one.fine]
    return (
        f"{name}: found {share_of(sum(past), len(past))}; false {share_of(sum(false), len(tried))} of turns"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="keep the weights fitted on all sets")
    arguments = parser.parse_args()
    tried = samples([one for one in kept_dialogues() if not one.file.startswith(HELD_OUT)])
    lines: list[str] = []
    for evidence in ("as installed", "words"):
        seen = [one.by_words() for one in tried] if evidence == "words" else tried
        every: list[Sample] = []
        hits: list[bool] = []
        for left_out, rest in _one_left_out(seen):
            by_rest = bounded(rest)
            found = [one.found or (one.best is not None and by_rest.finds(one.best)) for one in left_out]
            every, hits = every + left_out, hits + found
            lines.append(_counts(f"left out, {evidence}: {left_out[0].set}", left_out, found))
        lines.append(_counts(f"left out, {evidence}: all", every, hits))
    print("\n".join(lines))
    if arguments.write:
        _write(bounded(tried), lines)


def _write(using: Weights, lines: Sequence[str]) -> None:
    content = {
        "bias": using.bias,
        "weights": dict(using.of),
        "unsure_from": using.unsure_from,
        "other_from": using.other_from,
    }
    version = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:8]
    FILE.parent.mkdir(exist_ok=True)
    notes = {"figures": list(lines)}
    FILE.write_text(json.dumps({"version": version} | content | notes, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
