"""What a call does: bind the arguments, describe them, find the summary, apply it."""
