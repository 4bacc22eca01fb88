"""What the user asks for, and where that is written."""
