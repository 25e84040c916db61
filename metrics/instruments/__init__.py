"""What listens to sound, as a program of somebody else uses it: each takes :class:`metrics.audio.Audio`.

They bring what they hear to the rate that they listen at themselves.
"""
