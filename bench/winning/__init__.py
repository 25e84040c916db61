"""Who wins whom: agents in a stranger's words, by reasons, by pressing and by reading out."""
