"""Benchmarks: pincite beside its peers on the same files in the same run. Ratios travel between machines, times do not."""
