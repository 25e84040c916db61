"""What several benches share: sounds that they make, peers that they serve, runs that they watch."""
