"""Making personas from transcripts: the steps of ``voice_sim.authoring`` on disk, each done once and kept.

``folder`` knows where things are, ``items`` what has to be done again, ``steps`` what each step reads and
writes, ``build`` goes through them.
"""
