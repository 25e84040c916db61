"""What the detectors of speech need beside them."""
