"""What a plan demands: gates for figures of a run, expectations of a line or a call."""
