"""The commands that try recognisers and voices alone."""
