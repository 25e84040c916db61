"""Codecs: sound to payloads and back, one file for each."""
