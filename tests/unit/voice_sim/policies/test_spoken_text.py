"""Signs that are said in words."""

from __future__ import annotations

from typing import Literal

import pytest

from voice_sim.policies.spoken_text import spoken


@pytest.mark.parametrize(
    ("written", "language", "said"),
    [
        ("It's 30° Celsius.", "en", "It's 30 degrees Celsius."),
        ("It's 30°Celsius.", "en", "It's 30 degrees Celsius."),
        ("It's 86° Fahrenheit.", "en", "It's 86 degrees Fahrenheit."),
        ("It's 30°C today.", "en", "It's 30 degrees today."),
        ("It's 86 °F today.", "en", "It's 86 degrees Fahrenheit today."),
        ("It's 30° For once.", "en", "It's 30 degrees For once."),
        ("今天30℃。", "zh", "今天30度。"),
        ("今天30°C左右。", "zh", "今天30度左右。"),
        ("今天86°F。", "zh", "今天86华氏度。"),
    ],
)
def test_degrees(written: str, language: Literal["en", "zh"], said: str) -> None:
    assert spoken(written, language=language) == said
