"""Understanding by example lines: what an utterance means to a person is what it is nearest to in meaning."""
