"""Is the simulated person taken for a real one? The three evaluations of the paper's section 4.4.

``pairing`` says which dialogues are laid side by side, ``judging`` asks a language model, ``verdicts`` is
what comes of that and of people alike, ``statistics`` makes Tables 1, 2 and 3 with intervals and tests,
``tables`` prints them. Judged is the person's side of a dialogue; the agent's lines are there to be
understood by."""
