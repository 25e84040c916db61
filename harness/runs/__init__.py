"""Many conversations: what is missing, who places it, where it is kept."""
