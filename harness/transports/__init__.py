"""Everything at the wire: how an agent is reached, and when each packet passed."""
