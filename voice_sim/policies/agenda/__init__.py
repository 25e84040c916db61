"""The agenda policy: deterministic, from the persona, without a network."""

from voice_sim.policies.agenda.policy import AgendaPolicy

__all__ = ["AgendaPolicy"]
