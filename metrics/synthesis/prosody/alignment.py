"""Where the same words lie in two readings: dynamic time warping over the stretch that both share.

Steps after Sakoe and Chiba (IEEE Trans. ASSP 26, 1978), symmetric with P = 1: neither reading goes more than
twice as fast as the other. What stands before and after the shared words differs, so the path begins and ends
where likeness pays (local alignment, after Smith and Waterman 1981).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ALIKE_QUANTILE = 0.05
"""Of all pairs of frames, those that are this much alike or more count for a path, all others against it."""
MAX_CELLS = 36_000_000
EDGE_FRAMES = 6
"""A place is mapped by a line through so many steps of the path to either side of it."""

Matrix = NDArray[np.float64]
Path = NDArray[np.int64]


@dataclass(frozen=True, kw_only=True)
class Alignment:
    """Attributes:
    path: ``(steps, 2)``: pairs of frames, the first reading's and the second's, both rising.
    distance: Mean distance along the path, over the mean of all pairs: 0 is the same, 1 is by chance.
    """

    path: Path
    distance: float

    def at(self, index: float) -> float:
        """Where in the second reading what lies at ``index`` of the first is said.

        Raises:
            ValueError: The place is outside the shared stretch.
        """
        first, second = self.path[:, 0], self.path[:, 1]
        if not first[0] <= index <= first[-1] + 1:
            raise ValueError(f"frame {index:.0f} lies outside the shared frames {first[0]} to {first[-1]}")
        place = int(np.argmin(np.abs(first - index)))
        near = slice(max(place - EDGE_FRAMES, 0), place + EDGE_FRAMES + 1)
        slope = (second[near][-1] - second[near][0]) / max(first[near][-1] - first[near][0], 1)
        return float(np.mean(second[near]) + slope * (index - np.mean(first[near])))


def align(first: Matrix, second: Matrix) -> Alignment:
    """The best shared stretch of two readings.

    Args:
        first, second: ``(frames, numbers)``, see :func:`metrics.synthesis.prosody.frames.frames_of`.

    Raises:
        ValueError: They are too long to be compared, or share nothing.
    """
    if len(first) * len(second) > MAX_CELLS:
        raise ValueError(f"readings of {len(first)} and {len(second)} frames are too long to be compared")
    squares = np.sum(first**2, axis=1)[:, None] + np.sum(second**2, axis=1)[None, :]
    distances = np.sqrt(np.maximum(squares - 2 * first @ second.T, 0.0))
    gains = float(np.quantile(distances, ALIKE_QUANTILE)) - distances
    path = _traced(*_filled(gains))
    if len(path) < 2:
        raise ValueError("the two readings share nothing")
    along = float(np.mean(distances[path[:, 0], path[:, 1]]))
    return Alignment(path=path, distance=along / float(np.mean(distances)))


def _filled(gains: Matrix) -> tuple[Matrix, NDArray[np.int8]]:
    """Score of the best path that ends in each pair, and the step that led there (0: it begins there).

    Diagonal by diagonal: all pairs of one have their predecessors in the three before it.
    """
    rows, columns = gains.shape
    score = np.zeros((rows + 2, columns + 2))
    step = np.zeros((rows, columns), dtype=np.int8)
    padded = np.pad(gains, ((2, 0), (2, 0)), constant_values=-1e9)
    for diagonal in range(rows + columns - 1):
        i = np.arange(max(0, diagonal - columns + 1), min(rows, diagonal + 1))
        j = diagonal - i
        a, b = i + 2, j + 2
        here = padded[a, b]
        options = np.stack(
            [
                np.zeros(len(i)),
                score[a - 1, b - 1] + 2 * here,
                score[a - 2, b - 1] + 2 * padded[a - 1, b] + here,
                score[a - 1, b - 2] + 2 * padded[a, b - 1] + here,
            ]
        )
        best = np.argmax(options, axis=0)
        step[i, j] = best
        score[a, b] = options[best, np.arange(len(i))]
    return score[2:, 2:], step


def _traced(score: Matrix, step: NDArray[np.int8]) -> Path:
    i, j = (int(one) for one in np.unravel_index(int(np.argmax(score)), score.shape))
    path: list[tuple[int, int]] = []
    while i >= 0 and j >= 0 and step[i, j]:
        path.append((i, j))
        taken = step[i, j]
        if taken == 2:
            path.append((i - 1, j))
        elif taken == 3:
            path.append((i, j - 1))
        i, j = i - 1 - int(taken == 2), j - 1 - int(taken == 3)
    return np.array(path[::-1], np.int64).reshape(-1, 2)
