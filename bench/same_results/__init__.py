"""Whether two commits come to the same results with the same seeds: ``python -m bench.same_results REV``."""
