"""What the simulated caller and the measurement both need of spoken language, and nothing else.

Who said what (:mod:`~spoken_language.dialogue`) and the phrases that are looked for in it
(:mod:`~spoken_language.phrases`). Imports none of our other packages: all of them may import this one.
"""
