"""The command line: parse, call, print. All that knows typer and rich."""
