"""What is found in stretches of the agent's voice beside NISQA's rating."""
