"""Dialogues from files, from anywhere, as material for a judge."""
