"""Being called: which entry a ring is for, how the agent learns to call, and the call that comes of it."""
