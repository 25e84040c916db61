"""What the agent said, as a judge of words finds: did it do its job, and how does it talk?"""
