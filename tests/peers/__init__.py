"""Servers of other makers that are called as judges, each in a Python of its own: their pins exclude ours.

They are run as modules of this folder by the interpreters that ``OUTBOUNDEVAL_FASTRTC_PYTHON`` and
``OUTBOUNDEVAL_SPEECH_TO_SPEECH_PYTHON`` name (``.ci/judges`` makes both), and import nothing of the product.
What they are told to do comes by ``POST /plan/NAME`` before a call, and ``GET /truth/NAME`` tells what passed
their sockets in it, in the form of the calibration agent.
"""
