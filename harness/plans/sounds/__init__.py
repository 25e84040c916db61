"""Recordings that lines of a script are said by: which file it is, and what is in it."""
