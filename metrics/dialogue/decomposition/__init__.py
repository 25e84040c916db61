"""From the text of a task flow to the nodes that a call is judged by (section 5.1.2).

``stages`` what each stage hands to the next, ``coverage`` the checks that need no model, ``pipeline`` the
stages in order with their repairs.
"""

from metrics.dialogue.decomposition.coverage import Coverage, coverage, units
from metrics.dialogue.decomposition.pipeline import Decomposition, DecompositionFailed, decompose

__all__ = ["Coverage", "Decomposition", "DecompositionFailed", "coverage", "decompose", "units"]
