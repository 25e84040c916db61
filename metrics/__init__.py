"""Pure measurement: arrays, spans, words, dialogues in; Score out. Imports neither harness nor voice_sim."""
