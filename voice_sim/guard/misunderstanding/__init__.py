"""Did the simulated caller understand the agent? One file for each way in which it may not have.

Nothing here asks what the caller itself understands by: neither its encoder nor its example lines nor its
thresholds, which would miss the same lines again. What speaks is the agent's card, what the caller then said
(by its facts and their values), what the agent said afterwards, and, for English where it is installed, an
encoder that the caller does not use.
"""
