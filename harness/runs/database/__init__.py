"""An index over runs, for what looks at many of them: SQLite beside the runs, or PostgreSQL by URL.

The folders of the runs stay the truth: :func:`harness.runs.database.index.put_run` fills the index from them,
at the end of a run and whenever somebody asks for it.
"""
