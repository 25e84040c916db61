"""Two runs of the same calls: how much a figure changed, how sure that is, and what could have been seen."""
