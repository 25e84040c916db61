"""What conversations leave behind, one module for each file of the run folder."""
