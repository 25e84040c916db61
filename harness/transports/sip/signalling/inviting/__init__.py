"""Having a call of ours taken: an INVITE at one place after the other, who rings, and what becomes of it."""
