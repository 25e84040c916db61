"""Pure measurement: arrays, spans, words and dialogues in; Score out. Imports neither harness nor voice_sim."""
