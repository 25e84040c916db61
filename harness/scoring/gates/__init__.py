"""Whether a run passes: its gates and expectations, decided once for exit code, page, JUnit and Markdown."""
