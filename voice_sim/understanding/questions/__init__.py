"""What a question wants beyond its form: a pick, a no, a word on how one feels."""
