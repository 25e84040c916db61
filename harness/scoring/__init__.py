"""What a run left, turned into its figures: pooled, the guilty set aside, ranked."""
