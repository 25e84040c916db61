"""The faults that a simulated caller can be guilty of, one module for each."""
