"""From a call that went wrong to a plan that has it again: a call of ours, a recording, or a transcript."""
