"""Calls of a run that were placed elsewhere: put together, with the error bar of where they were placed."""
