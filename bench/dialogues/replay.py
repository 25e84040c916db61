"""The present caller in the place of the one that was recorded, turn by turn.

Each turn is decided with the kept call up to it as what happened, the recorded caller's own words included:
so one turn differs from the record by what has changed in the caller, and not by what a changed turn before
it would have brought about. The agent of the record reacts to nothing: what a change does to a call, only new
calls tell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import Pool

from bench.dialogues.kept import KeptDialogue, KeptTurn
from harness.paths import vectors_file
from voice_sim.policies.agenda.policy import AgendaPolicy
from voice_sim.policies.base import Heard, Leave, Line, Said
from voice_sim.understanding.encoders.e5 import E5Encoder
from voice_sim.understanding.examples.understander import UnderstandsByExamples, lines_of
from voice_sim.understanding.vectors import RememberingEncoder, VectorCache


@dataclass(frozen=True, kw_only=True)
class Replayed:
    """One turn of the caller.

    Attributes:
        at: Position in the call.
        agent: What it answers.
        kept: As it was recorded.
        now: What the present caller says in its place; "" where it hangs up without a word.
        why: Its reasons.
        roles: Of the recorded lines.
        heard: What the agent's words are taken to mean now.
    """

    dialogue: KeptDialogue
    at: int
    agent: str
    kept: KeptTurn
    now: str
    why: str
    heard: str

    @property
    def differs(self) -> bool:
        return _bare(self.now) != _bare(self.kept.text)


def replayed(dialogues: Sequence[KeptDialogue], *, jobs: int = 2) -> list[Replayed]:
    """Every turn of the caller but the first words, call by call."""
    with Pool(jobs) as pool:
        return [turn for turns in pool.imap(_of_dialogue, dialogues) for turn in turns]


def _of_dialogue(dialogue: KeptDialogue) -> list[Replayed]:
    return list(_turns(dialogue))


def _turns(dialogue: KeptDialogue) -> Iterator[Replayed]:
    persona = dialogue.task.persona
    encoder = RememberingEncoder(E5Encoder(), VectorCache(vectors_file()))
    vectors = VectorCache(vectors_file()).encode(lines_of(persona), encoder)
    understander = UnderstandsByExamples(persona, encoder, vectors=vectors)
    policy = AgendaPolicy(persona=persona, seed=dialogue.seed, understander=understander)
    so_far: list[Said | Heard] = []
    agent = ""
    for at, turn in enumerate(dialogue.turns):
        now_s = float(10 * at)
        if turn.speaker == "agent":
            so_far.append(Heard(onset_s=now_s, end_s=now_s + 5, text=turn.text))
            agent = turn.text
            continue
        if agent:
            decided = policy.next_line(so_far)
            text = decided.text if isinstance(decided, Line) else ""
            why = decided.why if isinstance(decided, Line | Leave) else ""
            seen = policy.state(so_far).hearing
            heard = ", ".join(map(str, seen.items())) if seen is not None else ""
            acts = f"does {seen.does}" if seen is not None and seen.does else ""
            yield Replayed(
                dialogue=dialogue,
                at=at,
                agent=agent,
                kept=turn,
                now=text,
                why=why,
                heard=" ".join(filter(None, (heard, acts))),
            )
        so_far.append(Said(text=turn.text, kind="turn", end_s=now_s + 5))


def _bare(text: str) -> str:
    """Without the pauses that are drawn anew."""
    return " ".join(text.replace("…", " ").split()).casefold()
