"""The caller's sound: lines made beforehand, voices beside the call, what is sent when."""
