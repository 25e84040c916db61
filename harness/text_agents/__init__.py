"""Agents that are talked to in text: what plays the agent card in ``chat``."""
