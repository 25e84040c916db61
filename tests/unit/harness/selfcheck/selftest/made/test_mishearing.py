"""The planter counts what it planted, and the product's own error rate says the same."""

from __future__ import annotations

from random import Random

import pytest

from harness.plans.probes.suite import Language
from harness.selfcheck.selftest.families.words import lines_without_numbers
from harness.selfcheck.selftest.made.mishearing import Mishearing
from metrics.recognition.error_rate import character_error_rate, pool, word_error_rate


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("share", [0.0, 0.1, 0.3])
def test_the_share_that_was_wanted_is_planted_and_measured(language: Language, share: float) -> None:
    counted = Mishearing(language=language)
    rate_of = word_error_rate if language == "en" else character_error_rate
    rates = []
    for number, said in enumerate(lines_without_numbers(language)[:40]):
        heard = counted.heard(said, share, own=Random(f"own {number}"), defect=Random(number))
        rates.append(rate_of(said, heard, language=language))
    assert counted.share == pytest.approx(0.03 + share, abs=0.02)
    measured = pool(rates, unit="word" if language == "en" else "character").rate
    assert measured == pytest.approx(counted.share, abs=0.01)
