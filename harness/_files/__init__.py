"""Plumbing: files written whole, YAML read with care, checksums, pages that are one file."""
