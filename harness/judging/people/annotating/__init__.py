"""People rate what judges rate: sheets for them, and how often they agree with each other and a judge."""
