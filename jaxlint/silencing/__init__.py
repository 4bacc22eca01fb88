"""What is found and not told: comments that silence, and findings that a project knows of."""
