"""Symbol mispronunciation (paper, Table 16): were numbers, letters and signs read as they may be?"""
