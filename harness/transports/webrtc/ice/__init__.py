"""Servers by which media is found or relayed: which are asked, and which are taken."""
