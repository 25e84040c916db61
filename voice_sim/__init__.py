"""The simulated caller: who it is, what it says, how it sounds, when it speaks.

Imports neither harness nor metrics.
"""
