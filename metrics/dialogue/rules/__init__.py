"""A judge without a language model: deterministic, offline, and open about what it cannot see.

``judge.py`` is the judge; ``nodes.py`` judges the flow; each dimension that can be measured has a file of its
own, whose docstring says what it measures and what it is blind to. Its scores are not comparable with
published ones.
"""
