"""What commands print in which people rate."""
