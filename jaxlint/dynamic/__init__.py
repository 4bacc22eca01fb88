"""Dynamic mode: user code is imported and traced here, in worker processes, and nowhere else."""
