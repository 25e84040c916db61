"""The course of a call as the persona keeps it: its state, and what a turn of either side changes in it."""
