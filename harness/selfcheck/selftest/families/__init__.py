"""What is planted, one module a family of defects; :mod:`.table` lists them."""
