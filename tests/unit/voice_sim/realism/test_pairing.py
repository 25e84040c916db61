"""Which dialogues are laid side by side: same subject first, each once, half of each order."""

from __future__ import annotations

from spoken_language.dialogue import DialogueTurn
from voice_sim.realism.pairing import drawn, pairs_of
from voice_sim.talk import Talk


def talk(name: str, about: str = "", language: str = "en") -> Talk:
    turn = DialogueTurn(speaker="caller", text=f"I am {name}.")
    return Talk(id=name, about=about, language=language, turns=(turn,))  # type: ignore[arg-type]


def test_same_subject_is_paired_whatever_the_order() -> None:
    human = [talk(f"h{n}", about=f"entry-{n}") for n in range(8)]
    simulated = [talk(f"s{n}", about=f"entry-{n}") for n in reversed(range(8))]
    pairs = pairs_of(human, simulated, seed=1)
    assert {(pair.human.id, pair.simulated.id) for pair in pairs} == {(f"h{n}", f"s{n}") for n in range(8)}


def test_each_dialogue_is_used_once_and_languages_do_not_mix() -> None:
    human = [talk(f"h{n}", language="zh" if n < 2 else "en") for n in range(6)]
    simulated = [talk(f"s{n}", language="zh" if n < 3 else "en") for n in range(5)]
    pairs = pairs_of(human, simulated, seed=0)
    assert all(pair.human.language == pair.simulated.language for pair in pairs)
    assert (
        len({pair.human.id for pair in pairs})
        == len({pair.simulated.id for pair in pairs})
        == len(pairs)
        == 4
    )


def test_half_of_the_pairs_show_the_human_one_first() -> None:
    human, simulated = [talk(f"h{n}") for n in range(20)], [talk(f"s{n}") for n in range(20)]
    first = [pair.first for pair in pairs_of(human, simulated, seed=2)]
    assert first.count("human") == 10
    assert first != sorted(first)


def test_seed_decides() -> None:
    human, simulated = [talk(f"h{n}") for n in range(9)], [talk(f"s{n}") for n in range(9)]
    assert pairs_of(human, simulated, seed=5) == pairs_of(human, simulated, seed=5)
    assert pairs_of(human, simulated, seed=5) != pairs_of(human, simulated, seed=6)
    assert len(pairs_of(human, simulated, seed=5, count=4)) == 4


def test_a_sample_keeps_its_order_and_size() -> None:
    talks = [talk(f"h{n}") for n in range(30)]
    some = drawn(talks, 7, seed=1)
    assert len(some) == 7
    assert some == [one for one in talks if one in some]
    assert drawn(talks, 99, seed=1) == drawn(talks, None, seed=1) == talks
