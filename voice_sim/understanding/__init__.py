"""What the caller makes of the agent's words: lexical matching that forgives recognition errors, speech acts,
and an optional model of sentence meaning. Works without any model."""
