"""What the page of a run says of being called."""
