"""What the text of a program tells, before anything is run."""
