"""Options of what is asked about nights: compared, looked back on, pinned."""
