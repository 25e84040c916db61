"""The rules that written scenario content keeps, one file per part of a scenario."""
