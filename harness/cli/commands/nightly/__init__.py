"""What is asked about nights: compared, looked back on, pinned."""
