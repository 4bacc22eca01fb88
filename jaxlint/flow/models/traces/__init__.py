"""What a trace reads and writes beyond itself."""
