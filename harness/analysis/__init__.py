"""What is heard in a recording afterwards."""
