"""What the simulated caller and the measurement both need of spoken language, and nothing else.

Who said what (:mod:`~spoken_language.dialogue`), the phrases that are looked for in it
(:mod:`~spoken_language.phrases`), and numbers in words: how English spells them
(:mod:`~spoken_language.english_number_words`), what they mean (:mod:`~spoken_language.english_quantities`),
and both for Chinese (:mod:`~spoken_language.chinese_numbers`). ``tests/golden/test_number_readings.py`` has
what every reader makes of them. Imports none of our other packages: all of them may import this one.
"""
