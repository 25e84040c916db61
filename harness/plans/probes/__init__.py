"""Probes: calls in which something was planted, so that scoring finds what the agent did about it.

A suite is a folder with a ``suite.yaml`` (:mod:`.suite`), its sounds, a README and a LICENSE. A size of it,
drawn from a seed, becomes ordinary calls of a plan (:mod:`.expanding`), each with what was planted in it
(:mod:`.planted`): everything else of a run works on them as on any call.
"""
