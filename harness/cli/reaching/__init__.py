"""Options of the command line that say whom to call and how, as a plan has them."""
