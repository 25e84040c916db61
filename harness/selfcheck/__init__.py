"""The harness looked at as an instrument: doctor, calibration, and how often the guard is right."""
