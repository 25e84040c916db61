"""How personas are made from real calls: the paper's seven steps (section 4.3.2), one file each.

``curate`` → ``extract`` → ``generalise`` → ``deidentify`` → ``enrich`` → ``humanise`` → ``scale``,
and ``exemplify`` behind them, which is not of the paper.

Curating by measures, de-identifying and the checks of scaling need no language model; whatever writes does,
and takes a ``pydantic_ai.models.Model``. Files, resuming and the command are ``harness.scenarios.authoring``.
"""
