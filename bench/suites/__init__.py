"""Every probe suite in full, by live calls to light agents whose own log is the truth."""
