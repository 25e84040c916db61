"""How suites of each form are looked at as instruments."""
