"""What identifies a person, a company or a deal in a text: found by rule, replaced alike everywhere, checked.

``spans`` finds, ``book`` decides what stands for what, ``replacing`` writes it, ``leaks`` looks whether
anything of the original is left. English and Chinese.
"""
