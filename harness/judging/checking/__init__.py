"""How often a judge is right, measured on a labelled set."""
