"""Voices for people: of their language and gender, always the same, and not the same for all."""

from __future__ import annotations

from collections import Counter

import pytest

from harness.scenarios.folders import load_library
from voice_sim.person.archetypes import Archetype
from voice_sim.person.casting import CASTABLE, PAUSE_S, cast
from voice_sim.person.persona import Demographics, Manner, Persona


def person(language: str = "en", gender: str | None = "male", pace: str = "normal") -> Persona:
    return Persona(
        archetype=Archetype.COOPERATIVE,
        language=language,  # type: ignore[arg-type]
        role="Somebody.",
        demographics=Demographics(gender=gender),  # type: ignore[arg-type]
        manner=Manner(pace=pace),  # type: ignore[arg-type]
    )


@pytest.fixture(scope="module")
def everybody() -> list[tuple[str, Persona]]:
    return [(entry.id, entry.persona) for scenario in load_library() for entry in scenario.entries()]


def test_everybody_is_spoken_for_by_their_language_and_gender(everybody: list[tuple[str, Persona]]) -> None:
    for identity, persona in everybody:
        casting = cast(persona, identity=identity)
        assert casting is not None
        assert persona.language in casting.voice.languages
        assert casting.voice.gender == persona.demographics.gender
        assert not casting.voice.last
        assert casting == cast(persona, identity=identity)


def test_the_benchmarks_people_do_not_sound_like_one(everybody: list[tuple[str, Persona]]) -> None:
    voices: Counter[str] = Counter()
    sounds: Counter[tuple[str, float, float]] = Counter()
    for identity, persona in everybody:
        if persona.language == "en":
            casting = cast(persona, identity=identity)
            assert casting is not None
            voices[casting.voice.name] += 1
            sounds[casting.voice.name, casting.pitch, casting.rate] += 1
    assert sum(voices.values()) == 150
    assert len(voices) == 6
    assert max(voices.values()) < 75
    assert len(sounds) > 70
    assert max(sounds.values()) <= 6


def test_the_order_of_what_is_installed_does_not_matter() -> None:
    for number in range(20):
        there = cast(person(), identity=str(number), available=CASTABLE)
        assert there == cast(person(), identity=str(number), available=CASTABLE[::-1])


def test_what_is_missing_is_made_up_for_step_by_step() -> None:
    def engine_of(persona: Persona, *engines: str) -> str | None:
        available = [voice for voice in CASTABLE if voice.engine in engines]
        casting = cast(persona, identity="x", available=available)
        return None if casting is None else f"{casting.voice.engine}/{casting.voice.name}"

    assert engine_of(person(), "piper", "espeak") == "piper/joe"
    # A voice of the other gender that sounds human, before a robot of the right one.
    assert engine_of(person(gender="female"), "piper", "espeak") == "piper/joe"
    assert engine_of(person(gender="female"), "espeak") == "espeak/en-us+f3"
    assert engine_of(person(language="zh", gender="male"), "kokoro") == "kokoro/jm_kumo"
    assert engine_of(person(language="zh"), "piper", "espeak") is None
    assert engine_of(person(gender=None), "piper") == "piper/joe"


def test_slow_people_pause_longer() -> None:
    pauses = [cast(person(pace=pace), identity="x") for pace in ("fast", "normal", "slow")]
    assert [casting and casting.pause_s for casting in pauses] == [0.35, 0.5, 0.7] == list(PAUSE_S.values())
