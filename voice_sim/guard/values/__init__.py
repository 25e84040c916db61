"""Values in a text: amounts, numbers, dates, times."""
