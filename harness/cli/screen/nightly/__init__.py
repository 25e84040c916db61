"""What a person reads of nights: verdicts, comparisons, histories."""
