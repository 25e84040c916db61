"""What a call is about: entries of the benchmark and of the user, read, checked, imported and written."""
