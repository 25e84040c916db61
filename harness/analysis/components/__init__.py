"""Recognisers and voices tried alone, on clips and texts of the user's own: no call, no agent."""
