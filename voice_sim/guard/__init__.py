"""Did the simulated caller play its part? Checked after each call, before the agent is blamed.

:mod:`voice_sim.guard.check` runs all checks; each check is a file of its own and says what it can and
cannot see. Nothing here opens a file or needs a model, except ``model_check``, which
asks one.
"""
