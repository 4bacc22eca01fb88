"""What can be known: values, where they come from, what can change, and what happened."""
