"""Tables 1-3 of the paper out of its own counts, and their statistics worked out again by other means."""

from __future__ import annotations

import math

import pytest

from voice_sim.realism.statistics import comparison_table, detection_table, score_table
from voice_sim.realism.tables import markdown
from voice_sim.realism.verdicts import Compared, Detected, Scored, Source, Verdicts


def compared(human_wins: int, simulated_wins: int) -> tuple[Compared, ...]:
    winners: list[Source] = ["human"] * human_wins + ["simulated"] * simulated_wins
    return tuple(
        Compared(
            human=f"h{n}",
            simulated=f"s{n}",
            rater="one",
            first="human" if n % 2 else "simulated",
            more_human=winner,
        )
        for n, winner in enumerate(winners)
    )


def detected(counts: dict[tuple[Source, Source], int]) -> tuple[Detected, ...]:
    return tuple(
        Detected(talk=f"{is_}-{taken}-{n}", source=is_, rater="one", verdict=taken)
        for (is_, taken), count in counts.items()
        for n in range(count)
    )


def wilson(k: int, n: int) -> tuple[float, float]:
    """Roots of (p - k/n)^2 = z^2 p (1 - p) / n, the equation that Wilson solves."""
    z2 = 1.959963984540054**2
    a, b, c = 1 + z2 / n, -(2 * k / n + z2 / n), (k / n) ** 2
    root = math.sqrt(b * b - 4 * a * c)
    return (-b - root) / (2 * a), (-b + root) / (2 * a)


def test_table_3_and_its_exact_binomial_test() -> None:
    table = comparison_table(compared(64, 86))
    assert (table.total, table.wins) == (150, {"human": 64, "simulated": 86})
    # Both tails of Binomial(150, 1/2): as far from 75 as 64 and 86 are, or farther; in whole numbers.
    tail = sum(math.comb(150, k) for k in range(65))
    assert table.p == pytest.approx(2 * tail / 2**150, rel=1e-9)
    assert table.p == pytest.approx(0.0863, abs=5e-4)
    assert (table.simulated_wins.low, table.simulated_wins.high) == pytest.approx(wilson(86, 150))


def test_table_3_as_it_is_printed() -> None:
    text = markdown(Verdicts(by="the paper", compared=compared(64, 86)))
    assert "| Count | 150 | 64 | 86 | 0 |" in text
    assert "| Percentage | 100 % | 42.67 % | 57.33 % | 0.00 % |" in text
    assert "not significant at 5 %" in text


def test_table_2_and_its_tests() -> None:
    counts: dict[tuple[Source, Source], int] = {
        ("human", "human"): 150,
        ("human", "simulated"): 0,
        ("simulated", "human"): 149,
        ("simulated", "simulated"): 1,
    }
    table = detection_table(detected(counts))
    assert table.counts == counts
    # The one dialogue that was found out can only be human or simulated: either table is as likely.
    assert table.p_told_apart == pytest.approx(1.0)
    taken = table.taken_for_human["simulated"]
    assert taken.value == pytest.approx(149 / 150)
    assert (taken.low, taken.high) == pytest.approx(wilson(149, 150))
    # 151 of 300 are taken for what they are: P(|X - 150| >= 1) = 1 - P(X = 150).
    assert table.correct.value == pytest.approx(151 / 300)
    assert table.p_correct == pytest.approx(1 - math.comb(300, 150) / 2**300)
    text = markdown(Verdicts(by="the paper", detected=detected(counts)))
    assert "| Human dialogue | 150 | 0 |" in text
    assert "| Simulated dialogue | 149 | 1 |" in text


def test_table_2_where_they_are_told_apart() -> None:
    table = detection_table(
        detected(
            {
                ("human", "human"): 8,
                ("human", "simulated"): 2,
                ("simulated", "human"): 1,
                ("simulated", "simulated"): 9,
            }
        )
    )
    # Hypergeometric: of 20, 9 are taken for human; X of them are among the 10 human ones.
    weight = {k: math.comb(10, k) * math.comb(10, 9 - k) for k in range(10)}
    extreme = sum(w for w in weight.values() if w <= weight[8])
    assert table.p_told_apart == pytest.approx(extreme / math.comb(20, 9))
    # 17 of 20 correct.
    tail = sum(math.comb(20, k) for k in range(17, 21))
    assert table.p_correct == pytest.approx(2 * tail / 2**20)


def test_table_1_means_intervals_and_rank_test() -> None:
    # Means 8.50 and 8.27 out of 150 each: the paper's figures, with scores that give them.
    human = [9] * 75 + [8] * 75
    simulated = [9] * 40 + [8] * 110
    scored = [Scored(talk=f"h{n}", source="human", rater="one", score=s) for n, s in enumerate(human)]
    scored += [
        Scored(talk=f"s{n}", source="simulated", rater="one", score=s) for n, s in enumerate(simulated)
    ]
    table = score_table(scored)
    means = {source: figure.value for source, figure in table.means.items()}
    assert means == {"human": pytest.approx(8.50), "simulated": pytest.approx(8.27, abs=0.005)}
    # Standard error of a mean of 150 nines and eights, half each: 0.5 / sqrt(150).
    half = 1.96 * 0.5 / math.sqrt(150)
    figure = table.means["human"]
    assert (figure.low, figure.high) == (
        pytest.approx(8.5 - half, abs=0.012),
        pytest.approx(8.5 + half, abs=0.012),
    )
    # With two values, U differs from its mean by 150 * 150 * (75/150 - 40/150) / 2; the variance is that for
    # ties, and the half is the correction for continuity.
    n = 150
    away = n * n * (75 / n - 40 / n) / 2
    ties = [115, 185]
    variance = n * n / 12 * ((2 * n + 1) - sum(t**3 - t for t in ties) / (2 * n * (2 * n - 1)))
    z = (away - 0.5) / math.sqrt(variance)
    assert table.p == pytest.approx(math.erfc(z / math.sqrt(2)), rel=1e-6)
    text = markdown(Verdicts(by="the paper", scored=tuple(scored)))
    assert "| Human dialogue | 8.50 |" in text
    assert "| Simulated dialogue | 8.27 |" in text
