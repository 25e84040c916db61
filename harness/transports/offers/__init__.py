"""Agents that are reached by one SDP offer over HTTP, each in its maker's dialect.

What differs between dialects is data: a ``profile`` says where the offer goes, in what form, where the answer
stands, what a refusal looks like, what the data channel is called and how one hangs up. ``known`` has those
of FastRTC, OpenAI Realtime, GPT-Live and plain SDP; a plan may bring its own (``harness.plans.reach.offer``).
``exchange`` carries them out, ``transport`` makes a call of it, and a ``dialect`` turns what comes over the
channel into events.
"""
