"""Tests of ``outboundeval persona``."""
