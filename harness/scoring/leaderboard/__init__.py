"""Competitors ranked by their dialogues in text: the form of the paper's Table 6, with intervals."""
