"""The caller in a call: hears, decides, speaks. A state machine over events."""
