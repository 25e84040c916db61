"""Being called over SIP: where calls come in, who may ring, and what becomes of a ring."""
