"""Table 6 of the paper out of its own two columns: the final score weighs them as it did."""

from __future__ import annotations

import pytest

from metrics.dialogue.share import Share
from metrics.dialogue.text_scores import final_score

TABLE_6 = {
    "doubao-1.5-32k": (0.8881, 0.8331, 0.9554),
    "gpt-4.1": (0.8818, 0.8204, 0.9568),
    "claude-4-sonnet": (0.8748, 0.8339, 0.9248),
    "gemini-2.5-flash": (0.8719, 0.8016, 0.9578),
    "qwen3-32b-base": (0.8672, 0.7986, 0.9510),
    "gpt-4o": (0.8606, 0.8072, 0.9258),
    "claude-3.5-sonnet": (0.8448, 0.7764, 0.9283),
    "gemini-2.5-pro": (0.8438, 0.7544, 0.9530),
    "deepseek-v3": (0.8195, 0.7683, 0.8821),
    "claude-3.7-sonnet": (0.8162, 0.7522, 0.8944),
    "deepseek-r1": (0.7984, 0.7767, 0.8250),
    "kimi-k2-instruct": (0.7904, 0.7095, 0.8894),
}
"""Model: total, task flow compliance, general interaction capability."""

ROUNDING = 0.55 * 0.00005 + 0.45 * 0.00005 + 0.00005
"""Both columns and the total are rounded to four places."""


@pytest.mark.parametrize("model", TABLE_6)
def test_the_total_comes_out_of_the_two_columns(model: str) -> None:
    total, tfc, gic = TABLE_6[model]
    score = final_score(Share(low=tfc, high=tfc, n=1), Share(low=gic, high=gic, n=1), version="1")
    assert score.value == pytest.approx(total, abs=ROUNDING)


def test_weights_a_hundredth_away_would_not_give_the_table() -> None:
    for tfc_weight in (0.54, 0.56):
        missed = [
            model
            for model, (total, tfc, gic) in TABLE_6.items()
            if abs(tfc_weight * tfc + (1 - tfc_weight) * gic - total) > ROUNDING
        ]
        assert len(missed) == len(TABLE_6)
