"""The person who answers the phone: who it is, how it takes turns, whose voice it has."""
