"""Options of the commands that try recognisers and voices alone."""
