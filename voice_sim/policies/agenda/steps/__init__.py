"""The steps of a decision: what the persona does about what the agent said."""
