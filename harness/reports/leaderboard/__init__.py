"""The page of a leaderboard, and those of its dialogues."""
