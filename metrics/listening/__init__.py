"""What a listening test is made of: levels, known degradations, and the figure with its interval."""
